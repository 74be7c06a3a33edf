"""Wrappers: what turns the pages of a class into records."""

from sitewright.wrapper.examples import induce_from_examples
from sitewright.wrapper.induction import add_columns, add_layouts, induce
from sitewright.wrapper.reading import Extractor, Misfit, Record, extract, lines
from sitewright.wrapper.wrapper import Field, LearntFrom, RecordSet, RejectedColumn, Rule, Wrapper

__all__ = [
    "Extractor",
    "Field",
    "LearntFrom",
    "Misfit",
    "Record",
    "RecordSet",
    "RejectedColumn",
    "Rule",
    "Wrapper",
    "add_columns",
    "add_layouts",
    "extract",
    "induce",
    "induce_from_examples",
    "lines",
]
