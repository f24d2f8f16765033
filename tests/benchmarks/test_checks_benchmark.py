"""Every check of the table does something in the measured request, and the clock counts each moment once."""

import asyncio
import time
from pathlib import Path

from benchmarks.checks import CHECKS, JUDGE, TABLE, TIME, WHOLE, Clock, clocked, main, request
from benchmarks.report import read

from wavegraph.graph import ready
from wavegraph.graph.secrets.scrubber import Scrubber


def test_a_small_run_has_a_row_for_each_check(tmp_path: Path) -> None:
    assert main(["--rounds", "2", "--calls", "2", "--json", str(tmp_path / "checks.json")]) == 0
    rows = read(tmp_path / "checks.json").rows
    (whole,) = [row.value for row in rows if row.table == WHOLE]
    found = {(row.name, row.measure): row.value for row in rows if row.table == TABLE}
    assert list(dict.fromkeys(name for name, _ in found)) == [JUDGE, *CHECKS]
    assert [name for name in CHECKS if not found[name, TIME] > 0] == []
    assert sum(found[name, TIME] for name in CHECKS) < whole


def test_the_request_refers_to_its_list_and_its_results_are_checked() -> None:
    ended = asyncio.run(request(3)())
    assert (ended["outcome"], ended["waves"], ended["tools_executed"]) == ("answered", 2, 4)
    assert ended["results"]["look_2"]["args"] == {"item": "item 2"}


def test_the_functions_are_their_own_again_afterwards() -> None:
    before = (ready.steps, Scrubber.holds)
    with clocked(CHECKS, Clock()):
        assert (ready.steps, Scrubber.holds) != before
    assert (ready.steps, Scrubber.holds) == before


def test_a_check_does_not_count_what_another_does_inside_it() -> None:
    clock = Clock()
    with clock.of("outer"), clock.of("inner"):
        busy_until = time.thread_time_ns() + 3_000_000
        while time.thread_time_ns() < busy_until:
            pass
    assert clock.spent["inner"] >= 3_000_000
    assert clock.spent["outer"] < clock.spent["inner"]
