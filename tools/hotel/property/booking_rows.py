"""Quotes, holds and bookings as rows of the property's file. Every function works in its caller's transaction."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple

from wavegraph.graph.ledger import canonical
from wavegraph.tools.hotel.inventory.pricing import Guests
from wavegraph.tools.hotel.property.guest_identity import new_reference
from wavegraph.tools.hotel.property.place import Connection
from wavegraph.tools.hotel.property.quote_terms import QuoteSplits, gone
from wavegraph.tools.hotel.property.store import moment
from wavegraph.tools.hotel.records import BookedRoom, Booking, Guest, HeldStay, Quote

TakenAs = Literal["held", "sold"]
"""How a night's inventory counts a room that is not free."""

KEPT = timedelta(days=30)
"""How long unused quotes and holds are kept."""


class StoredQuote(NamedTuple):
    quote: Quote
    splits: QuoteSplits
    payload_hash: str


class Claim(NamedTuple):
    """The hold or booking of a quote, with the columns of the file."""

    quote_id: str
    ref: str | None
    req_hash: str
    status: Literal["hold", "confirmed", "cancelled", "expired"]
    hold_until: str | None
    guest: Guest
    fee_agorot: int | None

    @property
    def is_booked(self) -> bool:
        return self.status in ("confirmed", "cancelled")


_CLAIM = "quote_id, ref, req_hash, status, hold_until, guest_json, fee_agorot"


def _hash(value: Any) -> str:
    return hashlib.blake2b(canonical(value).encode(errors="surrogatepass"), digest_size=16).hexdigest()


def request_hash(stored: StoredQuote, guest: Guest) -> str:
    """Identifies a request: the same quote for the same guest is the same request."""
    return _hash([stored.payload_hash, guest.model_dump(mode="json")])


# Quotes


def add_quote(connection: Connection, quote: Quote, splits: QuoteSplits) -> None:
    payload = quote.model_dump(mode="json", exclude={"expires_at"})
    values = (quote.quote_id, canonical(payload), _hash(payload), canonical(splits), quote.total_agorot)
    connection.execute("INSERT INTO quote VALUES (?, ?, ?, ?, ?, ?)", (*values, moment(quote.expires_at)))


def find_quote(connection: Connection, quote_id: str) -> StoredQuote | None:
    sql = "SELECT payload_json, splits_json, payload_hash, expires_at FROM quote WHERE id = ?"
    row = connection.execute(sql, (quote_id,)).fetchone()
    if row is None:
        return None
    payload, splits, payload_hash, expires_at = row
    quote = Quote.model_validate({**json.loads(payload), "expires_at": expires_at})
    return StoredQuote(quote, [tuple(Guests(*guests) for guests in part) for part in json.loads(splits)], payload_hash)


def keep_quote(connection: Connection, quote_id: str, until: datetime) -> None:
    """Keep a quote valid until then, if it is not valid for longer already."""
    sql = "UPDATE quote SET expires_at = :until WHERE id = :id AND expires_at < :until"
    connection.execute(sql, {"until": moment(until), "id": quote_id})


def forget_old(connection: Connection, now: datetime) -> None:
    """Delete old quotes and holds that were never booked, with their guests' details."""
    before = (moment(now - KEPT),)
    sql = "SELECT quote_id FROM booking WHERE status = 'expired' AND hold_until < ?"
    for (quote_id,) in connection.execute(sql, before).fetchall():
        drop_claim(connection, quote_id)
    connection.execute("DELETE FROM quote WHERE expires_at < ? AND id NOT IN (SELECT quote_id FROM booking)", before)


# Rooms


def take_rooms(connection: Connection, quote: Quote, how: TakenAs) -> None:
    """Count the quote's rooms as taken on every night, or raise `ToolRefusal` `sold_out`; the caller rolls back."""
    for part in quote.parts:
        done = connection.execute(
            f"UPDATE inventory SET {how} = {how} + :count WHERE room_type = :room_type AND date >= :first AND date < :end"
            " AND total - sold - held >= :count AND stop_sell = 0",
            span(quote, part.room_type, part.count),
        )
        if done.rowcount != quote.nights:
            raise gone(quote, part.room_name, "sold_out")


def free_rooms(connection: Connection, quote: Quote, how: TakenAs) -> None:
    """The opposite of `take_rooms`. A night that an import removed from the inventory has nothing to free."""
    for part in quote.parts:
        _count(connection, quote, part.room_type, how, -part.count)


def hold_as_before(connection: Connection, quote: Quote) -> None:
    """Undo `free_rooms` in the same transaction: nobody came between, so nothing is asked."""
    for part in quote.parts:
        _count(connection, quote, part.room_type, "held", part.count)


def _count(connection: Connection, quote: Quote, room_type: str, how: TakenAs, count: int) -> None:
    connection.execute(
        f"UPDATE inventory SET {how} = {how} + :count WHERE room_type = :room_type AND date >= :first AND date < :end",
        span(quote, room_type, count),
    )


def sell_held_rooms(connection: Connection, quote: Quote) -> None:
    """From held to sold in one step, so that nobody comes between; a night closed since the hold is still sold."""
    for part in quote.parts:
        connection.execute(
            "UPDATE inventory SET held = held - :count, sold = sold + :count"
            " WHERE room_type = :room_type AND date >= :first AND date < :end",
            span(quote, part.room_type, part.count),
        )


def span(quote: Quote, room_type: str, count: int) -> dict[str, str | int]:
    return {"room_type": room_type, "count": count, "first": f"{quote.check_in}", "end": f"{quote.check_out}"}


# Holds and bookings


def find_claim(connection: Connection, quote_id: str) -> Claim | None:
    return _claim(connection.execute(f"SELECT {_CLAIM} FROM booking WHERE quote_id = ?", (quote_id,)).fetchone())


def find_reference(connection: Connection, ref: str) -> Claim | None:
    return _claim(connection.execute(f"SELECT {_CLAIM} FROM booking WHERE ref = ?", (ref,)).fetchone())


def _claim(row: Sequence[Any] | None) -> Claim | None:
    if row is None:
        return None
    quote_id, ref, req_hash, status, hold_until, guest, fee = row
    return Claim(quote_id, ref, req_hash, status, hold_until, Guest.model_validate_json(guest), fee)


def put_hold(connection: Connection, stored: StoredQuote, guest: Guest, until: datetime, now: datetime) -> None:
    _put(connection, stored, guest, ("hold", None, moment(until)), now)


def put_booking(connection: Connection, stored: StoredQuote, guest: Guest, now: datetime) -> None:
    _put(connection, stored, guest, ("confirmed", _unused_reference(connection), None), now)


def _put(
    connection: Connection, stored: StoredQuote, guest: Guest, state: tuple[str, str | None, str | None],
    now: datetime,
) -> None:  # fmt: skip
    """Write the quote's one row in `booking`, replacing an earlier hold."""
    quote, (status, ref, hold_until) = stored.quote, state
    drop_claim(connection, quote.quote_id)
    stay = (f"{quote.check_in}", f"{quote.check_out}", quote.total_agorot)
    row = (quote.quote_id, ref, request_hash(stored, guest), status, hold_until, guest.model_dump_json(), *stay)
    connection.execute("INSERT INTO booking VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)", (*row, moment(now)))
    rooms = [(quote.quote_id, n, part.room_type, part.rate_plan, part.count) for n, part in enumerate(quote.parts)]
    connection.executemany("INSERT INTO booking_room VALUES (?, ?, ?, ?, ?)", rooms)
    connection.executemany("INSERT INTO booking_night VALUES (?, ?, ?, ?)", _nights(quote))


def _nights(quote: Quote) -> Iterator[tuple[str, int, str, int]]:
    for n, part in enumerate(quote.parts):
        for night, agorot in enumerate(part.nightly_agorot):
            yield quote.quote_id, n, f"{quote.check_in + timedelta(days=night)}", agorot


def _unused_reference(connection: Connection) -> str:
    while find_reference(connection, ref := new_reference()):
        pass
    return ref


def drop_claim(connection: Connection, quote_id: str) -> None:
    for table in ("booking", "booking_room", "booking_night"):
        connection.execute(f"DELETE FROM {table} WHERE quote_id = ?", (quote_id,))


def put_cancelled(connection: Connection, quote_id: str, fee_agorot: int) -> None:
    sql = "UPDATE booking SET status = 'cancelled', fee_agorot = ? WHERE quote_id = ?"
    connection.execute(sql, (fee_agorot, quote_id))


def release_lapsed(connection: Connection, now: datetime) -> None:
    """Free the rooms of every expired hold."""
    sql = "SELECT quote_id FROM booking WHERE status = 'hold' AND hold_until <= ?"
    for (quote_id,) in connection.execute(sql, (moment(now),)).fetchall():
        if stored := find_quote(connection, quote_id):
            free_rooms(connection, stored.quote, "held")
        connection.execute("UPDATE booking SET status = 'expired' WHERE quote_id = ?", (quote_id,))


# As others see them


def booking_of(stored: StoredQuote, claim: Claim, **changes: Any) -> Booking:
    """A confirmed or cancelled claim as its guest may see it."""
    quote = stored.quote
    same = {"check_in", "check_out", "nights", "adults", "children_ages", "total_agorot", "per_night_agorot", "currency",
            "refundable", "cancel_until"}  # fmt: skip
    own = {"reference": claim.ref, "status": claim.status, "guest_name": claim.guest.name, "rooms": _rooms(quote),
           "fee_agorot": claim.fee_agorot}  # fmt: skip
    return Booking(**{**quote.model_dump(include=same), **own, **changes})


def _rooms(quote: Quote) -> list[BookedRoom]:
    same = set(BookedRoom.model_fields)
    return [BookedRoom(**part.model_dump(include=same)) for part in quote.parts]


def held_stays(connection: Connection, now: datetime, since: datetime) -> list[HeldStay]:
    """Holds, the first to end first; those that ended before `since` are left out."""
    sql = f"SELECT {_CLAIM} FROM booking WHERE status IN ('hold', 'expired') AND hold_until > ? ORDER BY hold_until, quote_id"
    claims = [_claim(row) for row in connection.execute(sql, (moment(since),)).fetchall()]
    found = [(claim, find_quote(connection, claim.quote_id)) for claim in claims if claim]
    return [_held(stored.quote, claim, now) for claim, stored in found if stored]


def _held(quote: Quote, claim: Claim, now: datetime) -> HeldStay:
    until = datetime.fromisoformat(str(claim.hold_until)).astimezone(UTC)
    return HeldStay(
        quote_id=quote.quote_id,
        status="hold" if claim.status == "hold" and until > now else "expired",
        guest_name=claim.guest.name,
        check_in=quote.check_in,
        check_out=quote.check_out,
        rooms=_rooms(quote),
        total_agorot=quote.total_agorot,
        currency=quote.currency,
        hold_until=until,
    )
