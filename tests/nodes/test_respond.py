"""The last look at the time: named where it ran out behind the last node that looked, and only there."""

from dataclasses import dataclass
from typing import Any

import pytest
from scripted import outcome, planned
from states import continued, state_of

from wavegraph.graph.limits import Limits
from wavegraph.nodes.respond import _ran_out

A = planned("a", "count", sku="bolt")
COUNTED = outcome("count", {"sku": "bolt"}, data=40)
LIMITS = Limits(request_timeout_s=10)
AT_THE_END, BEFORE_IT = {"times": {"plan_1": 4.0, "validate_1": 6.0}}, {"times": {"plan_1": 4.0, "validate_1": 5.5}}


@dataclass(frozen=True)
class Case:
    id: str
    state: Any
    gone: list[str]


CASES = [
    Case("calls are left", state_of([A], **AT_THE_END), ["request_timeout_s"]),
    Case("the planner wanted to go on", continued(state_of([A], [COUNTED], **AT_THE_END)), ["request_timeout_s"]),
    Case("nothing was left to do", state_of([A], [COUNTED], **AT_THE_END), []),
    Case("time is left", state_of([A], **BEFORE_IT), []),
    Case("time is left, and the planner wanted to go on", continued(state_of([A], [COUNTED], **BEFORE_IT)), []),
    Case("another limit had stopped it", state_of([A], limits_hit=["max_waves"], **AT_THE_END), []),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_time_that_ran_out_behind_the_last_look(case: Case) -> None:
    assert _ran_out(case.state, LIMITS) == case.gone
