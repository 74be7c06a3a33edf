"""Sites of one theme are known by their templates, and lend each other what they have taught."""

from __future__ import annotations

import json

import pytest

from sitewright.fleet import FleetOptions, run_fleet
from sitewright.fleet.learn import page_marks, template_marks
from sitewright.methods import distill
from sitewright.page import Document
from tests.fleet.small_fleet import InThisProcess, digest, rows, write_warc


def themed(host, n, theme):
    """A page of a shop in a theme: its classes are the theme's, its words are the site's."""
    return (
        f"https://{host}/items/{n}.html",
        (
            f"<!doctype html><html><head><title>Item {n} of {host}</title></head><body>"
            f"<div class={theme}-top><span class={theme}-logo>{host}</span>"
            f"<ul class={theme}-menu><li class={theme}-entry><a href=/>Home</a></ul></div>"
            f"<div class={theme}-main><h1 class={theme}-title>Item {n}</h1>"
            f"<p class={theme}-price>{n}.25 EUR</p>"
            f"<p class={theme}-maker>Maker {n % 7} of {host}</p>"
            f"<p class={theme}-stock>{n * 3 % 40} in stock</p></div>"
            f"<div class={theme}-foot>All rights of {host}</div></body></html>"
        ),
    )


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    """Two shops of one theme, one of another, and three pages of a new shop of the first."""
    folder = tmp_path_factory.mktemp("themes")
    pages = [themed(host, n, "sun") for host in ("a.example", "b.example") for n in range(1, 25)]
    pages += [themed("c.example", n, "moon") for n in range(1, 25)]
    pages += [themed("new.example", n, "sun") for n in range(1, 4)]
    pages += [themed("other.example", n, "star") for n in range(1, 4)]
    write_warc(folder / "w.warc.gz", pages)
    options = FleetOptions(min_pages=10)
    for out in ("out", "again"):
        run_fleet([str(folder / "w.warc.gz")], folder / out, options, engine=InThisProcess())
    return folder


def test_sites_of_one_theme_are_one_group(fleet):
    themes = {row["site"]: row["theme"] for row in rows(fleet / "out", "sites")}
    assert themes == {
        "a.example": "a.example",
        "b.example": "a.example",
        "c.example": "c.example",
        "new.example": None,
        "other.example": None,
    }


def test_a_wrapper_that_fits_as_well_is_taken_over(fleet):
    (offer,) = (fleet / "out/done/offer").glob("*.json")
    said = json.loads(offer.read_text())
    assert (said["site"], said["theme"]) == ("b.example", "a.example")
    assert len(said["taken"]) == 1
    learnt_at = {row["site"]: row["learnt_at"] for row in rows(fleet / "out", "catalogue")}
    assert learnt_at["b.example"] == "a.example"
    fields = {
        site: {row["field"] for row in rows(fleet / "out", "catalogue") if row["site"] == site}
        for site in ("a.example", "b.example")
    }
    assert fields["a.example"] == fields["b.example"]


def test_a_page_of_a_small_site_is_read_with_its_theme(fleet):
    pages = [row for row in rows(fleet / "out", "pages") if row["site"] == "new.example"]
    assert {row["model"] for row in pages} == {"a.example"}
    found = [row for row in rows(fleet / "out", "records") if row["site"] == "new.example"]
    values = {row["url"]: json.loads(row["fields"]) for row in found}
    assert 2.25 in values["https://new.example/items/2.html"].values()
    texts = [row for row in rows(fleet / "out", "text") if row["site"] == "new.example"]
    assert all(row["by_template"] for row in texts)


def test_a_theme_that_nobody_knows_is_not_taken_for_another(fleet):
    pages = [row for row in rows(fleet / "out", "pages") if row["site"] == "other.example"]
    assert {(row["class"], row["model"]) for row in pages} == {(None, None)}


def test_themes_give_the_same_bytes_again(fleet):
    assert digest(fleet / "out") == digest(fleet / "again")


def test_marks_are_the_classes_of_elements_wherever_they_are_read():
    documents = [Document(themed("a.example", n, "sun")[1].encode()) for n in range(5)]
    of_template = template_marks(distill(documents))
    assert len(of_template) == 10
    assert set(of_template) <= set(page_marks(documents[0]).tolist())
