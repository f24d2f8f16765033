"""A small domain for tests with a model: an inn with a calendar, free beds, and a booking that changes something."""

import re
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from langchain_core.tools import tool
from pydantic import BaseModel, Field

from wavegraph import (
    AnswerView,
    Domain,
    Limits,
    PlanningResult,
    PlanningView,
    ResolvedCall,
    Settings,
    ToolCall,
    ValidationIssue,
    read,
    results,
)

TODAY = date(2026, 11, 20)


class Fair(BaseModel):
    name: str
    opens: date
    days: list[date]


class Beds(BaseModel):
    night: date
    free: int
    price: int


class Booked(BaseModel):
    night: date
    number: str


class Guests(BaseModel):
    night: date | None = None
    guests: int | None = Field(default=None, description="How many sleep here")
    wishes: list[str] = []


class InnSettings(Settings):
    town: str = Field(default="Yodfat", description="Where the inn is")


@dataclass
class Inn:
    """`full`: nights without a bed. `note`: a text inside every result."""

    full: set[date] = field(default_factory=set)
    fails: bool = False
    note: str = ""
    asked: list[date] = field(default_factory=list)
    booked: list[date] = field(default_factory=list)

    def domain(self, **changes: Any) -> Domain:
        @tool
        async def get_fair(name: str) -> Fair:
            """When a fair is."""
            first = date(2026, 12, 5)
            return Fair(name=f"{name}{self.note}", opens=first, days=[first + timedelta(days=n) for n in range(3)])

        @tool
        async def get_beds(night: date, guests: int = 2) -> Beds:
            """Free beds in a night, and the price of one."""
            self.asked.append(night)
            if self.fails:
                raise RuntimeError("password hunter2 is wrong")
            return Beds(night=night, free=0 if night in self.full else 4, price=350)

        @tool
        async def book_bed(night: date) -> Booked:
            """Book one bed."""
            self.booked.append(night)
            return Booked(night=night, number="B-77")

        given: dict[str, Any] = {
            "name": "inn",
            "tools": [read(get_fair), read(get_beds), book_bed],
            "offline": Porter(),
            "checks": {"get_beds": [full_house]},
            "adapt": next_night,
            "limits": Limits(tool_timeout_s=5, request_timeout_s=20),
            "settings": InnSettings,
            "slots": Guests,
            "clock": lambda _: TODAY,
            "prompts": {"plan": "You plan for an inn.", "respond": "You speak for an inn."},
        }
        return Domain(**{**given, **changes})


def full_house(beds: Beds, call: ResolvedCall) -> list[ValidationIssue]:
    if beds.free:
        return []
    message = f"no bed is free on {beds.night}"
    return [
        {"type": "no_availability", "tool_id": call.id, "message": message, "severity": "warning", "rule": "bed_free"}
    ]


def next_night(view: PlanningView) -> list[ToolCall] | None:
    calls: list[ToolCall] = []
    for issue in view.feedback["issues"] if view.feedback else []:
        call = view.ledger["calls"].get(issue["tool_id"])
        if call and issue["type"] == "no_availability" and isinstance(call["args"]["night"], str):
            night = date.fromisoformat(call["args"]["night"]) + timedelta(days=1)
            args = {**call["args"], "night": night.isoformat()}
            calls.append({"id": f"{call['id']}_next", "tool": "get_beds", "args": args, "instead_of": call["id"]})
    return calls or None


class Porter:
    """The offline side: it reads ISO dates, and says that it is the porter."""

    def plan(self, view: PlanningView) -> PlanningResult:
        nights = re.findall(r"\d{4}-\d\d-\d\d", view.request["text"])
        calls: list[ToolCall] = [
            {"id": f"beds_{n}", "tool": "get_beds", "args": {"night": d}} for n, d in enumerate(nights)
        ]
        return {"status": "done", "action": "look_up" if calls else "clarify", "reasoning": "by the porter", "slots": {},
                "tools": calls, "reply": None if calls else "The porter asks: which night?"}  # fmt: skip

    def respond(self, view: AnswerView) -> str:
        found = [o["data"] for o in results(view.ledger).values() if o["data"]]
        lines = [f"The porter says: {d['night']}: {d['free']} free" for d in found if "free" in d]
        return "\n".join(lines) or "The porter found nothing."
