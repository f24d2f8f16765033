"""validate: checks the wave's results and decides what to do about them."""

import asyncio
import inspect
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime
from langgraph.types import Command
from pydantic import ConfigDict, TypeAdapter, ValidationError

from wavegraph.graph.agent import Agent
from wavegraph.graph.answer.replies import remarks_of, with_remarks
from wavegraph.graph.answer.words import asks
from wavegraph.graph.dialogue.questions import is_answered, is_waiting, showing
from wavegraph.graph.domain import Check, NamedCheck
from wavegraph.graph.errors import WavegraphError, explain, kind_of_fault, logger
from wavegraph.graph.events import ValidationComplete, emit
from wavegraph.graph.execution.announcements import announce_wave, report_limits
from wavegraph.graph.execution.returned import commands_of
from wavegraph.graph.guard.expansion import with_element_calls
from wavegraph.graph.ledger import (
    GOOD,
    canonical,
    changes_asked,
    data_of,
    direct_result,
    is_unread,
    outcome_without_run,
    raw_signature,
    resolver,
)
from wavegraph.graph.limits import Limits, limits_of, remaining_calls, spent
from wavegraph.graph.ready import PlanStep, blocked, ready, steps, unchecked
from wavegraph.graph.request.call_messages import call_messages, handed_over
from wavegraph.graph.request.serving import (
    CONTRADICTION,
    contradictions,
    is_held,
    looks_before_a_new_plan,
    unseen_choices,
)
from wavegraph.graph.request.views import FAILURES, answer_view, doubt, open_issues, planning_view
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import (
    CARRIED,
    AgentState,
    Feedback,
    Ledger,
    Plan,
    ToolCall,
    ToolError,
    ToolOutcome,
    ValidationIssue,
    ValidationResult,
    empty_ledger,
    merge_ledgers,
    new_issue,
)
from wavegraph.graph.views import PlanningView, ResolvedCall

_ISSUES: TypeAdapter[list[ValidationIssue]] = TypeAdapter(list[ValidationIssue], config=ConfigDict(extra="allow"))


async def validate(state: AgentState, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Check the wave that just ended against its domain's rules, and count the calls that are made for each element.

    Reads `plan`, `ledger`. Writes `validation`, `issues`, the skipped calls of the ledger, the counted calls in `plan`, what
    the Commands of the wave's tools change, and `feedback` where the plan should be mended: then `plan` is next.
    """
    settings = agent.settings(runtime, state)
    limits = limits_of(state)
    wave = state["waves"] + 1
    walked = steps(state["plan"], state["ledger"])
    finished = [step for step in walked if step.phase == "finished"]
    ended = [step for step in finished if step.outcome and step.outcome["wave"] == wave]
    to_check = [*unchecked(state["plan"], state["ledger"]), *ended]
    looks = [_issues_of(step, state["ledger"], agent) for step in to_check]
    commands, conflicts = commands_of(ended, walked)
    # a task of its own costs more than looking
    issues = await asyncio.gather(*looks) if agent.domain.own_checks.results else [await look for look in looks]
    found = [*chain.from_iterable(issues), *conflicts]
    checked = _checked_outcomes(to_check, found, agent)
    waves = wave if ended else state["waves"]
    left = remaining_calls(state, limits)
    plan, news, more_issues = _with_new_calls(state, checked, left, limits.max_waves - waves)
    found += more_issues
    ledger = merge_ledgers(state["ledger"], news)
    if direct_result(ledger):  # the calls that are planned run, but nothing is planned behind them
        plan = {**plan, "status": "done"}
    after: AgentState = {**state, "plan": plan, "ledger": ledger, "waves": waves}
    after["issues"] = [*state["issues"], *found]
    raised = Counter({_issue_key(issue, after) for issue in found})  # found by one check in many places, it counts once
    after["issue_counts"] = dict(Counter(after["issue_counts"]) + raised)
    update = await _next_step(after, settings, limits, agent)
    after = {**after, **update}  # type: ignore[typeddict-item]
    if beside := await _text_beside(after, settings, limits, agent):
        after["plan"] = {**plan, "beside": beside, "remarks": [each for each in remarks_of(plan) if asks(each)]}
    own_plan = {"plan": after["plan"]} if after["plan"] is not state["plan"] else {}
    # the messages of a Command come behind these: none may stand between a call and its result
    said = [*call_messages(after, agent.domain, announces=not commands), *_question(after, settings, agent)]
    own = {"messages": said, "commands": [_whole(each, ledger, agent) for each in commands]}
    return {**update, "ledger": news, **own_plan, **{name: part for name, part in own.items() if part}}


def _whole(command: Command[Any], ledger: Ledger, agent: Agent) -> Command[Any]:
    """What a larger graph is told, with both of each call and its result."""
    if command.graph != Command.PARENT:
        return command
    return replace(command, update=handed_over(command.update or [], ledger, agent.domain))


def _with_new_calls(
    state: AgentState, checked: dict[str, ToolOutcome], runs: int, waves: int
) -> tuple[Plan, Ledger, list[ValidationIssue]]:
    """The plan with the calls that are made for each element of a list which is known by now, what is new in the ledger,
    and the issues of calls that will never run."""
    news: Ledger = {**empty_ledger(), "outcomes": dict(checked)}
    made = with_element_calls(state["plan"], merge_ledgers(state["ledger"], news), runs, waves)
    news["calls"] = made.calls
    issues = [*made.too_many]
    planned = {call["id"]: call for call in made.plan["tools"]}
    for issue in made.too_many:
        call = planned[issue["tool_id"]]
        key = raw_signature(call)
        news["outcomes"][key] = outcome_without_run(
            call["tool"], call["args"], key, call["plan"], "over_budget", issue["message"]
        )
    for step in blocked(made.plan, merge_ledgers(state["ledger"], news)):
        if step.outcome is not None:
            continue
        call = step.call
        outcome = outcome_without_run(call["tool"], step.args, step.signature, call["plan"], "skipped", step.why)
        news["outcomes"][step.signature] = outcome
        # of calls with a broken path, and of writes only blocked by a failed one, nothing else tells
        if step.broken_path:
            issues.append(new_issue("unexpected_data", call["id"], step.why, "broken_reference"))
        elif step.behind_failure:
            issues.append(new_issue("error", call["id"], step.why, "write_stopped"))
    return made.plan, news, issues


async def _text_beside(state: AgentState, settings: Settings, limits: Limits, agent: Agent) -> str:
    """What the reads of a request found whose write a person is asked about, and what its planner said beside them; empty =
    nothing, or nobody is asked."""
    if not is_waiting(state):
        return ""
    view = replace(answer_view(state, settings, limits), question_follows=True)
    above = agent.domain.catalogue.above_terms if agent.domain.catalogue else None
    found = await agent.own("the words above a question", above, view)
    return with_remarks(found or "", [remark for remark in remarks_of(state["plan"]) if not asks(remark)])


def _question(state: AgentState, settings: Settings, agent: Agent) -> list[AIMessage]:
    """The next question, as a message that stays in the conversation while it waits; none where its answer is there."""
    if not is_waiting(state) or is_answered(state):
        return []
    return showing(state, agent.domain, settings, (state["reply"] or {}).get("refused"))


def _checked_outcomes(steps: list[PlanStep], found: list[ValidationIssue], agent: Agent) -> dict[str, ToolOutcome]:
    """Outcomes as the check changes them: carried ones now belong to this request, some are doubted."""
    changed: dict[str, ToolOutcome] = {}
    for step in steps:
        outcome = step.outcome
        assert outcome is not None
        if outcome["wave"] == CARRIED:
            outcome = {**outcome, "wave": 0}
        if found and outcome["status"] in GOOD:
            equal = {other.call["id"] for other in steps if other.signature == step.signature}  # they share the outcome
            wrong = [issue for issue in found if issue["tool_id"] in equal]
            outcome = _doubted_outcome(outcome, wrong, agent) if wrong else outcome
        if outcome is not step.outcome:
            changed[step.signature] = outcome
    return changed


def _doubted_outcome(outcome: ToolOutcome, wrong: list[ValidationIssue], agent: Agent) -> ToolOutcome:
    """The outcome of a result that a check found wrong, with the failure found.

    Such a read may be retried; a write only if a look-up can first show that it did not happen.
    """
    doubted: ToolOutcome = {**outcome, "doubted": True, "doubts": [doubt(issue) for issue in wrong]}
    failure = next((issue for issue in wrong if issue["type"] in FAILURES), None)
    if failure is None or is_unread(outcome):
        return doubted
    tool = agent.domain.registry[outcome["tool"]]
    retryable = tool.effect == "read" or tool.look_up is not None
    fault: ToolError = {"code": failure["rule"], "message": failure["message"], "retryable": retryable}
    return {**doubted, "fault": fault}


async def _issues_of(step: PlanStep, ledger: Ledger, agent: Agent) -> list[ValidationIssue]:
    """What is wrong with a call's end, or what the checks of its result find."""
    outcome, name = step.outcome, step.call["id"]
    assert outcome is not None
    if outcome["status"] not in GOOD or is_unread(outcome):
        return [_failure_issue(name, outcome)]
    tool = agent.domain.registry[step.call["tool"]]
    if not (checks := agent.domain.own_checks.results.get(tool.name)):
        return []
    try:  # a model with aliases was dumped by name
        result = tool.result_adapter.validate_python(data_of(outcome, ledger), by_alias=True, by_name=True)
    except ValidationError as error:
        # such as of a model with computed fields that forbids extra ones
        message = f"the stored result cannot be read back: {explain(error)}"
        return [new_issue("unexpected_data", name, message, "unexpected_data")]
    call = ResolvedCall(name, tool.name, step.args)
    return [*chain.from_iterable(await asyncio.gather(*(_issues_by(check, result, call) for check in checks)))]


async def _issues_by(check: Check | NamedCheck, result: Any, call: ResolvedCall) -> Sequence[ValidationIssue]:
    """What a check finds, with events if it has a name; if it fails, that the result was not checked: a faulty check ends no
    request."""
    function = check.check if isinstance(check, NamedCheck) else check
    if isinstance(check, NamedCheck):
        emit({"event": "check_started", "id": call.id, "tool": call.tool, "check": check.name})
    try:
        issues = await asyncio.to_thread(lambda: _issues_in(function(result, call)))
    except (Exception, SystemExit) as error:  # noqa: BLE001  the domain's own code
        name = getattr(inspect.unwrap(function), "__qualname__", function)
        logger.error("check %s of %s failed: %s", name, call.tool, kind_of_fault(error))
        issues = [
            new_issue("unchecked", call.id, "this result could not be checked", "check_failed", severity="warning")
        ]
    if isinstance(check, NamedCheck):
        kinds = list(dict.fromkeys(issue["type"] for issue in issues))
        emit({"event": "check_finished", "id": call.id, "tool": call.tool, "check": check.name, "found": kinds})
    return issues


def _issues_in(returned: Any) -> list[ValidationIssue]:
    """The issues that a check returned. Raises WavegraphError for anything else."""
    if inspect.iscoroutine(returned):
        returned.close()
    try:
        return _ISSUES.validate_python(returned)
    except ValidationError as error:
        raise WavegraphError(f"it returned no list of issues ([] where nothing is wrong): {explain(error)}") from None


def _failure_issue(call_id: str, outcome: ToolOutcome) -> ValidationIssue:
    error = outcome["error"]
    assert error is not None  # only a good outcome has none
    kind = "timeout" if outcome["status"] == "timeout" else "error"
    kind = "unexpected_data" if error["code"] == "unexpected_data" or is_unread(outcome) else kind
    return new_issue(kind, call_id, error["message"], error["code"], expected="a result", actual=outcome["status"])


def _issue_key(issue: ValidationIssue, state: AgentState) -> str:
    """Rule and signature: the same issue with the same call, whatever its id."""
    step = next((s for s in steps(state["plan"], state["ledger"]) if s.call["id"] == issue["tool_id"]), None)
    return f"{issue['rule']}|{step.signature if step else issue['tool_id']}"


async def _next_step(state: AgentState, settings: Settings, limits: Limits, agent: Agent) -> dict[str, Any]:
    """The update that says what comes next: more of this plan, one that mends it, or the answer."""
    plan, ledger, raised = state["plan"], state["ledger"], state["issue_counts"]
    view = partial(planning_view, state, settings, limits)
    more = ready(plan, ledger)
    unclear = await _unclear_calls(view, state, agent) if more and not is_waiting(state) else []
    planned = {call["id"] for call in plan["tools"]}
    left = open_issues([issue for issue in state["issues"] if issue["tool_id"] in planned], ledger)
    may_mend = not (more or direct_result(ledger)) and agent.can_mend(settings)
    # no plan mends what is done
    done = {name for name, outcome in resolver(ledger).ended.items() if is_unread(outcome)}
    mendable = [issue for issue in left if may_mend and issue["tool_id"] not in done]
    fresh = [issue for issue in mendable if raised.get(_issue_key(issue, state), 1) <= limits.max_retries_per_issue]
    gone = spent(state, limits, "validate") if more or fresh or plan["status"] == "continue" else []
    # Changes that a person asks for do not count against the budget for adaptations.
    if fresh and state["adaptations"] >= limits.max_adaptations + len(changes_asked(ledger)):
        gone = [*gone, "max_adaptations"]
    if mendable and not fresh:
        gone = [*gone, "max_retries_per_issue"]
    feedback: Feedback | None = None
    suggestions = list[str]()
    if unclear and not gone:
        feedback = Feedback(source="plan", issues=unclear)
    elif fresh and not gone:
        feedback = Feedback(source="results", issues=fresh)
        calls = await agent.own("the way round", agent.domain.script.workarounds, view(feedback))
        suggestions = [_suggestion(call) for call in calls or ()]
    lines = [
        *(f"{issue['tool_id']}: {issue['message']}" for issue in left),
        *(f"limit reached: {name}" for name in gone),
    ]
    result: ValidationResult = {
        "is_valid": not left,
        "needs_adaptation": bool(fresh) and not gone,
        "issues": left,
        "feedback": "\n".join(lines) or "all results are good",
        "suggestions": suggestions,
    }
    own = agent.domain.own_checks.report
    if own and (report := await agent.own("the report", lambda seen: dict(own(seen) or {}), view(None))):
        result["details"] = report
        if feedback:
            feedback["details"] = report
    _tell(state, result, is_over=bool(gone or unclear or not more))
    limits_hit = report_limits(state, gone)
    if not (gone or unclear):
        announce_wave(state, agent.domain)
    looks = looks_before_a_new_plan(state) if feedback and not unclear else [*state["second_looks"]]
    looks += [CONTRADICTION] if any(each["rule"] == CONTRADICTION for each in unclear) else []
    return {
        "waves": state["waves"],
        "issues": state["issues"],
        "issue_counts": raised,
        "validation": result,
        "feedback": feedback,
        "limits_hit": limits_hit,
        "second_looks": looks,
    }


async def _unclear_calls(
    view: Callable[[None], PlanningView], state: AgentState, agent: Agent
) -> list[ValidationIssue]:
    """What the planner must see before more of its plan runs."""
    plan, ledger = state["plan"], state["ledger"]
    if plan["planner"] == agent.rules.name:
        return []
    unseen = unseen_choices(plan, ledger, agent.domain.registry)
    if unseen or not is_held(state) or agent.domain.own_checks.calls is None:
        return unseen
    return await contradictions(plan, ledger, view(None), agent)


def _suggestion(call: ToolCall) -> str:
    place = f" instead of {call['instead_of']}" if call.get("instead_of") else ""
    return f"{call['tool']} {canonical(call['args'])}{place}"


def _tell(state: AgentState, result: ValidationResult, *, is_over: bool) -> None:
    """`is_over`: whether no more calls of the plan run."""
    event: ValidationComplete = {
        "event": "validation_complete",
        "needs_adaptation": result["needs_adaptation"],
        "issues": result["issues"],
    }
    emit({**event, "details": result["details"]} if "details" in result else event)
    if state["plan"]["adapts"] and is_over:
        executed = sum(1 for s in steps(state["plan"], state["ledger"]) if s.outcome and s.outcome["runs"])
        emit(
            {
                "event": "adaptation_complete",
                "turn": state["adaptations"],
                "tools_executed": executed,
                "success": not open_issues(state["issues"], state["ledger"]),
            }
        )
