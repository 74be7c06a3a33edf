"""Invented names: people, countries, towns and clubs, built from syllables of invented tongues.

Every tongue has its own sound, and some have letters outside ASCII. No name is taken from a list of
real ones; a name that happens to exist is chance.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

Syllables = tuple[tuple[str, ...], tuple[str, ...]]
"""The heads and the tails of a kind of name."""


@dataclass(frozen=True, slots=True)
class Tongue:
    """How the names of one invented language are made."""

    given: Syllables
    family: Syllables
    country: Syllables
    town: Syllables


def _syllables(heads: str, tails: str) -> Syllables:
    return tuple(heads.split()), tuple(tails.split())


TONGUES = (
    Tongue(
        _syllables("Ar Bren Ei Hal Jor Sten Tor Ul Vid", "vik mund rik gar nald dan bjor"),
        _syllables("Skal Grön Vest Hold Fjel Myr Ask", "havsen dalsen strøm marken byr lund"),
        _syllables("Norv Hjel Stor Vind Isen Grim", "land mark holm heim gard"),
        _syllables("Skag Tøn Brat Kols Hauk Lang", "vik nes sund foss berg"),
    ),
    Tongue(
        _syllables("Al Be Ca De Fi Lu Ma Ro Va", "lio nardo tano rino miro seo vio"),
        _syllables("Cor Monta Pel Sar Vil Ber Tas", "vanti zoli mares góz neiro ñado lotti"),
        _syllables("Val Cast Torm Mer Luz Bel", "oria amar ensa aluna averra"),
        _syllables("Porto San Riva Monte Alta Puerto", "bello moro luna verde costa nuevo"),
    ),
    Tongue(
        _syllables("Bo Da Ka Mi Ra Sla Ve Zo", "drin mek slav tomir zan lko ran"),
        _syllables("Dob Krav Mor Pet Šim Vol Zel", "chenov ovik asek nický urov inets"),
        _syllables("Zar Drav Ostr Kelm Vols Tresk", "ovia avia ania inia ograd"),
        _syllables("Novo Bela Krasno Staro Veli Zlato", "grad vets polje most dvor"),
    ),
    Tongue(
        _syllables("Ko La Ma Na Pa Ta Vi", "lani keo noa rua tima velu"),
        _syllables("Fale Hoku Kale Mana Rono Tua", "mata pela roa vai neko lua"),
        _syllables("Mota Tonu Lavi Nauka Fetu Raro", "lua vana kiri mea nui"),
        _syllables("Hana Wai Puka Lahi Moku Ahu", "loa piko rangi tea manu"),
    ),
    Tongue(
        _syllables("Ad Fa Ha Ka Na Sa Ya", "rim dil zir mal sen yad"),
        _syllables("Bel Dar Gha Mez Raz Tal", "hadi mouri ziane bari kouri ssan"),
        _syllables("Qas Zahr Sull Mard Nefr Tam", "ira abad aria izan oum"),
        _syllables("Ain Bir Oued Ksar Dar Ras", "zara hamra fassa melh tayeb"),
    ),
    Tongue(
        _syllables("Ced Ev Gar Ol Perr Thel Wil", "ric an eth win on ard mer"),
        _syllables("Ash Bram Carl Dun Hollo Wex Thorn", "worthy bury combe mere thorpe wick"),
        _syllables("Alb Merc Wess Carn Loth Brid", "eria ovia allen aine orland"),
        _syllables("Kings Wey East Stone Marl Clay", "port ham minster ford haven"),
    ),
    Tongue(
        _syllables("Qui Ti Illa Sum Way Chas", "ca mani pac ri ta yu"),
        _syllables("Ama Cusi Huan Pacha Tupa Yupa", "ruq quin llac cay ndir sto"),
        _syllables("Chuq Anta Illim Waru Qol Tawa", "isuyo pampa ayoc mani uray"),
        _syllables("Cusi Llaq Hatun Puka Yuraq Sumaq", "marca tambo bamba pata yacu"),
    ),
    Tongue(
        _syllables("Aba Chi Kwe Ngo Olu Tende Zuri", "ku ma si na do we"),
        _syllables("Ada Bamba Diko Kole Mbe Oko Sang", "ngwe yele kore toru ndou lima"),
        _syllables("Kam Zand Bor Mwel Ouad Tchin", "beru ungu ambola otho awi"),
        _syllables("Kisi Mba Ouago Lubu Tende Nyala", "ndara kole gamba mbashi tenga"),
    ),
)

_CLUB_FORMS = ("FC {}", "{} United", "Racing {}", "Sporting {}", "{} Wanderers", "AC {}", "Real {}")


def _name(rng: Random, syllables: Syllables) -> str:
    heads, tails = syllables
    return rng.choice(heads) + rng.choice(tails)


def given_name(rng: Random, tongue: Tongue) -> str:
    """Make a first name."""
    return _name(rng, tongue.given)


def family_name(rng: Random, tongue: Tongue) -> str:
    """Make a surname; about one in twelve is a double one."""
    name, second = _name(rng, tongue.family), _name(rng, tongue.family)
    return f"{name}-{second}" if rng.random() < 0.08 and second != name else name


def country(rng: Random, tongue: Tongue) -> str:
    """Make the name of a country."""
    return _name(rng, tongue.country)


def town(rng: Random, tongue: Tongue) -> str:
    """Make the name of a town; a tail that is a word of its own stays one."""
    head, tail = rng.choice(tongue.town[0]), rng.choice(tongue.town[1])
    return f"{head} {tail.title()}" if rng.random() < 0.2 else head + tail


def club(rng: Random, tongue: Tongue) -> str:
    """Make the name of a club from that of a town."""
    return rng.choice(_CLUB_FORMS).format(town(rng, tongue))


def unused(make: Callable[[], str], taken: set[str]) -> str:
    """Call `make` until it gives a name that is not taken, and take it."""
    for attempt in range(1000):
        name = make() if attempt < 100 else f"New {make()}"
        if name not in taken:
            taken.add(name)
            return name
    raise RuntimeError("the syllables are used up: a smaller scale has enough names")


_LETTERS = str.maketrans({"ø": "o", "Ø": "O", "ß": "ss", "æ": "ae", "đ": "d", "ł": "l"})


def slug(text: str) -> str:
    """Turn a name into the part of a URL: ASCII, lower case, hyphens."""
    plain = unicodedata.normalize("NFKD", text.translate(_LETTERS)).encode("ascii", "ignore")
    return re.sub(r"[^a-z0-9]+", "-", plain.decode().lower()).strip("-")
