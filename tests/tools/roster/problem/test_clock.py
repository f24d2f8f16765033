"""How long a search may take: its own time, and more while there is no roster."""

import threading

import pytest

from wavegraph.tools.roster.problem.clock import Clock


@pytest.mark.parametrize(
    ("seconds", "used", "found", "over"),
    [(9, 0, True, False), (11, 0, True, True), (11, 0, False, False), (31, 0, False, True), (0, 6, True, True),
     (0, 6, False, False), (0, 15, False, True)],
)  # fmt: skip
def test_without_a_roster_all_the_time_left_is_the_search_s(
    seconds: float, used: float, found: bool, over: bool
) -> None:
    passed = [0.0, seconds]
    clock = Clock(10, 5, threading.Event(), lambda: passed[0], patience=3)
    passed.pop(0)
    clock.used, clock.found = used, found
    assert clock.over == over


def test_a_stop_ends_it_at_once() -> None:
    stop = threading.Event()
    clock = Clock(10, None, stop, lambda: 0.0, patience=3)
    stop.set()
    assert clock.over
