"""What alone a look-up was for: kinds of room, a board, terms. A heading names it, and whatever is called the lowest."""

from collections.abc import Sequence
from typing import NamedTuple

from wavegraph.tools.hotel.answers.call_results import CallResults, answered, narrowed
from wavegraph.tools.hotel.answers.offers import room_name, type_name
from wavegraph.tools.hotel.answers.phrases import joined, say
from wavegraph.tools.hotel.records import Board, Offer, OpenStay, OpenStays


class Scope(NamedTuple):
    """Empty = everything there is was looked at."""

    rooms: Sequence[str] = ()
    terms: Sequence[str] = ()
    way: Sequence[str] = ()
    """The terms as a heading has them: `with breakfast`."""

    def heading(self, language: str) -> str:
        """Behind the dates of a stay."""
        only = ", ".join([*self.rooms, *self.way])
        return say("only", language, what=only) if only else ""

    @property
    def of(self) -> str:
        """Behind what is called the cheapest: ` (Double Room, free cancellation)`."""
        only = ", ".join([*self.rooms, *self.terms])
        return f" ({only})" if only else ""


def scope_of(call_id: str, offers: Sequence[Offer], every: Sequence[Offer], results: CallResults) -> Scope:
    """Of a stay: what its call alone asked for, and what alone is spoken of. `offers`: those in question, of `every`."""
    only, language, stay = narrowed(call_id, results), results.language, answered(call_id, results)
    is_some = only.room_type is not None or {each.room_type for each in offers} < {each.room_type for each in every}
    terms = _board(only.board, language)
    way = [say(f"with_{only.board}", language)] if only.board else []
    if stay and results.is_flexible(stay) and offers and offers[0].refundable:
        key = "refundable_open" if any(each.cancel_until for each in offers) else "refundable_terms"
        terms.append(say(key, language))
        way.append(say("with", language, what=say(key, language)))
    return Scope(_rooms(offers, language) if is_some else (), terms, way)


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
