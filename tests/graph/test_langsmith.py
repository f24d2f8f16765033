"""The traced run that a node is part of."""

from typing import Any
from uuid import uuid4

from langchain_core.callbacks import BaseCallbackHandler
from langgraph.graph import MessagesState, StateGraph
from langsmith_server import LangSmithServer, traced_to

from wavegraph.graph.langsmith import traced_run_id


class Other(BaseCallbackHandler):
    """Of somebody else."""


def traced_in_a_node(**config: Any) -> str | None:
    found: list[str | None] = []

    def node(state: MessagesState) -> dict[str, Any]:
        found.append(traced_run_id())
        return {}

    graph = StateGraph(MessagesState)
    graph.add_node("node", node)
    graph.set_entry_point("node")
    graph.compile().invoke({"messages": []}, config)  # type: ignore[arg-type]
    return found[0]


def test_a_node_knows_the_run_it_is_part_of(langsmith: LangSmithServer) -> None:
    run_id = uuid4()
    with traced_to(langsmith):
        assert traced_in_a_node(run_id=run_id, callbacks=[Other()]) == str(run_id)


def test_without_a_trace_there_is_none(langsmith: LangSmithServer) -> None:
    assert traced_in_a_node() is None
    assert traced_in_a_node(callbacks=[Other()]) is None
