"""Runs requests in processes of their own that are killed (SIGKILL) at a chosen point, and goes on in new ones.

Started as a program with a job as JSON on stdin. It imports everything once and forks for each process, so that a
hundred of them take seconds. What each process has to tell goes to a file.
"""

import asyncio
import json
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.tools import tool
from pydantic import BaseModel
from warehouse import Clerk

from wavegraph import AnswerView, Checks, Domain, PlanningResult, PlanningView, ResolvedCall, build_graph, read, results
from wavegraph.app.run.runner import NothingToResume, conversation, resume, run
from wavegraph.app.storage.database import Storage
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.state import Criterion
from wavegraph.testing import call, planning, ref
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.postgres.databases import is_postgres

AT_ONCE = 8
SETTLES_S = 0.1
"""Time for the storing of what has ended to begin, before a kill: LangGraph stores results in the background."""
ERRAND = "fetch what is on the list"
HOTEL = "a double room for two adults, 10 to 12 May 2026, and what is the cancellation policy?"


@dataclass
class Case:
    """One request on a thread of its own."""

    id: str
    die: str
    """`put:3` after the third checkpoint, `before:3` instead of it, `mid:respond` inside a step, `after:0.25` seconds of
    the request; empty = live."""
    folder: Path
    storing: int = 0
    """How many results are being stored just now."""

    def at(self, point: str) -> None:
        """Die here, if this is where; called in a thread, so that the loop goes on storing what has ended."""
        if self.die == f"mid:{point}":
            time.sleep(SETTLES_S)
            while self.storing:
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGKILL)

    def start_the_clock(self) -> None:
        if self.die.startswith("after:"):
            clock = threading.Timer(float(self.die[6:]), os.kill, (os.getpid(), signal.SIGKILL))
            clock.daemon = True
            clock.start()

    def note(self, what: str, name: str) -> None:
        with (self.folder / f"{self.id}.journal").open("a", encoding="utf-8") as journal:
            journal.write(f"{what} {name}\n")


class Item(BaseModel):
    name: str
    units: int


def errand(case: Case) -> Domain:
    """Two reads at once, a read that needs both, a second plan with a write, a look at it."""

    @tool
    async def fetch(name: str, seconds: float = 0.0) -> Item:
        """Fetch an item."""
        case.note("start", name)
        await asyncio.sleep(seconds)
        if name == "slow":
            await asyncio.to_thread(case.at, "wave")
        case.note("end", name)
        return Item(name=name, units=len(name))

    @tool
    def add(first: int, second: int) -> int:
        """Add two numbers."""
        case.note("start", "add")
        case.at("second_wave")
        case.note("end", "add")
        return first + second

    @tool
    async def order(units: int) -> str:
        """Order units."""
        case.note("start", "order")
        case.note("end", "order")
        return f"ordered {units}"

    def check(found: Item, call: ResolvedCall) -> Sequence[Any]:
        case.at("validate")
        return []

    def complete(answer: str, view: AnswerView) -> Criterion:
        case.at("check_answer")
        return {"name": "complete", "verdict": "pass", "gap": None}

    def plan(view: PlanningView) -> PlanningResult:
        case.at("plan" if view.plan is None else "second_plan")
        if view.plan:
            return planning(call("order", "order", units=ref("sum")), action="fetch")
        quick, slow = call("quick", "fetch", name="quick"), call("slow", "fetch", name="slow", seconds=0.05)
        total = call("sum", "add", first=ref("quick", "units"), second=ref("slow", "units"))
        return planning(quick, slow, total, status="continue", action="fetch")

    def respond(view: AnswerView) -> str:
        case.at("respond")
        return "; ".join(f"{name}: {found['data']}" for name, found in results(view.ledger).items())

    return Domain(name="errand", tools=[read(fetch), read(add), order], offline=Clerk(plan, respond),
                  checks=Checks({"fetch": [check]}, answers=[complete]))  # fmt: skip


def hotel(case: Case) -> Domain:
    return hotel_domain()


AGENTS: Mapping[str, tuple[Callable[[Case], Domain], str, Mapping[str, Any]]] = {
    "errand": (errand, ERRAND, {}),
    "hotel": (hotel, HOTEL, {"today": "2026-04-01", "planner": "rules"}),
}


def dies_at_a_checkpoint(storage: Storage, case: Case) -> list[int]:
    """Let the process die round a checkpoint; returns the count of checkpoints, as it grows."""
    count = [0]
    saver: Any = storage.checkpointer
    put, put_writes = saver.aput, saver.aput_writes

    async def aput_writes(*args: Any) -> None:
        case.storing += 1
        try:
            await put_writes(*args)
        finally:
            case.storing -= 1

    async def aput(*args: Any) -> Any:
        count[0] += 1
        if case.die == f"before:{count[0]}":
            case.die = "mid:now"
            await asyncio.to_thread(case.at, "now")
        stored = await put(*args)
        if case.die == f"put:{count[0]}":
            os.kill(os.getpid(), signal.SIGKILL)
        return stored

    saver.aput, saver.aput_writes = aput, aput_writes
    return count


async def first(database: str, agent: str, case: Case) -> dict[str, Any]:
    domain, request, settings = AGENTS[agent]
    async with open_storage(database) as storage:
        count = dies_at_a_checkpoint(storage, case)
        graph = build_graph(domain(case)).compile(checkpointer=storage.checkpointer, store=storage.store)
        case.start_the_clock()
        done = await run(graph, request, thread_id=case.id, settings=settings)
        return {**_told(done), "checkpoints": count[0], "messages": await _messages(graph, case)}


async def again(database: str, agent: str, case: Case) -> dict[str, Any]:
    domain, _, settings = AGENTS[agent]
    live = Case(case.id, "", case.folder)
    async with open_storage(database) as storage:
        graph = build_graph(domain(live)).compile(checkpointer=storage.checkpointer, store=storage.store)
        try:
            told = _told(await resume(graph, case.id, settings=settings))
        except NothingToResume as nothing:
            state = (await graph.aget_state({"configurable": {"thread_id": case.id}})).values
            told = {"nothing": str(nothing), "answer": state.get("answer"), "outcome": state.get("outcome")}
        return {**told, "messages": await _messages(graph, case)}


async def _messages(graph: Any, case: Case) -> list[str]:
    return [message.type for message in await conversation(graph, case.id)]


def _told(done: Any) -> dict[str, Any]:
    names = ("outcome", "answer", "tools", "waves", "adaptations", "tools_executed", "llm_calls", "issues", "slots",
             "planner")  # fmt: skip
    data = {name: outcome["data"] for name, outcome in done.results.items()}
    return {**{name: getattr(done, name) for name in names}, "data": data}


Work = Callable[[str, str, Case], Coroutine[Any, Any, dict[str, Any]]]


def forked(work: Work, database: str, agent: str, cases: Sequence[Case]) -> dict[str, int]:
    """Run `work` for every case in a process of its own, a few at a time; exit statuses by case, -9 = killed."""
    waiting, running, ended = list(cases), dict[int, Case](), dict[str, int]()
    while waiting or running:
        while waiting and len(running) < AT_ONCE:
            case = waiting.pop(0)
            if (pid := os.fork()) == 0:
                _child(work, database, agent, case)
            running[pid] = case
        pid, status = os.wait()
        ended[running.pop(pid).id] = os.waitstatus_to_exitcode(status)
    return ended


def _child(work: Work, database: str, agent: str, case: Case) -> None:
    status = 1
    try:
        told = asyncio.run(work(database, agent, case))
        path = case.folder / f"{case.id}.{work.__name__}.json"
        path.write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
        status = 0
    except BaseException:  # noqa: BLE001  whatever it was, the test shows it
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def main() -> None:
    job = json.load(sys.stdin)
    cases = [Case(each["id"], each["die"], Path(job["folder"])) for each in job["cases"]]
    if is_postgres(job["database"]):
        import wavegraph.app.storage.postgres  # noqa: F401  once, and not in each of a hundred children
    ended = {work.__name__: forked(work, job["database"], job["agent"], cases)
             for work in (first, again) if work.__name__ in job["steps"]}  # fmt: skip
    json.dump(ended, sys.stdout)


if __name__ == "__main__":
    main()
