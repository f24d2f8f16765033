"""Queries on the ledger: what was called, what came of it, what blocks the rest.

Calls are kept by id and outcomes by signature, so that reuse, the attempted list and the
no-progress rule are all one look-up. Everything here is pure.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from wavegraph.graph.errors import error_text
from wavegraph.graph.references.paths import Ambiguous, all_needed, as_reference, as_text, follow, needs, text_with
from wavegraph.graph.references.shapes import fitting_value
from wavegraph.graph.state import CallStatus, Fit, Ledger, PlannedCall, ToolOutcome, key_of

GOOD = frozenset({"ok", "partial"})
WRITE_UNKNOWN = "write_unknown"
"""Error code of a write that was cut short: it may or may not have happened."""
REJECTED = "rejected"
"""Error code of a write that a person rejected."""
NOT_FOUND_AFTER = "a look-up right after it did not find it"
"""How the error of a write ends that failed, and that a look-up did not find then."""
CHANGES_ASKED = "changes_asked"
"""Error code of a write that a person wants changed; its data says how."""
NOT_AGREED = "it was not agreed to"
"""How the error of a rejected write begins, before the reason."""
EDITED = "_edited_"
"""In the id of a call that a person's edit put in place of another: between that call's id and a number."""
MAX_RUNS = 2
"""A call that failed for a transient reason may be planned and run once more; `Limits.max_runs` can raise this."""
INLINE_BYTES = 16_000
"""Results above this are kept beside the outcomes, so that the state stays readable."""


class BrokenReference(Exception):
    """A reference that will never resolve: its call failed, or its path leads nowhere or to a value that does not fit."""

    def __init__(self, call: str, path: str, why: str, *, path_leads_nowhere: bool = False) -> None:
        super().__init__(f"reference {call}.{path}: {why}")
        self.path_leads_nowhere = path_leads_nowhere
        """The result is good, but holds no such value, or none that can be used here."""


class UnfinishedReference(Exception):
    """A reference to a call that has no outcome yet."""


_encoder = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: Any) -> str:
    """JSON with one spelling per value, the same in every process."""
    return _encoder.encode(value)


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogatepass")  # broken input may hold half a character; it is data too


def signature(tool: str, args: Mapping[str, Any]) -> str:
    """What makes two calls the same: the tool and its resolved, checked arguments."""
    return f"{tool}:{hashlib.blake2b(_bytes(canonical(args)), digest_size=8).hexdigest()}"


class ResolvedArgs(NamedTuple):
    """A call's arguments, its references resolved."""

    args: dict[str, Any]
    """With references replaced; a reference to None is left out, like a default. As planned if they cannot be resolved."""
    signature: str
    error: BrokenReference | UnfinishedReference | None = None
    """Why they cannot be resolved."""


class Resolver:
    """The calls of one ledger with their references resolved, each once, when it is made: a ledger is never changed in place,
    and checks and domains ask from their own threads."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.walks: dict[tuple[int, ...], tuple[Any, tuple[Any, ...]]] = {}
        """Steps of plans (`ready.steps`) by the ids of their calls, which are kept with them."""
        self._resolved_args: dict[str, ResolvedArgs] = {}
        self._results: dict[str, Any] = {}
        self._open: set[str] = set()
        for name in self.order:  # in plan order, so that a long chain of calls does not recurse deeply
            self._work_out(name)

    @cached_property
    def order(self) -> list[str]:
        """Ids in plan order; the calls for single elements follow the call they were made from."""
        calls = self.ledger["calls"]
        counted = {name for call in calls.values() for name in call.get("elements", ())}
        return [
            name
            for call_id, call in calls.items()
            if call_id not in counted
            for name in (call_id, *call.get("elements", ()))
            if name in calls
        ]

    @cached_property
    def stand_ins(self) -> Mapping[str, str]:
        """Calls that a person's edit put in place of another, by that call's id."""
        edits = [(name, each["instead_of"]) for name, each in self.ledger["calls"].items() if each.get("instead_of")]
        return {before: name for name, before in reversed(edits) if before and name.startswith(before + EDITED)}

    @cached_property
    def _writes(self) -> list[tuple[int, PlannedCall]]:
        calls = self.ledger["calls"]
        return [(position, calls[name]) for position, name in enumerate(self.order) if calls[name]["effect"] == "write"]

    @cached_property
    def _positions(self) -> Mapping[str, int]:
        return {name: position for position, name in enumerate(self.order)}

    def args_of(self, call: PlannedCall) -> ResolvedArgs:
        is_own = self.ledger["calls"].get(call["id"]) == call
        return self._resolved_args[call["id"]] if is_own else self._resolve_args(call)

    def outcome_of(self, call_id: str) -> ToolOutcome | None:
        found = self._work_out(call_id) if call_id in self.ledger["calls"] else None
        if found is None or isinstance(found.error, UnfinishedReference):
            return None
        return self.ledger["outcomes"].get(found.signature)

    @cached_property
    def ended(self) -> Mapping[str, ToolOutcome]:
        """Outcomes by call id, in plan order."""
        found = ((call_id, self.outcome_of(call_id)) for call_id in self.order)
        return {call_id: outcome for call_id, outcome in found if outcome is not None}

    def may_run(self, call: PlannedCall, outcome: ToolOutcome | None) -> bool:
        """Whether a call still has to run: new, cut off, overtaken by a write, or planned again after a transient error."""
        if outcome is None or outcome["status"] == "cancelled":
            return True
        if outcome["status"] in GOOD and call["effect"] == "read" and self._is_overtaken(call, outcome):
            return True
        return _is_tried_again(call, outcome) and not _has_run_out(call, outcome)

    def _is_overtaken(self, call: PlannedCall, outcome: ToolOutcome) -> bool:
        """Whether a write that stands before the call ran after its result was read; not one of the same plan that a person
        was asked about: what needs nothing of it was read for the yes, and is told as it was then.

        The write itself must have run: one that refers to this very result becomes another call once the result is read
        anew, and that call, which comes after this one, must not cause yet another read.
        """
        if not self._writes:
            return False
        needed, own = all_needed(call, self.ledger["calls"]), call["plan"]
        place = self._positions.get(call["id"], len(self.order))
        before = (write for position, write in self._writes if position < place)
        writes = [each for each in before if "asks" not in each or each["plan"] != own or each["id"] in needed]
        ran = ((write, found) for write in writes if (found := self.outcome_of(write["id"])) and found["runs"])
        return any(found["plan"] == write["plan"] and found["wave"] > outcome["wave"] for write, found in ran)

    def _work_out(self, call_id: str) -> ResolvedArgs:
        """Resolves what the call needs first."""
        calls = self.ledger["calls"]
        stack = [call_id]
        while stack:
            name = stack[-1]
            first = [] if name in self._resolved_args or name in self._open else self._needed_first(calls[name])
            if first:
                self._open.add(name)
                stack += first
                continue
            stack.pop()
            if name not in self._resolved_args:
                self._open.add(name)
                found = self._resolve_args(calls[name])
                self._open.discard(name)
                self._resolved_args[name] = found
        return self._resolved_args[call_id]

    def _needed_first(self, call: PlannedCall) -> list[str]:
        """Calls that must be resolved before this one, and are not yet."""
        calls, needed = self.ledger["calls"], list[str]()
        for target, _ in needs(call):
            elements = calls[target].get("elements", ()) if target in calls else ()
            needed += [target, *elements, self.stand_ins.get(target, target)]
        known = self._resolved_args.keys() | self._open
        return [name for name in needed if name in calls and name not in known]

    def _resolve_args(self, call: PlannedCall) -> ResolvedArgs:
        try:
            args = self._filled_args(call)
        except (BrokenReference, UnfinishedReference) as error:
            return ResolvedArgs(call["args"], raw_signature(call), error.with_traceback(None))
        return ResolvedArgs(args, signature(call["tool"], args))

    def _filled_args(self, call: PlannedCall) -> dict[str, Any]:
        if call.get("each") is not None and "element_of" not in call:
            self._wait_for_elements(call)
        fit: Fit = call.get("fit") or {"takes": {}, "defaults": {}}
        args = {name: self.resolve(arg, name, fit) for name, arg in call["args"].items()}
        said = fit.get("nulls", ())
        args = {
            name: fit["defaults"].get(name) if value is None and name not in said else value
            for name, value in args.items()
        }
        return {name: value for name, value in args.items() if value is not None or name in said}

    def _wait_for_elements(self, call: PlannedCall) -> None:
        """Raises what a call for each element of a list waits for until its elements are counted (`expansion`)."""
        target, path = as_reference(call["each"]) or ("", "")
        if not isinstance(self._referred_value(target, path), list):
            raise BrokenReference(target, path, "`each` needs a list, and this is not one", path_leads_nowhere=True)
        skipped = self.ledger["outcomes"].get(raw_signature(call))
        if skipped and skipped["error"] and call["plan"] <= skipped["plan"]:
            raise BrokenReference(target, path, skipped["error"]["message"])
        raise UnfinishedReference(call["id"])

    def resolve(self, value: Any, position: str = "", fit: Fit | None = None) -> Any:
        """`value` with its references replaced; `position`: in the arguments, where it must fit. Raises BrokenReference or
        UnfinishedReference."""
        if (reference := as_reference(value)) is not None:
            try:
                return fitting_value(self._referred_value(*reference), fit["takes"].get(position) if fit else None)
            except ValueError as unfit:
                raise BrokenReference(*reference, f"{position}: {error_text(unfit)}", path_leads_nowhere=True) from None
        if (text := as_text(value)) is not None:
            values = {name: self.resolve(part) for name, part in text.values.items()}
            try:
                return text_with(text, values)
            except ValueError as unfit:
                target, path = next(iter(needs({"args": value})))
                raise BrokenReference(
                    target, path, f"{position}: {error_text(unfit)}", path_leads_nowhere=True
                ) from None
        if isinstance(value, dict):
            return {key: self.resolve(part, f"{position}.{key}", fit) for key, part in value.items()}
        if isinstance(value, list):
            return [self.resolve(part, f"{position}.{index}", fit) for index, part in enumerate(value)]
        return value

    def _referred_value(self, call_id: str, path: str) -> Any:
        if call_id not in self._results:
            self._results[call_id] = self._result_of(call_id)
        end = self._results[call_id]
        if isinstance(end, _NoResult):
            raise BrokenReference(call_id, path, end.why) if end.why else UnfinishedReference(call_id)
        try:
            return follow(end, path)
        except Ambiguous as several:
            raise BrokenReference(call_id, path, error_text(several), path_leads_nowhere=True) from None
        except (LookupError, ValueError):  # ValueError: a part that only looks like a number
            raise BrokenReference(call_id, path, "the result has no such value", path_leads_nowhere=True) from None

    def _result_of(self, call_id: str) -> Any:
        """The call's result, or why there is none and whether one may still come."""
        call = self.ledger["calls"].get(call_id)
        if call is None:
            return _NoResult("no such call")
        if "elements" in call:
            return self._results_of(call["elements"])
        found = None if call_id in self._open else self._work_out(call_id)  # it waits for itself
        if found is None or isinstance(found.error, UnfinishedReference):
            return _NoResult("")
        if found.error is not None:
            return _NoResult("that call was skipped")
        outcome = self.ledger["outcomes"].get(found.signature)
        if outcome is None and call_id in self.stand_ins:
            return self._result_of(self.stand_ins[call_id])
        if self.may_run(call, outcome):
            return _NoResult("")
        assert outcome is not None  # else it may run
        if outcome["status"] not in GOOD:
            return _NoResult(f"that call ended as {outcome['status']}")
        return data_of(outcome, self.ledger)

    def _results_of(self, elements: list[str]) -> Any:
        """The results of the calls for the single elements, in the list's order."""
        ends = [self._result_of(name) for name in elements]
        failed = next(
            (name for name, end in zip(elements, ends, strict=True) if isinstance(end, _NoResult) and end.why), None
        )
        if failed:
            return _NoResult(f"{failed} gave no result")
        unfinished = next((end for end in ends if isinstance(end, _NoResult)), None)
        return unfinished or ends


class _NoResult(NamedTuple):
    """`why` there is no result; empty = it has not ended yet."""

    why: str


MOST_RESOLVERS = 16
_resolvers: dict[tuple[Any, ...], Resolver] = {}
_latest: dict[int, tuple[Ledger, Resolver]] = {}
"""By the id of a ledger, which is held with it: it is asked for in every line, and never changed in place."""


def resolver(ledger: Ledger) -> Resolver:
    """The ledger's resolver, the same one for each ledger that holds the very same records in the same order."""
    if (known := _latest.get(id(ledger))) is None:
        if len(_latest) >= MOST_RESOLVERS:
            _latest.clear()
        known = _latest[id(ledger)] = ledger, _resolver_of_records(ledger)
    return known[1]


def _resolver_of_records(ledger: Ledger) -> Resolver:
    calls, outcomes, artifacts = ledger["calls"], ledger["outcomes"], ledger["artifacts"]
    ids = (*map(id, calls.values()), *map(id, outcomes.values()), *map(id, artifacts.values()))
    key = (*calls, None, *outcomes, None, *artifacts, *ids)
    if (found := _resolvers.get(key)) is None:
        if len(_resolvers) >= MOST_RESOLVERS:
            _resolvers.clear()
            _latest.clear()
        # It holds on to the records, whatever becomes of the ledger: their ids are the key.
        found = _resolvers[key] = Resolver({"calls": {**calls}, "outcomes": {**outcomes}, "artifacts": {**artifacts}})
    return found


def raw_signature(call: PlannedCall) -> str:
    """Signature of a call whose references do not resolve, or not yet."""
    each = {"each": call["each"]} if call.get("each") is not None and "element_of" not in call else {}
    return signature(call["tool"], {**call["args"], **each})


def is_out_of_runs(call: PlannedCall, outcome: ToolOutcome | None) -> bool:
    """Whether only the limit on its runs (`max_runs`) keeps a replanned call from running."""
    return outcome is not None and _is_tried_again(call, outcome) and _has_run_out(call, outcome)


def _is_tried_again(call: PlannedCall, outcome: ToolOutcome) -> bool:
    """Whether a call was planned again after it was skipped, or after a transient failure (also one that a check found in
    a good result). Whatever else a check finds stands: another run would return the same."""
    if call["plan"] <= outcome["plan"]:
        return False
    if outcome["status"] == "skipped":  # it never ran
        return True
    failure = outcome.get("fault") if outcome["status"] in GOOD else outcome["error"]
    return failure is not None and failure["retryable"]


def _has_run_out(call: PlannedCall, outcome: ToolOutcome) -> bool:
    return outcome["runs"] >= call.get("max_runs", MAX_RUNS)


def is_unread(outcome: ToolOutcome) -> bool:
    """Whether it is that of a write which ran to its end, and whose result could not be read."""
    return outcome["status"] in GOOD and outcome["error"] is not None


def is_unknown(outcome: ToolOutcome) -> bool:
    """Whether a write was cut short: it may or may not have happened."""
    return _error_code(outcome) == WRITE_UNKNOWN


def is_rejected(outcome: ToolOutcome) -> bool:
    """Whether a person rejected it: that ends the call, but is not a failure."""
    return _error_code(outcome) == REJECTED


def not_agreed(reason: str) -> str:
    """The error of a call that a person rejected."""
    return f"{NOT_AGREED}: {reason}" if reason else NOT_AGREED


def _error_code(outcome: ToolOutcome) -> str | None:
    return outcome["error"]["code"] if outcome["error"] else None


def changes_asked(ledger: Ledger, tool: str | None = None) -> list[str]:
    """Ids of the writes that a person wants changed, in order; of one tool, or of all.

    Equal calls share one outcome: the first is listed.
    """
    asked: dict[str, str] = {}
    for call_id, call in ledger["calls"].items():
        outcome = outcome_of(call_id, ledger) if tool in (None, call["tool"]) else None
        if outcome and _error_code(outcome) == CHANGES_ASKED:
            asked.setdefault(outcome["signature"], call_id)
    return list(asked.values())


def outcome_of(call_id: str, ledger: Ledger) -> ToolOutcome | None:
    """The outcome of a call, or of an equal call that ran in its place."""
    return resolver(ledger).outcome_of(call_id)


def signature_of(call_id: str, ledger: Ledger) -> str | None:
    """Signature of a call that has an outcome; else None."""
    outcome = outcome_of(call_id, ledger)
    return outcome["signature"] if outcome else None


def outcome_without_run(
    tool: str,
    args: dict[str, Any],
    key: str,
    plan: int,
    code: str,
    message: str,
    *,
    status: CallStatus = "skipped",
    data: Any = None,
    wave: int = 0,
) -> ToolOutcome:
    """The outcome that a call gets without a run of this request, under its signature `key`; `code` and `message` say why."""
    return {
        "tool": tool,
        "args": args,
        "status": status,
        "data": data,
        "error": {"code": code, "message": message, "retryable": False},
        "attempts": 0,
        "runs": 0,
        "plan": plan,
        "wave": wave,
        "elapsed_s": 0.0,
        "signature": key,
    }


def data_of(outcome: ToolOutcome, ledger: Ledger) -> Any:
    """The result in full, wherever it is kept."""
    return in_full(outcome["data"], ledger)


def in_full(kept: Any, ledger: Ledger) -> Any:
    """What was `stored`, inline or as an artifact."""
    match kept:
        case {"artifact": str() as key} if key in ledger["artifacts"]:
            return ledger["artifacts"][key]
    return kept


def stored(data: Any) -> tuple[Any, dict[str, Any]]:
    """How a result is kept: inline, or as a key with the artifact under it."""
    text = canonical(data)
    if len(_bytes(text)) <= INLINE_BYTES:
        return data, {}
    key = key_of(text)
    return {"artifact": key}, {key: data}


def results(ledger: Ledger) -> dict[str, ToolOutcome]:
    """Outcomes by call id, data in full, in the order the calls were planned."""
    found = resolver(ledger).ended
    shown: dict[str, ToolOutcome] = {call_id: {**o, "data": data_of(o, ledger)} for call_id, o in found.items()}
    for call_id, first in sent_as_another(ledger):
        shown[call_id]["same_as"] = first
    return shown


def has_results(ledger: Ledger) -> bool:
    """Whether any call ended well."""
    return any(outcome["status"] in GOOD for outcome in resolver(ledger).ended.values())


def cut_writes(ledger: Ledger) -> list[str]:
    """The calls of writes that may or may not have happened."""
    ended = resolver(ledger).ended.items()
    return [name for name, outcome in ended if ledger["calls"][name]["effect"] == "write" and is_unknown(outcome)]


def sent_as_another(ledger: Ledger) -> list[tuple[str, str]]:
    """The writes that were not sent, since one with the same arguments stands before them in the same plan: each with
    that one."""
    sent: dict[tuple[str, int], str] = {}
    pairs = []
    for call_id, outcome in resolver(ledger).ended.items():
        call = ledger["calls"][call_id]
        if call["effect"] == "write" and outcome["status"] in GOOD:
            first = sent.setdefault((outcome["signature"], call["plan"]), call_id)
            if first != call_id:
                pairs.append((call_id, first))
    return pairs


def tools_executed(ledger: Ledger) -> int:
    """How many tool runs this request has made; reused and skipped calls do not count."""
    return sum(outcome["runs"] for outcome in ledger["outcomes"].values())


def tools_ran(ledger: Ledger) -> list[str]:
    """Names of the tools that ran, wave by wave; equal calls ran once."""
    once = {outcome["signature"]: outcome for outcome in results(ledger).values() if outcome["runs"]}
    return [outcome["tool"] for outcome in sorted(once.values(), key=lambda o: (o["wave"], o["tool"]))]


_OF_ITS_REQUEST = ("artifact", "update", "handoff", "direct")
"""Fields of an outcome that are for its own request alone."""


def newest_results(ledger: Ledger, max_bytes: int) -> Ledger:
    """The same calls, with as many of their newest results as fit into `max_bytes`."""
    left = max_bytes
    kept: dict[str, ToolOutcome] = {}
    for key, outcome in reversed(ledger["outcomes"].items()):
        size = len(_bytes(canonical(data_of(outcome, ledger))))
        if size <= left:
            kept[key] = {name: part for name, part in outcome.items() if name not in _OF_ITS_REQUEST}  # type: ignore[assignment]
            left -= size
    known = {key: outcome for key, outcome in ledger["outcomes"].items() if key in kept}
    used = [outcome["data"] for outcome in kept.values()]
    artifacts = {key: data for key, data in ledger["artifacts"].items() if {"artifact": key} in used}
    return {"calls": ledger["calls"], "outcomes": known, "artifacts": artifacts}


def direct_result(ledger: Ledger) -> ToolOutcome | None:
    """The good result that is the answer, since its tool returns directly; None = there is none."""
    ended = resolver(ledger).ended.values()
    return next((outcome for outcome in ended if outcome.get("direct") and outcome["status"] in GOOD), None)


def text_of(data: Any) -> str:
    """A result in words: a text as it is, the texts of content blocks, anything else as JSON."""
    if isinstance(data, str):
        return data
    if isinstance(data, list) and data and all(isinstance(each, dict) and "type" in each for each in data):
        return "\n".join(str(each["text"]) for each in data if "text" in each)
    return json.dumps(data, ensure_ascii=False)


def bounded_view(
    ledger: Ledger, max_bytes: int, shown: Callable[[ToolOutcome], Any] = lambda outcome: outcome["data"]
) -> list[dict[str, Any]]:
    """What was tried and what came of it, for a planner: results in full while `max_bytes` last, then cut.

    The newest results are served first, since a replan is about them; the list keeps plan order. `shown`: what of an
    outcome's data is told.
    """
    left = max_bytes
    rows: list[dict[str, Any]] = []
    for call_id, outcome in reversed(list(results(ledger).items())):
        row: dict[str, Any] = {"id": call_id, **{name: outcome[name] for name in ("tool", "args", "status")}}
        if failure := outcome["error"] or outcome.get("fault"):
            row["error"] = failure
        if "same_as" in outcome:
            row["note"] = f"the same write as {outcome['same_as']}: sent once, not again"
        data = shown(outcome)
        text = canonical(data)
        size = len(_bytes(text))
        if size <= left:
            row["data"] = data
        else:
            row |= {"data_cut": _bytes(text)[: max(0, left)].decode(errors="ignore"), "data_bytes": size}
        left -= min(size, max(0, left))
        rows.append(row)
    return rows[::-1]
