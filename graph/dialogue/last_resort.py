"""The planner and responder of last resort, for a domain that has none of its own: they plan nothing, and list what was
found."""

from collections.abc import Mapping
from typing import Any

from wavegraph.graph.errors import excerpt
from wavegraph.graph.execution.receipts import left_undone, limits_named, may_have_written, unknown_writes
from wavegraph.graph.language import say
from wavegraph.graph.ledger import GOOD, cut_writes, data_of, has_results, results
from wavegraph.graph.state import Ledger, PlanningResult, ToolOutcome
from wavegraph.graph.views import AnswerView, PlanningView

MOST_LISTED = 10
"""Elements of a list that are told."""
LONGEST_TOLD = 500
"""Characters told of one result."""


class LastResort:
    """Stands in for a model that is down."""

    def plan(self, view: PlanningView) -> PlanningResult:
        before = view.plan
        return {
            "status": "done",
            "action": before["action"] if before and before["status"] == "done" else "give_up",
            "reasoning": "no model, and no rules of its own",
            "slots": before["slots"] if before else {},
            "tools": [],
            "reply": None if has_results(view.ledger) else why_down(view.ledger, view.request["language"]),
        }

    def respond(self, view: AnswerView) -> str:
        language = view.request["language"]
        ended = results(view.ledger)
        found = [_line(outcome, view.ledger) for outcome in ended.values() if outcome["status"] in GOOD]
        cut = cut_writes(view.ledger)
        bad = ((name, o) for name, o in ended.items() if o["status"] not in GOOD and o["error"])
        failed = [o["tool"] for name, o in bad if name not in cut]
        parts = [
            _why(view, language),
            *(dict.fromkeys(found) or [say("nothing_known", language)]),
            say("not_done", language, calls=", ".join(map(_words, dict.fromkeys(failed)))) if failed else "",
            unknown_writes(view.ledger, language),
            left_undone(view.unfinished, view.ledger, language) if view.limits_hit else "",
            limits_named(view),
        ]
        return "\n".join(part for part in parts if part)


def why_down(ledger: Ledger, language: str) -> str:
    """That the model is down, and whether anything was done before."""
    return say("model_gone" if may_have_written(ledger) else "model_failed", language)


def _why(view: AnswerView, language: str) -> str:
    """Why it is a list; empty where the engine says so itself, under the answer."""
    if view.plan["action"] != "give_up":
        return ""
    reply = view.plan["reply"]
    is_down = reply in (say("model_failed", language), say("model_gone", language))
    return reply if reply and not is_down else say("answer_failed", language)


def _line(outcome: ToolOutcome, ledger: Ledger) -> str:
    text = excerpt(_result_text(data_of(outcome, ledger)), LONGEST_TOLD)
    return f"- {_words(outcome['tool'])}: {text}" if text else f"- {_words(outcome['tool'])}"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _result_text(value: Any) -> str:
    """A result in words, as it is: names and values."""
    match value:
        case Mapping():
            return ", ".join(
                f"{_words(str(name))}: {text}" for name, part in value.items() if (text := _result_text(part))
            )
        case list():
            more = f"; … ({len(value)})" if len(value) > MOST_LISTED else ""
            return "; ".join(filter(None, map(_result_text, value[:MOST_LISTED]))) + more
        case None:
            return ""
    return " ".join(str(value).split())
