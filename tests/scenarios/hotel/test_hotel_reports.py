"""What went wrong is reported as what it was: a plan that pointed to nothing, a refused one, a limit, a hotel out of reach."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hotel_runs import OUTLASTS, PATIENT, FaultyProperty, asked, domain_of
from skipping import LIMIT_S

from wavegraph import PlanningResult, ToolRefusal
from wavegraph.testing import ScriptedPlanner, call, planning, ref
from wavegraph.tools.hotel.property.port import Property

UNREACHED = {"en": "couldn't reach the reservation system", "he": "לא הצלחתי להגיע למערכת ההזמנות"}
REQUEST = "Check January 17-19 for 2 adults; and show booking WG-7KQ2M9XA, Levi"
STAY = {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2}
STAYS = call("check_availability", "get_availability", **STAY)
AGAIN = call("check_availability_again", "get_availability", **STAY, instead_of="check_availability")
DATES = call("dates", "resolve_date_hint", hint="January 17-19")
LOST = call("check_availability", "get_availability", check_in=ref("dates", "stays[9].check_in"),
            check_out=ref("dates", "stays[9].check_out"), adults=2)  # fmt: skip
BOOKING = call("get_booking", "get_booking", reference="WG-7KQ2M9XA", surname_or_email="Levi")
LOST_BOOKING = call("get_booking", "get_booking", reference=ref("dates", "stays[9].label"), surname_or_email="Levi")
GHOST = planning(call("x", "teleport"))
LOW = ToolRefusal("auth", "ERR 210")
RESET = ConnectionError("reset")
HURRIED = {"tool_timeout_s": 9 * LIMIT_S, "request_timeout_s": LIMIT_S}


@dataclass(frozen=True)
class Case:
    id: str
    plans: Sequence[PlanningResult]
    """Empty = the rules plan."""
    said: dict[str, str]
    acts: Sequence[Any] = ()
    """How the hotel ends the first availability calls."""
    reached: bool = True
    """Whether the hotel was: then nothing may be said of a hotel out of reach."""
    settings: dict[str, Any] = field(default_factory=dict)


CASES = [
    Case("a path to nothing, for a stay", [planning(DATES, LOST), planning()],
         {"en": "I could not work out how to look this up", "he": "לא הצלחתי להבין איך לברר את זה"}),
    Case("a path to nothing, for a booking", [planning(DATES, LOST_BOOKING), planning()],
         {"en": "I could not work out how to look this up", "he": "לא הצלחתי להבין איך לברר את זה"}),
    Case("a refused plan", [GHOST, GHOST], {"en": "I could not work out how to do that", "he": "לא הצלחתי להבין איך לבצע"}),
    Case("a refused plan after a stay that is full", [planning(STAYS), GHOST, GHOST],
         {"en": "I could not work out how to go on", "he": "לא הצלחתי להבין איך להמשיך"}, acts=[ToolRefusal("too_long", "no")]),
    Case("a refused plan after a hotel out of reach", [planning(STAYS), GHOST, GHOST],
         {"en": "I could not work out how to go on", "he": "לא הצלחתי להבין איך להמשיך"}, acts=[LOW], reached=False),
    Case("the calls are spent before the booking", [planning(STAYS, BOOKING)] * 2,
         {"en": "I had to stop before I looked the booking up", "he": "נאלצתי לעצור לפני שחיפשתי"},
         settings={"max_tool_calls": 1}),
    Case("the time is over, by the rules", [], {"en": "time ran out before I had an answer", "he": "הזמן לבקשה הזאת נגמר"},
         acts=OUTLASTS, settings=HURRIED),
    Case("the time is over", [planning(STAYS)], {"en": "time ran out before I had an answer", "he": "הזמן לבקשה הזאת נגמר"},
         acts=OUTLASTS, settings=HURRIED),
    Case("the runs are spent", [planning(STAYS), planning(AGAIN)],
         {"en": "I tried that as often as one request allows", "he": "ניסיתי את זה כמספר הפעמים"}, acts=[RESET, RESET], reached=False,
         settings={"max_runs": 1, "tool_attempts": 1}),
    Case("the runs are spent, by the rules", [], {"en": "I tried that as often as one request allows", "he": "ניסיתי את זה כמספר הפעמים"},
         acts=[RESET, RESET], reached=False, settings={"max_runs": 1, "tool_attempts": 1}),
    Case("a hotel out of reach, by the rules", [], UNREACHED, acts=[LOW], reached=False),
    Case("a time-out of its own, by the rules", [], UNREACHED, acts=OUTLASTS, reached=False,
         settings=PATIENT),
]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "he"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_went_wrong_is_told_as_what_it_was(adapter: Property, case: Case, language: str) -> None:
    domain = domain_of(FaultyProperty(adapter, *case.acts))
    script = ScriptedPlanner(*case.plans) if case.plans else None
    words = REQUEST if case.plans else "Check availability for January 17-19, 2 adults"
    ended = asked(domain, words, planner=script, language=language, **case.settings)

    assert case.said[language] in ended["answer"]
    assert (UNREACHED[language] in ended["answer"]) == (not case.reached)
    assert ended["outcome"] in ("partial", "failed")
