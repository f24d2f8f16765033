"""Which of the free stays are worth offering instead: near ones first, without near-duplicates."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from wavegraph.tools.hotel.answers.amounts import cheapest
from wavegraph.tools.hotel.answers.offers import Narrowed
from wavegraph.tools.hotel.reading.rooms import is_accessible
from wavegraph.tools.hotel.records import Availability, Offer, OpenStays, Way
from wavegraph.tools.hotel.results import Ends, lies_in, stay_ends

MOST = 5
ANYTHING = Narrowed()


@dataclass(frozen=True)
class Alternative:
    """An available stay, and the cheapest way to book it."""

    ends: Ends
    way: Way

    @property
    def nights(self) -> int:
        return (self.ends[1] - self.ends[0]).days


def best_alternatives(
    every: Iterable[Alternative], asked: Ends, holiday: Ends | None, wanted: Narrowed = ANYTHING
) -> list[Alternative]:
    """At most five of them, in their order, none of which says what another does."""
    chosen: list[Alternative] = []
    for each in every:
        alike = [other for other in chosen if _says_the_same(each, other, asked, holiday)]
        longer = all(each.nights >= other.nights for other in alike)
        if longer and all(_cost(each.way, wanted) < _cost(other.way, wanted) for other in alike):
            chosen.append(each)
    return chosen[:MOST]


def every_alternative(
    found: Iterable[Availability | OpenStays],
    asked: Ends,
    holiday: Ends | None,
    wanted: Narrowed = ANYTHING,
    fits: Callable[[Way], bool] | None = None,
) -> list[Alternative]:
    """From results of `get_availability` and `find_open_stays`, each in what was wanted where it has that; only those that fit
    a budget, where any does.

    The same dates first; then stays that contain the nights asked for; as many nights elsewhere in the holiday;
    stays inside the nights asked for (the longest first); nearby ones. Stays that leave the holiday come last.
    """
    every = _all(found, wanted)
    fitting = [each for each in every if fits and fits(each.way)] or every
    return sorted(fitting, key=lambda each: _rank(each, asked, holiday))


def lowest_of_others(
    found: Iterable[Availability | OpenStays], each: Alternative, rooms: Collection[str], wanted: Narrowed = ANYTHING
) -> dict[str, Offer]:
    """Of the same nights, as far as they were looked up: the lowest price with every other board, in the room wanted where it
    has that, and of every other of these rooms; by the code of board or room."""
    offers = offers_beside(found, each)
    of_board = offers_beside(found, each, wanted)
    coded: list[tuple[str, Offer]] = [(offer.board, offer) for offer in of_board]
    coded += [(offer.room_type, offer) for offer in offers if offer.room_type in rooms]
    lowest: dict[str, Offer] = {}
    for code, offer in coded:
        lowest.setdefault(code, offer)
    known = {part.board for part in each.way.parts} | {part.room_type for part in each.way.parts}
    return {code: offer for code, offer in lowest.items() if code not in known}


def offers_beside(
    found: Iterable[Availability | OpenStays], each: Alternative, wanted: Narrowed = ANYTHING
) -> list[Offer]:
    """Of the same nights, as far as they were looked up, cheapest first: in the room wanted where it has that."""
    looked = [stay for stay in found if isinstance(stay, Availability) and stay_ends(stay) == each.ends]
    offers = [way for stay in looked for way in _usual(stay) or stay.ways if isinstance(way, Offer)]
    offers.sort(key=lambda offer: offer.total_agorot)
    return [offer for offer in offers if offer.room_type == wanted.room_type] or offers


def _all(found: Iterable[Availability | OpenStays], wanted: Narrowed) -> list[Alternative]:
    ways: dict[Ends, Way] = {}
    for ends, way in (pair for each in found for pair in _ways(each, wanted)):
        known = ways.get(ends)
        if known is None or _cost(way, wanted) < _cost(known, wanted):
            ways[ends] = way
    return [Alternative(ends, way) for ends, way in ways.items()]


def _cost(way: Way, wanted: Narrowed) -> tuple[bool, int]:
    return not is_as_wanted(way, wanted), way.total_agorot


def _ways(found: Availability | OpenStays, wanted: Narrowed) -> Iterator[tuple[Ends, Way]]:
    if isinstance(found, OpenStays):
        yield from ((stay_ends(stay), stay) for stay in found.stays)
    elif best := cheapest(_nearest(found, wanted)):
        yield stay_ends(found), best


def _nearest(found: Availability, wanted: Narrowed) -> list[Way]:
    """Those with the room and the meals that were wanted; else with the room, with the meals, or any usual one."""
    for each in dict.fromkeys((wanted, wanted._replace(board=None), wanted._replace(room_type=None))):
        pool = found.ways if each.room_type else _usual(found)
        if kept := [way for way in pool if is_as_wanted(way, each)]:
            return kept
    return [*(_usual(found) or found.ways)]


def is_as_wanted(way: Way, wanted: Narrowed) -> bool:
    """Whether all its rooms are of the kind, and with the meals, that alone were wanted."""
    rooms = all(wanted.room_type in (None, part.room_type) for part in way.parts)
    return rooms and all(wanted.board in (None, part.board) for part in way.parts)


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


def _says_the_same(each: Alternative, chosen: Alternative, asked: Ends, holiday: Ends | None) -> bool:
    """Whether most of its nights are in a stay already chosen of its length, or in a longer one inside the dates asked for; or
    all of them in a longer one inside the holiday."""
    shared = (min(each.ends[1], chosen.ends[1]) - max(each.ends[0], chosen.ends[0])).days
    if 2 * shared <= each.nights:
        return False
    if each.nights == chosen.nights or lies_in(chosen.ends, asked):
        return True
    return holiday is not None and lies_in(chosen.ends, holiday) and lies_in(each.ends, chosen.ends)
