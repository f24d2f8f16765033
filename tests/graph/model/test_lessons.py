"""Lessons in prompts: where they stand, whose they are, and what a file that is none does."""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from warehouse import Warehouse

from wavegraph import Domain
from wavegraph.graph.errors import LessonError
from wavegraph.graph.model import lessons
from wavegraph.graph.model.lessons import (
    LONGEST_LESSON,
    MOST_CHARS,
    MOST_LESSONS,
    Lesson,
    _log_once,
    after_instructions,
    instead_of_kept,
    lesson_file,
    read_lessons,
)

WAREHOUSE = Warehouse().domain()
ASK: Lesson = {"id": "a1", "reader": "planner", "text": "Ask for the town where two are meant."}


def content(*lessons: Any, **changes: Any) -> dict[str, Any]:
    whole = {"format": "wavegraph lessons", "version": 1, "domain": "warehouse", "lessons": list(lessons)}
    return {**whole, **changes}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WAVEGRAPH_LESSONS", str(tmp_path))
    monkeypatch.setattr(lessons, "READ_AGAIN_S", 0)
    return tmp_path / "warehouse.json"


def named(**changes: Any) -> Domain:
    return Domain(name="warehouse", tools=WAREHOUSE.tools, offline=WAREHOUSE.offline, **changes)


async def test_a_trial_shows_its_own_lessons_and_none_of_the_files(file: Path) -> None:
    file.write_text(json.dumps(content(ASK)), encoding="utf-8")
    other: Lesson = {"id": "c", "reader": "planner", "text": "Look twice."}
    with instead_of_kept([other]):
        tried = await after_instructions("Rules.", WAREHOUSE, "planner")

    assert "Look twice." in tried
    assert ASK["text"] not in tried


def test_the_file_is_in_the_folder_that_is_named_or_the_users(tmp_path: Path) -> None:
    odd = Domain(name="../a/b", tools=WAREHOUSE.tools, offline=WAREHOUSE.offline)

    assert lesson_file(named(), {"WAVEGRAPH_LESSONS": str(tmp_path)}) == tmp_path / "warehouse.json"
    assert lesson_file(odd, {"WAVEGRAPH_LESSONS": str(tmp_path)}).parent == tmp_path
    assert lesson_file(named(), {}).parts[-3:] == ("wavegraph", "lessons", "warehouse.json")


LONG = "x" * LONGEST_LESSON
FOREIGN: Mapping[str, tuple[Any, str]] = {
    "half written": ('{"format": "wavegraph lessons", "ver', "is no whole file of lessons"),
    "empty": ("", "is no whole file of lessons"),
    "not UTF-8": (b"\xff\xfe\x00", "is no whole file of lessons"),
    "another file": ({"cases": []}, "is no whole file of lessons"),
    "a list": ([1], "is no whole file of lessons"),
    "deep": ("[" * 100_000, "is no whole file of lessons"),
    "a version to come": (content(version=2), r"is no whole file of lessons \(version: Input should be 1\)"),
    "another agent's": (content(domain="hotel"), "holds the lessons of 'hotel', not of 'warehouse'"),
    "no lessons": (content(lessons="none"), r"\(lessons: Input should be a valid array"),
    "no text": (content({"id": "a", "reader": "planner"}), r"\(lessons\.0\.text: Field required"),
    "an unknown reader": (content({**ASK, "reader": "judge"}), r"\(lessons\.0\.reader: "),
    "two lines": (content({**ASK, "text": "one\ntwo"}), "one line of at most 240 characters is expected"),
    "a hidden sign": (content({**ASK, "text": "one\u202etwo"}), "one line of at most 240 characters is expected"),
    "a long one": (content({**ASK, "text": LONG + "x"}), "one line of at most 240 characters is expected"),
    "too many": (content(*[ASK] * (MOST_LESSONS + 1)), f"at most {MOST_LESSONS} are allowed"),
    "too much": (content(*[{**ASK, "text": LONG}] * 8), f"at most {MOST_CHARS} are allowed"),
}  # fmt: skip


@pytest.mark.parametrize("name", FOREIGN)
async def test_a_file_that_is_not_the_domains_whole_one_is_refused_and_left_out_of_prompts(
    name: str, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    given, why = FOREIGN[name]
    text = given if isinstance(given, bytes) else (given if isinstance(given, str) else json.dumps(given)).encode()
    file.write_bytes(text)
    with pytest.raises(LessonError, match=why):
        read_lessons(file, "warehouse")

    _log_once.cache_clear()
    with caplog.at_level(logging.ERROR, "wavegraph"):
        assert [await after_instructions("Rules.", WAREHOUSE, "planner") for _ in range(2)] == ["Rules."] * 2
    assert len(caplog.records) == 1
    assert file.read_bytes() == text


def test_a_folder_in_its_place_is_named(file: Path) -> None:
    file.mkdir()
    with pytest.raises(LessonError, match=r"warehouse\.json' cannot be read: Is a directory"):
        read_lessons(file, "warehouse")


def test_fields_of_later_programs_are_read_over(file: Path) -> None:
    file.write_text(json.dumps(content({**ASK, "colour": "blue"}, notes="mine")), encoding="utf-8")

    assert read_lessons(file, "warehouse") == [{**ASK, "colour": "blue"}]
