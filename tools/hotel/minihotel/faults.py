"""MiniHotel's error codes as the refusals of every property system.

Of the vendor's texts none is repeated: they may quote what was sent, the login with it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from wavegraph.graph.errors import ToolRefusal
from wavegraph.graph.ledger import WRITE_UNKNOWN
from wavegraph.tools.hotel.records import RefusalCode


class Fault(NamedTuple):
    """What an error code means. `text` may be shown to a guest."""

    code: RefusalCode
    text: str
    retryable: bool = False
    limit: int | None = None
    """The most that the hotel's system accepts."""


class Unreadable(ToolRefusal):
    """A reply that is none of MiniHotel's: after a write it proves nothing."""

    def __init__(self, what: str, *, retryable: bool = False) -> None:
        super().__init__("bad_response", f"the hotel's system gave {what}", retryable=retryable)


_REQUEST = Fault("bad_response", "the hotel's system did not understand the request")
_HOTEL = Fault("bad_hotel", "the hotel's system does not know this hotel, or has not linked it to this user")
_LOGIN = Fault("auth", "the hotel's system did not accept the login")
_RATE = Fault("bad_rate", "the hotel's system does not know the configured rate code")
_DATES = Fault("bad_dates", "the hotel's system did not accept these dates")
NOT_ALLOWED = Fault("ip_not_allowed", "the hotel's system does not accept calls from this address")
TOO_MANY = Fault("rate_limited", "the hotel's system was asked too often; it may answer in a while", retryable=True)
NO_BASIC_OCCUPANCY = "310"

FAULTS: Mapping[str, Fault] = {
    **dict.fromkeys(("001", "003", "004", "005", "006", "009", "013", "501", "516"), _REQUEST),
    **dict.fromkeys(("010", "109", "202", "204", "205", "211"), _HOTEL),
    **dict.fromkeys(("210", "863"), _LOGIN),
    "A01": NOT_ALLOWED,
    **dict.fromkeys(("101", "102", "103"), _DATES),
    "104": Fault("min_stay", "a longer minimum stay applies to these dates"),
    "105": Fault("closed_arrival", "there are no arrivals on this day"),
    "106": Fault("past", "the arrival is in the past"),
    "107": Fault("too_long", "the hotel's system accepts at most 20 nights", limit=20),
    "108": Fault("too_short", "the stay is shorter than a night"),
    "209": TOO_MANY,
    **dict.fromkeys(("308", "803"), _RATE),
    NO_BASIC_OCCUPANCY: Fault("bad_hotel", "a room type of the hotel has no basic occupancy in the hotel's system"),
}
"""Those up to 109 and 204 to 209, 501 and 516 are the vendor's list; the others were seen by its users."""
UNKNOWN = Fault("bad_response", "the hotel's system reported an error")


class VendorRefusal(ToolRefusal):
    """An error code in a reply."""

    def __init__(self, number: str) -> None:
        fault = FAULTS.get(number, UNKNOWN)
        text = f"{fault.text} (MiniHotel error {number})"
        super().__init__(fault.code, text, retryable=fault.retryable, limit=fault.limit)
        self.number = number
        self.reason: RefusalCode = fault.code


def refused_by_status(status: int) -> ToolRefusal:
    """The refusal for an HTTP status other than 200. The login is in the body: 401 and 403 are about the address."""
    if status in (401, 403):
        return ToolRefusal(NOT_ALLOWED.code, f"{NOT_ALLOWED.text} (HTTP {status})")
    if status == 429:
        return ToolRefusal(TOO_MANY.code, f"{TOO_MANY.text} (HTTP 429)", retryable=True)
    return Unreadable(f"HTTP status {status} instead of an answer", retryable=status >= 500)


@contextmanager
def nothing_sent() -> Iterator[None]:
    """A read before a write: that it failed leaves no doubt about the write."""
    try:
        yield
    except ToolRefusal as refusal:
        if refusal.code != "timeout":
            raise
        raise ToolRefusal("bad_response", f"{refusal.message}; nothing was booked", retryable=True) from None


@contextmanager
def unknown() -> Iterator[None]:
    """A look-up after a write: while it fails, nobody knows."""
    try:
        yield
    except ToolRefusal as refusal:
        if refusal.code == "idempotency_conflict":
            raise
        raise write_unknown() from None


def write_unknown() -> ToolRefusal:
    unclear = "the hotel's system did not confirm it; it may or may not have happened"
    return ToolRefusal(WRITE_UNKNOWN, unclear, retryable=True)
