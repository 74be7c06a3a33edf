"""Write docs/api.md, the reference of the public API, from signatures and docstrings.

::

    make api                            # or: python docs/make_api.py

`tests/test_docs.py` fails where docs/api.md is not what this writes.
"""

from __future__ import annotations

import ast
import enum
import inspect
import sys
import textwrap
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ForwardRef

import sitewright
from sitewright import errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TARGET = Path(__file__).with_name("api.md")
HEAD = """# API reference

What `import sitewright` offers. Everything else may change in any release;
[formats.md](formats.md) says what is promised. This page is generated: `make api`.

The functions work in scripts and in notebooks. For programs that have an event loop there is
`arun`, and each step of a `Project` has an asynchronous form with an `a` in front:
`await project.aextract()`.
"""


def reference() -> str:
    """The whole page."""
    names = sorted(sitewright.__all__, key=lambda name: (inspect.isclass(_named(name)), name))
    parts = [HEAD, "\n".join(_contents(names)) + "\n", "## Functions\n"]
    classes = [name for name in names if inspect.isclass(_named(name))]
    parts += [_function(name) for name in names if name not in classes]
    parts.append("## Classes\n")
    parts += [_class(name) for name in classes]
    parts += ["## Errors\n", _text(errors) + "\n"]
    return "\n".join(parts)


def _named(name: str) -> object:
    return getattr(sitewright, name)


def _contents(names: list[str]) -> Iterator[str]:
    for title, wanted in (("Functions", False), ("Classes", True)):
        links = [
            f"[{name}](#{name.lower()})"
            for name in names
            if inspect.isclass(_named(name)) is wanted
        ]
        yield f"- {title}: " + ", ".join(links)


def _function(name: str) -> str:
    function = _named(name)
    return f"### {name}\n\n{_code(name, function)}\n\n{_text(function)}\n"


def _class(name: str) -> str:
    described = _named(name)
    assert isinstance(described, type)  # noqa: S101 - for the type checker
    lines = [f"### {name}\n", _code(name, described) + "\n", _text(described) + "\n"]
    lines += [f"- {entry}" for entry in _attributes(described)]
    methods = list(_methods(described))
    if methods:
        lines += ["", *methods]
    return "\n".join(lines).rstrip() + "\n"


def _attributes(described: type) -> Iterator[str]:
    """The documented attributes and the properties of a class."""
    for one in _with_bases(described):
        for name, annotation, text in _documented(one):
            yield (
                f"**{name}**"
                + (f" (`{annotation}`)" if annotation else "")
                + (f": {text}" if text else "")
            )
    for name, value in _members(described).items():
        if not name.startswith("_") and isinstance(value, property | cached_property):
            function = value.fget if isinstance(value, property) else value.func
            returns = inspect.signature(function).return_annotation if function else ""
            yield f"**{name}** (`{_plain(returns)}`): {_one_line(inspect.getdoc(value) or '')}"


def _with_bases(described: type) -> list[type]:
    """The class and those of ours that it is made from, the first of them first."""
    own = [one for one in described.__mro__ if one.__module__.startswith("sitewright")]
    return own[::-1]


def _members(described: type) -> dict[str, object]:
    found: dict[str, object] = {}
    for one in _with_bases(described):
        found |= vars(one)
    return found


def _documented(described: type) -> Iterator[tuple[str, str, str]]:
    """Attributes that the source declares, with the text below each; those of `__init__`, too."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(described))).body
    assert isinstance(node, ast.ClassDef)  # noqa: S101 - for the type checker
    bodies = [node.body]
    bodies += [
        one.body for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"
    ]
    for body in bodies:
        for statement, after in zip(body, [*body[1:], None], strict=True):
            target, annotation = _declared(statement)
            text = _string(after)
            of_class = body is node.body
            if target and not target.startswith("_") and (of_class or text):
                yield target, annotation, _one_line(text)


def _declared(statement: ast.stmt) -> tuple[str, str]:
    """The name that a statement declares, and its type."""
    if isinstance(statement, ast.AnnAssign):
        target, annotation = statement.target, ast.unparse(statement.annotation)
    elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Attribute):
        target, annotation = statement.targets[0], ""
    else:
        return "", ""
    return (target.attr if isinstance(target, ast.Attribute) else ast.unparse(target)), annotation


def _string(statement: ast.stmt | None) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return str(statement.value.value)
    return ""


def _methods(described: type) -> Iterator[str]:
    """Each public method; of a pair like `extract` and `aextract`, the plain one."""
    names = _members(described)
    for name, value in names.items():
        function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        has_plain_form = name.startswith("a") and name[1:] in names
        if not name.startswith("_") and not has_plain_form and inspect.isfunction(function):
            title = f"#### {described.__name__}.{name}"
            yield f"{title}\n\n{_code(name, function)}\n\n{_text(function)}\n"


def _code(name: str, described: object) -> str:
    """The signature, one parameter a line where it is long."""
    starts = "async def " if inspect.iscoroutinefunction(described) else ""
    signature = _signature(described)
    if signature is None:
        return f"```\n{starts}{name}\n```"
    parameters, returns = signature
    code = f"{starts}{name}({', '.join(parameters)}){returns}"
    if len(code) > 96:
        code = f"{starts}{name}(\n" + "".join(f"    {one},\n" for one in parameters) + f"){returns}"
    return f"```\n{code}\n```"


def _signature(described: object) -> tuple[list[str], str] | None:
    if isinstance(described, type) and (
        getattr(described, "_is_protocol", False) or issubclass(described, BaseException)
    ):
        return None
    signature = inspect.signature(_callable(described))
    parameters = []
    kinds = [one.kind for one in signature.parameters.values()]
    for number, one in enumerate(signature.parameters.values()):
        first_keyword = one.kind is one.KEYWORD_ONLY and one.KEYWORD_ONLY not in kinds[:number]
        if first_keyword and one.VAR_POSITIONAL not in kinds:
            parameters.append("*")
        if one.name != "self":
            parameters.append(_parameter(one))
    returns = _plain(signature.return_annotation)
    is_class = isinstance(described, type)
    return parameters, f" -> {returns}" if returns and not is_class else ""


def _callable(described: object) -> Callable[..., object]:
    assert callable(described)  # noqa: S101 - for the type checker
    return described


def _parameter(one: inspect.Parameter) -> str:
    stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
    annotation = _plain(one.annotation)
    text = f"{stars}{one.name}" + (f": {annotation}" if annotation else "")
    if one.default is one.empty:
        return text
    return f"{text} = {_default(one.default)}"


def _default(value: object) -> str:
    """A default as somebody would write it, the same under every version of Python."""
    if isinstance(value, enum.Enum):
        return repr(value.value)
    if inspect.isfunction(value) or type(value).__name__ == "_HAS_DEFAULT_FACTORY_CLASS":
        return "..."
    return repr(value).replace(sitewright.__version__, "VERSION")


def _plain(annotation: object) -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    if isinstance(annotation, str):
        return annotation.strip("'\"")
    if isinstance(annotation, ForwardRef):
        return annotation.__forward_arg__
    return getattr(annotation, "__name__", repr(annotation))


def _text(described: object) -> str:
    """A docstring as Markdown: what follows `::` is code."""
    lines: list[str] = []
    in_code = False
    for line in (inspect.getdoc(described) or "").splitlines():
        starts_code = line.rstrip().endswith("::")
        if in_code and line and not line.startswith(" "):
            lines, in_code = [*_without_blanks(lines), "```", ""], False
        if starts_code:
            before = line.rstrip()[:-2]
            lines += [*([before + ":", ""] if before else []), "```"]
            in_code = True
        elif not (in_code and not line and lines[-1] == "```"):
            lines.append(line.removeprefix("    ") if in_code else line)
    return "\n".join([*_without_blanks(lines), "```"] if in_code else lines)


def _without_blanks(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def _one_line(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
    sys.stdout.write(f"wrote {TARGET.name}\n")
