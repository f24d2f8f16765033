"""check_answer: checks the finished answer against its sources and the question, then closes the request."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple

from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime

from wavegraph.graph.agent import Agent
from wavegraph.graph.answer.words import asks
from wavegraph.graph.dialogue.questions import showing
from wavegraph.graph.domain import AnswerRule, Domain
from wavegraph.graph.errors import ModelUnavailable, kind_of_fault, logger
from wavegraph.graph.events import emit
from wavegraph.graph.execution.announcements import report_limits
from wavegraph.graph.execution.receipts import news, unknown_writes
from wavegraph.graph.guard.replies import catalogue_for
from wavegraph.graph.ledger import direct_result
from wavegraph.graph.limits import STEPS_TO_ANSWER, Limits, limits_of, sent_back, spent
from wavegraph.graph.model.clients import AnswerCheckMode
from wavegraph.graph.model.judge import ACCURACY, WORDS
from wavegraph.graph.model.responder import filled_form
from wavegraph.graph.request.closing import closing_update, form_messages
from wavegraph.graph.request.records import model_figures
from wavegraph.graph.request.serving import looks_before_a_new_plan, parts_in_doubt
from wavegraph.graph.request.views import answer_view, asks_anew, gap_issue, gaps_sent_back
from wavegraph.graph.state import AgentState, AnswerCheck, Criterion, Feedback, message_length
from wavegraph.graph.tracing.untraced import misformed, untraced
from wavegraph.graph.views import AnswerView, Meter

SAYABLE = "sayable"
"""The criterion that what a writer of statements names says something."""
MOST_UNTRACED = 20
"""Answers of a thread that are remembered as untraced: as many as a model reads messages."""


async def check_answer(state: AgentState, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Trace the answer's claims, apply the domain's answer rules, then ask the judge where there is one. Nothing that
    fails here takes the answer from the person.

    Reads `answer` and everything it may draw on. Writes `answer_check`, and either what sends the answer back
    (`unsupported`, or `feedback` with `source: answer`) or the closed request (`outcome`).
    """
    started = time.perf_counter()
    settings = agent.settings(runtime, state)
    limits = limits_of(state)
    view = answer_view(state, settings, limits)
    found, check = await _claims_and_check(state, view, agent)
    unsupported = [*found.unsupported]
    failed = [criterion for criterion in check["criteria"] if criterion["verdict"] == "fail"]
    attempt, by = 1 + sent_back(state), check["checked_by"]
    failures: list[Any] = [
        *state["answer_failures"],
        *(
            {"attempt": attempt, "criterion": each["name"], "gap": each["gap"] or "", "checked_by": by}
            | ({"by": each["by"]} if "by" in each else {})
            for each in failed
        ),
    ]
    update = {"answer_check": check, "answer_failures": failures, **view.meter.added_to(state)}
    after: AgentState = {**state, **update, "unsupported": unsupported}  # type: ignore[typeddict-item]
    node, gone = _sent_back_to(state, limits, [_means(each, agent.domain) for each in failed], failed, unsupported)
    emit(
        {
            "event": "answer_checked",
            "satisfied": check["satisfied"],
            "reason": check["reasoning"],
            "attempt": attempt,
            "checked_by": by,
            "sent_back_to": node,
        }
    )
    if node == "plan":
        issues = [gap_issue(each["name"], each["gap"], each.get("by")) for each in failed]
        feedback = Feedback(source="answer", issues=issues)
        again = {"answer_replans": state["answer_replans"] + 1, "second_looks": looks_before_a_new_plan(state)}
        return {**update, "unsupported": [], "feedback": feedback, **again}
    if node == "respond":
        claims = [criterion["gap"] or "" for criterion in failed if criterion["name"] == ACCURACY]
        return {**update, "unsupported": unsupported or claims, "rewrites": state["rewrites"] + 1}
    after["limits_hit"] = report_limits(state, gone)
    after["unsupported"] = [*unsupported, *found.unsourced]
    # The record is written in this step, whose own time enters the state only after it ends.
    after["times"] = {**state["times"], "check_answer_last": round(time.perf_counter() - started, 4)}
    ended = {**await closing_update(after, view, runtime, agent), **_untraced_answers(after)}
    if agent.domain.response is not None:
        fresh = replace(view, meter=Meter(before=after.get("usage", {})))
        ended |= await _structured_response(after, ended, fresh, agent)
    filled, answer = ended.get("structured_response"), ended.get("answer", state["answer"])
    told = [*ended.get("messages", []), *form_messages(after, answer, filled, agent.domain)]
    if ended["outcome"] != "clarify" and not asks(_answer_alone(after)):  # the question that waits, behind the answer
        told += showing({**after, "outcome": ended["outcome"]}, agent.domain, settings)
    return {**update, **ended, **({"messages": told} if told else {})}


def _untraced_answers(state: AgentState) -> dict[str, Any]:
    """That the answer is no source of a later one, unless its claims were traced."""
    verdicts = [each["verdict"] for each in state["answer_check"]["criteria"] if each["name"] == ACCURACY]
    if verdicts and "fail" not in verdicts:
        return {}
    before = state.get("untraced_answers", [])
    return {"untraced_answers": [*before, state["message_id"]][-MOST_UNTRACED:]}


async def _structured_response(
    state: AgentState, ended: Mapping[str, Any], view: AnswerView, agent: Agent
) -> dict[str, Any]:
    """The answer in the form that its caller asked for; None where nothing was answered, or no model is there."""
    answers = ended["outcome"] in ("answered", "partial") and not (state["model_down"] or direct_result(view.ledger))
    form, models = agent.domain.response, agent.models
    if form is None or models is None or not models.has("responder") or not answers:
        return {"structured_response": None, "unsupported_fields": []}
    filled, unsourced = await filled_form(agent.domain, form, models, ended.get("answer", state["answer"]), view)
    used = view.meter.added_to(state)
    own = {"structured_response": filled, "unsupported_fields": unsourced}
    return {**own, **used, **model_figures({**state, **used}.get("usage", {}))}


class _Found(NamedTuple):
    """What of an answer has no source."""

    unsupported: Sequence[str] = ()
    """For this it is sent back: figures where they are `strict`, and what is wrong with its form."""
    unsourced: Sequence[str] = ()
    """Figures where they are `checked`."""


async def _claims_and_check(state: AgentState, view: AnswerView, agent: Agent) -> tuple[_Found, AnswerCheck]:
    """The claims that trace to nothing, and the verdict: by rules first, then by the judge, all within one time limit."""
    mode = agent.answer_check(view.settings)
    if mode == "off" or direct_result(view.ledger):
        return _Found(), {"satisfied": True, "reasoning": "not checked", "criteria": [], "checked_by": "off"}
    end = asyncio.get_running_loop().time() + view.settings.answer_check_timeout_s
    found, by_rules = await _by_rules(state, view, agent, end)
    if reasons := await _unsayable(state, view, agent):
        gap = "; ".join(reasons)
        failed: Criterion = {"name": SAYABLE, "verdict": "fail", "gap": gap, "by": WORDS}
        by_rules = {**by_rules, "satisfied": False, "criteria": [*by_rules["criteria"], failed]}
        by_rules["reasoning"] = f"{SAYABLE}: {gap}"
    view = replace(view, unsupported=found.unsourced)
    if not _goes_to_judge(mode, view, by_rules, agent.domain):
        return found, by_rules
    if state["is_repeated"] and state["answer_check"]["checked_by"] != "rules":
        return found, state["answer_check"]  # already judged
    return found, await _by_judge(state, view, agent, by_rules, end)


async def _unsayable(state: AgentState, view: AnswerView, agent: Agent) -> list[str]:
    """Why ids and operators of the writer's say nothing: what it meant to say with them is missing. Once, and only while the
    answer can go back for it."""
    may = not (sent_back(state) or state["is_repeated"] or state["model_down"]) and limits_of(state).max_answer_replans
    has_steps = state["remaining_steps"] >= STEPS_TO_ANSWER["check_answer"]
    if agent.domain.catalogue is None or not (may and has_steps and any("{{" in each for each in view.struck)):
        return []
    catalogue = await agent.own("the catalogue", catalogue_for, agent.domain, view)
    return list(dict.fromkeys(why for each in view.struck for why in catalogue.why_not(each))) if catalogue else []


def _goes_to_judge(mode: AnswerCheckMode, view: AnswerView, by_rules: AnswerCheck, domain: Domain) -> bool:
    """Whether there is something that only a judge can tell: not where a rule has failed the answer, or nothing was done."""
    # a question for what is missing, before anything was looked up
    asks_back = view.plan["action"] == "clarify" and bool(view.plan["reply"]) and not view.ledger["calls"]
    if mode == "rules" or by_rules["checked_by"] != "rules" or view.plan["action"] == "give_up" or asks_back:
        return False
    failed = [each["name"] for each in by_rules["criteria"] if each["verdict"] == "fail" and each["name"] != SAYABLE]
    if failed:
        return False
    # figures that stand in no source, or no statement of what was found
    is_doubtful = bool(view.unsupported) or (domain.catalogue is not None and not view.told)
    return mode == "on" or is_doubtful or bool(parts_in_doubt(view))


async def _by_rules(state: AgentState, view: AnswerView, agent: Agent, end: float) -> tuple[_Found, AnswerCheck]:
    """`end`: when the check must end, by the loop's clock. A rule that fails leaves the check `unavailable`."""
    answer = _answer_alone(state)
    # else code of the domain's own runs, its templates
    here = agent.domain.catalogue is None and agent.domain.offline is None and _is_little(view)
    is_free = _is_written_freely(state, view, agent)
    own = partial(agent.own, until=end)
    found: _Found | None = _Found()
    if is_free:
        found = await own("the tracing of an answer", _untraced, agent.domain, answer, view, here=here)
    rules = [
        own(f"the rule {getattr(each, '__name__', each)}", _criterion, each, answer, view)
        for each in agent.domain.own_checks.answers
    ]
    judged = await asyncio.gather(*rules) if rules else []
    traced: Criterion | None = None
    if found is not None and (found.unsupported or not found.unsourced):
        gap = f"traces to no result: {', '.join(found.unsupported)}" if found.unsupported else None
        traced = {"name": ACCURACY, "verdict": "fail" if gap else "pass", "gap": gap}
    criteria = [criterion for criterion in (traced, *judged) if criterion is not None]
    failed = [f"{c['name']}: {c['gap']}" for c in criteria if c["verdict"] == "fail"]
    whole = found is not None and None not in judged
    passed = "every claim traces to its source" if whole else "not everything could be checked"
    if found and found.unsourced:
        passed = f"without a source: {', '.join(found.unsourced)}"
    return found or _Found(), {
        "satisfied": not failed,
        "reasoning": "; ".join(failed) or passed,
        "criteria": criteria,
        "checked_by": "rules" if whole else "unavailable",
    }


def _is_written_freely(state: AgentState, view: AnswerView, agent: Agent) -> bool:
    """Whether somebody wrote the answer as they liked: no templates, rules, forms or statements made it."""
    if view.reply_is_answer:
        return agent.domain.catalogue is None and view.plan["planner"] != agent.rules.name
    responder = agent.responder_for(view.settings)
    return not (state["templated"] or responder is agent.rules or agent.speaks_in_statements(responder))


def _untraced(domain: Domain, answer: str, view: AnswerView) -> _Found:
    """What of an answer traces to nothing, and what is wrong with its form."""
    figures, form = untraced(domain, answer, view), misformed(domain, _without_news(answer, view, domain), view)
    return _Found([*figures, *form], []) if domain.figures == "strict" else _Found(form, figures)


MOST_RESULTS_HERE = 20
MOST_CHARS_HERE = 20_000
"""Of a conversation."""


def _is_little(view: AnswerView) -> bool:
    """Whether what an answer is held against is read in a moment: then a thread would cost more than the reading."""
    if view.previous or view.ledger["artifacts"] or len(view.ledger["outcomes"]) > MOST_RESULTS_HERE:
        return False
    return sum(map(message_length, view.conversation)) <= MOST_CHARS_HERE


def _criterion(rule: AnswerRule, answer: str, view: AnswerView) -> Criterion:
    found = rule(answer, view)
    return {"name": found["name"], "verdict": found["verdict"], "gap": found["gap"]}


def _answer_alone(state: AgentState) -> str:
    """The answer without the engine's note on waiting writes at its end."""
    return state["answer"].removesuffix(state["notes"] or "").rstrip()


def _without_news(answer: str, view: AnswerView, domain: Domain) -> str:
    """The answer without the engine's own sentences about writes, which name tools."""
    language = view.request["language"]
    for sentence in (*news("", view.ledger, domain, language, stood_in=True), unknown_writes(view.ledger, language)):
        answer = answer.replace(sentence, "") if sentence else answer
    return answer


async def _by_judge(
    state: AgentState, view: AnswerView, agent: Agent, by_rules: AnswerCheck, end: float
) -> AnswerCheck:
    """The judge's verdict, or the rules' own if the judge fails in any way: a check never blocks an answer."""
    left = min(view.remaining_s, end - asyncio.get_running_loop().time())
    try:
        if state["model_down"] or left <= 0:
            raise ModelUnavailable("a model went down in this request, or the time is up")
        async with asyncio.timeout(left):
            check = await agent.the_judge.judge(_answer_alone(state), replace(view, remaining_s=left))
    except GraphBubbleUp:
        raise
    except Exception as error:  # noqa: BLE001  a provider's client and a domain's criteria may raise anything
        why = "its time is up" if isinstance(error, TimeoutError) else kind_of_fault(error)
        logger.warning("answer check: the judge is unavailable: %s", why)
        return {**by_rules, "checked_by": "unavailable"}
    own = [criterion for criterion in by_rules["criteria"] if criterion["name"] != ACCURACY]
    satisfied = check["satisfied"] and all(each["verdict"] != "fail" for each in own)
    return {**check, "satisfied": satisfied, "criteria": [*check["criteria"], *own]}


Means = Literal["calls", "words"]
"""What a gap is mended by: more calls, or other words."""


def _means(failed: Criterion, domain: Domain) -> Means | None:
    """What would mend a failed criterion; None = nothing would. Of one that a rule failed that is not said: a claim is of
    words, else it is tried by calls. A wrong claim of statements, which are all so, no other words mend."""
    if "by" not in failed:
        return "words" if failed["name"] == ACCURACY else "calls"
    if failed["name"] == ACCURACY and failed["by"] is None and domain.figures == "checked":
        return "words"  # a figure that a judge finds wrong is left out, or put right
    if failed["by"] is None or (failed["name"] == ACCURACY and failed["by"] == WORDS and domain.catalogue is not None):
        return None
    return "calls" if failed["by"] in domain.registry else "words"


def _sent_back_to(
    state: AgentState,
    limits: Limits,
    means: Sequence[Means | None],
    failed: Sequence[Criterion],
    unsupported: Sequence[str],
) -> tuple[Literal["plan", "respond"] | None, list[str]]:
    """The node that an answer goes back to, and the limits that prevent more; None = it goes out.

    What calls would mend goes to `plan`, what only words would to `respond`; both share one budget. What nothing mends
    goes out, with a reservation. When the budget is spent, untraced claims go to `respond` once more, for the templates
    to leave them out.
    """
    if not any(means) and not unsupported:
        return None, []
    left, stuck = sent_back(state) < limits.max_answer_replans, _is_stuck(state, failed)
    may = left and not stuck
    gone = [] if left or (stuck and not asks_anew(state)) else ["max_answer_replans"]
    has_steps = state["remaining_steps"] >= STEPS_TO_ANSWER["check_answer"]
    if "calls" in means:
        gone = [*spent(state, limits, "plan"), *gone]
        if may and not gone:
            return "plan", []
    elif may and has_steps:
        return "respond", []
    if unsupported and sent_back(state) <= limits.max_answer_replans and has_steps:
        return "respond", []
    return None, gone


def _is_stuck(state: AgentState, failed: Sequence[Criterion]) -> bool:
    """Whether the last attempt changed nothing: the same answer, or the same gaps from a plan with no new calls."""
    if state["is_repeated"]:
        return True
    before = {each["criterion"] for each in gaps_sent_back(state)}
    return before == {c["name"] for c in failed} and not asks_anew(state)
