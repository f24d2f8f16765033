"""Does the loop earn its keep? Its rounds against one solve of the same total time, on the demo wards.

    python benchmarks/roster_loop.py [WARDS ...] [--seconds 30] [--seed 1]

Both are ranked alike: hard breaches, types that failed a check, cost by the base penalties. Exit status 1 where the loop
ends up worse than the one solve.
"""

import argparse
import asyncio
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from langgraph.checkpoint.memory import InMemorySaver

from wavegraph import run
from wavegraph.graph.build import build_graph
from wavegraph.tools.roster.domain import roster_domain
from wavegraph.tools.roster.loop.rounds import best, rank
from wavegraph.tools.roster.loop.solver import solve
from wavegraph.tools.roster.records import Round
from wavegraph.tools.roster.reports import report_of
from wavegraph.tools.roster.store import RosterStore

Rank = tuple[int, int, float]
HEADER = f"{'ward':<10} {'way':<11} {'seconds':>7} {'breaches':>8} {'failed':>6} {'cost':>7}  what failed"


@dataclass(frozen=True)
class Way:
    """One way of making a roster, and what came of it."""

    name: str
    seconds: float
    rank: Rank
    failed: list[str]

    def line(self, ward: str) -> str:
        breaches, failed, cost = self.rank
        return (
            f"{ward:<10} {self.name:<11} {self.seconds:>7.1f} {breaches:>8} {failed:>6} {cost:>7g}  "
            f"{', '.join(self.failed) or 'nothing'}"
        )


async def rounds_of(ward: str, folder: Path, seconds: float, seed: int) -> list[Round]:
    graph = build_graph(roster_domain(folder)).compile(checkpointer=InMemorySaver())
    settings = {"planner": "rules", "ward": ward, "time_limit_s": seconds, "seed": seed}
    result = await run(graph, "make the roster", thread_id=ward, settings=settings)
    state = (await graph.aget_state({"configurable": {"thread_id": ward}})).values
    assert result.outcome is not None, "the request ended"
    return [Round.model_validate(each) for each in state["validation"]["details"]["rounds"]]


def looped(rounds: list[Round]) -> Way:
    found = best(rounds)
    if found is None:
        return Way("no roster", sum(each.seconds for each in rounds), (0, 0, float("inf")), ["no roster"])
    name = f"{len(rounds)} round{'s' * (len(rounds) > 1)}"
    return Way(name, sum(each.seconds for each in rounds), rank(found), found.failed)


def at_once(ward_hash: str, store: RosterStore, seconds: float, seed: int) -> Way:
    ward = store.ward(ward_hash)
    result = solve(ward, seconds=seconds, seed=seed)
    if result.roster is None or result.cost is None:
        return Way("one solve", result.seconds, (0, 0, float("inf")), ["no roster"])
    report = report_of(ward, result.roster)
    failed = sorted({found.type for found in report.failing})
    return Way("one solve", result.seconds, (len(report.compliance.breaches), len(failed), result.cost), list(failed))


def compared(ward: str, seconds: float, seed: int) -> tuple[Way, Way]:
    with tempfile.TemporaryDirectory() as folder:
        store = RosterStore(Path(folder))
        rounds = asyncio.run(rounds_of(ward, Path(folder), seconds, seed))
        first = next(each for each in rounds if each.roster_id)
        loop = looped(rounds)
        assert first.roster_id is not None, "chosen so"
        return loop, at_once(store.stored_roster(first.roster_id).ward_hash, store, loop.seconds, seed)


def main(arguments: list[str] | None = None) -> int:
    """Print both ways for each ward; 1 where the loop is worse."""
    options = parser().parse_args(arguments)
    print(HEADER)
    worse = False
    for ward in options.wards:
        loop, single = compared(ward, options.seconds, options.seed)
        print(loop.line(ward), single.line(ward), sep="\n", flush=True)
        verdict = "better" if loop.rank < single.rank else "the same" if loop.rank == single.rank else "worse"
        print(f"{ward:<10} the loop is {verdict}", flush=True)
        worse |= loop.rank > single.rank
    return 1 if worse else 0


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description="Compare the loop with one solve of the same total time.")
    made.add_argument("wards", nargs="*", default=["willow", "harbour"], help="names (default: both demo wards)")
    made.add_argument("--seconds", type=float, default=30.0, help="solving time of all rounds together")
    made.add_argument("--seed", type=int, default=1)
    return made


if __name__ == "__main__":
    sys.exit(main())
