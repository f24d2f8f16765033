"""A rate that is not on sale for a room that is."""

from collections.abc import Callable
from typing import Any

EVE = {"today": "2026-11-21"}


async def test_a_rate_that_cannot_be_had_is_named_and_not_its_room(talk: Callable[..., Any]) -> None:
    await talk("A double room 22-23 November for two adults", EVE)
    result = await talk("book it, free cancellation, Dana Levi, dana@example.com", EVE)

    assert "there is no rate with free cancellation for these dates" in result.answer
    assert "This room type is not on sale" not in result.answer
    assert "Double Room" in result.answer
