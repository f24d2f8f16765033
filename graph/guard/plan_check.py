"""Checks a plan before anything runs, and reports what is wrong as machine-readable issues."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from wavegraph.graph.domain import Domain
from wavegraph.graph.domain_tool import DomainTool, Source
from wavegraph.graph.errors import PlanError, explain
from wavegraph.graph.guard.expansion import unfinished_signatures, with_element_calls, with_planned
from wavegraph.graph.guard.reference_check import ReferenceCheck, issue, with_fit
from wavegraph.graph.ledger import resolver
from wavegraph.graph.ready import steps
from wavegraph.graph.references.paths import (
    ELEMENT,
    all_needed,
    as_reference,
    as_text,
    literals_of,
    needs,
    reference,
    values_in,
    with_references,
)
from wavegraph.graph.references.storable import readable, whole_texts
from wavegraph.graph.state import Ledger, Plan, PlannedCall, PlanningResult, ToolCall, ValidationIssue

# Where arguments come from. Text injected into a prompt must not decide what is done; so a value counts as given only where it
# stands as a whole, not wherever its letters occur.


class Provenance(NamedTuple):
    """What arguments may be traced to."""

    person: Sequence[str]
    """The person's messages."""
    results: Sequence[Any]
    """What tools returned."""


def is_traced(value: Any, source: Source, provenance: Provenance) -> bool:
    """Whether an argument (a reference, or written out) comes from the source that is declared for it."""
    if as_reference(value) is not None:
        return source != "person"
    if (text := as_text(value)) is not None:  # the words between the values need a source too
        parts = [*text.values.values(), *filter(_plain, literals_of(text.template))]
        return source != "person" and all(is_traced(part, source, provenance) for part in parts)
    if isinstance(value, dict | list | tuple):
        return all(
            is_traced(part, source, provenance) for part in (value.values() if isinstance(value, dict) else value)
        )
    return value in (None, "") or _is_given(str(value), source, provenance)


def _is_given(text: str, source: Source, provenance: Provenance) -> bool:
    if source != "results" and any(_stands_in(text, message) for message in provenance.person):
        return True
    plain = _plain(text)
    found = () if source == "person" else values_in(*provenance.results)
    leaves = (str(each) for each in found if not isinstance(each, dict | list | tuple) and each not in (None, ""))
    return any(text == each or plain == _plain(each) != "" for each in leaves)


def _plain(text: str) -> str:
    """Letters and digits alone, folded: `050-123 45` and `05012345` are one number."""
    return re.sub(r"[\W_]+", "", _lower_case(text))


def _lower_case(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _stands_in(value: str, message: str) -> bool:
    """Whether the message holds the value as whole words, a number however spaced; an e-mail address character by character.

    No word is put together from several: `Theresa` does not stand in `there's a room`. A Hebrew word may carry `to`, `of` or
    `and` as a prefix.
    """
    if "@" in value:
        address = re.escape(_lower_case(value.strip()))
        before = r"(?:(?<![\w.+%-])|(?<=[א-ת])|(?<=[א-ת]-))"
        return re.search(rf"{before}{address}(?![\w-]|[.@]\w)", _lower_case(message)) is not None
    letters = _plain(value)
    if not letters:
        return value in message
    joined = "[ושלבמהכ]{0,2}" if "א" <= letters[0] <= "ת" else ""
    words = r"[\W_]*".join(map(_as_written, re.findall(r"[^\W_]+", _lower_case(value))))
    return re.search(rf"(?<![^\W_]){joined}{words}(?![^\W_])", _lower_case(message)) is not None


def _as_written(word: str) -> str:
    """A pattern for a word, with marks in it (`OBrien`, `O'Brien`); for one with a figure also spaces."""
    between = r"[\W_]*" if any(map(str.isdecimal, word)) else r"(?:[^\w\s]|_)*"
    return between.join(map(re.escape, word))


# The plan

_MORE_OF_A_CALL = ("instead_of", "each")
_RESULT: TypeAdapter[PlanningResult] = TypeAdapter(PlanningResult)


def checked_plan(
    raw: Any,
    *,
    domain: Domain,
    ledger: Ledger,
    number: int,
    runs: int,
    waves: int,
    planner: str,
    must_fit: bool = True,
    provenance: Provenance | None = None,
    renames: bool = False,
    taken: Collection[str] = (),
) -> Plan:
    """A plan whose calls can all run, their arguments checked.

    `raw`: the planner's output; `number`: of this planning call; `runs`, `waves`: the budget, which the calls made for each element
    of a list never exceed; `must_fit`: nor may the other calls. `provenance`: what arguments with a declared source are
    traced to; None = the planner is the domain's own. `renames`: a planner that does not see which ids are taken gets
    others in their place; so does every one for ids that are `taken` by other requests of the thread.
    Raises PlanError with every reason found, rules `plan_shape`, `unknown_tool`, `bad_arguments`, `duplicate_id`,
    `dangling_reference`, `unknown_path`, `unfit_reference`, `bad_text`, `bad_each`, `cyclic_reference`, `deadlock`,
    `untraced_argument`, `over_budget`, `broken_reference`.
    """
    result = planning_result(raw)
    result["tools"] = [
        {**call, "args": tool.as_meant(call["args"])} if (tool := domain.registry.get(call["tool"])) else call
        for call in result["tools"]
    ]
    if used := {*taken, *(_taken_ids(ledger) if renames else ())}:
        result["tools"] = _with_free_ids(result["tools"], used)
    issues: list[ValidationIssue] = []
    calls: list[PlannedCall] = []
    for call in result["tools"]:
        args, problems = _checked_args(call, domain.registry)
        if not problems and provenance is not None:
            problems = list(_source_issues(call, domain.registry[call["tool"]], provenance))
        issues += problems
        if not problems:
            calls.append(_planned_call(call, args, domain.registry[call["tool"]], number))
    known = {*ledger["calls"], *(call["id"] for call in calls)}
    for planned in calls:
        if planned.get("instead_of") not in known:  # its plan was sent back, and nothing of it ran
            planned.pop("instead_of", None)
    issues += _id_issues(result["tools"], ledger)
    issues += _reference_issues(result["tools"], ledger, domain.registry)
    if not issues:
        issues += _order_issues(calls)
    plan: Plan = {
        "number": number,
        "status": result["status"],
        "action": result["action"],
        "reasoning": result["reasoning"],
        "slots": result["slots"],
        "tools": calls,
        "reply": result["reply"],
        "planner": planner,
        "adapts": False,
    }
    plan.update({name: result[name] for name in ("remarks", "said", "noted") if result.get(name)})  # type: ignore[typeddict-item]
    if not issues:
        made = with_element_calls(plan, with_planned(ledger, plan["tools"]), runs, waves)
        plan, issues = made.plan, [{**each, "type": "broken_plan"} for each in made.too_many]
    if not issues:
        after = with_planned(ledger, plan["tools"])
        issues += _unrunnable_issues(plan, after, runs if must_fit else None) or _over_own_limits(plan, after, domain)
    if issues:
        raise PlanError(issues)
    return plan


def planning_result(raw: Any) -> PlanningResult:
    """Raises PlanError for anything in no form of a plan."""
    try:
        result = _RESULT.validate_python(raw)
    except ValidationError as error:
        raise PlanError([issue("plan_shape", "", f"not a planning result: {explain(error)}")]) from None
    whole: PlanningResult = readable({**result, "tools": []})
    return {**whole, "tools": whole_texts(result["tools"])}


def _planned_call(call: ToolCall, args: dict[str, Any], tool: DomainTool, number: int) -> PlannedCall:
    planned: PlannedCall = {
        "id": call["id"],
        "tool": call["tool"],
        "args": args,
        "effect": tool.effect,
        "plan": number,
    }
    more: Any = {name: part for name, part in call.items() if name == "serves" or (name in _MORE_OF_A_CALL and part)}
    planned.update(more)
    return with_fit(planned, tool)


def _checked_args(call: ToolCall, registry: Mapping[str, DomainTool]) -> tuple[dict[str, Any], list[ValidationIssue]]:
    """The arguments that the call carries from here on, or why it cannot run."""
    tool = registry.get(call["tool"])
    if tool is None:
        known = sorted(registry)
        return {}, [issue("unknown_tool", call["id"], f"no tool {call['tool']!r}; there are {known}", expected=known)]
    if strangers := sorted(set(call["args"]) - set(tool.arguments)):
        message = f"{call['tool']} has no arguments {strangers}; its arguments are {sorted(tool.arguments)}"
        return {}, [issue("bad_arguments", call["id"], message, expected=sorted(tool.arguments), actual=strangers)]
    try:
        return tool.checked_args(call["args"]), []
    except ValidationError as error:
        given = readable(call["args"])
        return {}, [issue("bad_arguments", call["id"], f"{call['tool']}: {explain(error)}", actual=given)]


def _source_issues(call: ToolCall, tool: DomainTool, provenance: Provenance) -> Iterator[ValidationIssue]:
    """Arguments that trace to no source."""
    givers = {"person": "the person, in their own words", "results": "a result", "either": "the person or a result"}
    for name, source in tool.sources.items():
        value = call["args"].get(name)
        if not is_traced(value, source, provenance):
            message = f"{call['tool']} {name} = {value!r} must come from {givers[source]}; ask for it"
            yield issue("untraced_argument", call["id"], message, expected=source, actual=value)


def _taken_ids(ledger: Ledger) -> set[str]:
    """Ids in use. The id of a call that never began is free again."""
    known = resolver(ledger)
    return {name for name, call in ledger["calls"].items() if "elements" in call or known.outcome_of(name)}


def _with_free_ids(calls: list[ToolCall], used: set[str]) -> list[ToolCall]:
    """The calls, a number appended to each id that is taken, and the references between them changed to match."""
    taken = used | {call["id"] for call in calls}
    names: dict[str, str] = {}
    for call in calls:
        if call["id"] in used or (call.get("each") and f"{call['id']}_1" in used):
            names[call["id"]] = next(name for n in count(2) if (name := f"{call['id']}_{n}") not in taken)
            taken.add(names[call["id"]])
    return [_with_ids(call, names) for call in calls] if names else calls


def _with_ids(call: ToolCall, names: Mapping[str, str]) -> ToolCall:
    def renamed(target: str, path: str, _: str) -> dict[str, Any]:
        return reference(names.get(target, target), path)

    made: ToolCall = {**call, "id": names.get(call["id"], call["id"]), "args": with_references(call["args"], renamed)}
    return {**made, "each": with_references(call["each"], renamed)} if call.get("each") else made


def _id_issues(calls: list[ToolCall], ledger: Ledger) -> Iterator[ValidationIssue]:
    seen = _taken_ids(ledger)
    for call in calls:
        if call["id"] == ELEMENT:
            yield issue(
                "duplicate_id", call["id"], f"the id {ELEMENT!r} stands for the element of a list; choose another"
            )
        if call["id"] in seen:
            yield issue("duplicate_id", call["id"], f"the id {call['id']!r} is taken in this request; choose another")
        seen.add(call["id"])


def _reference_issues(
    calls: list[ToolCall], ledger: Ledger, registry: Mapping[str, DomainTool]
) -> Iterator[ValidationIssue]:
    """References to unknown calls, and cycles; of the other calls, what contradicts the tools' declarations."""
    own = {call["id"]: call for call in calls}
    known, astray = own.keys() | ledger["calls"].keys(), set[str]()
    for call_id, call in own.items():
        for target in sorted({target for target, _ in needs(call)} - known - {ELEMENT}):  # that is for ReferenceCheck
            message = f"{call_id} refers to {target!r}, which is neither in this plan nor in the request so far"
            yield issue("dangling_reference", call_id, message, expected=sorted(known), actual=target)
            astray.add(call_id)
        if call_id in all_needed(call, own):
            yield issue("cyclic_reference", call_id, f"{call_id} waits for itself through its references")
            astray.add(call_id)
    yield from (each for each in ReferenceCheck(calls, ledger, registry).issues() if each["tool_id"] not in astray)


def _order_issues(calls: list[PlannedCall]) -> Iterator[ValidationIssue]:
    """A call before a write must not need one after that write, nor a write anything after itself."""
    position = {call["id"]: index for index, call in enumerate(calls)}
    for index, call in enumerate(calls):
        for target, _ in needs(call):
            behind = calls[index : position.get(target, -1) + 1]
            if any(between["effect"] == "write" for between in behind):
                message = f"{call['id']} needs {target}, but a write between them would run first; put {target} earlier"
                yield issue("deadlock", call["id"], message, actual=target)


def _over_own_limits(plan: Plan, ledger: Ledger, domain: Domain) -> list[ValidationIssue]:
    """A tool that is planned more often than it may run in a request."""
    new = unfinished_signatures(plan, ledger)
    wanted = Counter(step.call["tool"] for step in steps(plan, ledger) if step.signature in new)
    ran = Counter(ended["tool"] for ended in ledger["outcomes"].values() for _ in range(ended["runs"]))
    most = {name: tool.most_calls for name, tool in domain.registry.items() if tool.most_calls is not None}
    return [
        issue(
            "over_budget",
            "",
            f"{name} may run {limit} times in a request; {ran[name]} ran, {wanted[name]} more are planned",
        )
        for name, limit in most.items()
        if wanted[name] and ran[name] + wanted[name] > limit
    ]


def _unrunnable_issues(plan: Plan, ledger: Ledger, budget: int | None) -> list[ValidationIssue]:
    """References to results that hold no such value; if there are none, a plan with more calls than the budget."""
    broken = [
        issue("broken_reference", step.call["id"], f"{step.call['id']}: {step.why}")
        for step in steps(plan, ledger)
        if step.broken_path
    ]
    runs = len(unfinished_signatures(plan, ledger))
    if broken or budget is None or runs <= budget:
        return broken
    message = f"{runs} calls planned, {budget} left in this request; plan the most useful {budget}"
    return [issue("over_budget", "", message, expected=budget, actual=runs)]
