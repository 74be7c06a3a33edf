"""What is learnt of classes, and by how many processes."""

import gc
from multiprocessing import get_context
from pathlib import Path

import pytest

import sitewright
from sitewright import learning
from sitewright.export.class_tables import spread_sample
from sitewright.extraction.parallel import cores
from sitewright.learning import learn_template
from sitewright.page import Document
from sitewright.page.document import beginning
from sitewright.page.parser import element_count
from sitewright.site import Page

MENU = '<ul id="menu"><li><a href="/a">A</a></li></ul>'


def pages(number: int, content: str = "<p>Words {}</p>") -> list[Document]:
    return [
        Document(
            f"<html><head><title>T</title></head><body>{MENU}{content.format(n)}</body></html>".encode(),
            f"http://s.example/{n:03}.html",
        )
        for n in range(number)
    ]


def test_a_class_of_several_pages_has_a_template():
    assert learn_template(pages(1)) is None
    template = learn_template(pages(4))
    assert template is not None
    assert template.tokens


@pytest.mark.parametrize("is_enabled", [True, False])
def test_learning_leaves_the_garbage_collector_as_it_was(monkeypatch, is_enabled):
    def look(task, *_, **__):
        seen.append(gc.isenabled())
        raise ValueError(task)

    seen = []
    monkeypatch.setattr(learning, "learn_class", look)
    task = learning._ClassTask("x", [Page("http://s.example/", b"<p>1")], (), None, None)
    was_enabled = gc.isenabled()
    try:
        (gc.enable if is_enabled else gc.disable)()
        with pytest.raises(ValueError, match="x"):
            learning._learnt(task, lambda _: None)
        assert (seen, gc.isenabled()) == ([False], is_enabled)
    finally:
        (gc.enable if was_enabled else gc.disable)()


def test_the_order_of_pages_changes_nothing():
    assert learn_template(pages(90)) == learn_template(pages(90)[::-1])


def test_a_large_class_is_sampled_over_its_addresses():
    sample = spread_sample(pages(100), 10)
    assert [page.url[-8:-5] for page in sample] == [f"{n:03}" for n in range(0, 100, 10)]
    assert len(spread_sample(pages(3), 10)) == 3


def write_shop(folder: Path) -> None:
    """Items and makers, with a home page that links to both."""
    links = []
    for kind in ("item", "maker"):
        for n in range(12):
            name = f"{kind}-{n}.html"
            links.append(f'<li><a href="{name}">{kind} {n}</a></li>')
            own = (
                f'<h1 class="{kind}">{kind} {n}</h1><dl class="{kind}s"><dt>Number<dd>{n * 7}</dl>'
            )
            text = f"<title>{kind} {n}</title>{MENU}<div class={kind}-page>{own}</div>"
            (folder / name).write_text(text)
    (folder / "index.html").write_text(f"<title>Shop</title>{MENU}<ul>{''.join(links)}</ul>")


def contents(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_the_number_of_processes_changes_no_byte(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    write_shop(site)
    steps = []
    out = [tmp_path / "one" / "out", tmp_path / "three" / "out"]
    sitewright.run(site, out[0], workers=1)
    sitewright.run(site, out[1], workers=3, progress=steps.append)
    assert contents(out[0]) == contents(out[1])
    assert len([name for name in contents(out[0]) if name.endswith("wrapper.json")]) > 1
    learning = [one for one in steps if one.step == "learning templates and wrappers"]
    assert learning[-1].done == learning[-1].total


def test_of_a_page_of_very_many_elements_the_beginning_is_learnt_from_and_all_is_read(tmp_path):
    rows = "".join(f"<tr><td>name{n}<td>{n}" for n in range(12_000))
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.html").write_text(f"<title>T</title><table>{rows}</table>")
    project = sitewright.run(tmp_path / "site", tmp_path / "out", workers=1)
    records = [str(line) for one in project.classes for line in project[one.name].records()]
    assert "name0" in records[0]
    assert "name11999" in records[-1]


def test_the_beginning_of_a_page_has_no_more_elements_than_wanted():
    ordinary = Document(b"<p>a<p>b<p>c")
    assert beginning(ordinary, 6) is ordinary
    for body in (
        b"<p>x" * 1000,
        b"<p>x" * 1000 + b"word " * 10_000,
        b"word " * 9_000 + b"<p>x" * 999,
    ):
        found = beginning(Document(body, "http://a.example/"), 100)
        assert 0 < element_count(found.tree) <= 100
        assert body.startswith(found.body)
        assert found.url == "http://a.example/"


def run_in_worker(paths: tuple[Path, Path]) -> int:
    """A whole run with the usual number of processes, as a worker of somebody's pool does it."""
    return len(sitewright.run(*paths).classes)


def test_a_worker_of_a_pool_may_do_the_whole_job(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    write_shop(site)
    with get_context("spawn").Pool(1) as pool:
        assert pool.apply(cores) == 1
        assert pool.apply(run_in_worker, [(site, tmp_path / "out")]) > 1


def write_players(folder: Path, *, new: int, old: int) -> None:
    """Players in two designs and clubs; the home page links to all of them."""
    links = []
    rules = "".join(f"<p class=rule-{n}><span class=mark-{n}>Rule</span></p>" for n in range(12))
    for n in range(new + old):
        name, role = f"Player {n}", ("Keeper", "Defender", "Forward")[n % 3]
        new_design = (
            f"<div class=head><h1>{name}</h1></div><dl><dt>Position</dt><dd>{role}</dd>"
            f"<dt>Height</dt><dd>{150 + n % 50} cm</dd><dt>Goals</dt><dd>{n % 7}</dd></dl>"
        )
        old_design = (
            f"<table><tr><td colspan=2><font size=5>{name}</font></td></tr>"
            f"<tr><td><b>Position:</b></td><td>{role}</td></tr>"
            f"<tr><td><b>Height:</b></td><td>{150 + n % 50} cm</td></tr>"
            f"<tr><td><b>Goals:</b></td><td>{n % 7}</td></tr></table>"
        )
        links.append(f'<li><a href="players/{n}.html">{name}</a></li>')
        body = new_design if n < new else old_design
        text = (
            f"<title>{name} | Cup</title><body class=player>{MENU}<div class=trail>"
            '<a href="../index.html">Players</a></div>'
            f"<article class=profile>{body}</article><aside class=mates>{rules}<h2>Beside</h2>"
            f'<p class=mate><a href="{(n + 1) % (new + old)}.html">next</a></p></aside>'
            "<footer class=foot><p class=rights>All rights</p></footer></body>"
        )
        (folder / "players" / f"{n}.html").write_text(text)
    for n in range(12):
        links.append(f'<li><a href="clubs/{n}.html">Club {n}</a></li>')
        club = f"<section class=club><h1>Club {n}</h1><p class=town>Town {n}</p></section>"
        (folder / "clubs" / f"{n}.html").write_text(f"<title>Club {n}</title>{MENU}{club}")
    (folder / "index.html").write_text(f"<title>Cup</title>{MENU}<ul>{''.join(links)}</ul>")


def test_a_class_that_rejects_many_pages_is_learnt_again_with_them(tmp_path):
    site = tmp_path / "site"
    for folder in ("players", "clubs"):
        (site / folder).mkdir(parents=True)
    write_players(site, new=100, old=8)
    project = sitewright.run(site, tmp_path / "out", pages=25, workers=1)
    name = max(project, key=lambda one: len(list(project[one].records())))
    records = list(project[name].records())
    assert len(records) == 108
    assert {one["position"] for one in records} == {"Keeper", "Defender", "Forward"}
    assert not [one for one in project.rejected if one["class"] == name]


def write_schools(folder: Path, *, public: set[int]) -> None:
    """Schools, of which few are public; the home page links to all of them."""
    links = []
    for n in range(60):
        kind = "Public" if n in public else "Private"
        facts = {"Type": kind, "Founded": 1800 + 7 * n, "Students": 500 + n * n}
        rows = "".join(f"<tr><td>{one}:</td><td>{said}</td></tr>" for one, said in facts.items())
        text = f"<title>School {n}</title>{MENU}<h1>School {n}</h1><table>{rows}</table>"
        (folder / "schools" / f"{n:02}.html").write_text(text)
        links.append(f'<li><a href="schools/{n:02}.html">School {n}</a></li>')
    (folder / "index.html").write_text(f"<title>Schools</title>{MENU}<ul>{''.join(links)}</ul>")


@pytest.mark.parametrize("count", [1, 3])
def test_what_all_learnt_pages_say_alike_and_others_do_not_is_a_column_or_told(tmp_path, count):
    site = tmp_path / "site"
    (site / "schools").mkdir(parents=True)
    write_schools(site, public=set())
    first = sitewright.run(site, tmp_path / "first", pages=20, workers=1)
    name = max(first, key=lambda one: len(list(first[one].records())))
    learnt = {int(url[-7:-5]) for url in first.model.by_name(name).pages if url.endswith(".html")}
    public = set(sorted(set(range(60)) - learnt)[:count])
    write_schools(site, public=public)
    project = sitewright.run(site, tmp_path / "out", pages=20, workers=1)
    records = list(project[name].records())
    assert len(records) == 60
    if count == 1:
        assert [one["_url"][-7:-5] for one in records if one["_doubtful"]] == [f"{min(public):02}"]
        assert "type" not in records[0]
    else:
        assert not any(one["_doubtful"] for one in records)
        assert sum(one["type"] == "Public" for one in records) == 3
        assert sum(one["type"] == "Private" for one in records) == 57
