"""The hotel agent stopped at each of its events, with and without a checkpointer, and gone on with."""

from pathlib import Path
from typing import Any

import pytest
from runs import wait
from stopping import kept

from wavegraph import CancelHandle, Result, resume, run
from wavegraph.app.run.runner import conversation
from wavegraph.graph.hotel import build

FULL = "a room for two adults for Hanukkah"
SETTINGS = {"today": "2026-11-20", "planner": "rules"}
EVENTS = (
    "plan_created", "wave_started", "tool_started", "tool_finished", "validation_complete", "adaptation_started",
    "adaptation_complete", "answer_checked",
)  # fmt: skip


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("house")


@pytest.fixture(scope="module")
def whole(house: Path) -> Result:
    """The request that nobody stops."""
    return wait(run(build(house).compile(), FULL, settings=SETTINGS))


@pytest.mark.parametrize("keeps", [True, False], ids=["sqlite", "nothing kept"])
@pytest.mark.parametrize("event", EVENTS)
def test_the_answer_is_the_same_in_the_end(event: str, keeps: bool, house: Path, whole: Result, tmp_path: Path) -> None:
    async def work() -> None:
        handle = CancelHandle()
        met = []

        def tell(told: Any) -> None:
            if told["event"] == event:
                met.append(event)
                handle.cancel()

        async with kept(build(house), tmp_path, keeps) as graph:
            known = await run(graph, FULL, thread_id="t", settings=SETTINGS, cancel=handle, on_event=tell)
            if not met or known.outcome != "cancelled":  # the request has no such event, or that was its last step
                assert known.answer == whole.answer
                return
            assert known.answer.startswith("Stopped, as you asked.")
            assert known.can_resume == keeps
            if keeps:
                done = await resume(graph, "t", settings=SETTINGS)
                assert (done.outcome, done.answer) == (whole.outcome, whole.answer)
                assert done.tools_executed == whole.tools_executed
                assert [m.type for m in await conversation(graph, "t")] == ["human", "ai", "ai"]

    wait(work())
