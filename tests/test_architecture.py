"""The folder tree is the architecture: packages know only those before them; the API is a list."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import sitewright

SOURCE = Path(sitewright.__file__).parent
ORDER = [
    "errors", "formats", "html", "site", "classes", "template", "skeleton", "visual", "wrapper",
    "output", "evaluate", "cli",
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


def test_one_module_alone_knows_the_parser():
    knowing = {str(module) for module in MODULES if "turbohtml" in (SOURCE / module).read_text()}
    assert knowing == {"html/dom.py"}


def test_every_name_of_the_public_api_is_there_and_documented():
    for name in sitewright.__all__:
        assert getattr(sitewright, name).__doc__, name
    assert sitewright.__all__ == sorted(
        sitewright.__all__, key=lambda name: (not name[0].isupper(), name)
    )


def test_nothing_else_is_public():
    with pytest.raises(AttributeError, match="has no attribute 'PathVocabulry'"):
        sitewright.PathVocabulry  # noqa: B018


def test_the_command_line_starts_without_what_its_verbs_need():
    """Help must answer at once: no parser, no arrays, no crawler."""
    heavy = {"numpy", "turbohtml", "scrapy", "rich"}
    program = f"import sys, sitewright.cli; print({heavy} & set(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "set()"
