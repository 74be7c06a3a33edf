"""Corrections by people: each is applied, no longer needed, or failed with a reason."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import sitewright
from sitewright import learning
from sitewright.cli import sitewright as program
from sitewright.edits.classes import url_matches
from sitewright.edits.edit import (
    EDITS_FILE,
    DropField,
    EditStatus,
    ExampleField,
    MarkPart,
    MergeClasses,
    MoveNode,
    MovePage,
    RemoveNode,
    RenameClass,
    RenameField,
    RenameNode,
    RetypeField,
    SplitClass,
    UnreadableEdit,
    class_anchors,
    moved_pages,
    parse_edit,
    read_edits,
    with_edits,
    write_edits,
)
from sitewright.errors import InvalidInput
from sitewright.project import Project

MENU = "<nav class=menu><a href=/index.html>Home</a></nav>"


def book(number: int) -> str:
    return (
        f"<body class=book>{MENU}<h1>Book {number}</h1><dl class=facts><dt>Pages</dt>"
        f"<dd>{100 + number}</dd><dt>Shelf</dt><dd>0{number}</dd></dl>"
        f"<p class=blurb>About book number {number}.</p>"
        f"<aside class=side><b>Seen {7 * number} times</b></aside>"
    )


def old_book(number: int) -> str:
    """The same kind of page in an older design."""
    return (
        f"<body class=legacy>{MENU}<table class=old><tr><th>Title<td>Old {number}"
        f"<tr><th>Leaves<td>{200 + number}</table><center><font>Note {number}</font></center>"
    )


def author(number: int) -> str:
    return (
        f"<body class=author>{MENU}<h2>Author {number}</h2><ul class=works>"
        f"<li class=work><a href=/book/{number}.html>Book {number}</a></ul>"
        f"<div class=bio><p>Born in {1900 + number}.</div>"
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A small library, and a run on it."""
    folder = tmp_path_factory.mktemp("library")
    site = folder / "site"
    pages = {f"book/{n}.html": book(n) for n in range(12)}
    pages |= {f"old/{n}.html": old_book(n) for n in range(6)}
    pages |= {f"author/{n}.html": author(n) for n in range(8)}
    links = "".join(f"<a href=/{path}>{path}</a> " for path in pages)
    pages["index.html"] = f"<body class=home><h1>Library</h1><p class=all>{links}"
    for path, html in pages.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(f"<!doctype html><title>{path}</title>{html}")
    sitewright.run(site, folder / "out")
    return folder


@pytest.fixture
def project(made, tmp_path):
    shutil.copytree(made / "out", tmp_path / "out")
    (tmp_path / "site").symlink_to(made / "site")
    return Project(tmp_path / "out", tmp_path / "site")


def url(path: str) -> str:
    return f"http://folder.invalid/{path}"


def class_of(project, path):
    """The class whose table has the page."""
    for one in project.classes:
        if one.table.is_there and any(record["_url"] == url(path) for record in one.records()):
            return one.name
    return None


def page(project, path):
    return (Path(project.source.site) / path).read_bytes()


def statuses(project):
    return [one.status.value for one in project.edit_outcomes]


def test_the_run_finds_the_classes_of_this_site(project):
    names = {class_of(project, path) for path in ("book/1.html", "old/1.html", "author/1.html")}
    assert names == {"book", "old", "author"}


# The file.


def test_edits_are_lines_that_come_back_as_they_were(tmp_path):
    edits = [
        RenameClass(page_class="a", to="b", pages={"a": ("http://x/",)}),
        MergeClasses(classes=("a", "b")),
        SplitClass(page_class="a", to="c", mark="div.x"),
        MovePage(page="http://x/", to="a"),
        RenameField(page_class="a", field="x", to="y", records="rows"),
        DropField(page_class="a", field="x"),
        RetypeField(page_class="a", field="x", type="date"),
        ExampleField(page_class="a", field="x", value="1", page="http://x/"),
        MarkPart(page_class="a", xpath="//nav", part="template"),
        MoveNode(page="http://x/a", under="http://x/b"),
        RenameNode(page="http://x/a", to="A"),
        RemoveNode(page="http://x/a", branch=True),
    ]
    write_edits(tmp_path / "e.jsonl", edits)
    assert read_edits(tmp_path / "e.jsonl") == edits
    lines = (tmp_path / "e.jsonl").read_text().splitlines()
    assert json.loads(lines[0]) == {
        "edit": "rename_class", "class": "a", "to": "b", "pages": {"a": ["http://x/"]},
    }  # fmt: skip
    assert with_edits(edits, edits) == edits


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        '{"edit": "delete_everything"}',
        '{"edit": "rename_class", "class": "a"}',
        '{"edit": "rename_class", "class": "a", "to": "../../etc"}',
        '{"edit": "rename_class", "class": "a", "to": ""}',
        '{"edit": "rename_field", "class": "a", "field": "x", "to": "_url"}',
        '{"edit": "split_class", "class": "a", "to": "b"}',
        '{"edit": "split_class", "class": "a", "to": "b", "url": "*********"}',
        '{"edit": "merge_classes", "classes": ["a", "a"]}',
        '{"edit": "mark_part", "class": "a", "part": "both", "xpath": "//a"}',
        '{"edit": "drop_field", "class": "a", "field": "x", "more": 1}',
        '{"edit": "rename_node", "page": "http://x/", "to": " "}',
    ],
)
def test_what_is_no_edit_is_refused_and_stays_in_the_file(line, tmp_path):
    with pytest.raises(InvalidInput):
        parse_edit(line)
    path = tmp_path / "e.jsonl"
    path.write_text(f"{line}\n")
    (odd,) = read_edits(path)
    assert isinstance(odd, UnreadableEdit)
    write_edits(path, [odd])
    assert path.read_text() == f"{line}\n"


def test_patterns_of_addresses_have_stars_and_nothing_else():
    assert url_matches("http://a.example/news/1.html?x=[1]", "/news/*?x=[1]")
    assert not url_matches("http://a.example/news/1.html", "/news/?.html")


# Classes.


def test_a_class_is_renamed_and_its_folder_with_it(project):
    project.apply([RenameClass(page_class="old", to="classic")])
    assert statuses(project) == ["applied"]
    assert class_of(project, "old/1.html") == "classic"
    assert not (project.path / "classes/old").exists()
    assert class_of(project, "book/1.html") == "book"


def test_merged_classes_are_one_and_a_second_merge_is_not_needed(project):
    pages = class_anchors(project.model, ["book", "old"])
    merge = MergeClasses(classes=("book", "old"), pages=pages)
    project.apply([merge])
    assert statuses(project) == ["applied"]
    assert "6 visited pages moved" in project.edit_outcomes[0].detail
    assert "old" not in project
    again = MergeClasses(classes=("book", "old"), pages={**pages, "book": pages["old"]})
    project.apply([again])
    assert statuses(project) == ["applied", "no longer needed"]


@pytest.mark.parametrize(
    "by", [{"url": "/book/1*"}, {"mark": "dl.facts"}, {"examples": (url("old/0.html"),)}]
)
def test_a_class_is_split_by_address_mark_or_example(project, by):
    project.apply([MergeClasses(classes=("book", "old"))])
    project.apply([SplitClass(page_class="book", to="other", **by)])
    assert statuses(project) == ["applied", "applied"]
    moved = {"url": "book/10.html", "mark": "book/4.html", "examples": "old/3.html"}[next(iter(by))]
    stayed = {"url": "book/4.html", "mark": "old/4.html", "examples": "book/3.html"}[next(iter(by))]
    assert class_of(project, moved) == "other"
    assert class_of(project, stayed) == "book"


def test_a_page_that_is_moved_takes_those_like_it_along(project):
    project.apply([MergeClasses(classes=("author", "old"))])
    project.apply([MovePage(page=url("old/2.html"), to="book")])
    assert statuses(project) == ["applied", "applied"]
    assert "5 pages like it" in project.edit_outcomes[1].detail
    placed = project.classify(page(project, "old/5.html"), url("old/5.html"))
    assert placed.page_class == "book"
    kept = project.classify(page(project, "author/5.html"), url("author/5.html"))
    assert kept.page_class == "author"


def test_edits_that_cannot_be_fail_with_a_reason_and_stop_no_other(project):
    project.apply(
        [
            RenameClass(page_class="nothing", to="x"),
            RenameClass(page_class="old", to="book"),
            SplitClass(page_class="book", to="none", url="/nowhere/*"),
            MovePage(page=url("gone.html"), to="book"),
            DropField(page_class="nothing", field="x"),
            RenameClass(page_class="old", to="classic"),
        ]
    )
    assert statuses(project) == ["failed"] * 5 + ["applied"]
    assert all(one.detail for one in project.edit_outcomes[:5])
    assert "another class is named book" in project.edit_outcomes[1].detail
    assert "classic" in project


def test_a_class_that_is_named_otherwise_is_known_by_its_pages(project):
    edit = RenameClass(
        page_class="volumes", to="tome", pages={"volumes": (url("book/1.html"), url("book/2.html"))}
    )
    project.apply([edit])
    assert statuses(project) == ["applied"]
    assert class_of(project, "book/1.html") == "tome"


def test_moved_pages_have_the_names_of_their_classes_today():
    edits = [
        MovePage(page="p", to="a"),
        RenameClass(page_class="a", to="b"),
        MergeClasses(classes=("c", "b")),
    ]
    assert moved_pages(edits) == {"p": "c"}


# Fields.


def columns(project, name="book"):
    return project[name].table.columns


def test_fields_are_renamed_dropped_and_retyped(project):
    before = columns(project)
    assert {"pages", "shelf"} <= set(before)
    project.apply(
        [
            RenameField(page_class="book", field="pages", to="leaves"),
            DropField(page_class="book", field="blurb"),
            RetypeField(page_class="book", field="title", type="text"),
            RetypeField(page_class="book", field="pages", type="text"),
        ]
    )
    assert statuses(project) == ["applied", "applied", "no longer needed", "failed"]
    now = columns(project)
    project.apply([RetypeField(page_class="book", field="leaves", type="text")])
    assert "leaves" in now
    assert not {"pages", "blurb"} & set(now)
    (first,) = [one for one in project["book"].records() if one["_url"] == url("book/3.html")]
    assert first["leaves"] == "103"
    project.apply([RetypeField(page_class="book", field="leaves", type="decimal")])
    assert "12 of 12 sample values" in project.edit_outcomes[-1].detail


def test_an_example_makes_a_field_of_all_pages(project):
    edit = ExampleField(page_class="book", field="seen", value="21", page=url("book/3.html"))
    assert "seen" not in columns(project)
    project.apply([edit])
    assert statuses(project) == ["applied"]
    (record,) = [one for one in project["book"].records() if one["_url"] == url("book/5.html")]
    assert str(record["seen"]) == "35"


def test_a_part_that_is_template_gives_no_fields(project):
    here = {field.name for field in project.wrappers["book"].fields}
    project.apply([MarkPart(page_class="book", xpath="//dl[@class='facts']", part="template")])
    left = {field.name for field in project.wrappers["book"].fields}
    assert {"pages", "shelf"} <= here - left
    assert any(one.reason == "marked as template" for one in project.wrappers["book"].dropped)


def test_a_text_that_is_content_is_no_part_of_the_template(project):
    def texts():
        return {token.spelling for token in project["book"].template}

    assert "shelf" in texts()
    project.apply([MarkPart(page_class="book", xpath="//dl[@class='facts']", part="content")])
    assert "shelf" not in texts()


def test_an_edit_of_a_field_that_is_not_there_fails_or_is_not_needed(project):
    project.apply(
        [
            RenameField(page_class="book", field="nothing", to="x"),
            DropField(page_class="book", field="nothing"),
            RetypeField(page_class="book", field="nothing", type="date"),
            RenameField(page_class="book", field="pages", to="shelf"),
            ExampleField(page_class="book", field="x", value="not on any page"),
        ]
    )
    assert statuses(project) == ["failed", "no longer needed", "failed", "failed", "failed"]


def test_a_field_that_is_named_otherwise_is_known_by_its_selector(project):
    field = next(one for one in project.wrappers["book"].fields if one.name == "pages")
    edit = RenameField(page_class="book", field="leaves", to="sheets", xpath=field.rule.xpath)
    project.apply([edit])
    assert statuses(project) == ["applied"]
    assert "sheets" in columns(project)


# Later runs.


def test_a_later_run_and_a_later_extraction_replay_the_edits(project, made):
    edits = [
        RenameClass(page_class="old", to="classic"),
        RenameField(page_class="book", field="pages", to="leaves"),
        DropField(page_class="old", field="title"),
    ]
    write_edits(project.path / EDITS_FILE, edits)
    again = sitewright.run(made / "site", project.path)
    assert [one.status for one in again.edit_outcomes] == [EditStatus.APPLIED] * 3
    assert "leaves" in columns(again)
    assert "title" not in columns(again, "classic")
    tables = {path: path.read_bytes() for path in project.path.rglob("*.csv")}
    again.extract()
    assert {path: path.read_bytes() for path in project.path.rglob("*.csv")} == tables


def test_an_edit_that_somebody_added_by_hand_is_in_the_next_extraction(project, made):
    write_edits(project.path / EDITS_FILE, [DropField(page_class="book", field="blurb")])
    Project(project.path, made / "site").extract()
    assert "blurb" not in columns(sitewright.load(project.path))


def test_without_its_edits_a_project_is_as_it_was(project, made):
    before = {path: path.read_bytes() for path in project.path.rglob("*.jsonl")}
    project.apply([MergeClasses(classes=("book", "old"))])
    (project.path / EDITS_FILE).unlink()
    project.apply()
    assert {path: path.read_bytes() for path in project.path.rglob("*.jsonl")} == before


def test_the_command_tells_each_outcome_and_exits_with_4_if_one_failed(project, tmp_path):
    file = tmp_path / "edits.jsonl"
    write_edits(
        file,
        [
            RenameField(page_class="book", field="pages", to="leaves"),
            RenameField(page_class="book", field="nothing", to="x"),
        ],
    )
    done = CliRunner().invoke(program, ["apply", str(project.path), str(file), "--json"])
    assert done.exit_code == 4
    outcomes = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["status"] for one in outcomes] == ["applied", "failed"]
    assert "1 applied, 1 failed" in done.stderr
    assert len(read_edits(project.path / EDITS_FILE)) == 2


def test_a_method_that_takes_no_corrections_of_classes_says_so(made, tmp_path):
    out = tmp_path / "paper"
    project = sitewright.run(made / "site", out, method="paper")
    name = project.model.classes[0].name
    write_edits(out / EDITS_FILE, [RenameClass(page_class=name, to="other")])
    again = sitewright.run(made / "site", out, method="paper")
    assert statuses(again) == [EditStatus.FAILED.value]
    assert "takes no corrections" in again.edit_outcomes[0].detail


# What a correction leaves alone is not learnt anew.


def contents(out: Path) -> dict[str, bytes]:
    files = (path for path in sorted(out.rglob("*")) if path.is_file())
    return {str(path.relative_to(out)): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    ("edits", "learnt"),
    [
        ([RenameClass(page_class="author", to="writer")], set()),
        ([MergeClasses(classes=("book", "old"))], {"book", "author", "home"}),
        ([RenameField(page_class="book", field="pages", to="leaves")], {"book"}),
        (
            [
                RenameField(page_class="book", field="pages", to="leaves"),
                RenameClass(page_class="author", to="writer"),
            ],
            {"book"},
        ),
    ],
)
def test_a_correction_learns_what_it_changes_and_gives_what_a_whole_run_gives(
    project, tmp_path, monkeypatch, edits, learnt
):
    seen = set()
    learn_class = learning.learn_class

    def watched(name, *given, **options):
        seen.add(name)
        return learn_class(name, *given, **options)

    monkeypatch.setattr(learning, "learn_class", watched)
    for edit in edits:
        project.apply([edit], workers=1)
        assert statuses(project)[-1] == EditStatus.APPLIED.value
    assert seen <= learnt
    again = tmp_path / "again"
    again.mkdir()
    shutil.copy(project.path / EDITS_FILE, again)
    sitewright.run(tmp_path / "site", again)
    assert contents(project.path) == contents(again)


def titles_below(project, path):
    (node,) = (node for _, _, node in project.skeleton.walk() if node.url == url(path))
    return [child.title for child in node.children]


def test_a_person_refines_the_skeleton_and_a_later_run_replays_it(project):
    edits = [
        MoveNode(page="book/1.html", under="author/1.html"),
        MoveNode(page=url("book/2.html"), under=url("author/1.html")),
        RenameNode(page="book/2.html", to="The second book"),
        RemoveNode(page="old/0.html"),
        MoveNode(page="author/1.html", under="book/1.html"),
        MoveNode(page="nowhere.html", under="book/1.html"),
    ]
    model = (project.path / "model.json").read_bytes()
    project.apply(edits)
    assert statuses(project) == ["applied"] * 4 + ["failed"] * 2
    assert "is below" in project.edit_outcomes[4].detail
    assert "not in the skeleton" in project.edit_outcomes[5].detail
    assert titles_below(project, "author/1.html") == ["book/1.html", "The second book"]
    assert url("old/0.html") not in {node.url for _, _, node in project.skeleton.walk()}
    assert (project.path / "model.json").read_bytes() == model, "the tree alone has changed"
    assert "The second book" in (project.path / "report.html").read_text()

    project.run()
    assert statuses(project) == ["applied"] * 4 + ["failed"] * 2
    assert titles_below(project, "author/1.html") == ["book/1.html", "The second book"]
    project.apply([RenameField(page_class=class_of(project, "book/1.html"), field="shelf", to="s")])
    assert statuses(project)[:4] == ["no longer needed"] * 4


def test_the_command_that_finds_the_skeleton_replays_edits(project, made):
    write_edits(project.path / EDITS_FILE, [RenameNode(page="book/2.html", to="Number two")])
    ran = CliRunner().invoke(program, ["skeleton", str(made / "site"), "-o", str(project.path)])
    assert ran.exit_code == 0, ran.output
    assert "Number two" in [node.title for _, _, node in Project(project.path).skeleton.walk()]


def test_an_edit_of_the_skeleton_that_is_taken_away_leaves_no_trace(project):
    before = (project.path / "skeleton.json").read_bytes()
    project.apply([RemoveNode(page="old/0.html")])
    assert (project.path / "skeleton.json").read_bytes() != before
    write_edits(project.path / EDITS_FILE, [])
    project.apply()
    assert (project.path / "skeleton.json").read_bytes() == before
