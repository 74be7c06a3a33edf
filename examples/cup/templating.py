"""Jinja2 templates of pages, strict, and what each of them writes itself.

A template prints values, repeats rows (`for`), has optional parts (`if`, with or without `else`)
and includes others. `site` has the constants of the page class: they are template like the text
around them. A value that is missing is an error where it is printed, and false where it is tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from jinja2 import DictLoader, Environment, Template, Undefined, nodes
from markupsafe import Markup

View = Mapping[str, object]

_CONSTANTS = "site"


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a value."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a template that is optional or repeated."""

    path: tuple[str, ...]
    """The value that decides: a name in the view, and names inside of it."""
    variable: str
    """What a row of the list is called; empty: the part is there once, or not at all."""
    inverted: bool
    """It is there where the value is false."""
    body: tuple[Node, ...]


Node = str | Slot | Section


@dataclass(frozen=True, slots=True)
class PageTemplate:
    """The template of a page class."""

    nodes: tuple[Node, ...]
    """What it writes itself, and what it leaves open."""
    compiled: Template
    constants: Mapping[str, Markup]

    def render(self, view: View) -> str:
        """Fill the template with the view's values."""
        return self.compiled.render({**view, _CONSTANTS: self.constants})


class _Missing(Undefined):
    """A value that is missing: false and empty, and an error where it is printed."""

    __slots__ = ()

    def __str__(self) -> str:
        return str(self._fail_with_undefined_error())


def environment(sources: Mapping[str, str]) -> Environment:
    """Give the templates that may include each other, by their names."""
    return Environment(  # the escapes that `html.escape` writes are part of the site's bytes
        loader=DictLoader(sources),
        autoescape=False,  # noqa: S701 - `finalize` escapes
        finalize=_escaped,
        undefined=_Missing,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def page_template(templates: Environment, name: str, constants: Mapping[str, str]) -> PageTemplate:
    """Read a template, with what it includes and with its constants."""
    marked = {key: Markup(value) for key, value in constants.items()}  # noqa: S704 - our own HTML
    outline = tuple(_nodes(_parsed(templates, name).body, templates, constants))
    return PageTemplate(outline, templates.get_template(name), marked)


def rows(section: Section, view: View) -> Sequence[View]:
    """Give the views with which the section's body is rendered: none, one or many."""
    value: object = view
    for name in section.path:
        value = value.get(name) if isinstance(value, Mapping) else None
    if not section.variable:
        return (view,) if bool(value) != section.inverted else ()
    found = value if isinstance(value, (list, tuple)) else ()
    return [{**view, section.variable: row} for row in found]


def _escaped(value: object) -> str:
    return value if isinstance(value, Markup) else escape(str(value))


def _parsed(templates: Environment, name: str) -> nodes.Template:
    if templates.loader is None:
        raise ValueError(f"no templates, so no {name}")
    source, _, _ = templates.loader.get_source(templates, name)
    return templates.parse(source, name)


def _nodes(
    body: Sequence[nodes.Node], templates: Environment, constants: Mapping[str, str]
) -> Iterator[Node]:
    for node in body:
        match node:
            case nodes.Output(nodes=printed):
                yield from (_printed(one, constants) for one in printed)
            case nodes.Include(template=nodes.Const(value=name)):
                yield from _nodes(_parsed(templates, name).body, templates, constants)
            case nodes.For(target=nodes.Name(name=variable), iter=listed, body=inner):
                inside = tuple(_nodes(inner, templates, constants))
                yield Section(_path(listed), variable, inverted=False, body=inside)
            case nodes.If(test=test, body=inner, elif_=[], else_=other):
                inside = tuple(_nodes(inner, templates, constants))
                yield Section(_path(test), "", inverted=False, body=inside)
                if other:
                    inside = tuple(_nodes(other, templates, constants))
                    yield Section(_path(test), "", inverted=True, body=inside)
            case _:
                raise ValueError(f"line {node.lineno}: no outline of {type(node).__name__}")


def _printed(node: nodes.Expr, constants: Mapping[str, str]) -> Node:
    match node:
        case nodes.TemplateData(data=text):
            return text
        case nodes.Getattr(node=nodes.Name(name="site"), attr=name):
            return constants[name]
        case _:
            return Slot()


def _path(node: nodes.Node) -> tuple[str, ...]:
    match node:
        case nodes.Name(name=name):
            return (name,)
        case nodes.Getattr(node=inner, attr=name):
            return (*_path(inner), name)
        case _:
            raise ValueError(f"line {node.lineno}: a section is decided by a name")
