"""Finds the room types that a model or a guest calls by a code, a name or some of its words, in English or Hebrew."""

from collections.abc import Sequence

from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.inventory.property_data import RoomKind
from wavegraph.tools.hotel.inventory.topics import bare, normalise

_NO_NAME = frozenset(words_of("room rooms the a an with type חדר עם סוג"))
"""Words that say nothing of which room type is meant."""

Name = Sequence[frozenset[str]]
"""Each word that tells a room apart, with what it is without its Hebrew prefixes."""


def rooms_called(rooms: Sequence[RoomKind], wanted: str) -> list[RoomKind]:
    """Those of this code, else of this name or alias, else with all these words in a name or alias."""
    if by_code := [room for room in rooms if room.code.casefold() == wanted.strip().casefold()]:
        return by_code
    asked = _name(wanted)
    if not asked:
        return []
    whole = [room for room in rooms if any(_is_called(asked, name) for name in map(_name, room.words))]
    return whole or [room for room in rooms if any(_is_part(asked, name) for name in map(_name, room.words))]


def _name(text: str) -> Name:
    forms = (frozenset({word, *bare(word)}) for word in normalise(text).split())
    return [each for each in forms if not each & _NO_NAME]


def _is_called(asked: Name, name: Name) -> bool:
    return len(asked) == len(name) and all(one & other for one, other in zip(asked, name, strict=True))


def _is_part(asked: Name, name: Name) -> bool:
    return all(any(one & other for other in name) for one in asked)
