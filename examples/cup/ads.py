"""Ads that rotate: each page gets its own, in one of several structures, or none."""

from __future__ import annotations

from random import Random

_IMAGE = (
    '<aside class="ad"><a href="https://ads.example/{campaign}">'
    '<img src="{root}assets/img/{banner}" alt="{name}" width="{width}" height="90"></a></aside>'
)
_TEXT = (
    '<div class="sponsored"><p><b>{name}</b> {slogan} '
    '<a href="https://ads.example/{campaign}">Read more</a></p></div>'
)
_OFFERS = (
    '<section class="offers"><h5>Offers</h5><ul>'
    '<li><a href="https://ads.example/{campaign}-1">{name}</a></li>'
    '<li><a href="https://ads.example/{campaign}-2">{slogan}</a></li></ul></section>'
)
_CAMPAIGNS = (
    ("tern-air", "Tern Air", "Fly to every match."),
    ("velvet-cola", "Velvet Cola", "The quiet drink."),
    ("oak-and-sons", "Oak &amp; Sons", "Benches since 1911."),
    ("lumen", "Lumen Lamps", "See the second half."),
    ("bright-boots", "Bright Boots", "Two for the price of two."),
)
_TOP = (_IMAGE, _TEXT, "", "")
_SIDE = (_IMAGE, _TEXT, _OFFERS, "")


def ads(seed: int, path: str, root: str) -> dict[str, str]:
    """Choose the ads of a page, one above it and one inside."""
    rng = Random(f"{seed} ads {path}")
    return {"ad_top": _ad(rng, _TOP, root, 728), "ad_side": _ad(rng, _SIDE, root, 260)}


def _ad(rng: Random, forms: tuple[str, ...], root: str, width: int) -> str:
    campaign, name, slogan = rng.choice(_CAMPAIGNS)
    banner = f"banner-{rng.randint(1, 3)}.svg"
    return rng.choice(forms).format(
        root=root, campaign=campaign, name=name, slogan=slogan, banner=banner, width=width
    )
