"""Every refusal of a roster's tool has words in each language, from what it is about."""

import re
from pathlib import Path
from typing import Any

import pytest
from roster_wards import ward_of_two

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.answers.phrases import TABLES, refused
from wavegraph.tools.roster.dialogue.amending import amended
from wavegraph.tools.roster.records import Change

TOOLS = Path(__file__).parents[4] / "tools" / "roster"
OF_COMMANDS = {"nothing_to_undo", "is_published", "not_before", "bad_ward", "unavailable", "has_problems"}
"""Raised for the command line, which speaks English, or about a ward's file."""


def test_every_code_has_words() -> None:
    codes = {
        code
        for file in TOOLS.rglob("*.py")
        for code in re.findall(r'(?:ToolRefusal|refusal)\(\s*"(\w+)"', file.read_text())
    }
    for table in TABLES.values():
        assert codes - OF_COMMANDS <= {
            key.split(".")[1] for key in table if key.startswith(("refused.", "refused_other."))
        }


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "It contradicts what the ward has: Ann has E settled on Tuesday 2026-11-24, which is leave."),
        ("he", "זה סותר את מה שיש במחלקה: ל־Ann קבועה E ביום שלישי, 24 בנובמבר 2026, וזו חופשה."),
    ],
)
def test_a_settled_shift_on_leave_is_named(language: str, words: str) -> None:
    on: dict[str, Any] = {"nurse": "Ann", "first": "2026-11-24"}
    changes = [Change(kind="locked", shift="E", **on), Change(kind="unavailable", **on)]
    with pytest.raises(ToolRefusal) as caught:
        amended(ward_of_two(), changes)
    assert refused(caught.value.code, caught.value.about, language) == words
