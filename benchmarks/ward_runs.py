"""Does an ordinary ward get a roster without a breach, and what cannot be kept the fewest? Wards with witnesses, as files.

    python -m benchmarks wards            all of benchmarks/wards
    python benchmarks/ward_runs.py [FILES ...] [--seconds 10] [--agent]

By the agent's own solver, in seconds of the processor, so that a busy machine says the same; with `--agent` by whole
requests at the default limits. `first` is when the first roster without a breach was there. The checkers count; `witness` is
what the witness of a ward that cannot be kept lacks (`witnesses.json`). Exit status 1 where a ward of the folder `kept` ends
in breach, or one of another folder with more nurses missing than its witness.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from langgraph.checkpoint.memory import InMemorySaver

from wavegraph import run
from wavegraph.graph.build import build_graph
from wavegraph.graph.decimals import decimal
from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.domain import roster_domain
from wavegraph.tools.roster.loop.rounds import best
from wavegraph.tools.roster.loop.solver import solve
from wavegraph.tools.roster.records import Round
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.ward.faults import WardError
from wavegraph.tools.roster.ward.file import read_ward
from wavegraph.tools.roster.ward.ward import Roster, Ward

FOLDER = Path(__file__).parent / "wards"
KEPT = "kept"
HEADER = f"{'ward':<10} {'nurses':>6} {'first':>6} {'seconds':>7} {'cost':>9} {'missing':>7} {'proven':>6} {'witness':>7}  breaches"


@dataclass
class Watch:
    """When the first roster without a breach was found."""

    ward: Ward
    began: float = field(default_factory=time.process_time)
    first: float | None = None

    def __call__(self, roster: Roster) -> None:
        if self.first is None and not breaches(self.ward, roster):
            self.first = time.process_time() - self.began


@dataclass(frozen=True)
class Solved:
    name: str
    nurses: int
    first: float | None
    """Seconds; None = not told, or there was none."""
    seconds: float
    cost: float | None
    """None = no roster."""
    proven: int | None
    """Nurses whom every roster lacks."""
    found: Sequence[Finding]
    witness: int | None
    """Nurses missing in the roster that is known; None = no roster is."""

    @property
    def missing(self) -> int:
        return sum(max(0, int(str(each.expected)) - int(str(each.actual))) for each in self.found if each.shift)

    @property
    def failed(self) -> bool:
        if self.name.startswith(KEPT):
            return self.cost is None or bool(self.found)
        return self.witness is not None and (self.cost is None or self.missing > self.witness)

    @property
    def line(self) -> str:
        first = "-" if self.first is None else f"{self.first:.1f}"
        cost = "no roster" if self.cost is None else decimal(self.cost)
        told = "; ".join(each.detail for each in self.found[:2]) or "none"
        more = f"; and {len(self.found) - 2} more" if len(self.found) > 2 else ""
        proven, witness = ("-" if each is None else each for each in (self.proven, self.witness))
        return f"{self.name:<10} {self.nurses:>6} {first:>6} {self.seconds:>7.1f} {cost:>9} {self.missing:>7} {proven:>6} {witness:>7}  {told}{more}"


def breaches(ward: Ward, roster: Roster) -> Sequence[Finding]:
    return check_compliance(ward, roster).breaches


def witness_of(name: str) -> int | None:
    file = FOLDER / "witnesses.json"
    known = json.loads(file.read_text(encoding="utf-8")).get(name, {}) if file.exists() else {}
    fewest = known.get("fewest", 0)
    return None if fewest is None else int(fewest)


def by_solver(name: str, ward: Ward, seconds: float) -> Solved:
    watch = Watch(ward)
    made = solve(ward, seconds=seconds, timer=time.process_time, on_roster=watch)
    found = breaches(ward, made.roster) if made.roster else []
    return Solved(
        name, len(ward.nurses), watch.first, made.seconds, made.cost, made.least_breaches, found, witness_of(name)
    )


def by_agent(name: str, path: Path, seconds: float | None) -> Solved:
    """The roster that a whole request presents."""
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        rounds = asyncio.run(_rounds(path, Path(folder), seconds))
        used, made = time.process_time() - began, best(rounds)
        ward = read_ward(path)
        if made is None or made.roster_id is None:
            return Solved(name, len(ward.nurses), None, used, None, None, [], witness_of(name))
        found = RosterStore(Path(folder)).report(made.roster_id).compliance.breaches
        return Solved(name, len(ward.nurses), None, used, made.cost, None, found, witness_of(name))


async def _rounds(path: Path, folder: Path, seconds: float | None) -> list[Round]:
    graph = build_graph(roster_domain(folder, wards={path.stem: path})).compile(checkpointer=InMemorySaver())
    limit = {} if seconds is None else {"time_limit_s": seconds}
    await run(graph, "make the roster", thread_id="w", settings={"planner": "rules", "ward": path.stem, **limit})
    state = (await graph.aget_state({"configurable": {"thread_id": "w"}})).values
    return [Round.model_validate(each) for each in state["validation"]["details"]["rounds"]]


def solved(path: Path, seconds: float | None, *, agent: bool) -> Solved | str:
    """A sentence where the file holds no ward."""
    name = f"{path.parent.name}/{path.stem}"
    if agent:
        return by_agent(name, path, seconds)
    try:
        return by_solver(name, read_ward(path), 10.0 if seconds is None else seconds)
    except WardError as error:
        return f"{name}: {error}"


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    print(HEADER)
    worse = False
    for path in options.files or sorted(FOLDER.glob("*/*.yaml")):
        found = solved(path, options.seconds, agent=options.agent)
        print(found if isinstance(found, str) else found.line, flush=True)
        worse |= isinstance(found, str) or found.failed
    return 1 if worse else 0


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description="Solve ordinary wards, and count what is in breach.")
    made.add_argument("files", nargs="*", type=Path, help="ward files (default: those of benchmarks/wards)")
    made.add_argument(
        "--seconds", type=float, help="for each ward (default: 10 of the processor; of --agent, the settings')"
    )
    made.add_argument("--agent", action="store_true", help="whole requests, planned by rules, in place of one solve")
    return made


if __name__ == "__main__":
    sys.exit(main())
