"""Which of the free stays are worth offering instead: near ones first, without near-duplicates."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wavegraph.tools.hotel.answers.amounts import cheapest
from wavegraph.tools.hotel.reading.rooms import is_accessible
from wavegraph.tools.hotel.records import Availability, OpenStays, Way
from wavegraph.tools.hotel.results import Ends, lies_in, stay_ends

MOST = 5


@dataclass(frozen=True)
class Alternative:
    """An available stay, and the cheapest way to book it."""

    ends: Ends
    way: Way

    @property
    def nights(self) -> int:
        return (self.ends[1] - self.ends[0]).days


def best_alternatives(
    found: Iterable[Availability | OpenStays], asked: Ends, holiday: Ends | None
) -> list[Alternative]:
    """At most five, from results of `get_availability` and `find_open_stays`.

    The same dates first; then stays that contain the nights asked for; as many nights elsewhere in the holiday;
    stays inside the nights asked for (the longest first); nearby ones. Stays that leave the holiday come last.
    """
    ranked = sorted(_all(found), key=lambda each: _rank(each, asked, holiday))
    chosen: list[Alternative] = []
    for each in ranked:
        if not any(_says_the_same(each, other, holiday or asked) for other in chosen):
            chosen.append(each)
    return chosen[:MOST]


def _all(found: Iterable[Availability | OpenStays]) -> list[Alternative]:
    ways: dict[Ends, Way] = {}
    for ends, way in (pair for each in found for pair in _ways(each)):
        known = ways.get(ends)
        if known is None or way.total_agorot < known.total_agorot:
            ways[ends] = way
    return [Alternative(ends, way) for ends, way in ways.items()]


def _ways(found: Availability | OpenStays) -> Iterator[tuple[Ends, Way]]:
    if isinstance(found, OpenStays):
        yield from ((stay_ends(stay), stay) for stay in found.stays)
    elif best := cheapest(_usual(found)) or cheapest(found.ways):
        yield stay_ends(found), best


def _usual(found: Availability) -> list[Way]:
    """The ways without a room for disabled guests."""
    return [way for way in found.ways if not any(is_accessible(part.room_name) for part in way.parts)]


def _rank(each: Alternative, asked: Ends, holiday: Ends | None) -> tuple[int, ...]:
    shift, inside = (each.ends[0] - asked[0]).days, holiday is not None and lies_in(each.ends, holiday)
    outside = int(holiday is not None and not inside)
    if each.ends == asked:
        return (0, 0)
    if lies_in(asked, each.ends):
        return (outside, 1, each.nights, abs(shift))
    if inside and each.nights == (asked[1] - asked[0]).days:
        return (outside, 2, abs(shift), shift)
    if lies_in(each.ends, asked):
        return (outside, 3, -each.nights, abs(shift))
    return (outside, 4, -each.nights, abs(shift), shift)


def _says_the_same(each: Alternative, chosen: Alternative, wanted: Ends) -> bool:
    """Whether most of its nights are in a stay already chosen of its length, or in a longer one inside the dates wanted."""
    shared = (min(each.ends[1], chosen.ends[1]) - max(each.ends[0], chosen.ends[0])).days
    if 2 * shared <= each.nights:
        return False
    return each.nights == chosen.nights or lies_in(chosen.ends, wanted)
