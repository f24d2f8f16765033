"""What a property's file holds of a guest, and what is left of it when the guest is erased.

The hotel's rule: a guest who is still to come, or is there, is kept whole; after the departure the accounts keep the name
of a stay that was paid for, for `keep_days_after_departure`; then nothing. A hold and its quote go at once. Dates, rooms
and amounts stay. Every function works in its caller's transaction.
"""

import secrets
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from wavegraph.tools.hotel.property import booking_rows
from wavegraph.tools.hotel.property.place import Connection
from wavegraph.tools.hotel.records import Guest

ERASED = Guest(name="[erased]")

Keeps = Literal["all", "name", "nothing"]


@dataclass(frozen=True)
class GuestRow:
    """A hold or a booking, and what the hotel keeps of its guest."""

    quote_id: str
    reference: str | None
    """None = a hold, or one that lapsed."""
    check_in: date
    check_out: date
    guest: Guest
    keeps: Keeps
    until: date | None
    """The last day for which it is kept; None = nothing is kept."""


def find(
    connection: Connection, is_theirs: Callable[[str, Guest], bool], today: date, keep_days: int
) -> list[GuestRow]:
    """The holds and bookings of which `is_theirs` says yes to quote id and guest; those erased already are left out."""
    sql = "SELECT quote_id, ref, status, check_in, check_out, guest_json, fee_agorot FROM booking ORDER BY created_at, quote_id"
    found = []
    for quote_id, ref, status, check_in, check_out, guest_json, fee in connection.execute(sql).fetchall():
        guest = Guest.model_validate_json(guest_json)
        if guest != ERASED and is_theirs(quote_id, guest):
            first, last = date.fromisoformat(check_in), date.fromisoformat(check_out)
            keeps, until = kept(status, fee, last, today, keep_days)
            found.append(GuestRow(quote_id, ref, first, last, guest, keeps, until))
    return found


def kept(status: str, fee: int | None, check_out: date, today: date, keep_days: int) -> tuple[Keeps, date | None]:
    """What is kept of a guest, and the last day for which it is."""
    accounts_until = check_out + timedelta(days=keep_days)
    if status == "confirmed" and today <= check_out:
        return "all", check_out
    is_paid = status == "confirmed" or (status == "cancelled" and bool(fee))
    return ("name", accounts_until) if is_paid and today <= accounts_until else ("nothing", None)


def unused_quotes(connection: Connection, quote_ids: Collection[str]) -> list[str]:
    """Those of `quote_ids` that are stored and were never held or booked."""
    sql = "SELECT id FROM quote WHERE id NOT IN (SELECT quote_id FROM booking) ORDER BY id"
    return [quote_id for (quote_id,) in connection.execute(sql) if quote_id in quote_ids]


def erase(connection: Connection, rows: Collection[GuestRow], quote_ids: Collection[str]) -> None:
    """Erase what is not kept of these guests, and the quotes of `quote_ids` that were never booked."""
    for row in rows:
        if row.reference is None:
            _drop_hold(connection, row.quote_id)
        else:
            _keep(connection, row.quote_id, row.guest, row.keeps, row.until)
    for quote_id in {*quote_ids, *(row.quote_id for row in rows)}:
        unused = "DELETE FROM quote WHERE id = ? AND id NOT IN (SELECT quote_id FROM booking)"
        connection.execute(unused, (quote_id,))


def _drop_hold(connection: Connection, quote_id: str) -> None:
    claim, stored = booking_rows.find_claim(connection, quote_id), booking_rows.find_quote(connection, quote_id)
    if claim is None or claim.is_booked:  # booked since it was found: the next call tells what is kept of it
        return
    if stored and claim.status == "hold":
        booking_rows.free_rooms(connection, stored.quote, "held")
    booking_rows.drop_claim(connection, quote_id)


def _keep(connection: Connection, quote_id: str, guest: Guest, keeps: Keeps, until: date | None) -> None:
    left = {"all": guest, "name": Guest(name=guest.name), "nothing": ERASED}[keeps]
    # The hash of a request is one of its guest too: whoever knows the guest could tell by it that they were here.
    hashed = "" if keeps == "all" else f", req_hash = 'erased-{secrets.token_hex(8)}'"
    connection.execute(
        f"UPDATE booking SET guest_json = ?{hashed} WHERE quote_id = ?", (left.model_dump_json(), quote_id)
    )
    connection.execute("DELETE FROM booking_erased WHERE quote_id = ?", (quote_id,))
    if until:
        again = (until + timedelta(days=1)).isoformat()
        connection.execute("INSERT INTO booking_erased VALUES (?, ?)", (quote_id, again))


def erase_due(connection: Connection, today: date, keep_days: int) -> None:
    """Erase what was kept of erased guests only for a time that is over."""
    due = set(_due(connection, today))
    if due:
        erase(connection, find(connection, lambda quote_id, _: quote_id in due, today, keep_days), ())


def _due(connection: Connection, today: date) -> Iterator[str]:
    sql = "SELECT quote_id FROM booking_erased WHERE erase_on <= ?"
    return (quote_id for (quote_id,) in connection.execute(sql, (today.isoformat(),)).fetchall())
