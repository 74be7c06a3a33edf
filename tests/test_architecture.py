"""The folder tree is the architecture: packages know only those before them; the API is a list."""

import ast
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest

import sitewright

SOURCE = Path(sitewright.__file__).parent
ORDER = [
    "errors", "choices", "plugins", "settings", "formats", "notebook", "event_loop", "page", "site",
    "crawl", "classes", "template", "skeleton", "visual", "wrapper", "papers", "methods",
    "extraction", "export", "edits", "learning", "project_steps", "project", "change",
    "fleet", "explorer", "mcp", "evaluate", "cli",
]  # fmt: skip
MODULES = sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py"))


def imported_packages(module: Path) -> set[str]:
    """The parts of sitewright that a module imports, the imports inside functions included."""
    names = set()
    for node in ast.walk(ast.parse((SOURCE / module).read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert not node.level, f"{module} imports relatively"
            names.add(node.module)
            if node.module == "sitewright":
                names |= {f"sitewright.{alias.name}" for alias in node.names}
    parts = (name.split(".") for name in names)
    return {part[1] for part in parts if part[0] == "sitewright" and len(part) > 1}


@pytest.mark.parametrize("module", [m for m in MODULES if len(m.parts) > 1], ids=str)
def test_a_package_imports_only_packages_before_it(module):
    package = module.parts[0]
    assert package in ORDER, f"{package} has no place in the order of packages"
    allowed = set(ORDER[: ORDER.index(package) + 1])
    assert imported_packages(module) <= allowed


METHODS = {"classes", "template", "skeleton", "visual", "wrapper"}


@pytest.mark.parametrize("module", [m for m in MODULES if m.parts[0] in METHODS], ids=str)
def test_the_methods_know_neither_sites_nor_crawling_nor_files(module):
    """Files that the package itself ships, such as learnt numbers, are read by their package."""
    assert not imported_packages(module) & {"site", "crawl", "papers", "project_steps", "project"}
    tree = ast.parse((SOURCE / module).read_text())
    imported = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert not imported & {"os", "io", "pathlib", "shutil", "tempfile", "asyncio", "urllib.request"}
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert "open" not in {node.id for node in called if isinstance(node, ast.Name)}


def defined_types(tree: ast.Module) -> list[str]:
    """The classes, type aliases and type variables of a module."""
    names = []
    blocks = [node.body for node in tree.body if isinstance(node, ast.If)]
    for node in [*tree.body, *(node for block in blocks for node in block)]:
        if isinstance(node, ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            if ast.unparse(node.annotation) == "TypeAlias":
                names.append(node.target.id)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, node.value
            makes_type = isinstance(value, ast.Call) and ast.unparse(value.func) == "TypeVar"
            is_alias = isinstance(value, ast.Subscript | ast.BinOp) and not name.isupper()
            if makes_type or (is_alias and name[0].isupper()):
                names.append(name)
    return names


def test_a_type_name_has_one_meaning_in_the_whole_package():
    homes: dict[str, list[str]] = {}
    for module in MODULES:
        for name in defined_types(ast.parse((SOURCE / module).read_text())):
            homes.setdefault(name, []).append(str(module))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_no_function_has_the_name_of_its_module():
    for module in MODULES:
        for node in ast.parse((SOURCE / module).read_text()).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.name != module.stem, module


def test_one_module_alone_knows_the_parser():
    knowing = {str(module) for module in MODULES if "turbohtml" in (SOURCE / module).read_text()}
    assert knowing == {"page/parser.py"}


def stub_imports() -> dict[str, str]:
    """What type checkers see: each public name, and the package that it is imported from."""
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    (stub,) = (node for node in tree.body if isinstance(node, ast.If))
    return {
        alias.name: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


@pytest.mark.parametrize("name", sitewright.__all__)
def test_a_public_name_is_the_object_that_its_module_defines(name):
    found = getattr(sitewright, name)
    assert not isinstance(found, ModuleType)
    assert callable(found)
    assert found.__doc__
    assert found.__name__ == name
    assert found is vars(sys.modules[found.__module__])[name]
    assert found is getattr(import_module(stub_imports()[name]), name)


def test_the_public_names_are_listed_once_and_shown():
    names = sitewright.__all__
    assert names == sorted(names, key=lambda name: (not name[0].isupper(), name))
    assert set(names) == stub_imports().keys()
    # What Tab offers is the public names, and nothing that the module needs itself.
    offered = {name for name in dir(sitewright) if not name.startswith("__")}
    assert offered == set(names)
    assert "__version__" in dir(sitewright)
    assert sitewright.__version__ == version("sitewright")


def test_a_module_that_was_imported_before_does_not_take_the_place_of_a_name():
    """In a process of its own: `sitewright.methods` is a module, `extract` a function."""
    program = (
        "import sitewright.methods, sitewright.wrapper.reading\n"
        "from sitewright import extract; print(callable(extract), extract.__module__)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["True", "sitewright.wrapper.reading"]


def test_nothing_else_is_public():
    with pytest.raises(AttributeError, match="has no attribute 'PathVocabulry'"):
        sitewright.PathVocabulry  # noqa: B018


HELP = """
import contextlib, io, sys
from sitewright.cli import main
sys.argv = ["sitewright", *sys.argv[1:]]
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()) as shown:
    main()
assert "Usage: sitewright" in shown.getvalue()
print(*sys.modules)
"""


@pytest.mark.parametrize("verb", ["", "run", "show", "discover", "extract", "export", "learn"])
def test_help_answers_without_what_the_verbs_need(verb):
    """Help must answer at once: no parser, no arrays, no crawler, no tables."""
    words = [sys.executable, "-c", HELP, *filter(None, [verb]), "--help"]
    run = subprocess.run(words, capture_output=True, text=True, check=True)
    heavy = {"numpy", "turbohtml", "scrapy", "aiohttp", "rich", "duckdb", "jinja2", "pandas"}
    assert heavy & set(run.stdout.split()) == set()
