"""What is remembered of MiniHotel's answers, and for how long."""

import asyncio
from typing import Any

import pytest

from wavegraph.tools.hotel.minihotel.reader import MOST_KEPT, Memory


class Desk:
    """A memory whose time is set by hand, and what it had to ask for."""

    def __init__(self) -> None:
        self.now, self.asked = 0.0, list[Any]()
        self.memory = Memory(clock=lambda: self.now)

    def get(self, key: Any, **options: Any) -> Any:
        async def ask() -> int:
            self.asked.append(key)
            return len(self.asked)

        return asyncio.run(self.memory.get(key, 60.0, ask, **options))


def test_an_answer_is_kept_for_its_time() -> None:
    desk = Desk()
    assert [desk.get("a"), desk.get("a"), desk.get("b")] == [1, 1, 2]
    desk.now = 59.9
    assert desk.get("a") == 1
    desk.now = 60.0
    assert desk.get("a") == 3


def test_what_is_asked_anew_is_the_new_answer_for_all() -> None:
    desk = Desk()
    assert [desk.get("a"), desk.get("a", anew=True), desk.get("a")] == [1, 2, 2]


def test_a_failure_is_not_kept() -> None:
    async def fail() -> int:
        raise ValueError("once")

    desk = Desk()
    with pytest.raises(ValueError, match="once"):
        asyncio.run(desk.memory.get("a", 60.0, fail))
    assert desk.get("a") == 1


def test_the_oldest_goes_first_and_nothing_outlives_its_time() -> None:
    desk = Desk()
    for key in range(MOST_KEPT + 1):
        desk.get(key)
    desk.asked.clear()
    assert (desk.get(1), desk.asked) == (2, [])
    desk.get(0)
    assert desk.asked == [0]
    desk.now = 61.0
    desk.get("last")
    assert list(desk.memory._kept) == ["last"]


def test_after_a_write_nothing_is_remembered() -> None:
    desk = Desk()
    desk.get("a")
    desk.memory.forget()
    assert desk.get("a") == 2
