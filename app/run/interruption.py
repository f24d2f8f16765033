"""A stopped request: its answer, written without a model, and where it resumes."""

import logging
from collections.abc import Collection
from typing import Any, Literal

from langchain_core.messages import HumanMessage, RemoveMessage

from wavegraph.graph.agent import Agent
from wavegraph.graph.dialogue.messages import stop_note
from wavegraph.graph.errors import kind_of_fault
from wavegraph.graph.execution.receipts import news, unasked_writes
from wavegraph.graph.language import USUAL, language_of, say
from wavegraph.graph.ledger import cut_writes, has_results, results
from wavegraph.graph.limits import limits_of, next_wave
from wavegraph.graph.ready import unchecked, unfinished
from wavegraph.graph.request.call_messages import closed_calls
from wavegraph.graph.request.new_request import begins_request, has_new_message, last_human
from wavegraph.graph.request.views import answer_view
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import MOST_MESSAGE_CHARS, AgentState, as_written

logger = logging.getLogger("wavegraph")


def is_open(state: AgentState) -> bool:
    """Whether the state belongs to the request being worked on, not still to the one before."""
    return bool(state.get("messages")) and not begins_request(state)


def is_cut_off(state: AgentState) -> bool:
    """Whether the thread holds a request without an answer, opened or not."""
    return is_open(state) or (bool(state.get("messages")) and has_new_message(state))


def language_unopened(text: str, settings: Any, agent: Agent | None) -> str:
    """Code of the language that a request is answered in which is not opened. `settings`: of any graph."""
    if isinstance(settings, Settings) and settings.language != "auto":
        return settings.language
    return language_of(text[:MOST_MESSAGE_CHARS], agent.domain.spoken if agent else USUAL)


async def stopped_answer(
    state: AgentState, text: str, settings: Settings, agent: Agent | None, running: Collection[str] = ()
) -> str:
    """The answer to a request that was stopped.

    `state`: empty if the request was not opened yet; `text`: its words then. `agent`: None for a graph that is not
    ours, about which nothing more is known. `running`: ids of the calls that had not ended.
    """
    request = state.get("request")
    language = request["language"] if request else language_unopened(text, settings, agent)
    if agent is None or not state.get("plan"):
        return f"{say('stopped', language)} {say('nothing_known', language)}"
    known = await _results_text(state, settings, agent)
    heading = say("known_so_far" if known else "nothing_known", language)
    parts = [say("stopped", language), heading, known, *_lines_on_the_rest(state, agent, running, language)]
    return "\n".join(part for part in parts if part)


async def _results_text(state: AgentState, settings: Settings, agent: Agent) -> str:
    ended = results(state["ledger"]).values()
    cut_short = (
        outcome["status"] == "cancelled" and outcome["data"] is not None for outcome in ended
    )  # the best so far
    if not (has_results(state["ledger"]) or any(cut_short)):
        return ""
    view = answer_view(state, settings, limits_of(state))
    try:
        known = (await agent.rules.respond(view)).strip()
    except Exception as error:  # noqa: BLE001  the domain's own code, and writes must be reported
        logger.error("what is known could not be told: %s", kind_of_fault(error))
        known = ""
    language = view.request["language"]
    receipts = news(known, view.ledger, agent.domain, language, stood_in=not known)
    return "\n".join(filter(None, [known, *receipts, unasked_writes(view.ledger, view.previous, language)]))


def _lines_on_the_rest(state: AgentState, agent: Agent, running: Collection[str], language: str) -> list[str]:
    """What was not done, and what may have been: it had started, and could not be stopped for certain."""
    left = [step.call for step in unfinished(state["plan"], state["ledger"])]
    began = [call for call in left if call["id"] in running]
    unknown = [*cut_writes(state["ledger"]), *(call["id"] for call in began if call["effect"] == "write")]
    threads = [c["id"] for c in began if c["effect"] == "read" and not agent.domain.registry[c["tool"]].is_async]
    undone = [call["id"] for call in left if call["id"] not in unknown]
    lists = [("not_done", undone), ("runs_on", threads), ("may_have_happened", unknown)]
    return [say(key, language, calls=", ".join(calls)) for key, calls in lists if calls]


def resumes_behind(state: AgentState) -> Literal["__start__", "execute_wave", "validate"]:
    """The node after which a stopped request resumes.

    After `validate`, its router finds what is left. But unchecked results must go through `validate`, and a request
    without a plan through `plan`.
    """
    if not is_open(state) or not state.get("plan"):
        return "__start__"
    carried_only = unchecked(state["plan"], state["ledger"]) and not next_wave(state)
    return "execute_wave" if carried_only or _wave_is_over(state) else "validate"


def _wave_is_over(state: AgentState) -> bool:
    """Whether all calls of the last wave ended and none is checked yet."""
    wave = state["waves"] + 1
    ledger = state["ledger"]
    before = {key: outcome for key, outcome in ledger["outcomes"].items() if outcome["wave"] != wave}
    sent = next_wave({**state, "ledger": {**ledger, "outcomes": before}})
    ended = ledger["outcomes"].keys() - before.keys()
    return bool(ended) and all(step.signature in ended for step in sent)


def stop_update(state: AgentState, answer: str, lost: HumanMessage | None = None) -> dict[str, Any]:
    """What a stop writes into the thread: its note, in place of an unchecked draft.

    `lost`: the request's message, if the stop came before the thread held it.
    """
    messages = state.get("messages") or []
    asked = last_human(messages)
    note = stop_note(answer, (asked.id if asked else None) or str(len(messages)))
    ends = closed_calls(messages, state["ledger"]) if state.get("ledger") else []
    draft = state["message_id"] if is_open(state) else ""
    if not draft:
        return {"messages": [*ends, *filter(None, [lost]), note]}
    drafts = [RemoveMessage(id=draft)] if any(message.id == draft for message in messages) else []
    return as_written({"messages": [*ends, *drafts, note], "answer": "", "message_id": ""}, state)
