"""Wrappers: what turns the pages of a class into records."""

from sitewright.wrapper.example import by_example
from sitewright.wrapper.extract import Extractor, Misfit, Record, extract, lines
from sitewright.wrapper.induce import induce
from sitewright.wrapper.rule import Rule
from sitewright.wrapper.wrapper import (
    Dropped,
    Field,
    LearntFrom,
    RecordSet,
    Wrapper,
)

__all__ = [
    "Dropped",
    "Extractor",
    "Field",
    "LearntFrom",
    "Misfit",
    "Record",
    "RecordSet",
    "Rule",
    "Wrapper",
    "by_example",
    "extract",
    "induce",
    "lines",
]
