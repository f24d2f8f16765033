"""Stopped in mid-solve: the request with a cancel, the solve alone with a wish for the best so far; and gone on with."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from roster_loop import Desk
from skipping import LIMIT_S, jump

from wavegraph import CancelHandle, Result
from wavegraph.tools.roster.loop import round_checks
from wavegraph.tools.roster.store import RosterStore

LONG: dict[str, Any] = {"time_limit_s": 600}
"""Ten minutes: nobody waits for the end of it."""
SHORT: dict[str, Any] = {"work_limit": 0.1, "max_adaptations": 0}
"""As much work on a busy machine as on an idle one."""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(round_checks, "PROOF_S", 0.3)  # whether it can be avoided is not what is tried here
    return Desk(tmp_path)


async def until_it_has_a_roster(desk: Desk) -> float:
    """The cost last told."""
    while not desk.told("tool_progress"):
        await asyncio.sleep(0.02)
    return float(desk.told("tool_progress")[-1]["progress"]["cost"])


async def cancelled(desk: Desk) -> Result:
    handle = CancelHandle()
    work = asyncio.ensure_future(desk.ask("harbour", cancel=handle, max_adaptations=0, **LONG))
    await until_it_has_a_roster(desk)
    handle.cancel()
    return await work


def kept(desk: Desk) -> list[Path]:
    return sorted((desk.folder / "rosters" / "running").glob("*.json"))


async def test_a_cancel_tells_the_best_so_far_and_keeps_it(desk: Desk) -> None:
    stopped = await cancelled(desk)

    assert (stopped.outcome, stopped.can_resume) == ("cancelled", True)
    made = stopped.results["generate_roster"]
    assert made["status"] == "cancelled"
    assert desk.roster(made["data"]["roster_id"])
    assert made["data"]["roster_id"] in stopped.answer
    assert len(kept(desk)) == 1
    assert "publish_roster" not in stopped.results


async def test_a_resume_goes_on_from_it_and_looks_at_nothing_again(desk: Desk) -> None:
    stopped = await cancelled(desk)
    before = stopped.results["generate_roster"]["data"]["cost"]
    desk.events.clear()

    ended = await desk.go_on(**SHORT)
    if ended.outcome == "awaiting_approval":
        ended = await desk.go_on("draft", **SHORT)

    started = [event["tool"] for event in desk.told("tool_started")]
    assert started[0] == "generate_roster"
    assert "get_staff" not in started
    assert desk.told("tool_progress")[0]["progress"]["cost"] <= before
    assert desk.rounds[0]["cost"] <= before
    assert ended.outcome in ("answered", "partial")


@pytest.mark.parametrize("way", ["another thread", "another store"])
async def test_the_best_now_ends_the_solve_and_the_request_goes_on_with_it(desk: Desk, way: str) -> None:
    work = asyncio.ensure_future(desk.ask("harbour", **LONG))
    await until_it_has_a_roster(desk)
    store = RosterStore(desk.folder) if way == "another store" else desk.store
    stopper = threading.Thread(target=store.ask_to_stop, args=[desk.thread])
    stopper.start()
    ended = await work
    stopper.join()
    if ended.outcome == "awaiting_approval":
        ended = await desk.go_on("draft")

    (only,) = desk.rounds
    assert ended.results["generate_roster"]["status"] == "partial"
    assert ended.outcome == "partial"
    assert only["solver"] == "stopped"
    assert ended.results["get_report"]["data"]["roster_id"] == only["roster_id"]
    assert [issue["type"] for issue in ended.issues if issue["type"] == "stopped_early"] == ["stopped_early"]


async def test_the_best_now_between_two_rounds_ends_the_second_and_makes_no_third(desk: Desk) -> None:
    def stop_after_the_first(event: Any) -> None:
        if event["event"] == "tool_finished" and event["id"] == "generate_roster":
            desk.store.ask_to_stop(desk.thread)

    desk.watch = stop_after_the_first
    asked = await desk.ask("never")

    assert len(desk.rounds) == 2
    assert asked.results["generate_roster_2"]["status"] == "partial"
    assert asked.outcome == "awaiting_approval"


async def test_a_wish_to_stop_from_before_does_not_end_a_new_solve(desk: Desk) -> None:
    desk.store.ask_to_stop(desk.thread)
    ended = await desk.ask("once")

    assert ended.outcome == "answered"
    assert len(desk.rounds) == 2


async def test_a_wish_to_stop_is_of_its_own_thread(desk: Desk) -> None:
    desk.store.ask_to_stop("another")
    ended = await desk.ask("once")

    assert ended.outcome == "answered"
    assert desk.store.take_stop("another")


async def test_a_round_that_runs_out_of_its_call_time_is_partial_and_the_next_is_made(desk: Desk) -> None:
    """Its time is over as soon as it has a roster."""
    rounds, over = list[str](), set[str]()

    def jump_once_there_is_one(event: Any) -> None:
        if event["event"] == "tool_started":
            rounds.append(event["id"])
        elif event["event"] == "tool_progress" and rounds[-1] not in over:
            over.add(rounds[-1])
            jump()

    desk.watch = jump_once_there_is_one
    ended = await desk.ask("harbour", tool_timeout_s=LIMIT_S, max_adaptations=1, **LONG)
    if ended.outcome == "awaiting_approval":
        ended = await desk.go_on("draft")

    assert ended.results["generate_roster"]["status"] == "partial"
    assert not [issue for issue in ended.issues if issue["type"] == "stopped_early"]
    assert desk.rounds[0]["roster_id"]
    assert {"generate_roster", "generate_roster_2"} <= over


async def test_what_was_kept_is_gone_when_the_solve_has_ended(desk: Desk) -> None:
    await desk.ask("once")

    assert kept(desk) == []
