"""respond: the answer is written from the results, on every path, also where a limit was hit."""

import asyncio
import logging
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from wavegraph.graph.agent import Agent
from wavegraph.graph.claims import drop_claims
from wavegraph.graph.domain import AnswerView, Draft
from wavegraph.graph.errors import ModelUnavailable
from wavegraph.graph.events import emit
from wavegraph.graph.ledger import GOOD, results
from wavegraph.graph.limits import Limits, limits_of, remaining_s, sent_back
from wavegraph.graph.phrases import say
from wavegraph.graph.questions import notes
from wavegraph.graph.ready import unfinished
from wavegraph.graph.state import AgentState
from wavegraph.graph.views import answer_view
from wavegraph.nodes.costs import costs
from wavegraph.nodes.waves import report_limits

logger = logging.getLogger("wavegraph")


async def respond(state: AgentState, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Write the answer, or the plan's own reply where no tool could help.

    Reads plan, ledger and issues. Writes `answer` and its message, under the same id on a rewrite.
    """
    settings = agent.settings(runtime, state)
    limits = limits_of(state)
    gone = _ran_out(state, limits)
    state = {**state, "limits_hit": report_limits(state, gone)}
    view = answer_view(state, settings, limits)
    draft, down = await _draft(state, view, agent)
    waits = notes(state, agent.domain, settings)
    answer = "\n\n".join(part for part in (_signed(draft.text, down, view), waits) if part)
    request, shown = state["request"], view.meter.shown_id
    message_id = state["message_id"] or shown or draft.message_id or f"answer-{request['number']}-{request['id']}"
    if state["answer"] or shown not in (None, draft.message_id):  # what a watcher saw is no longer the answer
        emit({"event": "answer_replaced", "message_id": message_id, "answer": answer})
    message = AIMessage(content=answer, id=message_id)
    update = {"answer": answer, "messages": [message], "message_id": message_id, "model_down": down}
    return {**update, "limits_hit": state["limits_hit"], **costs(state, view.meter)}


def _ran_out(state: AgentState, limits: Limits) -> list[str]:
    """The time limit, where it was reached after the last node had looked: its own time is known to its router only."""
    stopped = state["plan"]["status"] == "continue" or unfinished(state["plan"], state["ledger"])
    if not stopped or state["limits_hit"] or remaining_s(state, limits) > 0:
        return []
    return ["request_timeout_s"]


async def _draft(state: AgentState, view: AnswerView, agent: Agent) -> tuple[Draft, bool]:
    """The draft, and whether a model stayed down on the way to it."""
    down = state["model_down"]
    insists = bool(view.unsupported) and sent_back(state) > view.limits.max_answer_replans
    if (reply := view.plan["reply"]) and not _has_results(view):
        kept = "" if insists else drop_claims(reply, list(view.unsupported))
        return Draft(kept or say("nothing_left", view.request["language"])), down
    responder = agent.responder_for(view.settings)
    if not (down or insists) and responder is not agent.templates and (left := remaining_s(state, view.limits)):
        try:
            return _as_draft(await asyncio.wait_for(responder.respond(view), left)), False
        except (ModelUnavailable, TimeoutError) as error:
            logger.warning("answered by templates: %s", error or type(error).__name__)
            down = True
            if not view.settings.model_fallback:
                return Draft(say("answer_failed", view.request["language"])), down
    return Draft(await agent.templates.respond(view)), down


def _as_draft(written: str | Draft) -> Draft:
    return written if isinstance(written, Draft) else Draft(written)


def _signed(answer: str, down: bool, view: AnswerView) -> str:
    """The answer, saying so where rules stood in for a model."""
    if not down or view.plan["action"] == "give_up" or not view.settings.model_fallback:
        return answer
    return f"{answer}\n\n{say('model_replaced', view.request['language'])}"


def _has_results(view: AnswerView) -> bool:
    return any(outcome["status"] in GOOD for outcome in results(view.ledger).values())
