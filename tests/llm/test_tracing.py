"""The traced run that a request's record names."""

from typing import Any
from uuid import uuid4

import pytest
from endpoint import Endpoint, answers, plans
from inn import Inn
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tracers.langchain import LangChainTracer
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import MessagesState, StateGraph
from langgraph.store.memory import InMemoryStore
from langsmith.run_helpers import tracing_context
from langsmith_server import LangSmithServer, traced_to
from plans import beds, judged, plan

from wavegraph import build_graph
from wavegraph.graph.request.records import records_of

NIGHT = "2026-12-05"
SAID = "On Saturday 2026-12-05 there are 4 free beds, 350 each."
QUESTION = "a bed on 2026-12-05?"
GOOD = plans(plan(beds("beds", NIGHT)))


@pytest.fixture(autouse=True)
def with_a_judge(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")


def compiled(**options: Any) -> Any:
    return build_graph(Inn().domain()).compile(**options)


def human(text: str = QUESTION) -> dict[str, Any]:
    return {"messages": [HumanMessage(text)]}


def on_thread(**more: Any) -> RunnableConfig:
    return {"configurable": {"thread_id": "t"}, **more}  # type: ignore[typeddict-item]


def run_id_in(store: InMemoryStore) -> Any:
    (item,) = store.search(records_of("t"))
    return item.value["run_id"]


def test_untraced_no_run_is_named(endpoint: Endpoint, langsmith: LangSmithServer) -> None:
    endpoint.plays(*[GOOD, answers(SAID), judged()] * 2)
    store, other = InMemoryStore(), InMemoryStore()

    with traced_to(langsmith) as client:
        tracer = LangChainTracer(client=client)
        with tracing_context(enabled=False):
            compiled(store=store).invoke(human(), on_thread())
            assert run_id_in(store) is None
            # a tracer that is told to keep nothing
            compiled(store=other).invoke(human(), on_thread(callbacks=[tracer]))
            assert run_id_in(other) is None


def test_a_resumed_request_names_the_run_that_ended_it(endpoint: Endpoint, langsmith: LangSmithServer) -> None:
    endpoint.plays(GOOD, answers(SAID), judged())
    store, first, last = InMemoryStore(), uuid4(), uuid4()
    graph = compiled(store=store, checkpointer=InMemorySaver(), interrupt_before=["check_answer"])

    with traced_to(langsmith):
        graph.invoke(human(), on_thread(run_id=first))
        graph.invoke(None, on_thread(run_id=last))

    assert run_id_in(store) == str(last)


def test_inside_another_graph_the_whole_run_is_named(endpoint: Endpoint, langsmith: LangSmithServer) -> None:
    endpoint.plays(GOOD, answers(SAID), judged())
    outer, store = StateGraph(MessagesState), InMemoryStore()
    outer.add_node("inn", compiled())
    outer.set_entry_point("inn")
    run_id = uuid4()

    with traced_to(langsmith):
        outer.compile(store=store).invoke(human(), on_thread(run_id=run_id))

    assert run_id_in(store) == str(run_id)
