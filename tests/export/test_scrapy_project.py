"""A project that was exported: readable, safe, and right on the local pages."""

import ast
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_shop import GOOD_WRAPPER, GOODS, LISTS, SIZES, WRAPPERS, field, shop_model, write_shop

from sitewright.export.class_tables import write_wrapper
from sitewright.export.folder import model_id, write_model
from sitewright.export.scrapy.plan import class_items, loaders_used, made_items
from sitewright.export.scrapy.project import make_project, write_project
from sitewright.export.scrapy.source import render_python
from sitewright.wrapper import RecordSet, Rule
from sitewright.wrapper.values.types import FieldType, ValueKind

HOSTILE = [
    'x"); import os; os.system("touch owned")  #',
    "'''\nimport os\nos.system('touch owned')\n'''",
    '"""\nraise SystemExit\n"""',
    "a\\",
    "{package}",
    "class",
    "fields",
    "__init__",
    "\ud800\u202e`|<b>",
    "{{ 7 * 7 }}{% raw %}",
    "x" * 120,
    "very long name " * 8,
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    site = write_shop(tmp_path_factory.mktemp("shop"))
    return site, shop_model(site)


@pytest.fixture(scope="module")
def project(shop):
    site, model = shop
    return make_project(model, WRAPPERS, site.pages)


@pytest.fixture(scope="module")
def folder(project, tmp_path_factory):
    folder = tmp_path_factory.mktemp("project") / "spider"
    write_project(project, folder)
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


def formatted(folder):
    found = run(folder, "-m", "ruff", "format", "--diff", ".")
    return found.returncode == 0, found.stdout


def test_a_project_has_the_files_that_scrapy_expects(folder):
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    package = "shop_example"
    expected = ["items.py", "loaders.py", "settings.py", "spiders/__init__.py", "spiders/site.py"]
    assert {f"{package}/{name}" for name in expected} < files
    assert {"scrapy.cfg", "README.md", "tests/test_selectors.py", "selectors.jsonl"} < files
    assert (folder / "scrapy.cfg").read_text() == "[settings]\ndefault = shop_example.settings\n"


def test_its_code_is_formatted_and_names_no_module_of_ours(folder):
    assert formatted(folder) == (True, "")
    assert run(folder, "-m", "ruff", "check", ".").returncode == 0
    for path in folder.rglob("*.py"):
        assert "import sitewright" not in path.read_text()
        assert "from sitewright" not in path.read_text()


def test_the_spider_reads_every_page_at_hand_as_extract_does(project):
    assert project.run.same == {"good": GOODS, "list": LISTS}
    assert project.run.taken_for == {}


def test_its_own_tests_pass_and_fail_when_a_selector_breaks(folder, project, tmp_path):
    passing = run(folder, "-m", "pytest", "-q")
    assert passing.returncode == 0, passing.stdout
    assert "4 passed" in passing.stdout
    write_project(project, tmp_path / "broken")
    items = tmp_path / "broken" / "shop_example" / "items.py"
    items.write_text(items.read_text().replace('"//h1"', '"//h5"'))
    assert "2 failed" in run(tmp_path / "broken", "-m", "pytest", "-q").stdout


def test_saved_pages_have_the_records_of_extract(folder):
    samples = json.loads((folder / "tests" / "samples.json").read_text())
    good = next(one for one in samples if one["callback"] == "parse_good")
    number = int(good["url"].rpartition("/")[2].removesuffix(".html"))
    assert good["records"] == [
        {
            "_url": f"http://shop.example/good/{number}.html",
            "name": f"Good {number}",
            "price": number + 1.5,
            "price_raw": f"{number + 1},50 €",
            "year": "2020",
            "tags": ["red", f"{number + 1} green"],
            "photo": f"http://shop.example/good/img/{number + 1}.png",
            "zoom": "javascript:zoom()",
            "first_size": "S",
            "missing": None,
            "sizes": [
                {"size": "S", "stock": number + 1},
                {"size": "L", "stock": int(f"2{number + 1}")},
            ],
        }
    ]
    row = next(one for one in samples if one["callback"] == "parse_list")["records"][0]
    assert list(row) == ["_url", "title", "name", "good", "price", "price_raw"]


def test_the_settings_are_polite(folder):
    program = "import json, shop_example.settings as s; print(json.dumps(vars(s), default=str))"
    settings = json.loads(run(folder, "-c", program).stdout)
    assert settings["ROBOTSTXT_OBEY"] is True
    assert settings["AUTOTHROTTLE_ENABLED"] is True
    assert settings["DOWNLOAD_DELAY"] > 0
    assert settings["CONCURRENT_REQUESTS_PER_DOMAIN"] <= 2
    assert "+https://" in settings["USER_AGENT"]
    feed = settings["FEEDS"]["records/good.jsonl"]
    assert feed["item_classes"] == ["shop_example.items.GoodItem"]


def test_the_same_pages_give_the_same_bytes(shop, project):
    site, model = shop
    assert make_project(model, WRAPPERS, site.pages).files() == project.files()


def test_the_readme_tells_of_classes_and_of_what_was_left_out(shop):
    site, model = shop
    counted = field("rows", "string(count(//tbody))")
    wrapper = replace(GOOD_WRAPPER, fields=(*GOOD_WRAPPER.fields, counted))
    files = make_project(model, {"good": wrapper}, site.pages).files()
    readme = files["README.md"].decode()
    assert "- `good.rows`: the same on 0.0% of 12 pages" in readme
    assert "| `good` | `/good/{id}.html` | 100% | 12 | 10 | 100.0% |" in readme
    assert "# left out: good.rows, right on 0.0%" in files["shop_example/items.py"].decode()


def hostile_wrapper():
    """Field names, patterns, units, selectors and samples out of a hostile page."""
    fields = [
        replace(
            field(name, "//h1", FieldType(ValueKind.TEXT, unit=name), raw=True),
            samples=(name * 3,),
        )
        for name in HOSTILE
    ]
    fields += [
        field(f"quoted {number}", f"//h1[not(. = {quoted(name)})]", pattern=f"(.*)|{number}\\d")
        for number, name in enumerate(HOSTILE[:4])
    ]
    rows = tuple(
        RecordSet(name + " rows", Rule.parse("//dl/dt"), (field(name, "."),)) for name in HOSTILE
    )
    return replace(
        GOOD_WRAPPER, fields=tuple(fields), record_sets=rows, required=(HOSTILE[0], HOSTILE[1])
    )


def quoted(text):
    """An XPath literal; XPath has no escapes."""
    apostrophe = ', "\'", '
    parts = [f"'{part}'" for part in text.split("'")]
    return f"concat('', {apostrophe.join(parts)})"


def test_names_and_texts_of_hostile_pages_stay_texts(shop, tmp_path):
    site, model = shop
    wrapper = hostile_wrapper()
    project = make_project(model, {"good": wrapper}, site.pages)
    assert project.checked.left_out() == []
    assert project.run.same == {"good": GOODS}
    write_project(project, tmp_path)
    assert formatted(tmp_path)[1] == ""
    tests = run(tmp_path, "-m", "pytest", "-q")
    assert tests.returncode == 0, tests.stdout
    assert not list(tmp_path.rglob("owned*"))
    for path in ("items.py", "spiders/site.py", "settings.py"):
        tree = ast.parse((tmp_path / "shop_example" / path).read_text())
        calls = {ast.unparse(one.func) for one in ast.walk(tree) if isinstance(one, ast.Call)}
        assert calls <= {
            "scrapy.Field", "Typed", "AbsoluteURL", "All", "SpiderClass", "Rule",
            "SiteLinkExtractor", "self.records", "add_field",
        }  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_names_and_addresses_of_classes_in_a_hostile_model_stay_texts(shop, name):
    site, model = shop
    pattern = f"/good/.+|{re.escape(name)}"
    good = replace(model.by_name("good"), name=name, url_template=name, url_pattern=pattern)
    others = [one for one in model.classes if one.name != "good"]
    renamed = replace(model, classes=(good, *others))
    project = make_project(renamed, {name: replace(GOOD_WRAPPER, page_class=name)}, site.pages)
    assert project.run.same == {name: GOODS}
    for path, content in project.files().items():
        if path.endswith(".py"):
            tree = ast.parse(content)
            strings = {one.value for one in ast.walk(tree) if isinstance(one, ast.Constant)}
            assert path != "shop_example/spiders/site.py" or name in strings
            assert not any(isinstance(one, ast.Import) and one.names[0].name == "os"
                           for one in ast.walk(tree))  # fmt: skip


TEXTS = st.text(max_size=12) | st.text("\\'\"{}%#()\n\r\u2028 ab", max_size=12)


@settings(max_examples=60)
@given(st.lists(TEXTS, min_size=4, max_size=8, unique=True))
def test_no_text_becomes_code_in_items(texts):
    name, title, pattern, unit, *more = texts
    # No other text is an XPath expression, and none is ever taken for one.
    rule = Rule.parse(f"""//a[@title="{title.replace('"', "")}"]""", pattern)
    typed = replace(field(name, ".", FieldType(ValueKind.TEXT, unit=unit), raw=True),
                    rule=rule, samples=(name,))  # fmt: skip
    rows = RecordSet(name + " rows", rule, tuple(field(one, ".") for one in more))
    wrapper = replace(GOOD_WRAPPER, fields=(typed,), record_sets=(rows,), required=())
    items = class_items("good", wrapper, set(), [name]).classes
    written = render_python("items.py.jinja", items=items, imports=loaders_used(items))
    tree = ast.parse(written)
    calls = {ast.unparse(one.func) for one in ast.walk(tree) if isinstance(one, ast.Call)}
    assert calls <= {"scrapy.Field", "Typed", "AbsoluteURL", "All", "add_field"}
    strings = {one.value for one in ast.walk(tree) if isinstance(one, ast.Constant)}
    assert {rule.selector.scrapy(), pattern, unit} - {""} <= strings
    assert all(isinstance(one, (ast.Expr, ast.Import, ast.ImportFrom, ast.ClassDef))
               for one in tree.body)  # fmt: skip


def test_generated_items_are_those_that_were_checked(project, folder):
    program = (
        "import json, scrapy, shop_example.items as items\n"
        "print(json.dumps({name: {field: sorted(meta) for field, meta in one.fields.items()}"
        " for name, one in vars(items).items() if name.endswith(('Item', 'Row'))}))"
    )
    generated = json.loads(run(folder, "-c", program).stdout)
    assert generated == {
        name: {field: sorted(metadata) for field, metadata in item.fields.items()}
        for name, item in made_items(project.plan.item_classes).items()
    }


def test_items_of_classes_with_like_names_have_names_of_their_own():
    taken = set()
    plain = replace(GOOD_WRAPPER, record_sets=(replace(SIZES, name="x y"),))
    first = class_items("news", replace(WRAPPERS["list"], page_class="news"), taken)
    second = class_items("news_page", plain, taken)
    third = class_items(
        "news_page_x", replace(plain, record_sets=(replace(SIZES, name="y"),)), taken
    )
    names = [one.name for items in (first, second, third) for one in items.classes]
    assert len(set(names)) == len(names) == 7
    assert second.page == "NewsPageItem_2"


def sitewright(*arguments):
    command = [sys.executable, "-m", "sitewright", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def out(tmp_path, shop):
    """An output folder with a model, beside the pages that it was made from."""
    write_shop(tmp_path / "site")
    out = tmp_path / "out"
    out.mkdir()
    write_model(out, shop[1])
    return out


def test_the_command_writes_the_project_and_says_how_well_it_does(out):
    for wrapper in WRAPPERS.values():
        write_wrapper(out, wrapper, model=model_id(out))
    site = out.parent / "site"
    made = sitewright("export", "scrapy", out, "--site", site)
    assert made.returncode == 0, made.stderr
    summary = json.loads(made.stdout)
    assert summary["project"] == str(out / "spider")
    assert summary["same_records"] == summary["pages"] == GOODS + LISTS
    assert summary["left_out"] == {}
    assert (out / "spider" / "scrapy.cfg").is_file()
    again = sitewright("export", "scrapy", out, "--site", site)
    assert again.returncode == 2
    assert "is not empty; --force writes over" in again.stderr
    assert sitewright("export", "scrapy", out, "--site", site, "--force").returncode == 0


def test_the_command_says_what_it_needs(out):
    without_wrappers = sitewright("export", "scrapy", out)
    assert without_wrappers.returncode == 2
    assert "no class has a wrapper here; make them with: sitewright run" in without_wrappers.stderr
    write_wrapper(out, GOOD_WRAPPER, model=model_id(out))
    without_pages = sitewright("export", "scrapy", out)
    assert without_pages.returncode == 2
    assert "no pages.warc.gz here; say where the pages are: --site" in without_pages.stderr
