"""The roster generator without a model, and what follows a model's first round: planned wave by wave from the ledger."""

from collections.abc import Mapping
from typing import Any

from wavegraph.graph.answer.statements import Catalogue
from wavegraph.graph.domain import AnswerView, PlanningView
from wavegraph.graph.ledger import changes_asked
from wavegraph.graph.state import PlanningResult, ToolCall
from wavegraph.tools.roster.answers.statements import compose, statements
from wavegraph.tools.roster.dialogue.absence import Absence, read_absence
from wavegraph.tools.roster.dialogue.reading import ORDERED, ReadRequest, read
from wavegraph.tools.roster.loop.generation import TOOL
from wavegraph.tools.roster.loop.rounds import best, rounds_of
from wavegraph.tools.roster.records import Round
from wavegraph.tools.roster.wards import Wards, next_monday

CONTEXT = ("get_staff", "get_demand", "get_requests", "get_rules", "get_last_period")
HELP = (
    "I make rosters: say “make the roster”, with the name of a ward ({wards}), and the days if they differ from "
    "its file's (“from 2026-12-07 for 14 days”, “next week”)."
)
NEEDS_A_MODEL = (
    "Without a language model I can read only a ward's name and days, and “{wish}” asks for more. Put leave, wishes, "
    "pairs and settled cells into the ward's file (`leave`, `wishes`, `pairs`, `locked`), then ask for the roster."
)
WHICH_DAYS = "From which day to which is {nurse} away? Say “{nurse} is off sick from 2026-12-08 to 2026-12-12”."
UNREAD = (
    "I made no roster, because I cannot read “{word}”. Without a language model I read “make the roster”, the name of a "
    "ward ({wards}) and its days: “from 2026-12-07 for 14 days” (1 to 366), “next week”. `wavegraph roster "
    "show` shows a stored roster."
)


class RosterOffline:
    """Pure but for the store it reads rosters from."""

    def __init__(self, wards: Wards) -> None:
        self._wards = wards

    def plan(self, view: PlanningView) -> PlanningResult:
        """The ward and a first round; then, round by round, what is left to do."""
        if not view.ledger["calls"]:
            return self._first(view)
        rounds = rounds_of(view.ledger, view.issues, self._wards.store)
        found = best(candidate_rounds(view, rounds)) or best(rounds)
        return _next(view, _calls_about(found, view) if found else [])

    def respond(self, view: AnswerView) -> str:
        return compose(view, rounds_of(view.ledger, view.issues, self._wards.store))

    def statements(self, view: AnswerView) -> Catalogue:
        """What an answer may be made of."""
        return statements(view, rounds_of(view.ledger, view.issues, self._wards.store))

    def _first(self, view: PlanningView) -> PlanningResult:
        names = self._wards.names
        text, ordered = view.request["text"], view.settings.ordered
        if not ordered and (absence := read_absence(text, view.today)) is not None:
            return _repair(absence, view)
        reading = ORDERED if ordered else read(text, wards=names, next_monday=next_monday(view.today))
        if (reply := _reply(reading, names)) is not None:
            return _result("clarify", "what is asked for cannot be read as a roster", {}, [], reply)
        period = _period(reading, view)
        looks: list[ToolCall] = [{"id": name, "tool": name, "args": period} for name in CONTEXT]
        solve: ToolCall = {
            "id": TOOL,
            "tool": TOOL,
            "args": {"ward_hash": {"ref": {"call": "get_staff", "path": "ward_hash"}}},
        }
        return _result("generate", "the ward, then a first round", period, [*looks, solve], None, more=True)


def _repair(absence: Absence, view: PlanningView) -> PlanningResult:
    """The published roster without somebody who is away, as little changed as can be."""
    if absence.first is None or absence.last is None:
        return _result("clarify", "the days are missing", {}, [], WHICH_DAYS.format(nurse=absence.nurse))
    first, last = absence.first.isoformat(), absence.last.isoformat()
    days = {"ward": view.settings.ward, "published_on": first}
    looks: list[ToolCall] = [{"id": name, "tool": name, "args": days} for name in CONTEXT]
    change = {"kind": "unavailable", "nurse": absence.nurse, "first": first, "last": last}
    of_ward = {"ref": {"call": "get_staff", "path": "ward_hash"}}
    of_change = {"ref": {"call": "apply_requests", "path": "ward_hash"}}
    return _result(
        "generate", "somebody is away: the published roster is repaired", days,
        [
            *looks,
            {"id": "apply_requests", "tool": "apply_requests", "args": {"ward_hash": of_ward, "changes": [change]}},
            {"id": TOOL, "tool": TOOL, "args": {"ward_hash": of_change}},
        ],
        None, more=True,
    )  # fmt: skip


def _reply(reading: ReadRequest, wards: list[str]) -> str | None:
    if reading.bad_date:
        return f"{reading.bad_date} is not a date. Which day should the roster start on?"
    if reading.wish:
        return NEEDS_A_MODEL.format(wish=reading.wish)
    if not reading.is_task:
        return HELP.format(wards=", ".join(wards))
    return UNREAD.format(word=reading.unread, wards=", ".join(wards)) if reading.unread else None


def _period(reading: ReadRequest, view: PlanningView) -> dict[str, Any]:
    """The request's words come before the run's settings, which may be from another request."""
    settings = view.settings
    start = reading.start or settings.start
    period = {
        "ward": reading.ward or settings.ward,
        "start_date": start.isoformat() if start else None,
        "num_days": reading.days or settings.days,
    }
    return {name: value for name, value in period.items() if value is not None}


def candidate_rounds(view: PlanningView | AnswerView, rounds: list[Round]) -> list[Round]:
    """All rounds; after a manager asked for changes, those since."""
    calls = view.ledger["calls"]
    since = max((calls[name]["plan"] for name in changes_asked(view.ledger)), default=0)
    later = {
        call["args"].get("iteration", 1) for call in calls.values() if call["tool"] == TOOL and call["plan"] > since
    }
    return [each for each in rounds if each.iteration in later] or rounds


def _calls_about(found: Round, view: PlanningView) -> list[ToolCall]:
    """The report of the best round and, where it failed or the request asks for it, its publication, which the manager
    decides."""
    asked_before = changes_asked(view.ledger)
    calls = [_about(found, "get_report", view)]
    if asked_before:
        calls.append(
            {**_about(found, "publish_roster", view, asked=1 + len(asked_before)), "instead_of": asked_before[-1]}
        )
    elif found.failed or _wants_it_published(view):
        calls.append(_about(found, "publish_roster", view))
    done = [_what(call["tool"], call["args"]) for call in view.ledger["calls"].values()]
    return [call for call in calls if _what(call["tool"], call["args"]) not in done]


def _wants_it_published(view: PlanningView) -> bool:
    return bool(view.plan and view.plan["slots"].get("publish"))


def _about(found: Round, tool: str, view: PlanningView, **more: int) -> ToolCall:
    name = tool if tool not in view.ledger["calls"] else f"{tool}_{found.iteration}"
    return {"id": name, "tool": tool, "args": {"roster_id": found.roster_id, **more}}


def _what(tool: str, args: Mapping[str, Any]) -> tuple[Any, ...]:
    """Identifies a report or publication; the manager may be asked about one roster again after a later round."""
    return tool, args.get("roster_id"), args.get("asked", 1)


def _next(view: PlanningView, calls: list[ToolCall]) -> PlanningResult:
    before = view.plan
    slots = before["slots"] if before else {}
    why = "the best round is reported" if calls else "nothing is left to do"
    return _result("generate", why, slots, calls, None, more=bool(calls))


def _result(
    action: str, reasoning: str, slots: dict[str, Any], calls: list[ToolCall], reply: str | None, *, more: bool = False
) -> PlanningResult:
    return {
        "status": "continue" if more else "done",
        "action": action,
        "reasoning": reasoning,
        "slots": slots,
        "tools": calls,
        "reply": reply,
    }
