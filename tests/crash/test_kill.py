"""Processes that are killed (`kill -9`) anywhere, and new ones that go on with their requests."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import crash_driver
import pytest
from patience import HANGS_S

pytestmark = pytest.mark.attack

DRIVER = crash_driver.__file__
KILLED = -signal.SIGKILL
MIDDLES = ["plan", "wave", "validate", "second_wave", "second_plan", "respond", "check_answer"]
CALLS = ["quick", "slow", "add", "order"]


class Desk:
    """Runs the driver's jobs on one database."""

    def __init__(self, database: str, agent: str, folder: Path) -> None:
        self._database, self._agent, self._folder = database, agent, folder

    def do(self, cases: dict[str, str], *steps: str) -> dict[str, dict[str, int]]:
        """Exit statuses by step and case."""
        job = {"database": self._database, "agent": self._agent, "folder": str(self._folder), "steps": steps,
               "cases": [{"id": name, "die": die} for name, die in cases.items()]}  # fmt: skip
        done = subprocess.run(
            [sys.executable, DRIVER], input=json.dumps(job), capture_output=True, text=True, timeout=10 * HANGS_S, check=False,
            env={**os.environ, "XDG_DATA_HOME": str(self._folder)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert not done.stderr, done.stderr
        return json.loads(done.stdout)

    def told(self, case: str, step: str) -> dict[str, Any]:
        text = (self._folder / f"{case}.{step}.json").read_text(encoding="utf-8")
        return json.loads(text)

    def journal(self, case: str) -> list[str]:
        path = self._folder / f"{case}.journal"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def points(checkpoints: int, sides: Sequence[str]) -> dict[str, str]:
    """Every boundary, before and after its checkpoint. Before the first nothing is stored, after the last all is."""
    return {f"{side}-{n}": f"{side}:{n}" for n in range(1, checkpoints + 1) for side in sides}


@pytest.mark.parametrize("agent", ["errand", "hotel"])
def test_a_killed_request_goes_on_in_a_new_process(
    database: str, agent: str, tmp_path: Path, attempts: Callable[[str, int], None]
) -> None:
    desk = Desk(database, agent, tmp_path)
    desk.do({"whole": ""}, "first")
    whole = desk.told("whole", "first")
    assert whole["outcome"] == "answered"

    cases = points(whole.pop("checkpoints"), ["before", "put"] if agent == "errand" else ["put"])
    if agent == "errand":
        cases |= {f"mid-{name}": f"mid:{name}" for name in MIDDLES}
    last = f"put-{sum(name.startswith('put') for name in cases)}"
    ended = desk.do(cases, "first", "again")
    assert ended["first"] == dict.fromkeys(cases, KILLED)
    assert ended["again"] == dict.fromkeys(cases, 0)
    attempts("requests killed at a boundary, and gone on with", len(cases))

    for case in cases:
        told = desk.told(case, "again")
        if case == "before-1":  # killed before anything was stored
            assert told["nothing"] == f"thread {case!r} is unknown here: nothing was stored for it"
            assert (told["outcome"], told["messages"]) == (None, [])
        elif case == last:  # it had answered
            assert "no request that was cut off" in told["nothing"]
            assert (told["answer"], told["messages"]) == (whole["answer"], whole["messages"])
        else:
            assert told == whole, case
        assert_no_finished_call_ran_again(desk.journal(case), case)


SHOTS = 16


def test_killed_at_any_moment_what_was_cut_off_ends_in_an_answer(
    database: str, seed: int, tmp_path: Path, attempts: Callable[[str, int], None]
) -> None:
    """Killed by the clock. A call whose end was not stored in time runs once more, an order without a key too."""
    desk = Desk(database, "errand", tmp_path)
    began = time.perf_counter()
    desk.do({"whole": ""}, "first")
    most_s = time.perf_counter() - began
    chosen = random.Random(seed)
    cases = {f"shot-{n}": f"after:{chosen.uniform(0, most_s / 4):.4f}" for n in range(SHOTS)}

    ended = desk.do(cases, "first", "again")

    assert set(ended["first"].values()) <= {0, KILLED}
    assert ended["again"] == dict.fromkeys(cases, 0)
    for case in cases:
        assert max(Counter(desk.journal(case)).values(), default=0) <= 2
        told = desk.told(case, "again")
        assert told["answer"] or "nothing was stored" in told["nothing"]
    attempts("requests killed at any moment, and gone on with", list(ended["first"].values()).count(KILLED))


def assert_no_finished_call_ran_again(journal: list[str], case: str) -> None:
    """A call that was cut short runs again; one that had ended does not."""
    assert max(Counter(line for line in journal if line.startswith("end")).values(), default=1) == 1, (case, journal)
    for n, line in enumerate(journal):
        if line.startswith("end"):
            assert line.replace("end", "start") not in journal[n:], (case, journal)


def test_new_interpreters_know_the_same_calls(database: str, tmp_path: Path) -> None:
    """Hashes of strings differ from one interpreter to the next: nothing may be found again by them."""
    desk = Desk(database, "errand", tmp_path)
    desk.do({"live": "", "cut": "mid:second_plan"}, "first")
    desk.do({"cut": ""}, "again")

    whole = {name: value for name, value in desk.told("live", "first").items() if name != "checkpoints"}
    assert desk.told("cut", "again") == whole
    assert [line for line in desk.journal("cut") if line.startswith("start")] == [f"start {name}" for name in CALLS]
