"""A small domain for tests with a model: an inn with a calendar, free beds, and a booking that changes something."""

import re
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from pydantic import BaseModel, Field
from scripted import issue
from skipping import LIMIT_S
from tools_once import tool

from wavegraph import (
    AnswerView,
    Domain,
    Limits,
    PlanningResult,
    PlanningView,
    ResolvedCall,
    Script,
    Settings,
    ToolCall,
    ValidationIssue,
    build_graph,
    read,
    results,
)
from wavegraph.graph.build import AgentGraph
from wavegraph.testing import call, planning

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
            "script": Script(workarounds=next_night),
            "limits": Limits(tool_timeout_s=LIMIT_S, request_timeout_s=60 * LIMIT_S),
            "settings": InnSettings,
            "clock": lambda _: TODAY,
            "prompts": {"plan": "You plan for an inn.", "respond": "You speak for an inn."},
        }
        return Domain(**{**given, **changes})


def full_house(beds: Beds, call: ResolvedCall) -> list[ValidationIssue]:
    full = issue("no_availability", call.id, f"no bed is free on {beds.night}", "bed_free")
    return [] if beds.free else [full]


def next_night(view: PlanningView) -> list[ToolCall] | None:
    calls: list[ToolCall] = []
    for found in view.feedback["issues"] if view.feedback else []:
        full = view.ledger["calls"].get(found["tool_id"])
        if full and found["type"] == "no_availability" and isinstance(full["args"]["night"], str):
            night = date.fromisoformat(full["args"]["night"]) + timedelta(days=1)
            args = {**full["args"], "night": night.isoformat()}
            calls.append(call(f"{full['id']}_next", "get_beds", instead_of=full["id"], **args))
    return calls or None


class Porter:
    """The offline side: it reads ISO dates, and says that it is the porter."""

    def plan(self, view: PlanningView) -> PlanningResult:
        nights = re.findall(r"\d{4}-\d\d-\d\d", view.request["text"])
        if not nights:
            return planning(action="clarify", reply="The porter asks: which night?")
        return planning(*(call(f"beds_{n}", "get_beds", night=night) for n, night in enumerate(nights)))

    def respond(self, view: AnswerView) -> str:
        found = [o["data"] for o in results(view.ledger).values() if o["data"]]
        lines = [f"The porter says: {d['night']}: {d['free']} free" for d in found if "free" in d]
        return "\n".join(lines) or "The porter found nothing."


def build() -> AgentGraph:
    """For `--domain inn:build`."""
    return build_graph(Inn().domain())
