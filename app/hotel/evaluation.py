"""How files of hotel requests with expectations speak: their names for our tools, and what our calls say in them.

Such a file knows no tool of ours. It counts children and babies where we take ages, and gives a booking the stay that
ours has from its quote.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from wavegraph.tools.hotel.dates import holiday, resolve

Ran = tuple[str, Mapping[str, Any], Any]
"""Tool, resolved arguments and result of a call."""

TOOLS: Mapping[str, frozenset[str]] = {
    "calendar": frozenset({"resolve_date_hint", "get_holiday"}),
    "calendar.resolve_date_hint": frozenset({"resolve_date_hint"}),
    "calendar.get_holiday": frozenset({"get_holiday"}),
    "pms.get_availability": frozenset({"get_availability"}),
    "faq.get_rooms_info": frozenset({"get_rooms_info"}),
    "faq.get_info": frozenset({"get_hotel_info"}),
    "pms.create_booking": frozenset({"create_booking"}),
    "pms.cancel_booking": frozenset({"cancel_booking"}),
}
FREE_SPELLING: Mapping[str, frozenset[str]] = {"faq.get_info": frozenset({"topic"})}
LEFT_OPEN: Mapping[str, Mapping[str, str]] = {"pms.get_availability": {"adults": "guests"}}
"""Where no number of adults is said, two may be assumed, or asked for."""
ASKS: Mapping[str, re.Pattern[str]] = {
    "dates": re.compile(r"\b(?:dates?|when|arriv\w*|check.?in)\b|תאריכ|תאריך|מתי|הגעה", re.IGNORECASE),
    "guests": re.compile(
        r"\b(?:how many (?:guests|people|adults|of you|persons)|number of (?:guests|people|adults))|כמה (?:אורחים|מבוגרים|אנשים|תהיו)",
        re.IGNORECASE,
    ),
    "name": re.compile(r"\b(?:your |full |the )name\b|שמך|שם מלא|השם", re.IGNORECASE),
    "reference": re.compile(
        r"\b(?:booking|reservation|reference) (?:number|reference)\b|מספר (?:ה)?הזמנה", re.IGNORECASE
    ),
}
"""By what is asked for: words that a question for it has, in English or Hebrew."""
FIRST_AGE_OF_A_CHILD = 2
"""Years; younger ones are babies."""


def facts(call: Ran, calls: Sequence[Ran]) -> dict[str, tuple[Any, ...]]:
    """What a call says by the files' names; several values where a file may mean either. `calls`: all of the run."""
    tool, args, _ = call
    said = {name: (value,) for name, value in args.items()}
    if tool == "create_booking":
        return said | _of_quote(args.get("quote_id"), calls)
    if tool in ("resolve_date_hint", "get_holiday"):
        return said | {"hint": tuple(args[name] for name in ("hint", "name") if name in args)}
    if tool in ("get_booking", "cancel_booking"):
        return said | {name: (args.get("surname_or_email"),) for name in ("surname", "email")}
    return said | _party(args) | _length(args)


def _of_quote(quote_id: Any, calls: Sequence[Ran]) -> dict[str, tuple[Any, ...]]:
    for tool, args, data in calls:
        if tool == "quote_stay" and isinstance(data, Mapping) and data.get("quote_id") == quote_id:
            return {name: (value,) for name, value in args.items()} | _party(args) | _length(args)
    return {}


def _party(args: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    """Adults are counted over all rooms here, and in some files in each."""
    if "adults" not in args:
        return {}
    ages, rooms, adults = args.get("children_ages") or [], args.get("rooms") or 1, args["adults"]
    babies = sum(age < FIRST_AGE_OF_A_CHILD for age in ages)
    each = (adults // rooms,) if rooms > 1 and adults % rooms == 0 else ()
    return {"adults": (adults, *each), "children": (len(ages) - babies,), "babies": (babies,)}


def _length(args: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    if "check_in" not in args or "check_out" not in args:
        return {}
    return {"nights": ((date.fromisoformat(args["check_out"]) - date.fromisoformat(args["check_in"])).days,)}


def same_hint(expected: str, given: str, *, today: date, country: str) -> bool:
    """Whether two wordings mean the same dates: one holds the other, or the calendar reads both alike."""
    one, other = (" ".join(text.split()).casefold() for text in (expected, given))
    if one in other or other in one:
        return True
    stays = [resolve(text, today=today, country=country).stays for text in (expected, given)]
    return bool(stays[0]) and [(s.check_in, s.check_out) for s in stays[0]] == [
        (s.check_in, s.check_out) for s in stays[1]
    ]


def is_relative(tool: str, args: Mapping[str, Any], *, today: date, country: str) -> bool:
    """Whether this is a calendar call for words such as "next Monday", which a planner may resolve by itself.

    A holiday must be looked up.
    """
    if not tool.startswith("calendar"):
        return False
    return not holiday(str(args.get("hint") or args.get("name") or ""), today=today, country=country).stays


def booking_of(data: Any) -> str | None:
    """The booking a write made, changed, or found made already."""
    return str(data["reference"]) if isinstance(data, Mapping) and data.get("reference") else None
