"""One round of solving: what is told of it, and what is kept for whoever goes on."""

from pathlib import Path
from typing import Any

import anyio
from langgraph.graph import START, StateGraph
from roster_models import small_ward
from typing_extensions import TypedDict

from wavegraph.tools.roster.arguments import GenerateRequest
from wavegraph.tools.roster.loop.generation import _Solve
from wavegraph.tools.roster.problem.prices import Penalties
from wavegraph.tools.roster.settings import RosterSettings
from wavegraph.tools.roster.store import RosterStore

FIRST, SECOND = {"ann": ["D"]}, {"ann": [None]}


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
    solve = BetterWhileKeeping(request, ward, Penalties(), store, RosterSettings())
    solve._found(FIRST)
    solve._improved(9, 5, 0.1)

    (first,) = anyio.run(told_by, solve)
    assert (first["cost"], store.best(solve.key)) == (9, FIRST)
    (second,) = anyio.run(told_by, solve)
    assert (second["cost"], store.best(solve.key)) == (5, SECOND)
