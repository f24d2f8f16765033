"""Results as records again: a ledger keeps plain JSON, which the hotel reads only here."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Protocol, TypeAlias, TypeVar

from wavegraph.graph.execution.write import MAY_HAVE_HAPPENED
from wavegraph.graph.ledger import GOOD, NOT_FOUND_AFTER, WRITE_UNKNOWN, results
from wavegraph.graph.state import Ledger, ToolOutcome
from wavegraph.tools.hotel.records import (
    Availability,
    Booking,
    HolidayDates,
    HotelInfo,
    HotelRecord,
    OpenStays,
    Quote,
    RoomsInfo,
)
from wavegraph.tools.hotel.stay_arguments import departure

Ends: TypeAlias = tuple[date, date]
RecordT = TypeVar("RecordT", bound=HotelRecord)

KINDS: Mapping[str, type[HotelRecord]] = {
    "get_holiday": HolidayDates,
    "get_availability": Availability,
    "find_open_stays": OpenStays,
    "get_rooms_info": RoomsInfo,
    "get_hotel_info": HotelInfo,
    "quote_stay": Quote,
    "create_booking": Booking,
    "get_booking": Booking,
    "cancel_booking": Booking,
}
"""The record that each tool returns, for those whose results are read again."""
UNCONFIRMED = "unconfirmed"
"""End of a write that failed and was not found right after it: a system that is slow may still do it."""


class Dated(Protocol):
    @property
    def check_in(self) -> date: ...
    @property
    def check_out(self) -> date: ...


def opened(kind: type[RecordT], stored: Any) -> RecordT:
    """A stored record; fields unknown to this version are ignored."""
    return kind.model_validate(stored, extra="ignore")


def record_of(outcome: ToolOutcome) -> HotelRecord | None:
    """The record of a good outcome, whose data must be complete; None = it has none."""
    kind = KINDS.get(outcome["tool"])
    return opened(kind, outcome["data"]) if kind and outcome["status"] in GOOD else None


def records(ledger: Ledger) -> dict[str, HotelRecord]:
    """The records of all good results by call id, in the order the calls were planned."""
    found = {call_id: record_of(outcome) for call_id, outcome in results(ledger).items()}
    return {call_id: record for call_id, record in found.items() if record is not None}


def records_of(kind: type[RecordT], ledger: Ledger) -> list[RecordT]:
    return [record for record in records(ledger).values() if isinstance(record, kind)]


def stay_ends(stay: Dated) -> Ends:
    return stay.check_in, stay.check_out


def asked_ends(args: Mapping[str, Any]) -> Ends | None:
    """The stay that a call asks for, a night where it names no departure; None if its arguments have no dates yet."""
    try:
        check_in, check_out = date.fromisoformat(args["check_in"]), args.get("check_out")
        return check_in, departure(check_in, None if check_out is None else date.fromisoformat(check_out))
    except (KeyError, TypeError, ValueError):
        return None


def stay_args(check_in: date, check_out: date) -> dict[str, Any]:
    """A stay as the arguments of a call."""
    return {"check_in": check_in.isoformat(), "check_out": check_out.isoformat()}


def lies_in(inner: Ends, outer: Ends) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def holiday_around(stay: Ends, found: Iterable[HotelRecord]) -> Ends | None:
    """The holiday looked up in this request that the stay is a part of."""
    holiday = holiday_of(stay, found)
    return stay_ends(holiday) if holiday else None


def holiday_of(stay: Ends, found: Iterable[HotelRecord]) -> HolidayDates | None:
    return next((each for each in found if isinstance(each, HolidayDates) and lies_in(stay, stay_ends(each))), None)


def code_of(outcome: ToolOutcome | None) -> str:
    """The code of its error, else its status."""
    if outcome is None:
        return ""
    return outcome["error"]["code"] if outcome["error"] else outcome["status"]


def end_of_write(outcome: ToolOutcome) -> str:
    """Its code; one for all that leave it open whether the write happened."""
    error, code = outcome["error"], code_of(outcome)
    if code not in MAY_HAVE_HAPPENED:
        return code
    looked_up = code != "timeout" and error is not None and error["message"].endswith(NOT_FOUND_AFTER)
    return UNCONFIRMED if looked_up else WRITE_UNKNOWN
