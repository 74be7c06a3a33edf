"""Tables against known values, by small examples worked out by hand."""

import json
import subprocess
import sys
import tarfile
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.evaluate.extraction import (
    ExtractionCase,
    example_pages,
    examples,
    means,
    mixed_in,
    named_fits,
    others,
    strangers_for,
    with_examples,
    without_labels,
)
from sitewright.evaluate.extraction_truth import (
    ColumnFit,
    best_fits,
    f_measure,
    floor_columns,
    harm,
    labelled_sites,
    mixes,
    normalised,
    positional_texts,
    record_columns,
)
from sitewright.evaluate.measures import unpacked
from sitewright.page import Document
from sitewright.wrapper import Misfit, Record


def truth(**values):
    return {page: tuple(true) for page, true in values.items()}


def write_site(folder, name="film-one", pages=12, start=0):
    vertical = name.partition("-")[0]
    (folder / vertical / name).mkdir(parents=True)
    titles = [f"The {word} of {number + start}" for number, word in enumerate(WORDS[:pages])]
    for number, title in enumerate(titles):
        year = f"<tr><td>Year</td><td>{1950 + number}</td></tr>" if number % 3 else ""
        (folder / vertical / name / f"{number:04}.htm").write_text(
            f'<base href="http://{name}.example/{number}"/><html><body><h1>{title}</h1><table>'
            f"{year}<tr><td>Minutes</td><td>{90 + number}</td></tr></table></body></html>"
        )
    years = [str(1950 + number) if number % 3 else "<NULL>" for number in range(pages)]
    write_truth(folder, name, "title", titles)
    write_truth(folder, name, "year", years)
    write_truth(folder, name, "director", ["<NULL>"] * pages)


def write_truth(folder, name, attribute, values):
    rows = [f"{number:04}\t1\t{value}" for number, value in enumerate(values)]
    head = [name.replace("-", "\t") + f"\t{attribute}", "12\t12\t12\t12"]
    file = folder / "groundtruth" / name.partition("-")[0] / f"{name}-{attribute}.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join([*head, *rows, ""]))


WORDS = "Wind Sea Sun Moon Star Rain Snow Fire Earth Stone Wood River".split()


def test_white_space_and_entities_are_normalised_and_nothing_else():
    assert normalised(" The\u00a0 Sun\n &amp;amp; the&nbsp;Moon ") == "The Sun & the Moon"
    assert normalised("9-5, Café!") == "9-5, Café!"


@given(st.text(alphabet="ab<>\"' \u00a0\n", max_size=30))
def test_values_are_told_the_same_however_often_they_were_escaped(text):
    assert normalised(text) == normalised(escape(text)) == normalised(escape(escape(text)))


def test_a_page_is_right_when_the_field_holds_a_true_value():
    true = truth(p1=["a", "b"], p2=["c"], p3=["d"])
    assert f_measure({"p1": ["a"], "p2": ["c"], "p3": ["d"]}, true) == 1
    assert f_measure({"p1": ["b"], "p2": ["c"]}, true) == pytest.approx(2 * 2 / (2 + 3))


def test_every_other_value_counts_against_the_field():
    true = truth(p1=["a"], p2=["b"])
    assert f_measure({"p1": ["a", "x", "y"], "p2": ["b"]}, true) == pytest.approx(4 / (4 + 2))
    assert f_measure({"p1": ["a"], "p2": ["b"], "p3": ["x"]}, {**true, "p3": ()}) == 4 / 5


def test_several_true_values_of_a_page_are_one_right_page():
    assert f_measure({"p1": ["a", "b"]}, truth(p1=["a", "b"])) == 1


def test_the_value_must_be_the_field_not_merely_inside_it():
    assert f_measure({"p1": ["Title: a"]}, truth(p1=["a"])) == 0


def test_the_best_column_counts_for_each_attribute_and_of_equals_the_first():
    columns = {"x": {"p1": ["a"]}, "y": {"p1": ["b"]}, "z": {"p1": ["b"]}}
    fits = best_fits(columns, {"one": truth(p1=["a"]), "two": truth(p1=["b"])})
    assert fits == {"one": (1.0, "x"), "two": (1.0, "y")}
    assert best_fits({}, {"one": truth(p1=["a"])}) == {"one": (0.0, "")}


def test_a_column_mixes_when_two_attributes_have_a_tenth_of_the_pages_each():
    pages = [f"p{number}" for number in range(20)]
    phone = {page: (f"phone {page}",) for page in pages}
    name = {page: (f"name {page}",) for page in pages}
    shifted = {page: [f"name {page}" if n < 2 else f"phone {page}"] for n, page in enumerate(pages)}
    assert mixes(shifted, {"phone": phone, "name": name})
    once = {**shifted, "p1": ["phone p1"]}
    assert not mixes(once, {"phone": phone, "name": name})


def test_a_column_that_holds_both_on_the_same_pages_mixes_nothing():
    both = {"a": truth(p1=["x"], p2=["y"]), "b": truth(p1=["x"], p2=["y"])}
    assert not mixes({"p1": ["x"], "p2": ["y"]}, both)


def test_cut_and_glued_values_are_counted_in_the_best_columns():
    true = {"name": truth(p1=["Ada Example"], p2=["Bob"], p3=["Cy"])}
    column = {"p1": ["Ada"], "p2": ["Name: Bob"], "p3": ["Cy"]}
    other = {"p1": ["Example"], "p2": ["ob"]}
    found = harm({"best": column, "other": other}, true, {"name": ColumnFit(1 / 3, "best")})
    assert found == (0, 1, 1)


def test_every_name_in_a_record_is_a_column():
    values = {
        "price": 5.5,
        "price_raw": "$ 5.50",
        "tags": ["a", "b", None],
        "gone": None,
        "reviews": [{"by": "Ada", "stars": 3}, {"by": None, "stars": 4}],
    }
    columns = record_columns({"p1": Record("u", values), "p2": Misfit("u", "why")})
    assert columns == {
        "price": {"p1": ["5.5"]},
        "price_raw": {"p1": ["$ 5.50"]},
        "tags": {"p1": ["a", "b"]},
        "reviews.by": {"p1": ["Ada"]},
        "reviews.stars": {"p1": ["3", "4"]},
    }


def test_the_floor_has_a_column_for_every_place_of_a_text():
    page = Document(b"<body><p>one<br>two<p>three<script>no</script>")
    assert {(path, text) for path, text in positional_texts(page) if text.strip()} == {
        ("/html[1]/body[1]/p[1]/text()[1]", "one"),
        ("/html[1]/body[1]/p[1]/text()[2]", "two"),
        ("/html[1]/body[1]/p[2]/text()[1]", "three"),
    }
    assert len(floor_columns({"a": page, "b": Document(b"<p>four")})) == 3


def test_a_set_is_read_from_a_folder_or_packed(tmp_path):
    write_site(tmp_path / "set")
    with tarfile.open(tmp_path / "set.tar.xz", "w:xz") as archive:
        archive.add(tmp_path / "set", "set")
    for path in (tmp_path / "set", tmp_path / "set.tar.xz"):
        with unpacked(path) as folder:
            (site,) = labelled_sites(folder)
        assert (site.name, site.vertical, len(site.files)) == ("film-one", "film", 12)
        assert site.truth["title"]["0001"] == ("The Sea of 1",)
        assert site.truth["year"]["0000"] == ()


def test_an_attribute_without_any_true_value_is_left_out(tmp_path):
    write_site(tmp_path)
    assert sorted(labelled_sites(tmp_path)[0].truth) == ["title", "year"]


def test_the_full_set_writes_numbers_of_pages_behind_names(tmp_path):
    write_site(tmp_path)
    (tmp_path / "film" / "film-one").rename(tmp_path / "film" / "film-one(12)")
    assert [site.name for site in labelled_sites(tmp_path)] == ["film-one"]


def test_what_is_no_set_is_named(tmp_path):
    (tmp_path / "odd.tar.xz").write_bytes(b"no archive")
    with pytest.raises(UnreadableInput, match="groundtruth"):
        labelled_sites(tmp_path)
    with pytest.raises(UnreadableInput, match=r"odd\.tar\.xz"), unpacked(tmp_path / "odd.tar.xz"):
        pass
    with pytest.raises(InputNotFound), unpacked(tmp_path / "gone"):
        pass


def test_a_site_is_learnt_and_scored(tmp_path):
    write_site(tmp_path)
    trial = without_labels(ExtractionCase.of(labelled_sites(tmp_path)[0]))
    assert trial.fits["title"].f == trial.fits["year"].f == trial.f == 1
    assert trial.harm == (0, 0, 0)
    assert trial.width < 8
    assert trial.misfits == 0
    assert trial.floor["title"].f == 1
    assert trial.floor["year"].f < 0.9, "the row of years is optional: positions shift"


def test_fewer_pages_may_be_learnt_from_and_all_are_scored(tmp_path):
    write_site(tmp_path)
    trial = without_labels(ExtractionCase.of(labelled_sites(tmp_path)[0], pages=6))
    assert trial.pages == 6
    assert trial.f == 1


def test_examples_come_from_three_pages_that_have_most_attributes_evenly_taken():
    title = {f"p{number}": (f"T{number}", "other") for number in range(10)}
    year = {f"p{number}": (str(number),) if number % 2 else () for number in range(10)}
    truths = {"title": title, "year": year}
    assert example_pages(truths, sorted(title)) == ["p1", "p3", "p7"]
    assert example_pages(truths, ["p0", "p2"]) == ["p0", "p2"]
    assert examples(truths, {"p1": 5, "p2": 6}) == {
        "title": {5: "T1", 6: "T2"},
        "year": {5: "1"},
    }


def test_what_was_shown_is_not_scored():
    truths = {"a": truth(p1=["x"], p2=["y"]), "b": truth(p1=["x"], p2=[])}
    assert others(truths, {"p1": 0}) == {"a": truth(p2=["y"])}


def test_only_the_column_of_the_attributes_name_counts_by_example():
    columns = {"year": {"p1": ["x"]}, "year_raw": {"p1": ["a"]}, "other": {"p1": ["b"]}}
    truths = {"year": truth(p1=["a"]), "title": truth(p1=["b"])}
    assert named_fits(columns, truths) == {"year": (1.0, "year_raw"), "title": (0.0, "")}


def test_examples_choose_and_name_the_columns(tmp_path):
    write_site(tmp_path)
    trial = with_examples(ExtractionCase.of(labelled_sites(tmp_path)[0]))
    assert trial.fits == {"title": (1.0, "title"), "year": (1.0, "year")}
    assert trial.width == 2


def test_an_example_that_is_nowhere_spoils_no_other(tmp_path):
    write_site(tmp_path)
    write_truth(tmp_path, "film-one", "director", [f"Nobody {number}" for number in range(12)])
    trial = with_examples(ExtractionCase.of(labelled_sites(tmp_path)[0]))
    assert trial.fits["director"].f == 0
    assert trial.fits["title"].f == 1


def test_values_of_an_attribute_that_no_column_holds_are_no_wrong_values(tmp_path):
    write_site(tmp_path)
    write_truth(tmp_path, "film-one", "director", [f"Nobody {number}" for number in range(12)])
    trial = without_labels(ExtractionCase.of(labelled_sites(tmp_path)[0]))
    assert trial.fits["director"] == (0.0, "")
    assert trial.alarms.without_column == 12
    assert trial.alarms.wrong_values == 0


def test_pages_that_say_something_else_where_the_learnt_ones_say_alike_are_told(tmp_path):
    kinds = ["Feature"] * 9 + ["Short", "Short", "Series"]
    folder = tmp_path / "film" / "film-one"
    folder.mkdir(parents=True)
    for number, kind in enumerate(kinds):
        facts = {"Kind": kind, "Year": 1950 + number, "Length": 80 + 3 * number}
        rows = "".join(f"<tr><td>{one}:</td><td>{said}</td></tr>" for one, said in facts.items())
        (folder / f"{number:04}.htm").write_text(f"<h1>Film {number}</h1><table>{rows}</table>")
    write_truth(tmp_path, "film-one", "kind", kinds)
    trial = without_labels(ExtractionCase.of(labelled_sites(tmp_path)[0], 8))
    assert (trial.alarms.without_column, trial.alarms.told_without_column) == (12, 3)


def test_strangers_are_a_share_of_all_pages_and_come_from_another_site(tmp_path):
    write_site(tmp_path, "film-one")
    write_site(tmp_path, "film-two", start=100)
    sites = labelled_sites(tmp_path)
    strangers = strangers_for(sites[0], sites, 0.25)
    assert [page.url for page in strangers] == [
        f"http://film-two.invalid/{number:04}.htm" for number in (0, 3, 6, 9)
    ]
    assert strangers_for(sites[1], sites, 0.25)[0].url.startswith("http://film-one.invalid/")
    assert strangers_for(sites[0], sites, 0.0) == []
    assert strangers_for(sites[0], sites[:1], 0.25) == []


def test_strangers_stand_evenly_between_the_pages():
    own, strangers = [Document(b"")] * 6, [Document(b"")] * 2
    is_own = [page is own[0] for page in mixed_in(own, strangers)]
    assert is_own == [True, True, False, True, True, True, False, True]
    assert mixed_in([], strangers) == strangers


def test_means_are_over_verticals_not_over_sites():
    row = dict.fromkeys(
        ("columns", "floor_f", "floor_columns", "seconds_a_page", "pages"), 1
    ) | dict.fromkeys(
        "mixed cut glued misfits right_values wrong_values noticed false_alarms without_column"
        " told_without_column foreign foreign_taken".split(),
        2,
    )
    rows = [
        {**row, "vertical": vertical, "f": f}
        for vertical, f in (("film", 1.0), ("film", 0.5), ("book", 0.25))
    ]
    assert means(rows)["f"] == 0.5
    assert means(rows)["cut"] == 6
    assert means(rows)["lowest_f"] == 0.25


def evaluate(*arguments):
    command = [sys.executable, "-m", "sitewright", "evaluate", "extraction", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_verb_prints_flat_objects_the_means_last(tmp_path):
    write_site(tmp_path, "film-one")
    write_site(tmp_path, "film-two", start=100)
    run = evaluate(tmp_path, "--json", "--foreign", "0.1")
    assert run.returncode == 0, run.stderr
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert [row["site"] for row in rows] == ["film-one", "film-two", "all"]
    assert not any(isinstance(value, (dict, list)) for row in rows for value in row.values())
    assert rows[0]["f_title"] == 1
    assert rows[0]["foreign"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["gone"], "gone"), ([".", "--site", "none"], "groundtruth"), ([".", "--pages", "0"], "0")],
)
def test_bad_input_is_one_line_and_exit_code_two(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    run = evaluate(*arguments)
    assert run.returncode == 2
    assert message in run.stderr
    assert "Traceback" not in run.stderr
