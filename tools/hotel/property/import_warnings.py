"""What is odd about an import that is possible: a room that is never priced, a word that is never read, nobody to call."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from wavegraph.tools.hotel.inventory.property_data import Calendar, PropertyData, RoomKind
from wavegraph.tools.hotel.inventory.topics import find_topics, normalise
from wavegraph.tools.hotel.reading.normalise import clean, fold, prepared
from wavegraph.tools.hotel.reading.rooms import read_rooms
from wavegraph.tools.hotel.records import every_date

HALF_A_YEAR = timedelta(days=182)


def warnings(property_data: PropertyData, calendar: Calendar) -> Iterator[str]:
    """Sentences for the person who imports, each naming file, value and what to do."""
    yield from _unpriced(property_data, calendar)
    yield from _unread(property_data.rooms)
    yield from _unanswered(property_data)
    record = property_data.record
    if not (record.phone or record.email or find_topics(property_data.topics, "contact")):
        yield "hotel.json: no phone and no email, so no guest learns whom to ask; add one of them"


def _unpriced(property_data: PropertyData, calendar: Calendar) -> Iterator[str]:
    """Room types without any rate for half a year of the nights that the hotel lists."""
    nights = sorted({day.date for day in calendar.inventory})
    priced: dict[str, set[date]] = {}
    for rate in calendar.rates:
        priced.setdefault(rate.room_type, set()).add(rate.date)
    for room in property_data.rooms:
        first, last = _longest_gap(nights[0], nights[-1], priced.get(room.code, set()))
        if last - first >= HALF_A_YEAR:
            yield f"rates.csv: {room.code!r} has no rates from {first} to {last}, so it is not sold then; add rates for it"


def _longest_gap(first: date, last: date, priced: set[date]) -> tuple[date, date]:
    """The longest row of nights without a rate, both ends included; of none, a single day."""
    best, start = (first, first), None
    for night in [*every_date(first, last), last + timedelta(days=1)]:
        if night in priced or night > last:
            if start is not None and night - timedelta(days=1) - start > best[1] - best[0]:
                best = (start, night - timedelta(days=1))
            start = None
        elif start is None:
            start = night
    return best


def _unread(rooms: Sequence[RoomKind]) -> Iterator[str]:
    """Words for a room that no message can name it by, or that name another room too."""
    for room in rooms:
        for alias in room.aliases:
            texts = [prepared(fold(clean(text)))[0] for text in (alias, f"a {alias} for 2")]
            named = {code for text in texts for code in read_rooms(text, rooms).room_types}
            if room.code not in named:
                yield f"rooms.csv: the alias {alias!r} of {room.code!r} is never recognised in a message; choose other words"
            elif others := sorted(named - {room.code}):
                yield f"rooms.csv: the alias {alias!r} of {room.code!r} names {', '.join(others)} too; choose other words"


def _unanswered(property_data: PropertyData) -> Iterator[str]:
    """Words for a topic that lead to another one, or nowhere."""
    for topic in property_data.topics:
        for alias in topic.aliases:
            found = [each.topic for each in find_topics(property_data.topics, alias)] if normalise(alias) else []
            if topic.topic not in found[:1]:
                instead = f" (it leads to {found[0]!r})" if found else ""
                yield f"info: the alias {alias!r} of {topic.topic!r} is never recognised{instead}; choose other words"
