"""A process that is killed (`kill -9`) in mid-solve, and a new one that goes on from the best roster it had kept."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import roster_driver
from patience import not_hanging
from roster_models import cost_parts

from wavegraph.tools.roster.problem.prices import Penalties
from wavegraph.tools.roster.store import RosterStore


def started(folder: Path, step: str, *database: str) -> "subprocess.Popen[str]":
    command = [sys.executable, roster_driver.__file__, str(folder), step, *database]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "XDG_DATA_HOME": str(folder)}
    )


def told(process: "subprocess.Popen[str]") -> Iterator[dict[str, Any]]:
    assert process.stdout
    for line in process.stdout:
        yield json.loads(line)


def killed_in_mid_solve(folder: Path, *database: str) -> None:
    """Kill the process once it has kept a roster."""
    process = started(folder, "ask", *database)
    with process:
        try:
            next(event for event in told(process) if event["event"] == "tool_progress")  # what is told is kept before
        finally:
            process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL


def kept_cost(folder: Path, ward_hash: str) -> float:
    """What the kept roster costs, counted anew."""
    (path,) = (folder / "rosters" / "running").glob("*.json")
    parts = cost_parts(RosterStore(folder).ward(ward_hash), json.loads(path.read_text()), Penalties())
    assert parts is not None
    return sum(parts.values())


def test_a_killed_solve_goes_on_from_what_it_had_kept(tmp_path: Path) -> None:
    with not_hanging():
        killed_in_mid_solve(tmp_path)
        (ward,) = [path.stem for path in (tmp_path / "rosters" / "wards").glob("*.json")]
        before = kept_cost(tmp_path, ward)

        process = started(tmp_path, "resume")
        with process:
            events = list(told(process))

    assert process.returncode == 0
    started_tools = [event["tool"] for event in events if event["event"] == "tool_started"]
    assert started_tools[0] == "generate_roster"
    assert "get_staff" not in started_tools
    first = next(event["progress"] for event in events if event["event"] == "tool_progress")
    assert first["cost"] <= before
    (made,) = events[-1]["rounds"]
    assert made["cost"] <= before
    assert RosterStore(tmp_path).stored_roster(made["roster_id"]).roster
    assert events[-1]["outcome"] in ("answered", "awaiting_approval")


@pytest.mark.attack
def test_another_machine_goes_on_with_a_killed_solve(rosters_database: str, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    with not_hanging():
        killed_in_mid_solve(here, rosters_database)
        kept = RosterStore(tmp_path, rosters_database)
        [best] = kept.keeper.records("running")
        [ward] = kept.keeper.records("wards")
        before = cost_parts(kept.ward(ward.name), json.loads(best.text), Penalties())
        assert before is not None

        with started(there, "resume", rosters_database) as process:
            events = list(told(process))

    assert process.returncode == 0
    first = next(event["progress"] for event in events if event["event"] == "tool_progress")
    assert first["cost"] <= sum(before.values())
    assert kept.stored_roster(events[-1]["rounds"][0]["roster_id"]).roster
    assert kept.best(best.name) is None
    assert [list(each.rglob("rosters")) for each in (here, there)] == [[], []]
