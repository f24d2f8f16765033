"""Phrases by key and language, and the small parts every sentence needs."""

from collections.abc import Sequence
from typing import Any

from wavegraph.tools.hotel.answers.phrases_en import PHRASES as ENGLISH
from wavegraph.tools.hotel.answers.phrases_he import PHRASES as HEBREW
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.reading.party_items import BABY_BELOW

TABLES = {"en": ENGLISH, "he": HEBREW}


def say(key: str, language: str, **values: Any) -> str:
    """The phrase `key` with its values. Raises KeyError for an unknown phrase or a missing value."""
    return TABLES[language][key].format(**values)


def guest_language(language: str) -> str:
    """The language of the answer: English unless there are phrases in the guest's."""
    return language if language in TABLES else "en"


def joined(parts: Sequence[str], language: str) -> str:
    """`a, b and c`; the Hebrew `ו` is written with a hyphen before a digit."""
    if len(parts) < 2:
        return "".join(parts)
    last = parts[-1]
    link = " ו־" if language == "he" and last[:1].isdigit() else say("and", language)
    return ", ".join(parts[:-1]) + link + last


MOST_NAMED = 12
"""Rooms that one sentence names."""


def few(parts: Sequence[str], language: str) -> str:
    """The same; of many the first, and how many more there are."""
    if len(parts) <= MOST_NAMED:
        return joined(parts, language)
    return say("and_more", language, names=", ".join(parts[:MOST_NAMED]), n=len(parts) - MOST_NAMED)


def counted(number: int, one: str, many: str, language: str) -> str:
    """The number with its noun: `one` for 1, its own form for 2 where the language has one, else `many`."""
    if number == 1:
        return say(one, language)
    pair = f"{one}_2"
    return say(pair, language) if number == 2 and pair in TABLES[language] else say(many, language, n=number)


def party(adults: int | None, children_ages: Sequence[int], language: str, rooms: int | None = None) -> str:
    """`2 adults, 1 child and 1 baby in 2 rooms`; babies are below 2. `adults`: None = nothing is known of them."""
    babies = sum(age < BABY_BELOW for age in children_ages)
    parts = [] if adults is None else [counted(adults, "adult", "adults", language)]
    if children := len(children_ages) - babies:
        parts.append(counted(children, "child", "children", language))
    if babies:
        parts.append(counted(babies, "baby", "babies", language))
    return joined(parts, language) + (counted(rooms, "in_room", "in_rooms", language) if rooms and rooms > 1 else "")


def ages_told(children_ages: Sequence[int | None], language: str) -> str:
    """` (ages 4, 9)`, behind the party; babies are told as such, and None was not said."""
    ages = sorted(age for age in children_ages if age is not None and age >= BABY_BELOW)
    key = "age_of" if len(ages) == 1 else "ages_of"
    return say(key, language, ages=", ".join(map(str, ages))) if ages else ""


def free_as(room: str, language: str) -> str:
    """`Free` as it agrees with a room's name: חדר פנוי, סוויטה פנויה, חדרים פנויים, סוויטות פנויות."""
    noun = room.split()[-1] if room[:1].isdigit() else room.split()[0]
    form = "fp" if noun.endswith("ות") and noun not in _MASCULINE_OT else "mp" if noun.endswith("ים") else ""
    form = form or ("f" if noun.endswith(("ה", "ת")) else "m")
    return say(f"free_{form}", language)


_MASCULINE_OT = frozenset({"מקומות", "לילות"})


def reception(profile: PropertyProfile) -> str:
    """How to reach the house: telephone and e-mail; empty if it gives none."""
    return ", ".join(filter(None, (profile.record.phone, profile.record.email)))


def bullets(lines: Sequence[str]) -> list[str]:
    return [f"- {line}" for line in lines]
