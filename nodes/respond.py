"""respond: the answer is written from the results, on every path, also where a limit was hit."""

from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from wavegraph.graph.agent import Agent
from wavegraph.graph.events import emit
from wavegraph.graph.ledger import GOOD, results
from wavegraph.graph.state import AgentState
from wavegraph.graph.views import answer_view


async def respond(state: AgentState, runtime: Runtime[Any], agent: Agent) -> dict[str, Any]:
    """Write the answer, or the plan's own reply where no tool could help.

    Reads plan, ledger and issues. Writes `answer` and its message, under the same id on a rewrite.
    """
    settings = agent.settings(runtime)
    view = answer_view(state, settings)
    reply = state["plan"]["reply"]
    answer = reply if reply and not _has_results(state) else await agent.responder_for(settings).respond(view)
    message_id = f"answer-{state['request']['number']}-{state['request']['id']}"
    if state["answer"]:
        emit({"event": "answer_replaced", "message_id": message_id, "answer": answer})
    return {"answer": answer, "messages": [AIMessage(content=answer, id=message_id)]}


def _has_results(state: AgentState) -> bool:
    return any(outcome["status"] in GOOD for outcome in results(state["ledger"]).values())
