"""How the graph is wired."""

import threading
import time
from functools import wraps
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import FakeListChatModel
from langgraph.checkpoint.memory import InMemorySaver
from runs import compiled, human, on_thread, run
from scripted import Says
from tables import table
from warehouse import Warehouse

from wavegraph import SettingsError
from wavegraph.graph import build
from wavegraph.graph.build import whole_state
from wavegraph.graph.model.judge import Judge
from wavegraph.graph.model.planner import LlmPlanner
from wavegraph.graph.model.responder import LlmResponder
from wavegraph.graph.state import DEFAULTS, STATE_VERSION
from wavegraph.testing import ScriptedPlanner, call, planning

ROUTERS = ["route_after_plan", "route_after_validate", "route_after_check"]


def test_routers_decide_in_the_thread_of_the_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that is cut while the loop waits for a router in another thread keeps the node's update and loses the
    way on: resumed, it would end without an answer.
    """
    threads: dict[str, int] = {}

    def noted(router: Any) -> Any:
        @wraps(router)
        def route(state: Any) -> Any:
            threads[router.__name__] = threading.get_ident()
            return router(state)

        return route

    for name in ROUTERS:
        monkeypatch.setattr(build, name, noted(getattr(build, name)))
    script = ScriptedPlanner(planning(call("a", "count", sku="bolt")))
    graph = build.build_graph(Warehouse().domain(), planner=script).compile()
    assert run(graph, "one")["outcome"] == "answered"

    assert threads == dict.fromkeys(ROUTERS, threading.get_ident())


PLANNER, WRITER = ScriptedPlanner(), Says("seven")
MODEL = FakeListChatModel(responses=[])


@table(
    ("given", "planner", "responder", "judge"),
    [
        ({}, None, None, None),
        ({"model": MODEL}, LlmPlanner, LlmResponder, Judge),
        ({"model": {"planner": MODEL}}, LlmPlanner, None, None),
        ({"model": {"responder": MODEL}}, None, LlmResponder, None),
        ({"model": {"validator": MODEL}}, None, None, Judge),
        ({"planner": PLANNER}, PLANNER, None, None),
        ({"responder": WRITER}, None, WRITER, None),
        ({"planner": PLANNER, "model": MODEL}, PLANNER, None, Judge),
        ({"responder": WRITER, "model": MODEL}, LlmPlanner, WRITER, Judge),
        ({"planner": PLANNER, "responder": WRITER, "model": MODEL}, PLANNER, WRITER, Judge),
    ],
)
def test_what_is_given_plans_answers_and_judges(given: Any, planner: Any, responder: Any, judge: Any) -> None:
    agent = build.build_graph(Warehouse().domain(), **given).agent

    for found, meant in ((agent.planner, planner), (agent.responder, responder), (agent.judge, judge)):
        assert type(found) is meant if isinstance(meant, type) else found is meant


def test_each_node_says_in_drawings_and_traces_what_it_does() -> None:
    nodes = build.build_graph(Warehouse().domain()).compile().get_graph().nodes
    told = {name: node.metadata or {} for name, node in nodes.items() if not name.startswith("__")}

    assert list(told) == ["plan", "execute_wave", "validate", "approve", "respond", "check_answer"]
    assert told["plan"]["does"].startswith("Open the request")
    for about in told.values():
        assert about["does"].endswith(".")
        assert about["state"].endswith(".")
        assert "\n" not in about["state"]


STEPS = ["plan_1", "execute_wave_1", "validate_1", "respond_1", "check_answer_1"]


def counting() -> Any:
    return compiled(
        Warehouse().domain(),
        ScriptedPlanner(*[planning(call("a", "count", sku="bolt"), call("b", "count", sku="nut"))] * 2),
        checkpointer=InMemorySaver(),
    )


def test_the_active_time_of_each_step_of_a_request_is_kept() -> None:
    graph = counting()

    for text in ("one", "two"):
        began = time.perf_counter()
        times = run(graph, text, on_thread())["times"]
        assert sorted(times) == sorted(STEPS)
        assert all(seconds == round(seconds, 4) for seconds in times.values())
        assert sum(times.values()) <= time.perf_counter() - began + 0.01, "no longer than it took"


def test_a_request_stores_of_the_engines_fields_what_differs_from_their_default() -> None:
    graph: Any = whole_state(counting())
    run(graph, "one", on_thread())
    stored = graph.get_state(on_thread()).values
    graph.update_state(on_thread(), {"work": {"rewrites": 2, "notes": "left over"}}, as_node="check_answer")
    again = run(graph, "two", on_thread())

    assert set(DEFAULTS) & set(stored) == set()
    assert set(stored["work"]) == {"planning_calls", "message_id", "templated"}
    assert (again["outcome"], again["rewrites"], again["notes"]) == ("answered", 0, "")
    assert again["previous"]["request"]["text"] == "one"


def test_a_thread_of_a_newer_program_is_not_gone_on_with() -> None:
    graph: Any = counting()
    run(graph, "one", on_thread())
    graph.update_state(on_thread(), {"version": STATE_VERSION + 1}, as_node="check_answer")

    with pytest.raises(
        SettingsError, match=f"version {STATE_VERSION + 1} .* up to version {STATE_VERSION}: use the newer"
    ):
        run(graph, "two", on_thread())


class Names(BaseCallbackHandler):
    def __init__(self) -> None:
        self.began: list[str] = []

    def on_chain_start(self, serialized: Any, inputs: Any, **more: Any) -> None:
        self.began.append(more["name"])


def test_a_node_is_one_step_of_a_trace_and_runs_for_sync_callers_too() -> None:
    names = Names()
    state = counting().invoke(human("one"), on_thread(callbacks=[names]))

    assert state["outcome"] == "answered"
    nodes = [name for name in names.began if f"{name}_1" in STEPS]
    assert nodes == ["plan", "execute_wave", "execute_wave", "validate", "respond", "check_answer"]
