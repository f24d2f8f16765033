"""What alone a look-up was for: kinds of room, a board, terms. A heading names it, and whatever is called the lowest."""

from collections.abc import Sequence
from typing import NamedTuple

from wavegraph.tools.hotel.answers.call_results import CallResults, answered, answered_by, narrowed
from wavegraph.tools.hotel.answers.offers import room_name, type_name
from wavegraph.tools.hotel.answers.phrases import counted, joined, say
from wavegraph.tools.hotel.records import Availability, Board, Combination, Offer, OpenStay, OpenStays


class Scope(NamedTuple):
    """Empty = everything there is was looked at."""

    rooms: Sequence[str] = ()
    terms: Sequence[str] = ()
    way: Sequence[str] = ()
    """The terms as a heading has them: `with breakfast`."""
    among: Sequence[str] = ()
    """What else what is called the lowest is the lowest of: of this number of rooms, of the rooms that are offered to all."""

    def heading(self, language: str) -> str:
        """Behind the dates of a stay."""
        only = ", ".join([*self.rooms, *self.way])
        return say("only", language, what=only) if only else ""

    @property
    def of(self) -> str:
        """Behind what is called the cheapest: ` (Double Room, free cancellation)`."""
        only = ", ".join([*self.rooms, *self.among, *self.terms])
        return f" ({only})" if only else ""


def scope_of(
    call_id: str, offers: Sequence[Offer], every: Sequence[Offer], mixed: Sequence[Combination], results: CallResults
) -> Scope:
    """Of a stay: what its call alone asked for, and what alone is spoken of. `offers`: those in question, of `every`; `mixed`:
    the combinations."""
    only, language, stay = narrowed(call_id, results), results.language, answered(call_id, results)
    is_some = only.room_type is not None or {each.room_type for each in offers} < {each.room_type for each in every}
    terms = _board(only.board, language)
    way = [say(f"with_{only.board}", language)] if only.board else []
    flexible = [each for each in (offers or mixed) if each.refundable]
    if stay and results.is_flexible(stay) and flexible:
        key = "refundable_open" if any(each.cancel_until for each in flexible) else "refundable_terms"
        terms.append(say(key, language))
        way.append(say("with", language, what=say(key, language)))
    among = (
        [*_number_of_rooms(call_id, stay, results), *_of_all_guests(stay, [*every, *mixed], language)] if stay else []
    )
    return Scope(_rooms(offers, language) if is_some else (), terms, way, among)


def _number_of_rooms(call_id: str, stay: Availability, results: CallResults) -> list[str]:
    """The fewest that hold the guests, where more of them, or more of a smaller kind, were not looked for."""
    outcome = results.outcomes.get(answered_by(call_id, results) or call_id)
    is_asked = outcome is not None and bool(outcome["args"].get("rooms"))
    is_least = stay.rooms > 1 or any(each.code == "occupancy" for each in stay.refusals)
    return [] if is_asked or not is_least else [counted(stay.rooms, "one_room", "so_many_rooms", results.language)]


def _of_all_guests(stay: Availability, told: Sequence[Offer | Combination], language: str) -> list[str]:
    """Where a way with a room for disabled guests, which is not told, costs less than what is told on its terms."""
    for way in stay.ways:
        alike = [each for each in told if rate_of(each) == rate_of(way)] or told
        if all(each is not way for each in told) and all(way.total_agorot < each.total_agorot for each in alike):
            return [say("not_accessible", language)]
    return []


def rate_of(way: Offer | Combination) -> tuple[Board, bool]:
    """Its terms: the meals, and whether it can be cancelled."""
    return way.parts[0].board, way.refundable


def scope_of_search(call_id: str, found: OpenStays, results: CallResults) -> Scope:
    only, language = narrowed(call_id, results), results.language
    rooms: list[str] = []
    if only.room_type:  # a code, or words that the property has found a room by
        known = results.profile.room(only.room_type)
        rooms = [type_name(known.code, results.profile, language)] if known else _rooms(found.stays, language)
    return Scope(rooms, _board(only.board, language))


def _rooms(ways: Sequence[Offer | OpenStay], language: str) -> list[str]:
    names = list(dict.fromkeys(room_name(way, language) for way in ways))
    return [joined(names, language)] if names else []


def _board(board: Board | None, language: str) -> list[str]:
    return [say(f"board_{board}", language)] if board else []
