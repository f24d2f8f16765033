"""A small agent for the tests of the command line: a clerk who looks things up, slowly where asked.

The request is a list of words: `look:blue`, `nap:0.5` (async), `doze:0.5` (in a thread), `linger:2` (async, not to be stopped), `boom`, `again` (what
the last request looked up). `look:full` is sold out; the clerk then looks for `spare`.
"""

import asyncio
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from langchain_core.tools import tool
from pydantic import BaseModel
from scripted import issue
from warehouse import Clerk, calls_by_word

from wavegraph import (
    AnswerView,
    Domain,
    PlanningResult,
    PlanningView,
    ResolvedCall,
    Script,
    ToolCall,
    ValidationIssue,
    build_graph,
    read,
    results,
)
from wavegraph.testing import call, planning


class Found(BaseModel):
    word: str
    left: int


HELD = "CLERK_HELD"
"""Names a file: while it is there, naps and dozes last, whatever was asked for."""


def _held() -> bool:
    return HELD in os.environ and Path(os.environ[HELD]).exists()


def _say(what: str) -> None:
    """On stderr, for who waits for it."""
    print(what, file=sys.stderr, flush=True)


@tool
def look(word: str) -> Found:
    """Look a word up."""
    return Found(word=word, left=0 if word == "full" else 3)


@tool
async def nap(seconds: float) -> str:
    """Wait."""
    _say("a nap began")
    while _held():
        await asyncio.sleep(0.02)
    await asyncio.sleep(seconds)
    return f"napped {seconds}"


@tool
def doze(seconds: float) -> str:
    """Wait in a thread."""
    _say("a doze began")
    while _held():
        time.sleep(0.02)
    time.sleep(seconds)
    return f"dozed {seconds}"


@tool
async def linger(seconds: float) -> str:
    """Wait, and do not let oneself be stopped."""
    ends = time.monotonic() + seconds
    _say("lingering began")
    while time.monotonic() < ends:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(ends - time.monotonic())
        _say("lingering goes on")
    return f"waited {seconds}"


@tool
def boom() -> str:
    """Fail."""
    raise RuntimeError("secret detail")


def is_left(found: Found, call: ResolvedCall) -> Sequence[ValidationIssue]:
    return [] if found.left else [issue("no_availability", call.id, f"{found.word} is sold out", "is_left")]


def spare(view: PlanningView) -> Sequence[ToolCall] | None:
    return [call("look_spare", "look", instead_of="look_1", word="spare")]


def plan(view: PlanningView) -> PlanningResult:
    words = view.request["text"].split()
    before = view.previous["request"]["text"].split() if view.previous else []
    words = [w for word in words for w in (before if word == "again" else [word])]
    calls = calls_by_word(" ".join(words), *TOOLS)
    if not calls:
        return planning(action="clarify", reply="איזו מילה?", words=words)
    return planning(*calls, words=words)


def respond(view: AnswerView) -> str:
    data = [outcome["data"] for outcome in results(view.ledger).values() if outcome["data"]]
    return "\n".join(d if isinstance(d, str) else f"{d['word']}: {d['left']} left" for d in data) or "nothing"


TOOLS = (look, nap, doze, linger, boom)
domain = Domain(
    name="clerk",
    tools=[read(each) for each in TOOLS],
    offline=Clerk(plan, respond),
    checks={"look": [is_left]},
    script=Script(workarounds=spare),
)
graph = build_graph(domain).compile(name="clerk")
stubborn = build_graph(replace(domain, script=Script())).compile(name="stubborn")
"""The same clerk, who looks for no other way."""
