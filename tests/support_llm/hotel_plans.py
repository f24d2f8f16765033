"""Plans and verdicts as a model writes them for the hotel, every field present."""

import sqlite3
from pathlib import Path
from typing import Any

from endpoint import Turn, plans
from plans import call

from wavegraph.testing import ref

NAME, MAIL = "Dana Levi", "dana@example.com"
OPEN = dict.fromkeys(["children_ages", "rooms", "room_type", "board", "max_price", "per", "currency"])


def plan(
    *calls: dict[str, Any],
    action: str = "check_availability",
    reply: Any = None,
    **more: Any,
) -> Turn:
    made = {"reasoning": "as asked", "action": action, "status": "done", **more}
    return plans({**made, "tools": list(calls), "reply": reply})


def stay(call_id: str, check_in: Any, check_out: Any, *, instead_of: str | None = None, **more: Any) -> dict[str, Any]:
    given = {"check_in": check_in, "check_out": check_out, "adults": 2, "refundable": None, **OPEN, **more}
    return call(call_id, "get_availability", instead_of=instead_of, **given)


def open_stays(nights: int, call_id: str = "open", instead_of: str | None = None, **more: Any) -> dict[str, Any]:
    given = {
        "from_date": "2026-12-04",
        "to_date": "2026-12-12",
        "nights": nights,
        "adults": 2,
        **dict.fromkeys(["near", "limit", "order", "arrive_on", "sleep_on"]),
    }
    return call(call_id, "find_open_stays", instead_of=instead_of, **{**given, **OPEN, **more})


def about(topic: str, call_id: str | None = None, **figures: Any) -> dict[str, Any]:
    """A question about the house; `figures`: the guest's, `kg`, `age`, `time`."""
    return call(call_id or topic, "get_hotel_info", topic=topic, **{**dict.fromkeys(["kg", "age", "time"]), **figures})


def quote(call_id: str, check_in: str, check_out: str, instead_of: str | None = None) -> dict[str, Any]:
    given = {"check_in": check_in, "check_out": check_out, "adults": 2, "rate_plan": None, "refundable": None}
    return call(call_id, "quote_stay", instead_of=instead_of, **given, **OPEN)


def book(quote_id: Any, call_id: str = "book", instead_of: str | None = None, **given: Any) -> dict[str, Any]:
    guest = {"guest_name": NAME, "guest_email": MAIL, "guest_phone": None, "notes": None, **given}
    return call(call_id, "create_booking", instead_of=instead_of, quote_id=quote_id, **guest)


def booking(check_in: str, check_out: str, **given: Any) -> Turn:
    calls = quote("quote", check_in, check_out), book(ref("quote", "quote_id"), **given)
    return plan(*calls, action="book")


def rows(folder: Path, arrival: str, name: str = NAME) -> list[str]:
    """States of the guest's bookings that arrive on a day: `hold`, `confirmed`, …."""
    query = "SELECT status FROM booking WHERE check_in = ? AND guest_json LIKE ?"
    with sqlite3.connect(folder / "sandbox.sqlite") as file:
        return [status for (status,) in file.execute(query, (arrival, f"%{name}%"))]
