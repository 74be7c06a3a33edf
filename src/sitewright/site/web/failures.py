"""Why a request came to nothing, in the words of `Reason`."""

from __future__ import annotations

from typing import Final

from aiohttp import ClientSSLError
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)

from sitewright.site.base import Reason
from sitewright.site.web.gate import Refused

_REASONS: Final[tuple[tuple[type[Exception], Reason, str], ...]] = (
    (DownloadTimeoutError, Reason.TIMED_OUT, "no answer in time"),
    (DownloadCancelledError, Reason.TOO_LARGE, "larger than allowed"),
    (CannotResolveHostError, Reason.NO_ANSWER, "no such host"),
    (DownloadConnectionRefusedError, Reason.NO_ANSWER, "connection refused"),
    (ResponseDataLossError, Reason.NO_ANSWER, "the answer broke off"),
    (DownloadFailedError, Reason.NO_ANSWER, "the connection failed"),
)


def failure(error: Exception) -> tuple[Reason, str]:
    """Give the reason that an exception of the engine stands for, and the detail."""
    if isinstance(error, Refused):
        return error.reason, error.detail
    if isinstance(error.__cause__, ClientSSLError):
        return Reason.NO_ANSWER, "no secure connection: is the certificate valid?"
    for kind, reason, detail in _REASONS:
        if isinstance(error, kind):
            return reason, detail
    return Reason.NO_ANSWER, f"{type(error).__name__}: {error}".splitlines()[0][:200]
