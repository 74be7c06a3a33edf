"""The demo site: a football cup that never was, with the truth about its pages beside it."""

from examples.cup.write import Summary, generate

__all__ = ["Summary", "generate"]
