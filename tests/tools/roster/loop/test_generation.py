"""One round of solving: what is told of it, and what is kept for whoever goes on."""

from pathlib import Path
from typing import Any

import anyio
from langgraph.graph import START, StateGraph
from roster_models import small_ward
from typing_extensions import TypedDict

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.arguments import GenerateRequest
from wavegraph.tools.roster.dialogue.amending import rows_of
from wavegraph.tools.roster.loop.generation import _Solve
from wavegraph.tools.roster.problem.prices import Penalties
from wavegraph.tools.roster.settings import RosterSettings
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.ward.ward import Roster

FIRST, SECOND = {"ann": ["D"]}, {"ann": [None]}


class DownAtFirst(RosterStore):
    """Its database cannot be reached for as many calls."""

    calls = 2

    def _reach(self) -> None:
        self.calls -= 1
        if self.calls >= 0:
            raise ToolRefusal("timeout", "the rosters' database cannot be reached", retryable=True)

    def keep_best(self, solve: str, roster: Roster) -> None:
        self._reach()
        super().keep_best(solve, roster)

    def take_stop(self, thread_id: str) -> bool:
        self._reach()
        return super().take_stop(thread_id)


def test_a_solve_outlives_a_database_that_is_down_for_a_while(tmp_path: Path) -> None:
    store, ward = DownAtFirst(tmp_path), small_ward({"D": "1"})
    request = GenerateRequest(ward_hash=store.keep_ward(ward), iteration=1)
    solve = _Solve(request, ward, Penalties(), store, RosterSettings(), rows_of)
    store.ask_to_stop("t")
    solve._found(FIRST)
    solve._keep()
    solve._look_for_stop("t")
    assert (store.best(solve.key), solve.asked) == (None, False)

    solve._keep()
    solve._look_for_stop("t")
    assert (store.best(solve.key), solve.asked) == (FIRST, True)


class Empty(TypedDict, total=False):
    nothing: str


class BetterWhileKeeping(_Solve):
    """Its solver finds a better roster just after the last one was kept."""

    def _keep(self) -> None:
        super()._keep()
        if not self.asked:
            self.asked = True
            self._found(SECOND)
            self._improved(5, 5, 0.2)


async def told_by(solve: _Solve) -> list[dict[str, Any]]:
    async def node(_: Empty) -> Empty:
        await solve._report_progress()
        return {}

    graph = StateGraph(Empty).add_node("report", node).add_edge(START, "report").compile()
    return [event["progress"] async for event in graph.astream({}, stream_mode="custom")]


def test_what_is_told_of_a_roster_is_kept_before(tmp_path: Path) -> None:
    store = RosterStore(tmp_path)
    ward = small_ward({"D": "1"})
    request = GenerateRequest(ward_hash=store.keep_ward(ward), iteration=1)
    solve = BetterWhileKeeping(request, ward, Penalties(), store, RosterSettings(), rows_of)
    solve._found(FIRST)
    solve._improved(9, 5, 0.1)

    (first,) = anyio.run(told_by, solve)
    assert (first["cost"], store.best(solve.key)) == (9, FIRST)
    (second,) = anyio.run(told_by, solve)
    assert (second["cost"], store.best(solve.key)) == (5, SECOND)
