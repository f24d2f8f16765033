"""How many rooms questions that wait for a yes may hold, so that chats which only ask cannot empty a night.

Two rules; where either forbids a hold, the guest is told that nothing is held, and the booking takes whatever is free
when the yes comes.

- **A night**: of the rooms of a type that are not sold, questions hold at most half; one can always be held. So at least
  half, rounded up, stay free for guests who book, except for a last room.
- **A guest**: one question may hold the rooms of a whole group. Beside it the same guest, by e-mail address or phone
  number, in whatever conversation, holds `MOST_OF_A_GUEST` rooms at most in all.
"""

from typing import Literal

from wavegraph.tools.hotel.property import booking_rows
from wavegraph.tools.hotel.property.guest_identity import plain
from wavegraph.tools.hotel.property.place import Connection
from wavegraph.tools.hotel.records import Guest, Quote

MOST_OF_A_GUEST = 3
"""Rooms that several questions of one guest may hold together."""
LAST_DIGITS = 9
"""Of a phone number: what is left of it without the prefix of a country or the zero in its place."""


def why_unheld(connection: Connection, quote: Quote, guest: Guest) -> Literal["guest", "night"] | None:
    """The rule by which a quote that holds nothing yet may not hold its rooms; None = it may. In the transaction that will hold
    them, after those that have lapsed were released."""
    held = _rooms_of(connection, guest)
    if held and held + quote.rooms > MOST_OF_A_GUEST:
        return "guest"
    return None if _leaves_half(connection, quote) else "night"


def _leaves_half(connection: Connection, quote: Quote) -> bool:
    needed: dict[str, int] = {}
    for part in quote.parts:
        needed[part.room_type] = needed.get(part.room_type, 0) + part.count
    sql = (
        "SELECT COUNT(*) FROM inventory WHERE room_type = :room_type AND date >= :first AND date < :end"
        " AND (held + :count <= 1 OR held + :count <= (total - sold) / 2)"
    )
    return all(
        connection.execute(sql, booking_rows.span(quote, room_type, count)).fetchone()[0] == quote.nights
        for room_type, count in needed.items()
    )


def _rooms_of(connection: Connection, guest: Guest) -> int:
    """Rooms that this guest's questions hold now."""
    sql = (
        "SELECT guest_json, SUM(count) FROM booking JOIN booking_room USING (quote_id) WHERE status = 'hold'"
        " GROUP BY quote_id, guest_json"
    )
    own = _ways_to_reach(guest)
    return sum(
        int(rooms) for known, rooms in connection.execute(sql) if own & _ways_to_reach(Guest.model_validate_json(known))
    )


def _ways_to_reach(guest: Guest) -> set[str]:
    """The e-mail address without a tag (`dana+2@…`), and the end of the phone number."""
    name, _, host = plain(guest.email or "").rpartition("@")
    digits = "".join(str(int(letter)) for letter in guest.phone or "" if letter.isdecimal())[-LAST_DIGITS:]
    return {way for way in (f"{name.partition('+')[0]}@{host}" if host else "", digits) if way}
