"""The calls of a thread as LangChain's messages: for each wave an `AIMessage` with its calls when they start, then a `ToolMessage`
for each result. Providers refuse a conversation in which a call has no result, so none is left without one.

A call that a person is asked about stands there once it has ended, with its result right behind it: its question may wait while
other requests are answered.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, RemoveMessage, ToolMessage
from langchain_core.messages.tool import tool_call

from wavegraph.graph.dialogue.messages import calls_in, messages_in
from wavegraph.graph.domain import Domain
from wavegraph.graph.ledger import EDITED, GOOD, data_of, in_full, outcome_of, text_of
from wavegraph.graph.limits import next_wave
from wavegraph.graph.ready import PlanStep, steps
from wavegraph.graph.state import AgentState, Ledger, ToolOutcome

LONGEST_RESULT = 2_000
"""Characters of a result that its message holds; a longer one is told by its beginning and where it is kept."""
_CUT_OFF = "wavegraph_cut_off"
"""Marks the message of a call that did not end: a result takes its place."""


def call_messages(state: AgentState, domain: Domain, *, announces: bool = True) -> list[BaseMessage]:
    """What the thread lacks of them: the results of calls that have ended, then, if it `announces` them, the calls that start
    now."""
    feedback = state["feedback"]
    if domain.messages == "answers" or (feedback and feedback["source"] == "plan"):  # none of a plan that is made again
        return []
    announced = calls_in(state["messages"]).keys()
    given = [each for each in state["messages"] if isinstance(each, ToolMessage)]
    answered = {each.tool_call_id for each in given if _CUT_OFF not in each.additional_kwargs}
    finished = [step for step in steps(state["plan"], state["ledger"]) if step.phase == "finished"]
    ended = [step for step in finished if _name_of(step) not in answered]
    due = [step for step in ended if _name_of(step) in announced]
    unknown = [step for step in ended if _name_of(step) not in announced]
    late = [step for step in unknown if step.outcome and step.outcome["status"] != "skipped"]
    starting = next_wave(state) if announces else []
    coming = [step for step in starting if "asks" not in step.call and _name_of(step) not in announced]
    return [
        *(_result(step, state) for step in due),
        *_calls(late, state, domain, announced),
        *(_result(step, state) for step in late),
        *_calls(coming, state, domain, {*announced, *map(_name_of, late)}),
    ]


def _name_of(step: PlanStep) -> str:
    """The id of a call in messages: one that a person edited keeps that of the call which was asked about."""
    return step.call["id"].partition(EDITED)[0]


def _calls(
    wave: Sequence[PlanStep], state: AgentState, domain: Domain, announced: AbstractSet[str]
) -> Iterator[AIMessage]:
    """One message with these calls; the first of a plan tells what its model reported."""
    if not wave:
        return
    is_first = announced.isdisjoint(map(_name_of, steps(state["plan"], state["ledger"])))
    reported = state["plan"].get("reported", {}) if is_first else {}
    calls = [tool_call(name=each.call["tool"], args=each.args, id=_name_of(each)) for each in wave]
    own_id = f"calls-{state['request']['id']}-{_name_of(wave[0])}"
    yield AIMessage("", id=own_id, name=domain.speaker, tool_calls=calls, **reported)


def _result(step: PlanStep, state: AgentState) -> ToolMessage:
    assert step.outcome is not None, "it is finished"
    return _result_message(_name_of(step), step.outcome, state["ledger"])


def _result_message(call: str, outcome: ToolOutcome, ledger: Ledger) -> ToolMessage:
    error = outcome["error"]
    text = error["message"] if error else text_of(data_of(outcome, ledger))
    if len(text) > LONGEST_RESULT:
        more = len(text) - LONGEST_RESULT
        text = f"{text[:LONGEST_RESULT]}\n[{more:,} more characters are in results[{call!r}] of the request]"
    status = "success" if outcome["status"] in GOOD else "error"
    return ToolMessage(
        text,
        tool_call_id=call,
        id=_result_id(call),
        name=outcome["tool"],
        status=status,
        artifact=in_full(outcome.get("artifact"), ledger),
    )


def _result_id(call: str) -> str:
    """The same for each run of a call, so that a later result takes the place of an earlier message."""
    return f"result-{call}"


# Calls that were cut off


def closed_calls(messages: Sequence[AnyMessage], ledger: Ledger) -> list[BaseMessage]:
    """The update after which each call has a result right behind it, also those that were cut off; empty = each has one.

    `ledger`: of the request that made them.
    """
    left = _without_result(messages)
    place = next((n for n, each in enumerate(messages) if not left.isdisjoint(calls_in([each]))), None)
    if place is None:
        return []
    behind = messages[place + 1 :]
    made = _with_ends(messages[place:], left, ledger)[1:]
    return [*(RemoveMessage(id=str(each.id)) for each in behind), *made]


def _without_result(messages: Sequence[BaseMessage]) -> AbstractSet[str]:
    return calls_in(messages).keys() - {each.tool_call_id for each in messages if isinstance(each, ToolMessage)}


def _with_ends(messages: Sequence[BaseMessage], left: AbstractSet[str], ledger: Ledger) -> list[BaseMessage]:
    return [part for each in messages for part in (each, *_ends_of(each, left, ledger))]


def _ends_of(message: BaseMessage, left: AbstractSet[str], ledger: Ledger) -> Iterator[ToolMessage]:
    for name, call in calls_in([message]).items():
        if name not in left:
            continue
        outcome = outcome_of(name, ledger)
        if outcome is not None and outcome["status"] != "cancelled":
            yield _result_message(name, outcome, ledger)
        else:
            text = f"{call['name']} was stopped before its end was seen"
            marked = {_CUT_OFF: True}
            yield ToolMessage(
                text,
                tool_call_id=name,
                id=_result_id(name),
                name=call["name"],
                status="error",
                additional_kwargs=marked,
            )


# What a larger graph is given


def handed_over(update: Sequence[tuple[str, Any]], ledger: Ledger, domain: Domain) -> list[tuple[str, Any]]:
    """What tools hand over, by key, with each result behind its call and each call of this request with its result: a tool knows
    neither the results of its wave, nor the message of a call that a person was asked about."""
    read = [messages_in(value) if key == "messages" and isinstance(value, list) else None for key, value in update]
    every = [message for messages in read for message in messages or ()]
    left, known = _without_result(every) & ledger["calls"].keys(), set(calls_in(every))
    whole = [_with_ends(_with_calls(messages or (), known, ledger, domain), left, ledger) for messages in read]
    return [
        (key, value if messages is None else made)
        for (key, value), messages, made in zip(update, read, whole, strict=True)
    ]


def _with_calls(messages: Sequence[Any], known: AbstractSet[str], ledger: Ledger, domain: Domain) -> list[Any]:
    """Each result of a call that stands nowhere behind a message with it."""
    return [part for each in messages for part in (*_call_before(each, known, ledger, domain), each)]


def _call_before(message: Any, known: AbstractSet[str], ledger: Ledger, domain: Domain) -> Iterator[AIMessage]:
    name = message.tool_call_id if isinstance(message, ToolMessage) else None
    outcome = None if name is None or name in known else outcome_of(name, ledger)
    if outcome is not None:
        call = tool_call(name=outcome["tool"], args=outcome["args"], id=name)
        yield AIMessage("", id=f"handed-{name}", name=domain.speaker, tool_calls=[call])
