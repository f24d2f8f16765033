"""The ledger's questions: what was asked, what came of it, what is in the way.

Calls are kept by id and outcomes by signature, so that reuse, the attempted list and the
no-progress rule are all one look-up. Everything here is pure.
"""

import hashlib
import itertools
import json
import re
from collections.abc import Mapping
from typing import Any

from wavegraph.graph.state import Ledger, PlannedCall, ToolOutcome

GOOD = frozenset({"ok", "partial"})
WRITE_UNKNOWN = "write_unknown"
"""Error code of a write that was cut short: it may or may not have happened."""
REJECTED = "rejected"
"""Error code of a write that a person did not agree to."""
CHANGES_ASKED = "changes_asked"
"""Error code of a write that a person did not agree to as it was, with what should be otherwise as its data."""
NOT_AGREED = "it was not agreed to"
"""What such a write's error says, before the reason."""
MAX_RUNS = 2
"""A call that failed for a passing reason may be planned, and run, once more; `Limits.max_runs` allows for others."""
INLINE_BYTES = 16_000
"""Results above this are kept beside the outcomes, so that the state stays readable."""


class BrokenReference(Exception):
    """A reference that will never resolve: its call failed, or its path leads nowhere."""

    def __init__(self, call: str, path: str, why: str, *, path_leads_nowhere: bool = False) -> None:
        super().__init__(f"reference {call}.{path}: {why}")
        self.path_leads_nowhere = path_leads_nowhere


class UnfinishedReference(Exception):
    """A reference to a call that has no outcome yet."""


def canonical(value: Any) -> str:
    """JSON with one spelling per value, the same in every process."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogatepass")  # half a character, as broken input may hold one, is data too


def signature(tool: str, args: Mapping[str, Any]) -> str:
    """What makes two calls the same: the tool and its resolved, normalised arguments."""
    return f"{tool}:{hashlib.blake2b(_bytes(canonical(args)), digest_size=8).hexdigest()}"


def as_reference(value: Any) -> tuple[str, str] | None:
    """`(call id, path)` of `{"ref": {"call": …, "path": …}}`, or None for anything else."""
    match value:
        case {"ref": {"call": str() as call, **rest}} if len(value) == 1:
            return call, str(rest.get("path") or "")
    return None


def references(value: Any) -> list[tuple[str, str]]:
    """All references inside a value, in order."""
    if (found := as_reference(value)) is not None:
        return [found]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [reference for part in parts for reference in references(part)]


def follow(data: Any, path: str) -> Any:
    """The value at `stays[0].check_in` or `dates[-1]`, its type kept. Raises LookupError."""
    for name, index in re.findall(r"([^.\[\]]+)|\[(-?\d+)\]", path):
        if index and isinstance(data, list):
            data = data[int(index)]
        elif name and isinstance(data, dict):
            data = data[name]
        elif name and isinstance(data, list) and name.lstrip("-").isdigit():
            data = data[int(name)]
        else:
            raise LookupError(path)
    return data


def resolve(value: Any, ledger: Ledger) -> Any:
    """`value` with its references replaced. Raises BrokenReference or UnfinishedReference."""
    if (found := as_reference(value)) is not None:
        return _referred(*found, ledger)
    if isinstance(value, dict):
        return {key: resolve(part, ledger) for key, part in value.items()}
    if isinstance(value, list):
        return [resolve(part, ledger) for part in value]
    return value


def _referred(call_id: str, path: str, ledger: Ledger) -> Any:
    call = ledger["calls"].get(call_id)
    if call is None:
        raise BrokenReference(call_id, path, "no such call")
    try:
        args = resolved(call, ledger)
    except BrokenReference:
        raise BrokenReference(call_id, path, "that call was skipped") from None
    outcome = ledger["outcomes"].get(signature(call["tool"], args))
    if outcome is None and (edited := _edited(call, ledger)) is not None:
        return _referred(edited, path, ledger)
    if outcome is None or may_run(call, outcome, ledger):
        raise UnfinishedReference(call_id)
    if outcome["status"] not in GOOD:
        raise BrokenReference(call_id, path, f"that call ended as {outcome['status']}")
    try:
        return follow(data_of(outcome, ledger), path)
    except (LookupError, ValueError):  # ValueError: a part that looks like a number and is none
        raise BrokenReference(call_id, path, "the result has no such value", path_leads_nowhere=True) from None


EDITED = "_edited_"
"""In the id of a call that a person's edit put in the place of another: after that one's id, before a number."""


def _edited(call: PlannedCall, ledger: Ledger) -> str | None:
    """The call in whose terms this one was edited; its id is the longer one, so that no chain of them is a circle."""
    stand_ins = (name for name, each in ledger["calls"].items() if each.get("instead_of") == call["id"])
    return next((name for name in stand_ins if name.startswith(call["id"] + EDITED)), None)


def may_run(call: PlannedCall, outcome: ToolOutcome | None, ledger: Ledger) -> bool:
    """Whether a call still has to run: new, cut off, overtaken by a write, or planned again after a passing error."""
    if outcome is None or outcome["status"] == "cancelled":
        return True
    if outcome["status"] in GOOD and call["effect"] == "read" and _is_overtaken(call, outcome, ledger):
        return True
    return _is_tried_again(call, outcome) and not _has_run_out(call, outcome)


def is_out_of_runs(call: PlannedCall, outcome: ToolOutcome | None) -> bool:
    """Whether nothing but the limit on its runs (`max_runs`) keeps a call that was planned again from running."""
    return outcome is not None and _is_tried_again(call, outcome) and _has_run_out(call, outcome)


def _is_tried_again(call: PlannedCall, outcome: ToolOutcome) -> bool:
    """Whether a call was planned again after it was skipped, failed, or told a failure in a good result, and that may
    pass. Anything else that a check finds in a result stays as it is: asked again, the same would come back."""
    if call["plan"] <= outcome["plan"]:
        return False
    if outcome["status"] == "skipped":  # it never ran
        return True
    failure = outcome.get("fault") if outcome["status"] in GOOD else outcome["error"]
    return failure is not None and failure["retryable"]


def _has_run_out(call: PlannedCall, outcome: ToolOutcome) -> bool:
    return outcome["runs"] >= call.get("max_runs", MAX_RUNS)


def _is_overtaken(call: PlannedCall, outcome: ToolOutcome, ledger: Ledger) -> bool:
    """Whether a write that stands before the call ran after its result was read.

    Ran itself: a write that refers to this very result stands for another one once the result is read anew, and
    that other write, which comes after the call, must not have it read once more.
    """
    before = itertools.takewhile(lambda name: name != call["id"], ledger["calls"])
    writes = [each for name in before if (each := ledger["calls"][name])["effect"] == "write"]
    ran = ((write, found) for write in writes if (found := outcome_of(write["id"], ledger)) and found["runs"])
    return any(found["plan"] == write["plan"] and found["wave"] > outcome["wave"] for write, found in ran)


def is_rejected(outcome: ToolOutcome) -> bool:
    """Whether a person said no to it: its end, and no failure."""
    return _error_code(outcome) == REJECTED


def _error_code(outcome: ToolOutcome) -> str | None:
    return outcome["error"]["code"] if outcome["error"] else None


def resolved(call: PlannedCall, ledger: Ledger) -> dict[str, Any]:
    """The call's arguments with references replaced; a reference to nothing (None) is left out, as a default is."""
    return {name: value for name, arg in call["args"].items() if (value := resolve(arg, ledger)) is not None}


def changes_asked(ledger: Ledger, tool: str | None = None) -> list[str]:
    """Ids of the writes in whose place a person asked for something else, in order; of one tool, or of all.

    Of equal calls, which share one outcome, the first.
    """
    asked: dict[str, str] = {}
    for call_id, call in ledger["calls"].items():
        outcome = outcome_of(call_id, ledger) if tool in (None, call["tool"]) else None
        if outcome and _error_code(outcome) == CHANGES_ASKED:
            asked.setdefault(outcome["signature"], call_id)
    return list(asked.values())


def outcome_of(call_id: str, ledger: Ledger) -> ToolOutcome | None:
    """What became of a call, whether it ran itself or an equal one did."""
    call = ledger["calls"].get(call_id)
    if call is None:
        return None
    try:
        args = resolved(call, ledger)
    except BrokenReference:
        args = call["args"]
    except UnfinishedReference:
        return None
    return ledger["outcomes"].get(signature(call["tool"], args))


def data_of(outcome: ToolOutcome, ledger: Ledger) -> Any:
    """The result in full, wherever it is kept."""
    match outcome["data"]:
        case {"artifact": str() as key} if key in ledger["artifacts"]:
            return ledger["artifacts"][key]
    return outcome["data"]


def stored(data: Any) -> tuple[Any, dict[str, Any]]:
    """How to keep a result: itself, or a key and the artifact under it."""
    text = canonical(data)
    if len(_bytes(text)) <= INLINE_BYTES:
        return data, {}
    key = hashlib.blake2b(_bytes(text), digest_size=16).hexdigest()
    return {"artifact": key}, {key: data}


def results(ledger: Ledger) -> dict[str, ToolOutcome]:
    """Outcomes by call id, data in full, in the order the calls were planned."""
    found = {call_id: outcome_of(call_id, ledger) for call_id in ledger["calls"]}
    return {call_id: {**o, "data": data_of(o, ledger)} for call_id, o in found.items() if o is not None}


def tools_executed(ledger: Ledger) -> int:
    """How many runs of tools this request has seen; reused and skipped calls are none."""
    return sum(outcome["runs"] for outcome in ledger["outcomes"].values())


def tools_ran(ledger: Ledger) -> list[str]:
    """Names of the tools that ran, wave by wave; equal calls ran once."""
    once = {outcome["signature"]: outcome for outcome in results(ledger).values() if outcome["runs"]}
    return [outcome["tool"] for outcome in sorted(once.values(), key=lambda o: (o["wave"], o["tool"]))]


def newest_results(ledger: Ledger, max_bytes: int) -> Ledger:
    """The same calls, with their results from the newest back while `max_bytes` last."""
    left = max_bytes
    kept: dict[str, ToolOutcome] = {}
    for key, outcome in reversed(ledger["outcomes"].items()):
        size = len(_bytes(canonical(data_of(outcome, ledger))))
        if size <= left:
            kept[key] = outcome
            left -= size
    known = {key: outcome for key, outcome in ledger["outcomes"].items() if key in kept}
    used = [outcome["data"] for outcome in kept.values()]
    artifacts = {key: data for key, data in ledger["artifacts"].items() if {"artifact": key} in used}
    return {"calls": ledger["calls"], "outcomes": known, "artifacts": artifacts}


def bounded_view(ledger: Ledger, max_bytes: int) -> list[dict[str, Any]]:
    """What was tried and what came of it, for a planner: results in full while `max_bytes` last, then cut.

    The newest results are served first, since a replan is about them; the list keeps plan order.
    """
    left = max_bytes
    rows: list[dict[str, Any]] = []
    for call_id, outcome in reversed(list(results(ledger).items())):
        row: dict[str, Any] = {"id": call_id, "tool": outcome["tool"], "args": outcome["args"]}
        row["status"] = outcome["status"]
        if failure := outcome["error"] or outcome.get("fault"):
            row["error"] = failure
        text = canonical(outcome["data"])
        size = len(_bytes(text))
        if size <= left:
            row["data"] = outcome["data"]
        else:
            row["data_cut"] = _bytes(text)[: max(0, left)].decode(errors="ignore")
            row["data_bytes"] = size
        left -= min(size, max(0, left))
        rows.append(row)
    return rows[::-1]
