"""How a live site is crawled: politely, unless its user says otherwise."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib.metadata import version

from sitewright.errors import InvalidInput
from sitewright.site.web.traps import Limits

MiB = 1 << 20
USER_AGENT = f"sitewright/{version('sitewright')}"
"""What we are. Who crawls, only the person who does can say: see `CrawlOptions.contact`."""
DEFAULT_DELAY = 0.25
"""Seconds between two requests to a public host."""
_CONTACT = re.compile(r"https?://[!-'*-~]+|[!-'*-;=?-~]+@[!-'*-;=?-~]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlOptions:
    """Everything that can be set about a crawl; times are in seconds."""

    user_agent: str = USER_AGENT
    contact: str | None = None
    """The e-mail address or URL of the person who crawls, for the owners of sites."""
    obey_robots: bool = True
    """Keep to robots.txt (RFC 9309), its Crawl-delay included."""
    delay: float | None = None
    """The least time between two requests to a host, varied by half. None: a quarter of a second,
    and nothing on a private address, which is the user's own. With a delay, a host that answers
    slowly is asked less often."""
    concurrency: int = 4
    """The most requests to one host at a time."""
    timeout: float = 30.0
    """For one answer, from the connection to its last byte."""
    max_size: int = 16 * MiB
    """The most bytes of one answer, packed and unpacked."""
    max_pages: int | None = None
    """The most pages that a run asks for. Pages read back from the archive count as well, so that
    a run that is repeated, or goes on after it was stopped, ends with the same pages. What
    robots.txt forbids does not count, nor do redirects on the way and robots.txt itself."""
    retries: int = 2
    """How often a request is repeated after no answer, 408, 429 or 5xx."""
    max_redirects: int = 10
    back_off: float = 1.0
    """The wait after 429 or 503 without Retry-After; it doubles with each try."""
    max_back_off: float = 120.0
    """The longest wait that a Retry-After can ask for."""
    max_crawl_delay: float = 30.0
    """The longest wait that a Crawl-delay can ask for."""
    allow_private: bool = False
    """Connect to private addresses though the start URL is not one itself: for an intranet name.
    Otherwise a public name that leads to a private address is refused."""
    verify_certificates: bool = True
    cookies: bool = False
    """Keep cookies. Without, an answer depends on its URL alone, and reads back as it was."""
    environment_proxies: bool = False
    """Use the proxies of the environment. Off by default: a proxy resolves names itself, so the
    check for private addresses could not see where a request goes."""
    trap_limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        for name in ("concurrency", "timeout", "max_size"):
            if getattr(self, name) <= 0:
                raise InvalidInput(name.replace("_", "-"), "must be more than 0")
        for name in ("delay", "max_pages", "retries", "max_redirects", "back_off", "max_back_off"):
            if (getattr(self, name) or 0) < 0:
                raise InvalidInput(name.replace("_", "-"), "must not be negative")
        if not self.user_agent.strip() or not self.user_agent.isprintable():
            raise InvalidInput("user-agent", "must be one line of text")
        if self.contact is not None and not _CONTACT.fullmatch(self.contact):
            raise InvalidInput("contact", "must be an e-mail address, or an http or https URL")

    @property
    def user_agent_header(self) -> str:
        """The User-Agent header: the program, and the person if `contact` names one."""
        return self.user_agent if self.contact is None else f"{self.user_agent} (+{self.contact})"
