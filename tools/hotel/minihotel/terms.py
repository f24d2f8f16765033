"""What a quote or a booking of a hotel on MiniHotel says. Of its cancellation terms only that they are final, or the hotel's."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, get_args

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.inventory.pricing import round_half_up
from wavegraph.tools.hotel.minihotel.faults import Unreadable
from wavegraph.tools.hotel.minihotel.reservations import Found
from wavegraph.tools.hotel.minihotel.ways import Terms, Way, total
from wavegraph.tools.hotel.records import Board, BookedRoom, Booking, Offer, Quote, QuotedStay, QuoteQuery, StayQuery


def fits(way: Way, query: QuoteQuery) -> bool:
    offer, plan = way[0].offer, (query.rate_plan or "").strip().casefold()
    return query.refundable in (None, offer.refundable) and plan in ("", offer.rate_plan.casefold())


def without_cancellation(way: Way, ways: Sequence[Way], query: QuoteQuery) -> int | None:
    """What the same rooms and board cost without cancellation, if that is less and nobody chose."""
    if query.refundable is not None or query.rate_plan is not None or not way[0].offer.refundable:
        return None
    same = [total(other) for other in ways if not other[0].offer.refundable and _rooms_of(other) == _rooms_of(way)]
    return min((cost for cost in same if cost < total(way)), default=None)


def _rooms_of(way: Way) -> list[tuple[str, int, Board]]:
    return sorted((part.offer.room_type, part.offer.count, part.offer.board) for part in way)


def terms(offer: Offer) -> Terms:
    return offer.board, offer.refundable


def query_of(quote: QuotedStay) -> StayQuery:
    """The search that finds the rooms of a quote again."""
    same = quote.model_dump(include={"check_in", "check_out", "adults", "children_ages", "rooms"})
    return StayQuery(**same)


def quote_of(
    way: Way, query: QuoteQuery, quote_id: str, expires_at: datetime, without_cancellation_agorot: int | None
) -> Quote:
    parts, cost = [part.offer for part in way], total(way)
    return Quote(
        quote_id=quote_id,
        check_in=query.check_in,
        check_out=query.check_out,
        nights=query.nights,
        adults=query.adults,
        children_ages=list(query.children_ages),
        rooms=sum(part.count for part in parts),
        parts=parts,
        total_agorot=cost,
        per_night_agorot=round_half_up(cost, query.nights),
        refundable=parts[0].refundable,
        cancel_until=None,
        without_cancellation_agorot=without_cancellation_agorot,
        currency=parts[0].currency,
        expires_at=expires_at,
    )


def booking_of_quote(quote: Quote, guest_name: str, reference: str, **more: Any) -> Booking:
    same = {"check_in", "check_out", "nights", "adults", "children_ages", "total_agorot", "per_night_agorot", "currency",
            "refundable", "cancel_until"}  # fmt: skip
    rooms = [BookedRoom(**part.model_dump(include=set(BookedRoom.model_fields))) for part in quote.parts]
    own = {"reference": reference, "status": "confirmed", "guest_name": guest_name, "rooms": rooms}
    return Booking(**{**quote.model_dump(include=same), **own, **more})


def booking_found(found: Found, quote: Quote | None, room_names: Mapping[str, str]) -> Booking:
    """A reservation as its guest may see it. `quote`: what it was made of, which knows more, if nobody changed it since."""
    if quote and _still_as_quoted(found, quote):
        return booking_of_quote(quote, found.names, found.booking_id, status=found.booking_status)
    if found.check_in is None or found.check_out is None or found.check_out <= found.check_in or not found.total:
        raise Unreadable("a reservation without dates or price")
    nights = (found.check_out - found.check_in).days
    return Booking(
        reference=found.booking_id,
        status=found.booking_status,
        guest_name=found.names,
        check_in=found.check_in,
        check_out=found.check_out,
        nights=nights,
        adults=max(1, found.adults),
        children_ages=[],  # their ages are not in it
        rooms=_rooms(found, room_names),
        total_agorot=found.total,
        per_night_agorot=round_half_up(found.total, nights),
        currency=found.currency,
        refundable=True,
        cancel_until=None,
    )


def _still_as_quoted(found: Found, quote: Quote) -> bool:
    said = (found.check_in, found.check_out, found.total)
    agreed = (quote.check_in, quote.check_out, quote.total_agorot)
    return all(now in (None, then) for now, then in zip(said, agreed, strict=True))


def _rooms(found: Found, names: Mapping[str, str]) -> list[BookedRoom]:
    boards: Mapping[str, Board] = {name: name for name in get_args(Board)}
    counted = Counter((room.room_type, boards.get(room.board.upper(), "RO")) for room in found.rooms)
    return [
        BookedRoom(
            room_type=code,
            room_name=names.get(code, code),
            room_name_he=names.get(code, code),
            count=count,
            board=board,
            rate_name="",
        )
        for (code, board), count in counted.items()
    ]


def with_fee(booking: Booking, today: date) -> Booking:
    """With the cost of cancelling it, as far as it is known: the whole price, or what the hotel's terms say (None).

    Raises `ToolRefusal` `past` after the day of arrival.
    """
    if today > booking.check_in:
        raise ToolRefusal("past", f"the stay began on {booking.check_in}; today is {today}")
    return booking.model_copy(update={"fee_agorot": None if booking.refundable else booking.total_agorot})
