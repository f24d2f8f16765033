"""The vocabulary of evaluation files for the hotel: their names for our tools, and our calls in their terms.

Such a file does not know our tools. It counts children and babies where we take ages, and gives a booking the stay that
ours has from its quote.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from wavegraph.app.evaluate.file import Case
from wavegraph.app.evaluate.run import Subject
from wavegraph.app.evaluate.scores import Call, Vocabulary, equal
from wavegraph.graph.hotel import build
from wavegraph.tools.hotel.dates import holiday, resolve
from wavegraph.tools.hotel.property.port import DEFAULT_PROPERTY, open_property
from wavegraph.tools.hotel.results import asked_ends
from wavegraph.tools.hotel.stay_arguments import party_asked

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
"""Where the number of adults is not given, two may be assumed, or the guest asked."""
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
"""What a question asks for, by words that such a question contains in English or Hebrew."""
FIRST_AGE_OF_A_CHILD = 2
"""Years; younger ones are babies."""


async def subject(folder: Path) -> Subject:
    """The agent on a demo hotel of its own, built beforehand so that no case's time includes it."""
    await open_property(DEFAULT_PROPERTY, data_dir=folder).open()
    return Subject(graph=build(folder), vocabulary=vocabulary(), says_yes=True)


def vocabulary() -> Vocabulary:
    return Vocabulary(
        tools=TOOLS,
        facts=facts,
        equal=_same,
        unscored=FREE_SPELLING,
        may_skip=lambda call, case: is_relative(call.tool, call.args, **_place(case)),
        may_ask=LEFT_OPEN,
        asks=ASKS,
        made=lambda call: booking_of(call.data),
    )


def _same(name: str, expected: Any, given: Any, case: Case) -> bool:
    if name == "hint" and isinstance(given, str):
        return same_hint(str(expected), given, **_place(case))
    return equal(name, expected, given, case)


def _place(case: Case) -> dict[str, Any]:
    return {"today": case.reference_date or date.today(), "country": case.country or "IL"}


def facts(call: Call, calls: Sequence[Call]) -> dict[str, tuple[Any, ...]]:
    """A call's arguments under the files' names, several values where a file may mean either. `calls`: the run's."""
    tool, args = call.tool, call.args
    given = {name: (value,) for name, value in args.items()}
    if tool == "create_booking":
        return given | _of_quote(args.get("quote_id"), calls)
    if tool in ("resolve_date_hint", "get_holiday"):
        return given | {"hint": tuple(args[name] for name in ("hint", "name") if name in args)}
    if tool in ("get_booking", "cancel_booking"):
        return given | {name: (args.get("surname_or_email"),) for name in ("surname", "email")}
    return given | _party(args) | _ends(args)


def _of_quote(quote_id: Any, calls: Sequence[Call]) -> dict[str, tuple[Any, ...]]:
    for call in calls:
        if call.tool == "quote_stay" and isinstance(call.data, Mapping) and call.data.get("quote_id") == quote_id:
            return {name: (value,) for name, value in call.args.items()} | _party(call.args) | _ends(call.args)
    return {}


def _party(args: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    """We count adults over all rooms; some files count them per room."""
    if args.keys().isdisjoint(("check_in", "from_date")) or (asked := party_asked(args)) is None:
        return {}
    (adults, ages, _), rooms = asked, asked.rooms or 1
    babies = sum(age < FIRST_AGE_OF_A_CHILD for age in ages)
    each = (adults // rooms,) if rooms > 1 and adults % rooms == 0 else ()
    return {"adults": (adults, *each), "children": (len(ages) - babies,), "babies": (babies,)}


def _ends(args: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    ends = asked_ends(args)
    return {"check_out": (ends[1].isoformat(),), "nights": ((ends[1] - ends[0]).days,)} if ends else {}


def same_hint(expected: str, given: str, *, today: date, country: str) -> bool:
    """Whether two wordings mean the same dates: one contains the other, or both resolve to the same stays."""
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
    """The booking that a write made, changed or found."""
    return str(data["reference"]) if isinstance(data, Mapping) and data.get("reference") else None
