"""The explorer in a real browser: its views, its corrections, and what no page gets out of it."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import threading
import urllib.error
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING

import pytest
from library_site import write_library

import sitewright
from sitewright.edits.edit import EDITS_FILE, read_edits

pytest.importorskip("starlette", reason="the extra `explorer` is not installed")
from sitewright.explorer.data import SiteData, TableQuery
from sitewright.explorer.serving import serve

if TYPE_CHECKING:
    from pathlib import Path


class Served:
    """An explorer that runs in a thread."""

    def __init__(self, out: Path, before: Path | None = None) -> None:
        self.out, self.before = out, before
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))
        self._thread.start()
        assert self._ready.wait(20)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.create_task(serve(self.out, ready=self._started, before=self.before))
        try:
            await self._task
        except asyncio.CancelledError:
            pass
        finally:
            self._ready.set()

    def _started(self, url: str) -> None:
        self.first_url = url
        self.origin = url.partition("/?")[0]
        self._ready.set()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(20)

    def edits(self):
        return read_edits(self.out / EDITS_FILE)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    write_library(folder / "site")
    sitewright.run(folder / "site", folder / "out")
    return folder


@pytest.fixture
def served(made, tmp_path):
    shutil.copytree(made / "out", tmp_path / "out")
    (tmp_path / "site").symlink_to(made / "site")
    one = Served(tmp_path / "out")
    yield one
    one.stop()


@pytest.fixture(scope="module")
def chromium():
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
    if path is None:
        pytest.skip("no Chromium on this machine")
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture
def page(chromium, served):
    context = chromium.new_context()
    one = context.new_page()
    one.errors = []
    one.on("pageerror", lambda error: one.errors.append(str(error)))
    one.goto(served.first_url)
    yield one
    assert one.errors == []
    context.close()


def url(path: str) -> str:
    return f"http://folder.invalid/{path}"


def page_address(path: str) -> str:
    return f"/page?{urllib.parse.urlencode({'url': url(path)})}"


# Who may ask.


def ask(served, path="/", *, method="GET", cookie=True, body=b"{}", **headers):
    token = served.first_url.partition("token=")[2]
    port = served.origin.rpartition(":")[2]
    given = {"Cookie": f"sitewright-{port}={token}"} if cookie else {}
    request = urllib.request.Request(
        served.origin + path,
        body if method == "POST" else None,
        {**given, **headers},
        method=method,
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read().decode()


def test_nobody_gets_in_without_the_token(served):
    assert ask(served)[0] == 200
    assert ask(served, cookie=False)[0] == 403
    assert ask(served, "/class/book", cookie=False)[0] == 403
    assert ask(served, "/?token=wrong", cookie=False)[0] == 403
    assert ask(served, "/static/app.js", cookie=False)[0] == 403


def test_another_host_and_another_origin_are_refused(served):
    port = served.origin.rpartition(":")[2]
    assert ask(served, Host=f"evil.example:{port}")[0] == 400
    assert ask(served, Origin="http://evil.example")[0] == 403
    assert ask(served, "/apply", method="POST")[0] == 403
    assert ask(served, "/apply", method="POST", Origin="null")[0] == 403
    assert ask(served, "/apply", method="POST", Origin=served.origin)[0] == 400


@pytest.mark.parametrize("path", ["/apply", "/preview", "/undo"])
@pytest.mark.parametrize(
    "body",
    [b"", b"[", b"[]", b"null", b"1", b'{"id": [1]}', b"\xff", b"[" * 100_000, b'{"a":' * 50_000,
     b'{"id": 1' + b"0" * 5000 + b"}", b"x" * (3 << 20)],
    ids=["nothing", "half", "a list", "null", "a number", "a list as id", "no UTF-8", "deep lists",
         "deep objects", "a long number", "3 MB"],
)  # fmt: skip
def test_no_body_of_a_request_raises(served, path, body):
    status, _, text = ask(served, path, method="POST", body=body, Origin=served.origin)
    assert status in {400, 409, 413}
    assert len(text.splitlines()) == 1


def test_the_policy_allows_our_own_files_and_the_frame_alone(served):
    policy = ask(served)[1]["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert re.search(r"frame-src http://127\.0\.0\.1:\d+;", policy)


@pytest.mark.parametrize(
    "path",
    [
        "/class/nothing", "/table/nothing", "/table/book?sort=nothing", "/download/book/model.json",
        "/download/book/..%2f..%2fmodel.json", "/page?url=file:///etc/passwd", "/page?url=",
        "/page?url=http://127.0.0.1:1/", "/static/../server.py", "/table/book?in.nothing=x",
    ],
)  # fmt: skip
def test_what_is_not_there_is_said_in_one_line(served, path):
    status, _, text = ask(served, path)
    assert status in {400, 404}
    assert len(text.splitlines()) <= 1
    assert "Traceback" not in text


def test_tables_are_filtered_sorted_and_paged(served):
    _, _, text = ask(served, "/table/book?sort=pages&way=down&in.title=1")
    assert text.index("Book 11") < text.index("Book 10") < text.index("Book 1<")
    assert "Book 2" not in text
    assert "3 records" in text
    _, _, text = ask(served, "/table/book?facet=shelf")
    assert re.search(r'B0 <span class="soft">4</span>', text)
    _, _, text = ask(served, "/table/book?is.shelf=B0")
    assert "4 records" in text
    status, headers, text = ask(served, "/download/book/table.csv")
    assert status == 200
    assert "attachment" in headers["content-disposition"]
    assert text.startswith("_url,")


def test_filters_take_any_text(served):
    for text in ("%", "_", "!", "' OR 1=1 --", '"', "\\"):
        status, _, shown = ask(served, f"/table/book?{urllib.parse.urlencode({'in.title': text})}")
        assert status == 200
        assert "0 records" in shown


# The views.


def test_every_view_opens_and_nothing_is_wider_than_a_telephone(page, served):
    page.set_viewport_size({"width": 390, "height": 844})
    views = ["/", "/doubts", "/class/book", "/table/book", "/tree", "/changes", "/corrections",
             page_address("book/1.html")]  # fmt: skip
    for view in views:
        page.goto(served.origin + view)
        assert page.locator("main").inner_text().strip()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, view


def test_a_cell_leads_to_its_place_in_the_page_and_back(page, served):
    page.goto(served.origin + "/table/book")
    page.get_by_role("link", name="105", exact=True).click()
    frame = page.frame_locator("#frame")
    frame.locator(".sitewright-here").wait_for()
    assert frame.locator(".sitewright-here").inner_text() == "105"
    frame.locator("h1").click()
    assert page.locator(".show.here").first.inner_text() == "title"
    assert page.locator("#picked-text").inner_text() == "Book 5"


def test_a_page_that_is_there_before_the_script_shows_its_place_too(page, served):
    held = []

    def hold(route):
        held.append(route)

    page.route("**/app.js*", hold)
    page.goto(served.origin + page_address("book/5.html") + "&show=pages", wait_until="commit")
    frame = page.frame_locator("#frame")
    frame.locator("h1").wait_for()
    held[0].continue_()
    frame.locator(".sitewright-here").wait_for()


def test_the_page_has_its_own_style_and_its_template_is_dim(page, served):
    page.goto(served.origin + page_address("book/5.html"))
    frame = page.frame_locator("#frame")
    colour = frame.locator("p.blurb").evaluate("() => document.styleSheets.length")
    assert colour >= 2
    assert float(frame.get_by_text("Shelf").evaluate("one => getComputedStyle(one).opacity")) < 1
    page.get_by_label("as it looks").check()
    frame.locator("html[data-look=plain]").wait_for()


def test_a_hostile_page_gets_nothing_out(chromium, served):
    context = chromium.new_context()
    asked = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.on("dialog", lambda dialog: asked.append(f"dialog {dialog.message}"))
    page.goto(served.first_url)
    page.goto(served.origin + page_address("book/11.html"))
    frame = page.frame_locator("#frame")
    frame.locator("h1").wait_for()
    frame.get_by_text("hover").hover()
    frame.locator("#out").click()
    frame.locator("#send").click()
    frame.get_by_text("out", exact=True).click(modifiers=["Control"])
    page.wait_for_load_state("networkidle")
    assert page.title() == "Book 11"
    assert len(context.pages) == 1
    inner = next(one for one in page.frames if one != page.main_frame)
    assert inner.evaluate("document.title") != "owned"
    assert inner.evaluate("self.origin") == "null"
    leaks = [one for one in asked if "evil" in urllib.parse.urlsplit(one).netloc]
    assert leaks == []
    hosts = {urllib.parse.urlsplit(one).hostname for one in asked if not one.startswith("data:")}
    assert hosts == {"127.0.0.1"}
    context.close()


def test_a_frame_cannot_reach_the_explorer(chromium, served):
    context = chromium.new_context()
    page = context.new_page()
    page.goto(served.first_url)
    page.goto(served.origin + page_address("book/5.html"))
    page.frame_locator("#frame").locator("h1").wait_for()
    inner = next(one for one in page.frames if one != page.main_frame)
    tried = """async (where) => {
      try { await fetch(where + "/job"); return "fetched"; } catch (error) { return "refused"; }
    }"""
    assert inner.evaluate(tried, served.origin) == "refused"
    cookie = """() => { try { return document.cookie; } catch (error) { return "refused"; } }"""
    assert inner.evaluate(cookie) == "refused"
    top = """() => { try { return top.document.title; } catch (error) { return "refused"; } }"""
    assert inner.evaluate(top) == "refused"
    context.close()


# Corrections.


def previewed(page):
    page.locator("dialog[open]").wait_for()
    return page.locator("#preview-body").inner_text()


def keep(page):
    """Agree to what the preview says, and wait until it is done."""
    page.locator("#preview-yes").click()
    page.wait_for_url("**/corrections", timeout=60_000)


def test_a_class_is_renamed_and_the_name_taken_back(page, served):
    page.goto(served.origin + "/class/author")
    form = page.locator("form[data-edit=rename_class]")
    form.get_by_label("New name").fill("writer")
    form.get_by_role("button").click()
    assert "8 pages are of class writer" in previewed(page)
    keep(page)
    assert "applied" in page.locator("main").inner_text()
    assert (served.out / "classes/writer/table.csv").is_file()
    page.reload()
    page.goto(served.origin + "/class/writer")
    assert page.locator("h1").inner_text() == "writer"
    page.goto(served.origin + "/corrections")
    page.get_by_role("button", name="undo").click()
    page.get_by_text("None yet").wait_for(timeout=60_000)
    assert served.edits() == []
    assert (served.out / "classes/author/table.csv").is_file()


def test_a_merge_says_how_many_pages_move_before_it_is_kept(page, served):
    page.goto(served.origin + "/class/book")
    form = page.locator("form[data-edit=merge_classes]")
    form.get_by_label("Merge with").select_option("author")
    form.get_by_role("button").click()
    assert "This merge moves 8 pages from author to book" in previewed(page)
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="hidden")
    assert served.edits() == []


def test_a_class_is_split_by_address(page, served):
    page.goto(served.origin + "/class/book")
    form = page.locator("form[data-edit=split_class]")
    form.get_by_label("address").fill("/book/1*")
    form.get_by_label("as class").fill("late")
    form.get_by_role("button").click()
    assert "3 of 12 pages go to the new class late" in previewed(page)
    keep(page)
    assert (served.out / "classes/late/table.csv").is_file()


def test_a_page_is_moved(page, served):
    page.goto(served.origin + page_address("author/3.html"))
    form = page.locator("form[data-edit=move_page]")
    form.get_by_label("Move to").select_option("book")
    form.get_by_role("button").click()
    text = previewed(page)
    assert "from author to book" in text
    assert "it goes alone" in text
    keep(page)
    (edit,) = served.edits()
    assert (edit.page, edit.to) == (url("author/3.html"), "book")
    assert edit.pages["book"]


@pytest.mark.parametrize(
    ("edit", "fill"),
    [
        ("rename_field", lambda form: form.get_by_label("New name").fill("leaves")),
        ("retype_field", lambda form: form.get_by_label("Type").select_option("text")),
        ("drop_field", lambda _form: None),
    ],
)
def test_a_field_is_corrected_with_the_keyboard_alone(page, served, edit, fill):
    page.goto(served.origin + "/class/book")
    row = page.locator("#field-pages")
    row.locator("summary").focus()
    page.keyboard.press("Enter")
    form = row.locator(f"form[data-edit={edit}]")
    fill(form)
    form.get_by_role("button").focus()
    page.keyboard.press("Enter")
    page.get_by_text("records of book are read anew").wait_for()
    page.locator("#preview-yes").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/corrections", timeout=60_000)
    table = (served.out / "classes/book/table.jsonl").read_text().splitlines()
    record = json.loads(table[0])
    expected = {
        "rename_field": ("leaves", 100),
        "retype_field": ("pages", "100"),
        "drop_field": None,
    }
    if expected[edit] is None:
        assert "pages" not in record
    else:
        name, value = expected[edit]
        assert record[name] == value


def test_a_click_on_a_value_makes_it_a_field(page, served):
    page.goto(served.origin + "/class/book")
    page.locator("#field-blurb summary").click()
    page.locator("#field-blurb form[data-edit=drop_field] button").click()
    keep(page)
    page.goto(served.origin + page_address("book/4.html"))
    page.frame_locator("#frame").locator("p.blurb").click()
    form = page.locator("#picked form[data-edit=example_field]")
    form.get_by_label("Make it a field named").fill("about")
    form.get_by_role("button").click()
    assert "About book number" in previewed(page)
    keep(page)
    record = json.loads((served.out / "classes/book/table.jsonl").read_text().splitlines()[0])
    assert record["about"].startswith("About book number")


def test_a_click_on_a_value_that_is_a_field_renames_it(page, served):
    page.goto(served.origin + page_address("book/4.html"))
    page.frame_locator("#frame").locator("p.blurb").click()
    form = page.locator("#picked-rename")
    form.get_by_label("Rename blurb to").fill("about")
    form.get_by_role("button").click()
    assert "Columns that come: about" in previewed(page)
    keep(page)
    record = json.loads((served.out / "classes/book/table.jsonl").read_text().splitlines()[0])
    assert record["about"].startswith("About book number")
    assert "blurb" not in record


def test_a_part_is_marked_as_template(page, served):
    page.goto(served.origin + page_address("book/4.html"))
    page.frame_locator("#frame").locator("dl.facts").click(position={"x": 2, "y": 2})
    page.get_by_role("button", name="This part is template").click()
    assert "Columns that go: pages, shelf" in previewed(page)
    keep(page)
    record = json.loads((served.out / "classes/book/table.jsonl").read_text().splitlines()[0])
    assert not {"pages", "shelf"} & record.keys()


def test_what_cannot_be_is_said_and_not_kept(page, served):
    page.goto(served.origin + "/class/author")
    form = page.locator("form[data-edit=rename_class]")
    form.get_by_label("New name").fill("book")
    form.get_by_role("button").click()
    page.get_by_text("another class is named book").wait_for()
    assert page.locator("#preview-yes").is_disabled()
    form.get_by_label("New name").evaluate("one => { one.value = '../etc' }")
    page.keyboard.press("Escape")
    form.get_by_role("button").click()
    page.get_by_text("no name for a class").wait_for()
    assert served.edits() == []


def test_two_tabs_undo_a_correction_once(page, served):
    page.goto(served.origin + "/class/book")
    page.locator("#field-blurb summary").click()
    page.locator("#field-blurb form[data-edit=drop_field] button").click()
    keep(page)
    other = page.context.new_page()
    other.goto(served.origin + "/corrections")
    page.get_by_role("button", name="undo").click()
    page.get_by_text("None yet").wait_for(timeout=60_000)
    other.get_by_role("button", name="undo").click()
    other.get_by_text("this correction is gone already").wait_for()


def test_the_page_as_it_looks_has_its_own_colours(page, served):
    page.goto(served.origin + page_address("book/5.html"))
    frame = page.frame_locator("#frame")
    title = frame.locator("[data-sitewright^=title]")
    assert title.evaluate("one => getComputedStyle(one).outlineStyle") != "none"
    page.get_by_label("as it looks").check()
    frame.locator("html[data-look=plain]").wait_for()
    assert title.evaluate("one => getComputedStyle(one).outlineStyle") == "none"


def test_the_blocks_of_a_page_are_drawn_where_they_stand(page, served):
    page.goto(served.origin + page_address("book/5.html"))
    frame = page.frame_locator("#frame")
    frame.locator("h1").wait_for()
    page.get_by_label("blocks").check()
    frame.locator("sitewright-block").first.wait_for(timeout=60_000)
    title, blocks = frame.locator("h1").bounding_box(), frame.locator("sitewright-block").all()
    boxes = [block.bounding_box() for block in blocks]
    assert any(
        box["x"] <= title["x"] and box["y"] <= title["y"] <= box["y"] + box["height"]
        for box in boxes
    )
    page.get_by_label("fields marked").check()
    frame.locator("sitewright-block").first.wait_for(state="hidden")


def test_pages_like_one_are_split_off_from_its_view(page, served):
    page.goto(served.origin + page_address("book/5.html"))
    form = page.locator("form[data-edit=split_class]")
    form.get_by_label("to a new class").fill("volume")
    form.get_by_role("button").click()
    assert "go to the new class volume" in previewed(page)


def test_a_class_is_as_full_in_its_view_as_in_its_table(served):
    lines = (served.out / "classes/book/table.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    _, _, text = ask(served, "/class/book")
    for name in ("pages", "blurb"):
        share = sum(row[name] is not None for row in rows) / len(rows)
        row = text.partition(f'id="field-{name}"')[2].partition("</tr>")[0]
        assert f'data-name="filled">{share:.0%}<' in row
        assert str(rows[0][name]) in row


def test_numbers_stand_right_and_look_as_in_the_report(served):
    _, _, text = ask(served, "/table/book")
    assert re.search(r'<td class="n"><a class="cell" href=[^>]*>100</a>', text)


def test_changes_between_two_runs_are_counted_filtered_and_paged(served):
    assert "No earlier run" in ask(served, "/changes")[2]
    lines = [
        {"class": "book", "key": url(f"book/{n}.html"), "change": "changed", "field": "pages",
         "old": n, "new": n + 1, "url": url(f"book/{n}.html")}
        for n in range(70)
    ]  # fmt: skip
    lines.append({"class": "author", "key": "x", "change": "gone", "url": url("author/9.html")})
    text = "".join(json.dumps(line) + "\n" for line in lines) + "no JSON\n"
    (served.out / "changes.jsonl").write_text(text)
    _, _, shown = ask(served, "/changes")
    assert "1 to 50 of 71" in shown
    assert re.search(r'book changed <span class="soft">70</span>', shown)
    _, _, shown = ask(served, "/changes?class=book&change=changed&page=2")
    assert "51 to 70 of 70" in shown
    _, _, shown = ask(served, "/changes?change=gone")
    assert shown.count("<tr>") == 2
    assert "author/9.html" not in shown.partition("<tbody>")[2].partition('href="/page')[2]


def test_a_class_is_split_by_a_mark_and_by_example_pages(page, served):
    page.goto(served.origin + "/class/book")
    form = page.locator("form[data-edit=split_class]")
    form.get_by_label("as class").fill("some")
    form.get_by_label("tag with a class").fill("h1")
    form.get_by_role("button").click()
    assert "all its pages are so" in previewed(page)
    page.keyboard.press("Escape")
    form.get_by_label("tag with a class").fill("")
    form.get_by_label("pages like these").fill(f"{url('book/1.html')} {url('book/2.html')}")
    form.get_by_role("button").click()
    assert "go to the new class some" in previewed(page)
    keep(page)
    (edit,) = served.edits()
    assert edit.examples == (url("book/1.html"), url("book/2.html"))
    assert (served.out / "classes/some/table.csv").is_file()


def test_a_table_of_an_earlier_build_may_lack_a_column(made, tmp_path):
    duckdb = pytest.importorskip("duckdb", reason="the extra `tables` is not installed")
    shutil.copytree(made / "out", tmp_path / "out")
    table = tmp_path / "out/classes/book/table.parquet"
    with duckdb.connect() as database:
        database.execute(f"CREATE TABLE kept AS SELECT * EXCLUDE (_confidence) FROM '{table}'")
        database.execute(f"COPY kept TO '{table}' (FORMAT parquet)")
    data = SiteData(tmp_path / "out")
    page = data.tables.page("book", TableQuery())
    assert page.rows[0][page.columns.index("_confidence")] is None
    assert data.doubts() is not None


# Old and new side by side.


def test_an_earlier_project_stands_beside_this_one(made, tmp_path):
    shutil.copytree(made / "out", tmp_path / "out")
    (tmp_path / "site").symlink_to(made / "site")
    one = Served(tmp_path / "out", made / "out")
    try:
        status, _, text = ask(one, "/sides")
        assert status == 200
        assert "book: same; nothing changed" in text
        frames = re.findall(r'<iframe class="side" title="book (before|now)" src="([^"]+)"', text)
        assert [name for name, _ in frames] == ["before", "now"]
        for _, address in frames:
            with urllib.request.urlopen(address.replace("&amp;", "&"), timeout=10) as answer:
                assert "sandbox" in answer.headers["content-security-policy"]
                assert "script-src" not in answer.headers["content-security-policy"]
                assert "<script" not in answer.read().decode()
        wrong = frames[0][1].partition("/side")[0] + "x/side?class=book&side=old"
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(wrong, timeout=10)
    finally:
        one.stop()


def test_without_an_earlier_project_the_view_says_how_to_get_one(served):
    assert "explore NEW --before OLD" in ask(served, "/sides")[2]
