"""The lessons of a domain: a file of short texts, kept after a trial, that follow a prompt's instructions.

A run reads the file and never writes it; `wavegraph lessons` does. Lessons come last in the instructions, so that what
comes before them is the same for every request, and all of it until the next lesson is kept or dropped.
"""

import asyncio
import json
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, NotRequired, get_args
from urllib.parse import quote

import platformdirs
from typing_extensions import TypedDict

from wavegraph.graph.domain import Domain
from wavegraph.graph.errors import LessonError
from wavegraph.graph.secrets.ways_out import error_text
from wavegraph.prompts import render

logger = logging.getLogger("wavegraph")

Reader = Literal["planner", "writer"]
READERS: tuple[Reader, ...] = get_args(Reader)
FOLDER = "WAVEGRAPH_LESSONS"
"""Environment variable: the folder of the files; left out: `lessons` in the user's data folder."""
FORMAT, VERSION = "wavegraph lessons", 1
MOST_LESSONS = 10
"""For one reader."""
LONGEST_LESSON = 240
"""Characters."""
MOST_CHARS = 1800
"""Of all lessons for one reader."""
LARGEST_FILE = 1_000_000
"""Bytes; a full one has a tenth of them."""


class Lesson(TypedDict):
    """One lesson as it is kept. Only its text enters a prompt."""

    id: str
    reader: Reader
    text: str
    kept_at: NotRequired[str]
    """ISO, UTC."""
    evidence: NotRequired[dict[str, Any]]
    """The failures it stands on: kinds, how many requests, their keys; no text of anybody's."""
    trial: NotRequired[dict[str, Any]]
    """The figures of its evaluation."""


def lesson_file(domain: Domain, environ: Mapping[str, str] = os.environ) -> Path:
    """Where a domain's lessons are kept; may not exist yet."""
    folder = environ.get(FOLDER)
    return _file_in(folder, domain.name, environ.get("XDG_DATA_HOME"), environ.get("HOME"))


@lru_cache(maxsize=16)
def _file_in(folder: str | None, name: str, *user: str | None) -> Path:
    """`user`: what a user's own folder depends on: working it out costs as much as a prompt."""
    base = Path(folder).expanduser() if folder else platformdirs.user_data_path("wavegraph") / "lessons"
    return base / f"{quote(name, safe='')}.json"


def read_lessons(path: Path, domain: str) -> list[Lesson]:
    """The lessons in a file, none if there is no file. Raises LessonError for anything but a domain's whole file."""
    try:
        with path.open("rb") as opened:
            raw = opened.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise LessonError(f"the lessons in {str(path)!r} cannot be read: {error.strerror}") from None
    content: Any = None
    with suppress(ValueError, RecursionError):  # a file that is not JSON is foreign too
        content = json.loads(raw) if len(raw) <= LARGEST_FILE else None
    if why := _why_foreign(content, domain):
        raise LessonError(f"{str(path)!r} {why}; nothing in it was changed")
    return list(content["lessons"])


def _why_foreign(content: Any, domain: str) -> str:
    """Why a file's content is not the domain's lessons; empty = it is."""
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        return "is no whole file of lessons: restore it, move it away, or name another folder in WAVEGRAPH_LESSONS"
    if content.get("version") != VERSION:
        return (
            f"is of version {content.get('version')!r} and this program reads {VERSION}: use the program that wrote it"
        )
    if content.get("domain") != domain:
        return f"holds the lessons of {content.get('domain')!r}, not of {domain!r}: move it away"
    lessons = content.get("lessons")
    if not isinstance(lessons, list) or not all(_is_lesson(each) for each in lessons):
        return "holds what is no lesson: restore it or move it away"
    return why_full(lessons)


def _is_lesson(each: Any) -> bool:
    fields = isinstance(each, dict) and all(isinstance(each.get(name), str) for name in ("id", "reader", "text"))
    return fields and each["reader"] in READERS and is_one_line(each["text"])


def is_one_line(text: str) -> bool:
    return bool(text.strip()) and text.isprintable() and len(text) <= LONGEST_LESSON


def why_full(lessons: Sequence[Lesson]) -> str:
    """Which bound they break; empty = none."""
    for reader in READERS:
        own = [each["text"] for each in lessons if each["reader"] == reader]
        if len(own) > MOST_LESSONS:
            return f"holds {len(own)} lessons for the {reader}, at most {MOST_LESSONS} are allowed: drop one"
        if (chars := sum(map(len, own))) > MOST_CHARS:
            return f"holds {chars} characters for the {reader}, at most {MOST_CHARS} are allowed: drop a lesson"
    return ""


def with_lessons(instructions: str, lessons: Sequence[Lesson], reader: Reader) -> str:
    """The instructions, and after them the reader's lessons; unchanged if there are none."""
    own = [f"- {each['text']}" for each in lessons if each["reader"] == reader]
    return f"{instructions}\n\n{render('lessons', lessons=chr(10).join(own))}" if own else instructions


_instead: ContextVar[Sequence[Lesson] | None] = ContextVar("wavegraph_lessons", default=None)


@contextmanager
def instead_of_kept(lessons: Sequence[Lesson]) -> Iterator[None]:
    """Inside, prompts include these lessons and not those of the file: for a trial."""
    token = _instead.set(lessons)
    try:
        yield
    finally:
        _instead.reset(token)


async def after_instructions(instructions: str, domain: Domain, reader: Reader) -> str:
    """The instructions, with the lessons as they are in the file now: one kept or dropped counts from the next prompt on."""
    tried = _instead.get()
    return with_lessons(instructions, await asyncio.to_thread(_kept, domain) if tried is None else tried, reader)


def _kept(domain: Domain) -> list[Lesson]:
    """None of a file that cannot be read: an answer is owed all the same."""
    try:
        return read_lessons(lesson_file(domain), domain.name)
    except LessonError as error:
        _log_fault(error_text(error))
        return []


@cache
def _log_fault(fault: str) -> None:
    """Once in a process."""
    logger.error("prompts go without lessons: %s", fault)
