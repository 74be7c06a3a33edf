"""A later run into the same folder keeps the names of classes and columns."""

import json
from dataclasses import replace

import pytest

import sitewright
from sitewright.change.keeping import KnownColumns
from sitewright.page import Document
from sitewright.project import Project
from tests.change.lamp_shop import old_page, product, write_shop


def renamed_labels(one):
    """The same pages, but for what their facts are called."""
    html = old_page(one).replace("Maker:", "Producer:").replace("Since:", "Sold from:")
    return html.replace("class=about", "class=description")


def rare_note(least):
    """Pages of which those below a number have a note."""

    def page(one):
        number = int(one["title"].rpartition(" ")[2])
        note = f"<p class=note>Note {number}: handle {one['maker']} with care</p>"
        return old_page(one).replace("</body>", f"{note if number < least else ''}</body>")

    return page


def helped(alone):
    """Pages that say who helped; of four some only say that nobody did."""

    def page(one):
        number = int(one["title"].rpartition(" ")[2])
        said = "alone" if number % 4 < alone else f"assist: {one['maker']} {number}"
        return old_page(one).replace("</body>", f"<p class=help>{said}</p></body>")

    return page


def helped_rows(alone):
    """The same in rows of a list."""

    def page(one):
        number = int(one["title"].rpartition(" ")[2])
        texts = [
            "alone" if turn % 4 < alone else f"assist: {one['maker']} {number + turn}"
            for turn in range(2 + number % 3)
        ]
        rows = (f"<li><b>Goal {number}.{turn}</b><p>{said}</p>" for turn, said in enumerate(texts))
        return old_page(one).replace("</body>", f"<ul class=goals>{''.join(rows)}</ul></body>")

    return page


def columns(out, name="item"):
    wrapper = json.loads((out / "classes" / name / "wrapper.json").read_text())
    return [field["name"] for field in wrapper["fields"]]


def records(out, name="item"):
    lines = (out / "classes" / name / "table.jsonl").read_text().splitlines()
    return {line["_url"].rpartition("/")[2]: line for line in map(json.loads, lines)}


def files(out):
    found = [path for path in sorted(out.rglob("*")) if path.is_file()]
    return {path.relative_to(out): path.read_bytes() for path in found}


@pytest.fixture
def shop(tmp_path):
    site = write_shop(tmp_path / "site")
    sitewright.run(site, tmp_path / "out", workers=1)
    return tmp_path


def test_columns_that_hold_the_same_keep_their_names(shop):
    before = columns(shop / "out")
    write_shop(shop / "site", renamed_labels)
    sitewright.run(shop / "site", shop / "out", workers=1)
    assert columns(shop / "out") == before
    assert {"maker", "since", "about"} <= set(before)
    assert records(shop / "out")["item-7.html"]["maker"] == product(7)["maker"]


def test_without_it_they_would_have_others(shop):
    write_shop(shop / "site", renamed_labels)
    sitewright.run(shop / "site", shop / "out", workers=1, relearn=True)
    assert {"producer", "sold_from"} <= set(columns(shop / "out"))


def test_other_settings_make_another_table(shop):
    write_shop(shop / "site", renamed_labels)
    sitewright.run(shop / "site", shop / "out", workers=1, settings={"wrapper.max_columns": 20})
    assert "producer" in columns(shop / "out")


def test_what_a_rule_learnt_anew_leaves_out_stands_beside_the_value(tmp_path):
    site = write_shop(tmp_path / "site", helped(1))
    sitewright.run(site, tmp_path / "out", workers=1)
    whole = records(tmp_path / "out")["item-7.html"]
    assert whole["assist"] == f"assist: {product(7)['maker']} 7"
    assert "assist_raw" not in whole
    write_shop(site, helped(0))
    sitewright.run(site, tmp_path / "out", workers=1)
    cut = records(tmp_path / "out")["item-7.html"]
    assert cut["assist"] == f"{product(7)['maker']} 7"
    assert cut["assist_raw"] == whole["assist"]


def test_the_same_of_the_rows_of_a_list(tmp_path):
    site = write_shop(tmp_path / "site", helped_rows(1))
    sitewright.run(site, tmp_path / "out", workers=1)
    assert "assist_raw" not in records(tmp_path / "out")["item-7.html"]["goals"][1]
    write_shop(site, helped_rows(0))
    sitewright.run(site, tmp_path / "out", workers=1)
    row = records(tmp_path / "out")["item-7.html"]["goals"][1]
    assert row["assist_raw"] == f"assist: {row['assist']}"


def test_the_same_site_gives_the_same_files_again(shop):
    before = files(shop / "out")
    sitewright.run(shop / "site", shop / "out", workers=1)
    assert files(shop / "out") == before


def test_what_was_kept_is_kept_again(shop):
    write_shop(shop / "site", renamed_labels)
    sitewright.run(shop / "site", shop / "out", workers=1)
    before = files(shop / "out")
    sitewright.run(shop / "site", shop / "out", workers=1)
    assert files(shop / "out") == before


def test_a_column_that_became_rare_stays_while_its_selector_reads_it(tmp_path):
    site = write_shop(tmp_path / "site", rare_note(4), numbers=range(16))
    sitewright.run(site, tmp_path / "out", workers=1)
    assert "note" in columns(tmp_path / "out")
    write_shop(tmp_path / "site", rare_note(4), numbers=range(60))
    Project(tmp_path / "fresh", site).run(workers=1)
    assert "note" not in columns(tmp_path / "fresh")
    sitewright.run(site, tmp_path / "out", workers=1)
    assert "note" in columns(tmp_path / "out")
    assert records(tmp_path / "out")["item-1.html"]["note"] is not None


def test_a_class_keeps_its_name(tmp_path):
    site = write_shop(tmp_path / "site", numbers=range(12))
    sitewright.run(site, tmp_path / "out", workers=1)
    more = write_shop(tmp_path / "more", numbers=range(12, 72), name="thing-{}.html")
    for path in more.glob("thing-*"):
        path.rename(site / path.name)
    links = "".join(f"<a href={path.name}>{path.name}</a>" for path in sorted(site.glob("thing-*")))
    home = site / "index.html"
    home.write_text(home.read_text().replace("<ul>", f"{links}<ul>"))
    fresh = sitewright.run(site, tmp_path / "fresh", workers=1)
    assert "item" not in fresh
    project = sitewright.run(site, tmp_path / "out", workers=1)
    assert len(project["item"].table) == 72


def test_corrections_of_a_person_come_after_it(shop):
    out = shop / "out"
    edit = {"edit": "rename_field", "class": "item", "field": "maker", "to": "brand"}
    (out / "edits.jsonl").write_text(json.dumps(edit) + "\n")
    sitewright.run(shop / "site", out, workers=1)
    assert "brand" in columns(out)
    write_shop(shop / "site", renamed_labels)
    sitewright.run(shop / "site", out, workers=1)
    assert "brand" in columns(out)
    assert "maker" not in columns(out)


def test_a_rare_column_that_no_learning_page_has_stays(tmp_path):
    """Few pages have a note; next year another draw of pages teaches, and has none of them."""

    def page(one):
        return rare_note(4)(one)

    site = write_shop(tmp_path / "site", page)
    before = sitewright.run(site, tmp_path / "out", workers=1).wrappers["item"]
    rare = next(one for one in before.fields if one.coverage < 0.5)
    known = KnownColumns.of(
        sitewright.load(tmp_path / "out"), sitewright.load(tmp_path / "out").model
    )
    documents = [Document(page(product(n)).encode(), f"http://folder.invalid/item-{n}.html")
                 for n in range(10, 30)]  # fmt: skip
    anew = replace(before, fields=tuple(one for one in before.fields if one is not rare))
    kept = known.of_class("item", sitewright.load(tmp_path / "out").model).keep(anew, documents)
    assert rare.name in {one.name for one in kept.fields}
