"""How long a search may take: its own time, and more while there is no roster."""

import threading

import pytest
from tables import table

from wavegraph.tools.roster.problem.clock import Clock, work_of


@table(
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


@pytest.mark.parametrize(("limit", "cells", "units"), [(None, 840, None), (3.5, 840, 3.5), (0, 21, 2), (0, 840, 33.6)])
def test_work_by_itself_grows_with_the_ward(limit: float | None, cells: int, units: float | None) -> None:
    assert work_of(limit, cells) == units
