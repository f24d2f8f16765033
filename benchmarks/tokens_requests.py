"""Simple requests to the two agents, and some that follow them, with the plans and answers of a careful model."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.tokens_wire import Asked, Script, Wire
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from wavegraph import Domain, build_graph
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.roster.domain import roster_domain

TODAY = "2026-11-20"
Call = Mapping[str, Any]


@dataclass(frozen=True)
class Request:
    name: str
    text: str
    calls: list[Call]
    answer: str
    context: Mapping[str, Any] = field(default_factory=dict)
    before: "Request | None" = None
    """What was asked on its thread before it."""


def call(name: str, tool: str, /, **args: Any) -> Call:
    return {"id": name, "tool": tool, "args": args}


def of(name: str, path: str) -> Mapping[str, Any]:
    return {"ref": {"call": name, "path": path}}


HINT = call("weekend", "resolve_date_hint", hint="next weekend")
WEEKEND = call("check_availability", "get_availability", check_in=of("weekend", "stays[0].check_in"),
               check_out=of("weekend", "stays[0].check_out"), adults=2)  # fmt: skip
HANUKKAH = call("get_holiday", "get_holiday", name="Hanukkah")
NIGHTS = call("check_availability", "get_availability", check_in=of("get_holiday", "dates[0]"),
              check_out=of("get_holiday", "dates[2]"), adults=2, children_ages=[8])  # fmt: skip
ALL_OF_IT = call("check_availability", "get_availability", check_in=of("get_holiday", "check_in"),
                 check_out=of("get_holiday", "check_out"), adults=2, children_ages=[8])  # fmt: skip
JANUARY = call("january", "get_availability", check_in="2027-01-17", check_out="2027-01-19", adults=2)
PARKING = call("parking", "get_hotel_info", topic="parking")
LINES = "{{gladly}} For {{s1}} I found:\n- {{s1.o1.line}}\n- {{s1.o2.line}}\n{{ask_which}}"
INSTEAD = "{{sorry}} {{s1.full.1}} {{s1.full.2}}\n{{s1.instead}}\n- {{s1.a1.line}}\n- {{s1.a2.line}}\n{{ask_suit}}"
STAY = Request("stay, parking", "A room for two, January 17-19, and is there parking?", [JANUARY, PARKING],
               f"{LINES}\nParking: {{{{parking.1}}}}")  # fmt: skip
WEEKEND_HE = Request("weekend (he)", "יש חדר לזוג בסוף השבוע הבא?", [HINT, WEEKEND], LINES)
HOTEL = (
    STAY,
    Request("holiday, child", "The first two nights of Hanukkah, for two adults and a child of eight?", [HANUKKAH, NIGHTS], LINES),
    Request("the same, full", "Do you have a room for Hanukkah, two adults and a child of eight?", [HANUKKAH, ALL_OF_IT], INSTEAD),
    WEEKEND_HE,
    Request("policy (he)", "אפשר להביא כלב?", [call("pets", "get_hotel_info", topic="pets")], "{{pets.1}}"),
    Request("rooms", "Which rooms do you have, and how large are they?", [call("rooms", "get_rooms_info")], "{{r.DBL.1}}"),
)  # fmt: skip
THREE = call("three", "get_availability", check_in="2026-11-26", check_out="2026-11-28", adults=3)
QUOTE = call(
    "quote", "quote_stay", check_in="2027-01-17", check_out="2027-01-19", adults=2, room_type="DBL", refundable=True
)
BOOK = call(
    "book", "create_booking", quote_id=of("quote", "quote_id"), guest_name="Dana Levi", guest_email="dana@example.com"
)
BOOKING = Request(
    "and book", "Book the second one please: Dana Levi, dana@example.com", [QUOTE, BOOK], "{{gladly}}", before=STAY
)
FOLLOWING = (
    Request("and half board", "And with half board?", [{**JANUARY, "args": {**JANUARY["args"], "board": "HB"}}], LINES, before=STAY),
    Request("and three (he)", "ולשלושה?", [THREE], LINES, before=WEEKEND_HE),
    BOOKING,
    Request("and a yes", "yes", [], "{{booking.1}}", before=BOOKING),
)  # fmt: skip
WARD = {
    "name": "Small Ward", "start": "2026-11-23", "days": 7,
    "shifts": [{"id": "E", "name": "Early", "start": "07:00", "minutes": 480},
               {"id": "N", "name": "Night", "start": "23:00", "minutes": 480, "night": True, "not_followed_by": ["E"]}],
    "nurses": [{"id": f"n{number}", "name": name, "contract": {"max_minutes": 2400, "target_minutes": 1920}}
               for number, name in enumerate(("Diana", "Ivan", "Grace", "Noa"), 1)],
    "demand": [{"day": f"2026-11-{day}", "shift": shift, "target": 1} for day in range(23, 30) for shift in "EN"],
}  # fmt: skip
STAFF = call("get_staff", "get_staff", ward="small")
SOLVE = call("generate_roster", "generate_roster", ward_hash=of("get_staff", "ward_hash"))
ROSTER = Request("roster", "Make next week's roster for the small ward.", [STAFF, SOLVE], "{{verdict}}",
                 {"ward": "small", "time_limit_s": 6})  # fmt: skip
AGAIN = Request("and once more", "Make it once more, please.", [STAFF, SOLVE], "{{verdict}}", ROSTER.context, ROSTER)
REQUESTS = (*HOTEL, ROSTER, *FOLLOWING, AGAIN)


def plan(calls: Sequence[Call], status: str = "done") -> Mapping[str, Any]:
    return {"reasoning": "what was asked for", "action": "look_up", "status": status, "tools": calls}


async def asked_for(request: Request, wire: Wire, folder: Path) -> list[Asked]:
    """What the model is asked for one request."""
    graph = build_graph(_domain(request, folder), model=wire.model()).compile(InMemorySaver())
    for each in reversed([*_thread(request)]):
        wire.asked.clear()
        wire.script = _script(each)
        context: Any = {"today": TODAY, "answer_check": "on", **each.context}
        await graph.ainvoke(
            {"messages": [HumanMessage(each.text)]}, {"configurable": {"thread_id": "t"}}, context=context
        )
    return list(wire.asked)


def _thread(request: Request | None) -> Iterator[Request]:
    while request is not None:
        yield request
        request = request.before


def _domain(request: Request, folder: Path) -> Domain:
    if request not in (ROSTER, AGAIN):
        return hotel_domain(folder)
    file = folder / "small.json"
    file.write_text(json.dumps(WARD), encoding="utf-8")
    return roster_domain(folder, wards={"small": file})


def _script(request: Request) -> Script:
    def reply(asked: Asked) -> Any:
        if asked.role == "answer":
            return request.answer
        if asked.role == "check":
            return {"issues": []}
        return _plan(request, asked) if asked.role == "plan" else passes(asked)

    return reply


def _plan(request: Request, asked: Asked) -> Mapping[str, Any]:
    """The first plan, then every suggestion as it stands."""
    feedback, before = asked.block("feedback") or {}, asked.block("so_far")
    if before is None:
        return plan(request.calls)
    suggested = enumerate(feedback.get("suggestions", ()), len(before["calls"]))
    calls: list[Call] = [
        {**call(f"again_{number}", each["tool"], **each["args"]), **_instead_of(each)} for number, each in suggested
    ]
    return plan(calls)


def _instead_of(suggested: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"instead_of": suggested["instead_of"]} if suggested["instead_of"] else {}


def passes(asked: Asked) -> Mapping[str, Any]:
    """The verdict of a judge who is content."""
    return {"reasoning": "It answers what was asked.", "gaps": []}
