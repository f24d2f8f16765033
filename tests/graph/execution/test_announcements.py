"""What is announced of limits."""

from scripted import planned
from states import state_of
from warehouse import Warehouse

from wavegraph.graph.execution.announcements import announce_wave, report_limits


def test_a_limit_that_was_told_is_not_told_again() -> None:
    """Outside of a run there is nobody to tell: telling would fail."""
    state = state_of([planned("a", "count", sku="bolt")], limits_hit=["max_waves"])

    assert report_limits(state, ["max_waves"]) == ["max_waves"]
    announce_wave(state, Warehouse().domain())
