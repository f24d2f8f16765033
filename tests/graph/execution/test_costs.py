"""Figures of model calls, added up over the nodes of a request."""

from typing import Any

from wavegraph.graph.domain import Meter
from wavegraph.graph.execution.costs import costs


def test_a_nodes_calls_are_added_to_those_before() -> None:
    before: Any = {"llm_calls": 2, "llm_tokens": {"input": 100, "output": 10}}

    assert costs(before, Meter(llm_calls=3, input_tokens=50, output_tokens=5)) == {
        "llm_calls": 5, "llm_tokens": {"input": 150, "output": 15},
    }  # fmt: skip
    assert costs(before, Meter()) == {}
