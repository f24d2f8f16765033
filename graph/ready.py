"""Which calls may run now: the single rule behind waves, order and resume.

Walk the plan in order. Reads whose references resolve run together. A write is a
barrier: everything before it has finished, it runs alone, and nothing after it starts before it
ends. A call that a person is asked about comes last: every read that needs nothing of it has finished before the
question stands, and is not read again once it has happened. A failed call's dependants are skipped, a failed write
stops the plan's later writes, and no write builds on a result that a check doubts.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from wavegraph.graph.errors import error_text
from wavegraph.graph.ledger import (
    GOOD,
    BrokenReference,
    Resolver,
    UnfinishedReference,
    is_rejected,
    resolver,
)
from wavegraph.graph.references.paths import needs
from wavegraph.graph.state import CARRIED, Ledger, Plan, PlannedCall, ToolOutcome

UNFINISHED = ("ready", "waiting")
"""Phases of a call that has not ended."""


class PlanStep(NamedTuple):
    """One call of a plan and how far it has come."""

    call: PlannedCall
    phase: Literal["finished", "ready", "waiting", "blocked"]
    args: dict[str, Any]
    """Resolved if the phase is `finished` or `ready`, else as planned."""
    signature: str
    outcome: ToolOutcome | None
    why: str = ""
    """Why it is blocked."""
    broken_path: bool = False
    """Blocked by a path that leads nowhere in a good result, not by a failed call."""
    behind_failure: bool = False
    """A write blocked only because an earlier one failed."""


def ready(plan: Plan, ledger: Ledger) -> list[PlanStep]:
    """The calls to run together now; empty = nothing left to run."""
    chosen: dict[str, PlanStep] = {}
    is_behind = False  # a call that refers to an unfinished one
    for step in _questions_last(unfinished(plan, ledger), ledger):
        held_up = is_behind or any("asks" not in each.call for each in chosen.values())
        if step.call["effect"] == "write":
            return [step] if step.phase == "ready" and not (chosen or is_behind) else list(chosen.values())
        if "asks" in step.call and held_up:
            break
        is_behind |= step.phase == "waiting"
        if step.phase == "ready":
            chosen.setdefault(step.signature, step)
    return list(chosen.values())


def _questions_last(left: list[PlanStep], ledger: Ledger) -> list[PlanStep]:
    """Unfinished calls in order, but the reads that need nothing of what a person is asked about before all that is."""
    at = next((n for n, step in enumerate(left) if "asks" in step.call), len(left))
    before, behind = left[:at], left[at:]
    while more := [step for step in behind if _comes_first(step, before, left, ledger)]:
        before, behind = [*before, *more], [step for step in behind if step not in more]
    return [*before, *behind]


def _comes_first(step: PlanStep, before: list[PlanStep], left: list[PlanStep], ledger: Ledger) -> bool:
    """Whether it is a read that waits for nothing but what is unfinished `before` it."""
    if step.call["effect"] == "write" or "asks" in step.call:
        return False
    awaited = {other.call["id"] for other in left}.intersection(_targets(step.call, ledger))
    return step.phase == "ready" or bool(awaited and awaited <= {other.call["id"] for other in before})


def blocked(plan: Plan, ledger: Ledger) -> list[PlanStep]:
    """The calls that can never run."""
    return [step for step in steps(plan, ledger) if step.phase == "blocked"]


def unchecked(plan: Plan, ledger: Ledger) -> list[PlanStep]:
    """The calls whose results were carried over from a cut-off request and are not checked yet in this one."""
    return [s for s in steps(plan, ledger) if s.phase == "finished" and s.outcome and s.outcome["wave"] == CARRIED]


def unfinished(plan: Plan, ledger: Ledger) -> list[PlanStep]:
    """The planned calls that have not ended."""
    return [step for step in steps(plan, ledger) if step.phase in UNFINISHED]


def each_once(found: Iterable[PlanStep]) -> list[PlanStep]:
    """The first of equal calls, which run once and share an outcome."""
    first: dict[str, PlanStep] = {}
    for step in found:
        first.setdefault(step.signature, step)
    return list(first.values())


def steps(plan: Plan, ledger: Ledger) -> tuple[PlanStep, ...]:
    """Every call of the plan, in order, with its phase; a counted `each` call is left out, its element calls stand in."""
    known, calls = resolver(ledger), tuple(plan["tools"])
    key = tuple(map(id, calls))
    if key not in known.walks:
        known.walks[key] = calls, tuple(_steps_in_order(calls, known))
    return known.walks[key][1]


def _steps_in_order(calls: Sequence[PlannedCall], known: Resolver) -> Iterator[PlanStep]:
    write_failed = write_refused = False
    stopped: set[str] = set()
    ledger = known.ledger
    for call in calls:
        if "elements" in call:
            continue
        step = _step(call, known)
        if step.phase in UNFINISHED and (
            why := _why_stopped(call, write_failed, stopped, ledger) or _why_doubted(call, known, ledger)
        ):
            behind = call["effect"] == "write" and write_failed and not write_refused
            step = step._replace(phase="blocked", why=why, behind_failure=behind)
            stopped.add(call["id"])
        write_failed |= call["effect"] == "write" and _has_failed(step)
        write_refused |= step.outcome is not None and is_rejected(step.outcome)
        yield step


def _why_stopped(call: PlannedCall, write_failed: bool, stopped: set[str], ledger: Ledger) -> str:
    """Why a call must not start although nothing it refers to failed; empty = it may."""
    if write_failed and call["effect"] == "write":
        return "an earlier write of this plan failed"
    lost = next((target for target in _targets(call, ledger) if target in stopped), None)
    return f"it needs {lost}, which was stopped" if lost else ""


def _why_doubted(call: PlannedCall, known: Resolver, ledger: Ledger) -> str:
    """Why a write must not use a result it refers to; empty = it may."""
    targets = _targets(call, ledger) if call["effect"] == "write" else ()
    wrong = next((t for t in targets if (o := known.outcome_of(t)) and o.get("doubted")), None)
    return f"a check found something wrong with {wrong}" if wrong else ""


def _targets(call: PlannedCall, ledger: Ledger) -> Iterator[str]:
    """The calls it refers to; a counted `each` call is replaced by its element calls."""
    for target, _ in needs(call):
        made = ledger["calls"].get(target)
        yield from made["elements"] if made and "elements" in made else (target,)


def _step(call: PlannedCall, known: Resolver) -> PlanStep:
    args, key, error = known.args_of(call)
    if isinstance(error, UnfinishedReference):
        return PlanStep(call, "waiting", args, key, None)
    outcome = known.ledger["outcomes"].get(key)
    if isinstance(error, BrokenReference):
        return PlanStep(call, "blocked", args, key, outcome, error_text(error), error.path_leads_nowhere)
    return PlanStep(call, "ready" if known.may_run(call, outcome) else "finished", args, key, outcome)


def _has_failed(step: PlanStep) -> bool:
    if step.phase != "finished" or step.outcome is None:
        return step.phase == "blocked"
    if step.outcome.get("alone"):
        return False
    return step.outcome["status"] not in GOOD or "fault" in step.outcome
