"""How the graph is wired."""

import threading
from functools import wraps
from typing import Any

import pytest
from runs import run
from scripted import Script, call, planning
from warehouse import Warehouse

from wavegraph.graph import build

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
    script = Script(planning(call("a", "count", sku="bolt")))
    graph = build.build_graph(Warehouse().domain(), planner=script).compile()
    assert run(graph, "one")["outcome"] == "answered"

    assert threads == dict.fromkeys(ROUTERS, threading.get_ident())
