"""A guest who gives a name and nothing to be reached by, or something broken, is asked for that alone."""

from collections.abc import Callable
from typing import Any

import pytest
from hotel_runs import TODAY

DOUBLE = "Book a double for 12-14 January for two"
HEBREW = "תזמינו חדר זוגי ל-12-14 בינואר לשניים"
Talk = Callable[..., Any]


@pytest.mark.parametrize(
    ("turns", "name"),
    [
        ((f"{DOUBLE}, Dana Levi",), "Dana Levi"),
        ((f"{DOUBLE}. Dana Levi, dana@example",), "Dana Levi"),
        ((f"{DOUBLE}, Dana Levi, phone 12345",), "Dana Levi"),
        ((f"{HEBREW}, דנה לוי, 050-123",), "דנה לוי"),
        ((f"{DOUBLE}, Tom Bath",), "Tom Bath"),
        ((DOUBLE, "Noa Bar"), "Noa Bar"),
        ((DOUBLE, "May Spa"), "May Spa"),
        ((HEBREW, "נועה בר"), "נועה בר"),
        (("Is there a double for 12-14 January for two?", "Okay, book it for Noa Bar"), "Noa Bar"),
        (("יש חדר זוגי ל-12-14 בינואר לשניים?", "תזמין לי, נועה בר"), "נועה בר"),
    ],
    ids=str,
)
async def test_a_name_is_kept_and_only_the_contact_asked_for(talk: Talk, turns: tuple[str, ...], name: str) -> None:
    for text in turns:
        told = await talk(text, {"today": TODAY})
    asked = await talk("050-123-4567")

    assert told.outcome == "clarify"
    assert not any(words in told.answer for words in ("the guest's name", "What name", "שם האורח", "על איזה שם"))
    assert [call["tool"] for call in told.plan["tools"] if call["tool"] != "get_availability"] == []
    assert asked.question["terms"]["guest"]["name"] == name
