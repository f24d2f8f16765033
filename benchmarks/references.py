"""What references save and refuse, on published tasks, and what resolving them costs.

    python -m benchmarks.references [--data FOLDER]

`FOLDER` (build/bench-data) holds `nestful/` (the data and specifications of IBM/NESTFUL) and `tau/` (recorded
ground-truth calls of sierra-research/tau-bench, with its tools); exit status 2 where it does not. A task's model calls are its planning calls and one for the answer; how planning
calls are counted stands in `references_nestful` and `references_tau`. Times are shown beside those of the same number of
calls that refer to nothing.
"""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks import references_nestful as nestful
from benchmarks import references_tau as tau
from benchmarks.report import DATA, parser_of

from wavegraph.graph.ledger import results, signature
from wavegraph.graph.ready import steps
from wavegraph.graph.state import Ledger, Plan, PlannedCall, ToolOutcome, empty_ledger

CHAIN, DIAMONDS = 100, 12
TRIES = 20


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("references", __doc__)
    parser.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="with nestful/ and tau/ in it")
    folder: Path = parser.parse_args(arguments).data
    if missing := [name for name in (*nestful.FILES, *tau.FILES) if not (folder / name).is_file()]:
        print(f"{folder} lacks {', '.join(missing)}", file=sys.stderr)
        print(
            "NESTFUL is at github.com/IBM/NESTFUL, tau-bench at github.com/sierra-research/tau-bench", file=sys.stderr
        )
        return 2
    for line in [*_of_nestful(folder), *_of_tau(folder), *_of_resolving()]:
        print(line)
    return 0


def _of_nestful(folder: Path) -> list[str]:
    found = nestful.figures(list(nestful.tasks(folder)))
    return [
        f"NESTFUL, {found.tasks} plans",
        f"  a wrong field            {found.refused} of {found.tasks} refused before anything runs, {found.named} naming it",
        f"  all fields declared      {found.alarms} of {found.right} refused for a path",
        *(f"    refused otherwise:     {why}" for why in found.otherwise),
        f"  model calls              {found.tasks + found.plain} → {found.tasks + found.all_forms}",
    ]


def _of_tau(folder: Path) -> list[str]:
    every = list(tau.tasks(folder))

    def calls(forms: tau.Forms) -> int:
        return len(every) + sum(tau.planning_calls(words, actions, forms) for words, actions in every)

    plain = calls(tau.PLAIN)
    single = [calls(tau.Forms(**{**dict.fromkeys(("choices", "texts", "each"), False), name: True})) for name in _FORMS]
    alone = ", ".join(f"{name} alone {count}" for name, count in zip(_FORMS, single, strict=True))
    return [f"tau-bench, {len(every)} tasks", f"  model calls              {plain} → {calls(tau.ALL)} ({alone})"]


_FORMS = ("choices", "texts", "each")


def _of_resolving() -> list[str]:
    lines = ["Resolving every call of a finished plan"]
    for name, count, width in (("a chain", CHAIN, 1), ("two references each", DIAMONDS, 2)):
        took, flat = _seconds(*_plan(count, width)), _seconds(*_plan(count, 0))
        lines.append(
            f"  {count} calls, {name:20} {1000 * took:.2f} ms, {took / flat:.1f} times as long as without references"
        )
    return lines


def _seconds(plan: Plan, fresh: Callable[[], Ledger]) -> float:
    """The shortest of some tries, each on records that nothing is known of."""
    return min(_timed(plan, fresh()) for _ in range(TRIES))


def _timed(plan: Plan, ledger: Ledger) -> float:
    started = time.perf_counter()
    assert all(step.phase == "finished" for step in steps(plan, ledger))
    assert len(results(ledger)) == len(plan["tools"])
    return time.perf_counter() - started


def _plan(count: int, width: int) -> tuple[Plan, Callable[[], Ledger]]:
    """`count` calls, each with `width` references to the one before."""
    calls: list[PlannedCall] = [_call(number, width if number else 0) for number in range(count)]
    plan: Plan = {"number": 1, "status": "done", "action": "", "reasoning": "", "slots": {}, "tools": calls, "reply": None,
                  "planner": "", "adapts": False}  # fmt: skip
    ends = [_end(number, width if number else 0) for number in range(count)]

    def fresh() -> Ledger:
        outcomes: dict[str, ToolOutcome] = {end["signature"]: end.copy() for end in ends}
        return {**empty_ledger(), "calls": {call["id"]: call for call in calls}, "outcomes": outcomes}

    return plan, fresh


def _call(number: int, width: int) -> PlannedCall:
    before: dict[str, Any] = {"ref": {"call": f"c{number - 1}", "path": "value"}}
    args = {"n": number, **{f"of_{place}": before for place in range(width)}}
    return {"id": f"c{number}", "tool": "look", "args": args, "effect": "read", "plan": 1}


def _end(number: int, width: int) -> ToolOutcome:
    args = {"n": number, **{f"of_{place}": number - 1 for place in range(width)}}
    return {"tool": "look", "args": args, "status": "ok", "data": {"value": number}, "error": None, "attempts": 1, "runs": 1,
            "plan": 1, "wave": number + 1, "elapsed_s": 0.0, "signature": signature("look", args)}  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
