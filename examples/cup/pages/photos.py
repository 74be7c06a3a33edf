"""Photo galleries, their photos, and the list of galleries, page by page."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from examples.cup.names import TONGUES, family_name, given_name, slug
from examples.cup.page import HOME, Page, photo, shown, url

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from examples.cup.templating import View
    from examples.cup.world import Match, Player, World

GALLERIES = "galleries/index.html"
_PER_PAGE = 12
_FEWEST_LISTS = 3
_SCENES = (
    "{player} looks for someone to pass to",
    "{player} thanks the supporters",
    "The view from the top row of {stadium}",
    "{player} stretches before the second half",
    "Supporters of {team} on their way to {stadium}",
    "{player} celebrates",
)


@dataclass(frozen=True, slots=True)
class Photo:
    """One photo of a gallery."""

    caption: str
    people: tuple[Player, ...]
    image: str


@dataclass(frozen=True, slots=True)
class Gallery:
    """Some photos from one match."""

    number: int
    headline: str
    match: Match
    photographer: str | None
    photos: tuple[Photo, ...]

    @property
    def folder(self) -> str:
        """The folder of the gallery and its photos."""
        return f"galleries/{self.number:02}-{slug(self.headline)}"

    @property
    def path(self) -> str:
        """The path of the gallery's own page."""
        return f"{self.folder}/index.html"

    @property
    def day(self) -> date:
        """The day of the match."""
        return self.match.day


def make_galleries(world: World) -> list[Gallery]:
    """Choose matches and take photos of them; the newest gallery comes first."""
    rng = Random(f"{world.seed} galleries")
    count = min(world.sizes.galleries, len(world.matches))
    chosen = sorted(rng.sample(world.matches, count), key=lambda match: -match.number)
    return [_gallery(number, match, rng) for number, match in enumerate(chosen, 1)]


def _gallery(number: int, match: Match, rng: Random) -> Gallery:
    tongue = rng.choice(TONGUES)
    name = f"{given_name(rng, tongue)} {family_name(rng, tongue)}"
    form = rng.choice(("{} in pictures", "{}: the best photos", "Scenes from {}"))
    return Gallery(
        number=number,
        headline=form.format(match.title),
        match=match,
        photographer=name if rng.random() < 0.8 else None,
        photos=tuple(_photo(number * 3 + i, match, rng) for i in range(rng.choice((2, 3, 3, 4)))),
    )


def _photo(number: int, match: Match, rng: Random) -> Photo:
    side = rng.choice((match.home, match.away))
    player = rng.choice(side.lineup).player
    scene = rng.choice(_SCENES)
    caption = scene.format(player=player.name, team=side.team.name, stadium=match.stadium.name)
    return Photo(caption, (player,) if "{player}" in scene else (), photo(number))


def gallery_pages(galleries: Sequence[Gallery]) -> Iterator[Page]:
    """Make the lists, the galleries and the photos."""
    per_page = min(_PER_PAGE, -(-len(galleries) // _FEWEST_LISTS))
    lists = [galleries[i : i + per_page] for i in range(0, len(galleries), per_page)]
    for number, part in enumerate(lists, 1):
        yield _list(part, number, len(lists))
    for index, gallery in enumerate(galleries):
        listed = _list_path(index // per_page + 1)
        yield Page(
            gallery.path,
            "gallery",
            _gallery_view(gallery, index),
            parent=GALLERIES,
            label=gallery.headline,
            other_parents=(listed,) if listed != GALLERIES else (),
        )
        yield from _photos(gallery)


def _list_path(number: int) -> str:
    return GALLERIES if number == 1 else f"galleries/page-{number}.html"


def _list_url(number: int) -> str:
    return _list_path(number).removeprefix("galleries/")


def _list(galleries: Sequence[Gallery], number: int, count: int) -> Page:
    view: View = {
        "title": "Photo galleries" if number == 1 else f"Photo galleries, page {number}",
        "galleries": [
            {
                "headline": gallery.headline,
                "url": url(gallery.path),
                "image": gallery.photos[0].image,
                "date": shown(gallery.day),
            }
            for gallery in galleries
        ],
        "newer": _list_url(number - 1) if number > 1 else None,
        "older": _list_url(number + 1) if number < count else None,
    }
    path = _list_path(number)
    if number == 1:
        return Page(path, "gallery-list", view, parent=HOME, label="Photos")
    return Page(path, "gallery-list", view, continues=GALLERIES)


def _gallery_view(gallery: Gallery, index: int) -> View:
    match = gallery.match
    intro = f"{match.round}, {match.stadium.name}, {match.attendance:,} people: what we saw."
    return {
        "title": gallery.headline,
        "headline": gallery.headline,
        "iso": gallery.day.isoformat(),
        "date": shown(gallery.day),
        "photographer": f"Photos: {gallery.photographer}" if gallery.photographer else None,
        "intro": intro if index % 3 else None,
        "photos": [
            {"url": f"photo-{number}.html", "image": each.image, "caption": each.caption}
            for number, each in enumerate(gallery.photos, 1)
        ],
        "report": f"Match report: {match.title}" if index % 4 else None,
        "report_url": url(match.path),
    }


def _photos(gallery: Gallery) -> Iterator[Page]:
    count = len(gallery.photos)
    for number, each in enumerate(gallery.photos, 1):
        view: View = {
            "title": f"{gallery.headline}, {number} of {count}",
            "gallery": gallery.headline,
            "image": each.image,
            "image_url": f"https://www.halcyon-cup.example/assets/img/{each.image}",
            "caption": each.caption,
            "place": gallery.match.stadium.name,
            "credit": f"Photo: {gallery.photographer or 'our own camera'}",
            "has_people": bool(each.people),
            "people": [{"name": who.name, "url": url(who.path)} for who in each.people],
            "previous": f"photo-{number - 1}.html" if number > 1 else None,
            "next": f"photo-{number + 1}.html" if number < count else None,
        }
        path = f"{gallery.folder}/photo-{number}.html"
        yield Page(path, "photo", view, parent=gallery.path, label=each.caption)
