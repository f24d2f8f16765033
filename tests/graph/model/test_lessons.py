"""Lessons in prompts: where they stand, whose they are, and what a file that cannot be used does."""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from wavegraph.graph.model import lessons
from wavegraph.graph.model.lessons import MOST_CHARS, Reader, lessons_file, with_lessons

ASK = {"id": "a1", "reader": "planner", "text": "Ask for the town where two are meant."}
SAY = {"id": "a2", "reader": "writer", "text": "Say the price."}


def content(*kept: Any, **changes: Any) -> dict[str, Any]:
    """A file of earlier versions."""
    whole = {"format": "wavegraph lessons", "version": 1, "domain": "warehouse", "lessons": list(kept)}
    return {**whole, **changes}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WAVEGRAPH_LESSONS", str(tmp_path))
    monkeypatch.setattr(lessons, "READ_AGAIN_S", 0)
    return tmp_path


async def both(agent: str = "warehouse") -> list[str]:
    readers: tuple[Reader, ...] = ("planner", "writer")
    return [await with_lessons("Rules.", agent, reader) for reader in readers]


async def test_both_read_the_text_after_their_instructions_until_it_goes(folder: Path) -> None:
    file = folder / "warehouse.md"
    assert await both() == ["Rules."] * 2
    file.write_text("- Look twice.\n", encoding="utf-8")
    for text in await both():
        assert text.startswith("Rules.\n\n")
        assert text.endswith("- Look twice.")
    assert await both("shop") == ["Rules."] * 2
    file.unlink()
    assert await both() == ["Rules."] * 2


async def test_a_file_that_is_named_is_every_agents(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "mine.md"
    file.write_text("Look twice.", encoding="utf-8")
    monkeypatch.setenv("WAVEGRAPH_LESSONS", str(file))

    assert all("Look twice." in text for text in await both("shop"))


async def test_what_an_earlier_version_kept_is_read_by_its_reader(folder: Path) -> None:
    """With fields that this one does not know."""
    kept = content(ASK, {**SAY, "trial": {"passed": [0, 1]}}, notes="mine")
    (folder / "warehouse.json").write_text(json.dumps(kept), encoding="utf-8")
    planner, writer = await both()

    assert planner.endswith("\n\n- Ask for the town where two are meant.")
    assert writer.endswith("\n\n- Say the price.")


def test_the_file_is_in_the_folder_that_is_named_or_the_users(tmp_path: Path) -> None:
    assert lessons_file("warehouse", {}).parts[-3:-1] == ("wavegraph", "lessons")
    assert lessons_file("../a/b", {"WAVEGRAPH_LESSONS": str(tmp_path)}).parent == tmp_path


UNUSABLE: Mapping[str, str | bytes] = {
    "half written": '{"format": "wavegraph lessons", "ver',
    "not UTF-8": b"\xff\xfe\x00",
    "another file": '{"cases": []}',
    "a list": "[1]",
    "deep": "[" * 100_000,
    "a version to come": json.dumps(content(version=2)),
    "another agent's": json.dumps(content(ASK, domain="hotel")),
    "no text": json.dumps(content({"id": "a", "reader": "planner"})),
    "too much": json.dumps(content({**ASK, "text": "x" * MOST_CHARS})),
}


@pytest.mark.parametrize("name", UNUSABLE)
async def test_a_file_that_cannot_be_used_is_left_out_and_said_so_once(
    name: str, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    given = UNUSABLE[name]
    (folder / "warehouse.json").write_bytes(given if isinstance(given, bytes) else given.encode())
    lessons._warn_once.cache_clear()
    with caplog.at_level(logging.ERROR, "wavegraph"):
        assert [await with_lessons("Rules.", "warehouse", "planner") for _ in range(2)] == ["Rules."] * 2
    assert [record.getMessage().startswith("prompts go without lessons: ") for record in caplog.records] == [True]
