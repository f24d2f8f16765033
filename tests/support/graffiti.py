"""A small agent for the tests of what is printed: everything it says, plans, asks and finds holds what a terminal obeys.

The request is a list of words: `look`, `fail`, `paint` (a write that a person agrees to), `stray` (no such tool).
"""

from collections.abc import Mapping
from typing import Any

from langchain_core.tools import tool
from warehouse import Clerk

from wavegraph import (
    AnswerView,
    Approval,
    Domain,
    PlanningResult,
    PlanningView,
    Terms,
    ToolRefusal,
    build_graph,
    read,
    write,
)
from wavegraph.testing import call, planning

ESCAPES = (
    "\x1b[3J\x1b[41;5m\x1b]8;;http://evil.example\x07\x1b]52;c;ZXZpbA==\x1b\\\x9b2J\x9d0;title\x9c\x08\x07\r\x7f\x1bc"
)
TURNS = "\u202e\u2066\u200f\u200b\u2060\ufeff\u2028\u2029\U000e0041"
MARKUP = "[red]red[/red] [link=http://evil.example]here[/link] [/] [bold"
HOSTILE = f"שלום {ESCAPES}{TURNS} {MARKUP}"
COMMANDING = ("\x1b[41;5m", "\x1b[3J", "\x1b]", "\x9b", "\x9d", "\x07", "\x1bc")
"""What a terminal would obey: none of it is printed."""


@tool
def look(word: str) -> str:
    """Look."""
    return f"{word} {HOSTILE}"


@tool
def fail(word: str) -> str:
    """Fail."""
    raise ToolRefusal("no", f"{word} {HOSTILE}")


@tool
def paint(word: str) -> str:
    """Paint."""
    return f"{word} {HOSTILE}"


async def terms(args: Mapping[str, Any], settings: Any) -> Terms:
    return {"details": {"word": f"{args['word']} {HOSTILE}"}, "valid_until": HOSTILE}


def plan(view: PlanningView) -> PlanningResult:
    words = [word for word in view.request["text"].split() if word in ("look", "fail", "paint", "stray")]
    if not words:
        return planning(action=HOSTILE, reply=HOSTILE)
    calls = [call(word, word if word != "stray" else f"stray{HOSTILE}", word=HOSTILE) for word in words]
    return planning(*calls, action=HOSTILE, reasoning=HOSTILE, slots={HOSTILE: HOSTILE})


def respond(view: AnswerView) -> str:
    return f"done {HOSTILE}\n{view.request['text']}"


approval = Approval(prepare=terms, restate=lambda details, language: f"{details['word']}\n{HOSTILE}")
graph = build_graph(
    Domain(
        name="graffiti",
        tools=[read(look), read(fail), write(paint, approval=approval)],
        offline=Clerk(plan, respond),
    )
).compile(name="graffiti")
