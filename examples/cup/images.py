"""The images that the pages share: small drawings in SVG, and one PNG."""

from __future__ import annotations

import struct
import zlib
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PALETTE = "#1d4e89 #c0392b #1e8449 #d68910 #6c3483 #117a65 #283747 #b9770e #922b21 #2471a3".split()
_SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}">{}</svg>\n'


def images(seed: int) -> Iterator[tuple[str, bytes]]:
    """Draw all images: the file name and the bytes of each."""
    rng = Random(f"{seed} images")
    yield "logo.svg", _svg(40, 40, _LOGO)
    yield "favicon.png", _png(16, (29, 78, 137))
    for number in range(1, 13):
        yield f"crest-{number:02}.svg", _crest(rng, number)
        yield f"photo-{number:02}.svg", _photo(rng)
    for number in range(1, 7):
        yield f"portrait-{number}.svg", _portrait(rng)
    for number in range(1, 4):
        yield f"banner-{number}.svg", _banner(rng)


_LOGO = (
    '<circle cx="20" cy="20" r="19" fill="#f2b632"/><path d="M8 24c6-12 14-14 24-12-8 2-10 6-12 12'
    '-4 4-8 4-12 0z" fill="#123a63"/>'
)


def _svg(width: int, height: int, body: str) -> bytes:
    return _SVG.format(width, height, body).encode()


def _crest(rng: Random, number: int) -> bytes:
    ground, sign = rng.sample(_PALETTE, 2)
    shield = f'<path d="M8 6h80v46c0 22-20 32-40 40C28 84 8 74 8 52z" fill="{ground}"/>'
    signs = (
        f'<path d="M8 30h80v20H8z" fill="{sign}"/>',
        f'<circle cx="48" cy="44" r="20" fill="{sign}"/>',
        f'<path d="M48 6h40v46c0 22-20 32-40 40z" fill="{sign}"/>',
        f'<path d="M48 16l26 44H22z" fill="{sign}"/>',
    )
    return _svg(96, 96, shield + signs[number % len(signs)])


def _photo(rng: Random) -> bytes:
    """Draw a pitch under an evening sky, with some players on it."""
    sky, shirt = rng.sample(_PALETTE, 2)
    players = "".join(
        f'<g transform="translate({rng.randint(60, 900)} {rng.randint(330, 500)})">'
        f'<circle r="16" fill="#e8c9a0"/><path d="M-20 18h40v54h-40z" fill="{shirt}"/></g>'
        for _ in range(rng.randint(3, 6))
    )
    ground = '<path d="M0 300h960v300H0z" fill="#3b8f4e"/>'
    ground += '<path d="M0 420h960v60H0z" fill="#43a058"/>'
    stand = '<path d="M0 220h960v80H0z" fill="#2c3e50" opacity=".6"/>'
    frame = f'<path d="M0 0h960v600H0z" fill="{sky}" opacity=".55"/>'
    return _svg(960, 600, frame + stand + ground + players)


def _portrait(rng: Random) -> bytes:
    ground, shirt = rng.sample(_PALETTE, 2)
    skin = rng.choice(("#f1c9a5", "#c68642", "#8d5524", "#e0ac69"))
    return _svg(
        140,
        140,
        f'<path d="M0 0h140v140H0z" fill="{ground}" opacity=".35"/>'
        f'<path d="M20 140c0-40 20-50 50-50s50 10 50 50z" fill="{shirt}"/>'
        f'<circle cx="70" cy="58" r="32" fill="{skin}"/>',
    )


def _banner(rng: Random) -> bytes:
    ground, sign = rng.sample(_PALETTE, 2)
    dots = "".join(
        f'<circle cx="{x}" cy="{rng.randint(15, 75)}" r="12" fill="{sign}"/>'
        for x in range(40, 728, 60)
    )
    return _svg(728, 90, f'<path d="M0 0h728v90H0z" fill="{ground}"/>{dots}')


def _png(size: int, colour: tuple[int, int, int]) -> bytes:
    """Make a square of one colour."""
    rows = (b"\0" + bytes(colour) * size) * size
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
