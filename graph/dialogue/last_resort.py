"""The planner and responder of last resort, for a domain that has none of its own: they plan nothing, and list what was
found."""

from collections.abc import Mapping
from typing import Any

from wavegraph.graph.domain import AnswerView, PlanningView
from wavegraph.graph.execution.receipts import unknown_writes
from wavegraph.graph.language import say
from wavegraph.graph.ledger import GOOD, WRITE_UNKNOWN, data_of, results
from wavegraph.graph.state import Ledger, PlanningResult, ToolOutcome

MOST_LISTED = 10
"""Elements of a list that are told."""
LONGEST_TOLD = 500
"""Characters told of one result."""


class LastResort:
    """Stands in for a model that is down."""

    def plan(self, view: PlanningView) -> PlanningResult:
        known = any(outcome["status"] in GOOD for outcome in results(view.ledger).values())
        goes_on = view.plan is None or view.plan["status"] == "continue"
        return {
            "status": "done",
            "action": "give_up" if goes_on or view.plan is None else view.plan["action"],
            "reasoning": "no model, and no rules of its own",
            "slots": view.plan["slots"] if view.plan else {},
            "tools": [],
            "reply": None if known else say("model_failed", view.request["language"]),
        }

    def respond(self, view: AnswerView) -> str:
        language = view.request["language"]
        ended = results(view.ledger)
        found = [_line(outcome, view.ledger) for outcome in ended.values() if outcome["status"] in GOOD]
        bad = [(o["tool"], o["error"]) for o in ended.values() if o["status"] not in GOOD]
        failed = [tool for tool, error in bad if error and error["code"] != WRITE_UNKNOWN]
        parts = [
            _why(view, language),
            *(dict.fromkeys(found) or [say("nothing_known", language)]),
            say("not_done", language, calls=", ".join(map(_words, dict.fromkeys(failed)))) if failed else "",
            unknown_writes(view.ledger, language),
        ]
        return "\n".join(part for part in parts if part)


def _why(view: AnswerView, language: str) -> str:
    """Why it is a list; empty where the engine says so itself, under the answer."""
    if view.plan["action"] != "give_up":
        return ""
    reply = view.plan["reply"]
    return reply if reply and reply != say("model_failed", language) else say("answer_failed", language)


def _line(outcome: ToolOutcome, ledger: Ledger) -> str:
    told = _told(data_of(outcome, ledger))
    told = told if len(told) <= LONGEST_TOLD else f"{told[:LONGEST_TOLD]}…"
    return f"- {_words(outcome['tool'])}: {told}" if told else f"- {_words(outcome['tool'])}"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _told(value: Any) -> str:
    """A result in words, as it is: names and values."""
    match value:
        case Mapping():
            return ", ".join(f"{_words(str(name))}: {told}" for name, part in value.items() if (told := _told(part)))
        case list():
            more = f"; … ({len(value)})" if len(value) > MOST_LISTED else ""
            return "; ".join(filter(None, map(_told, value[:MOST_LISTED]))) + more
        case None:
            return ""
    return " ".join(str(value).split())
