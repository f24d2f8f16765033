"""The drawing of the graph is kept, so that a changed edge shows in review."""

import re
from pathlib import Path

from golden import hold
from warehouse import Warehouse

from wavegraph import build_graph

DRAWN = Path(__file__).with_name("flow.mmd")


def test_the_drawing() -> None:
    drawn = build_graph(Warehouse().domain()).compile().get_graph().draw_mermaid()
    hold(DRAWN, re.sub(r"<hr/>.*?</small>", "", drawn, flags=re.DOTALL))  # a node's notes are no edge


def test_every_edge_of_the_flow_is_drawn() -> None:
    edges = {(edge.source, edge.target) for edge in build_graph(Warehouse().domain()).compile().get_graph().edges}

    assert edges == {
        ("__start__", "plan"), ("plan", "plan"), ("plan", "execute_wave"), ("plan", "validate"),
            ("plan", "respond"),         ("execute_wave", "validate"), ("validate", "execute_wave"), ("validate", "plan"), ("validate", "respond"),
        ("validate", "approve"), ("approve", "execute_wave"), ("approve", "validate"), ("approve", "plan"),
        ("check_answer", "approve"),
        ("respond", "check_answer"), ("check_answer", "respond"), ("check_answer", "plan"), ("check_answer", "__end__"),
    }  # fmt: skip
