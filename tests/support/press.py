"""The press of the warehouse: proofs are taken with more and more ink, and a person says how the sheet goes out.

A proof takes passes of the press; one that is stopped is as good as its passes so far.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, Field
from scripted import issue
from skipping import LIMIT_S, jump
from tools_once import tool
from warehouse import Warehouse

from wavegraph import (
    AnswerView,
    Checks,
    Domain,
    Limits,
    PlanningResult,
    PlanningView,
    ResolvedCall,
    Script,
    ToolCall,
    ValidationIssue,
)
from wavegraph.graph.approval import Approval, Choice, Terms
from wavegraph.graph.domain_tool import read, write
from wavegraph.graph.errors import CutShort
from wavegraph.graph.ledger import CHANGES_ASKED, GOOD, results
from wavegraph.testing import call, planning


class Proof(BaseModel):
    ink: int
    passes: int


class Sheet(BaseModel):
    ink: int
    as_draft: bool


class Otherwise(BaseModel):
    """What may be asked for in place of sending: another proof."""

    ink: int = Field(ge=1, le=20)


@dataclass
class Press(Warehouse):
    dark_from: int = 1
    """Ink from which a proof is dark enough."""
    most_ink: int = 9
    """The press gives no more by itself."""
    places: int = 1
    """In how many places of the sheet a proof that is too pale is found so."""
    passes: int = 1
    out_of_time_after: int = 0
    """Passes after which every limit is over; 0 = none."""
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    """Somebody has seen enough: the proof that runs ends as it is."""
    kept: dict[int, int] = field(default_factory=dict)
    """Passes done, by ink: a proof goes on from there."""
    began: list[tuple[int, int]] = field(default_factory=list)
    """Ink and passes each run began with."""
    sent: list[Sheet] = field(default_factory=list)
    views: list[Any] = field(default_factory=list)
    """What planner, responder and who mends the plan saw."""

    def domain(self, **changes: Any) -> Domain:
        @tool
        async def proof(ink: int) -> Proof:
            """Take a proof."""
            self.began.append((ink, self.kept.get(ink, 0)))
            return await self._async("proof", str(ink), lambda: self._taken(ink))

        @tool
        def send(ink: int, as_draft: bool = False) -> Sheet:
            """Send the sheet out."""
            self.sent.append(Sheet(ink=ink, as_draft=as_draft))
            return self.sent[-1]

        async def terms(args: Mapping[str, Any], settings: Any) -> Terms:
            return {"details": {"ink": args["ink"]}, "valid_until": None}

        async def in_stock(args: Mapping[str, Any], wanted: Otherwise, settings: Any) -> str | None:
            return "there is no ink 13" if wanted.ink == 13 else None

        approval = Approval(
            prepare=terms,
            restate=lambda details, language: f"a sheet with ink {details['ink']}",
            choices={"draft": Choice("keep it as a draft", {"as_draft": True})},
            changes=Otherwise,
            check_changes=in_stock,
        )
        given: dict[str, Any] = {
            "name": "press",
            "tools": [read(proof), write(send, approval=approval)],
            "offline": self,
            "checks": Checks({"proof": [self._pale]}, report=self._report),
            "script": Script(workarounds=self.darker),
            "limits": Limits(
                tool_timeout_s=LIMIT_S, max_adaptations=2, max_retries_per_issue=9, max_waves=20, max_tool_calls=20
            ),
        }
        return super().domain(**{**given, **changes})

    async def _taken(self, ink: int) -> Proof:
        try:
            while self.kept.get(ink, 0) < self.passes:
                if self.stop.is_set():
                    raise CutShort(self._so_far(ink))
                self.kept[ink] = self.kept.get(ink, 0) + 1
                if self.kept[ink] == self.out_of_time_after:
                    jump()
                await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            raise CutShort(self._so_far(ink)) from None
        return self._so_far(ink)

    def _so_far(self, ink: int) -> Proof:
        return Proof(ink=ink, passes=self.kept.get(ink, 0))

    def _pale(self, found: Proof, call: ResolvedCall) -> Sequence[ValidationIssue]:
        if found.ink >= self.dark_from:
            return []
        pale = issue("pale", call.id, f"ink {found.ink} is too pale")
        return [{**pale, "about": {"ink": found.ink}}] * self.places

    def _report(self, view: PlanningView) -> dict[str, Any] | None:
        taken = proofs(view)
        return {"proofs": [proof["data"]["ink"] for proof in taken.values()]} if taken else None

    def darker(self, view: PlanningView) -> Sequence[ToolCall] | None:
        """What a person asked for, else one more measure of ink."""
        self.views.append(view)
        last_id, last = list(proofs(view).items())[-1]
        asked = [o for o in results(view.ledger).values() if o["error"] and o["error"]["code"] == CHANGES_ASKED]
        rules = [issue["rule"] for issue in view.feedback["issues"]] if view.feedback else []
        ink = asked[-1]["data"]["ink"] if CHANGES_ASKED in rules else last["data"]["ink"] + 1
        if ink > self.most_ink and CHANGES_ASKED not in rules:
            return None
        return [call(f"proof_{ink}", "proof", instead_of=last_id, ink=ink)]

    def plan(self, view: PlanningView) -> PlanningResult:
        """A first proof; then what the last proof shows is to be sent; then nothing."""
        self.views.append(view)
        if not view.ledger["calls"]:
            return planning(call("proof", "proof", ink=1), status="continue")
        ink = list(proofs(view).values())[-1]["data"]["ink"]
        sends = {name: call["args"]["ink"] for name, call in view.ledger["calls"].items() if call["tool"] == "send"}
        if ink in sends.values():
            return planning()
        instead_of = list(sends)[-1] if sends else None
        return planning(call(f"send_{ink}", "send", instead_of=instead_of, ink=ink), status="continue")

    def respond(self, view: AnswerView) -> str:
        self.views.append(view)
        lines = [
            f"proof with ink {each['data']['ink']}, {each['data']['passes']} passes" for each in proofs(view).values()
        ]
        for outcome in results(view.ledger).values():
            if outcome["tool"] == "send" and outcome["status"] in GOOD:
                lines.append("kept as a draft" if outcome["data"]["as_draft"] else "sent")
            elif outcome["tool"] == "send" and outcome["error"]:
                lines.append(f"not sent: {outcome['error']['message']}")
        return "\n".join(lines)


def proofs(view: PlanningView | AnswerView) -> dict[str, Any]:
    """Proofs by call id, also one that a stop has cut short."""
    return {name: o for name, o in results(view.ledger).items() if o["tool"] == "proof" and o["data"]}
