"""Host names and addresses: their normal form, their owner, and whether they are private.

Nothing here asks the network: the public suffix list is the copy that comes with tldextract.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from ipaddress import (
    AddressValueError,
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
)
from typing import TYPE_CHECKING
from urllib.parse import unquote

import idna

if TYPE_CHECKING:
    from tldextract import TLDExtract


MAX_HOST_LENGTH = 253
_LABEL = re.compile(r"[a-z0-9_-]{1,63}")  # looser than the rules for names: such hosts exist
_NUMERIC_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")

# The special-purpose registries of IANA. The `is_private` of the ipaddress module differs between
# Python releases, so the lists are spelled out.
_NOT_PUBLIC_4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_PUBLIC_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments, Teredo tunnels among them
        "2001:db8::/32",
        "2002::/16",  # 6to4 tunnels, withdrawn: an IPv4 address could hide in one
        "3fff::/20",
    )
)
# Prefixes that carry an IPv4 address in their last 32 bits: mapped, and translated (NAT64).
_CARRIES_4 = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))
_PRIVATE_NAMES = ("localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback")
_PRIVATE_ENDINGS = (".localhost", ".localdomain", ".local", ".internal", ".home.arpa")


@lru_cache(maxsize=8192)
def canonical_host(host: str) -> str | None:
    """Give the one spelling of a host, as it stands in a URL; None if it cannot be one.

    Lower case, international names in punycode, no final dot, IPv6 compressed and in brackets, and
    every spelling of an IPv4 address that browsers take (`0x7f.1`, `2130706433`) as four numbers.
    """
    if host.startswith("["):
        return _canonical_ipv6(host)
    name = _ascii_name(unquote(host))
    if name is None or not _is_name(name):
        return None
    if _NUMERIC_LABEL.fullmatch(name.rpartition(".")[2]):
        url = _ipv4(name)
        return None if url is None else str(url)
    return name


def _canonical_ipv6(host: str) -> str | None:
    """Compress a bracketed IPv6 address; a zone (`%eth0`) means something on one machine only."""
    if not host.endswith("]") or "%" in host:
        return None
    try:
        return f"[{IPv6Address(host[1:-1])}]"
    except AddressValueError:
        return None


def _ascii_name(host: str) -> str | None:
    """Lower the case of a name and put what is not ASCII into punycode (as browsers: UTS 46)."""
    if not host.isascii():
        if len(host) > MAX_HOST_LENGTH:
            return None
        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except UnicodeError:
            return None
    return host.lower().removesuffix(".")


def _is_name(name: str) -> bool:
    return len(name) <= MAX_HOST_LENGTH and all(map(_LABEL.fullmatch, name.split(".")))


def _ipv4(name: str) -> IPv4Address | None:
    """Read an IPv4 address as browsers do: one to four numbers, the last fills the rest."""
    numbers = [_ipv4_number(part) for part in name.split(".")]
    if len(numbers) > 4:
        return None
    value = 0
    for place, number in enumerate(numbers, 1):
        width = 5 - len(numbers) if place == len(numbers) else 1
        if number is None or number >= 256**width:
            return None
        value = value * 256**width + number
    return IPv4Address(value)


def _ipv4_number(text: str) -> int | None:
    """Read a number in decimal, octal (leading 0) or hexadecimal (leading 0x)."""
    if len(text) > 32 or not _NUMERIC_LABEL.fullmatch(text):
        return None
    if text.startswith("0x"):
        return int(text[2:] or "0", 16)
    try:
        return int(text, 8 if text.startswith("0") else 10)
    except ValueError:
        return None


@cache
def _suffix_list() -> TLDExtract:
    """Load the public suffix list that is installed: neither network nor cache files."""
    # tldextract imports an HTTP client: only who asks for domains waits for it.
    from tldextract import TLDExtract  # noqa: PLC0415

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


@lru_cache(maxsize=8192)
def registered_domain(host: str) -> str | None:
    """Give the part of a host name that its owner registered; None for addresses and bare suffixes.

    Hosting services count as suffixes: `alice.github.io` and `bob.github.io` have two owners.
    """
    name = canonical_host(host)
    if name is None:
        return None
    return _suffix_list().extract_str(name).top_domain_under_public_suffix or None


def is_private_ip(ip: str | IPv4Address | IPv6Address) -> bool:
    """Say whether an IP address is anything but a public one; what is no IP address counts as one.

    An IPv4 address inside an IPv6 address (mapped, NAT64) is judged as itself.
    """
    try:
        url = ip_address(ip)
    except ValueError:
        return True
    if isinstance(url, IPv4Address):
        return any(url in network for network in _NOT_PUBLIC_4)
    if any(url in network for network in _CARRIES_4):
        return is_private_ip(IPv4Address(int(url) & 0xFFFF_FFFF))
    return url not in _PUBLIC_6 or any(url in network for network in _NOT_PUBLIC_6)


def is_private_host(host: str) -> bool:
    """Say, without asking the network, whether a host is private or not a host at all.

    Judges IP addresses in any spelling and names that never leave a machine or its network. A
    public name may still resolve to a private address: ask `is_private_ip` when connecting.
    """
    name = canonical_host(host)
    if name is None and ":" in host:
        name = canonical_host(f"[{host}]")
    if name is None:
        return True
    if name.startswith("["):
        return is_private_ip(name[1:-1])
    if _NUMERIC_LABEL.fullmatch(name.rpartition(".")[2]):
        return is_private_ip(name)
    return name in _PRIVATE_NAMES or name.endswith(_PRIVATE_ENDINGS)
