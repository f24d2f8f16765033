"""The lessons of a domain: a file of short texts, kept after a trial, that follow a prompt's instructions.

A run reads the file and never writes it; `wavegraph lessons` does. Lessons come last in the instructions, so that what
comes before them is the same for every request, and all of it until the next lesson is kept or dropped.
"""

import asyncio
import logging
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, get_args
from urllib.parse import quote

import platformdirs
from pydantic import AfterValidator, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from wavegraph.graph.domain import Domain
from wavegraph.graph.errors import LessonError, error_text
from wavegraph.prompts import render

logger = logging.getLogger("wavegraph")

Reader = Literal["planner", "writer"]
READERS: tuple[Reader, ...] = get_args(Reader)
FOLDER = "WAVEGRAPH_LESSONS"
"""Environment variable: the folder of the files; left out: `lessons` in the user's data folder."""
FORMAT: Literal["wavegraph lessons"] = "wavegraph lessons"
VERSION: Literal[1] = 1
MOST_LESSONS = 10
"""For one reader."""
LONGEST_LESSON = 240
"""Characters."""
MOST_CHARS = 1800
"""Of all lessons for one reader."""


def _one_line(text: str) -> str:
    if not text.strip() or not text.isprintable() or len(text) > LONGEST_LESSON:
        raise ValueError(f"one line of at most {LONGEST_LESSON} characters is expected")
    return text


@with_config(extra="allow")
class Lesson(TypedDict):
    """One lesson as it is kept. Only its text enters a prompt."""

    id: str
    reader: Reader
    text: Annotated[str, AfterValidator(_one_line)]
    kept_at: NotRequired[str]
    """ISO, UTC."""
    evidence: NotRequired[dict[str, Any]]
    """The failures it stands on: kinds, how many requests, their keys; no text of anybody's."""
    trial: NotRequired[dict[str, Any]]
    """The figures of its evaluation."""


class LessonFile(TypedDict):
    format: Literal["wavegraph lessons"]
    version: Literal[1]
    domain: str
    lessons: list[Lesson]


_adapter = TypeAdapter(LessonFile)


def lesson_file(domain: Domain, environ: Mapping[str, str] = os.environ) -> Path:
    """Where a domain's lessons are kept; may not exist yet."""
    folder = environ.get(FOLDER)
    base = Path(folder).expanduser() if folder else platformdirs.user_data_path("wavegraph") / "lessons"
    return base / f"{quote(domain.name, safe='')}.json"


def read_lessons(path: Path, domain: str) -> list[Lesson]:
    """The lessons in a file, none if there is no file. Raises LessonError for anything but a domain's whole file."""
    try:
        content = _adapter.validate_json(path.read_bytes())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise LessonError(f"the lessons in {str(path)!r} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"])) or "all"  # what else stands there may be anybody's, and is not quoted
        raise LessonError(
            f"{str(path)!r} is no whole file of lessons ({where}: {fault['msg']}): restore it, move it away, or name another "
            f"folder in {FOLDER}; nothing in it was changed"
        ) from None
    why = why_full(content["lessons"])
    if content["domain"] != domain:
        why = f"holds the lessons of {content['domain']!r}, not of {domain!r}: move it away"
    if why:
        raise LessonError(f"{str(path)!r} {why}; nothing in it was changed")
    return content["lessons"]


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


READ_AGAIN_S = 1.0
"""How long what was read of a file serves: to read it is work for a thread, which costs as much as a node of the graph."""
_read: dict[tuple[str | None, str], tuple[float, list[Lesson]]] = {}
"""By folder and domain: when a file was read, and what it held."""


async def after_instructions(instructions: str, domain: Domain, reader: Reader) -> str:
    """The instructions, with the lessons of the file: one kept or dropped counts a second later."""
    tried = _instead.get()
    return with_lessons(instructions, await _lately_kept(domain) if tried is None else tried, reader)


async def _lately_kept(domain: Domain) -> list[Lesson]:
    place, now = (os.environ.get(FOLDER), domain.name), time.monotonic()
    if place not in _read or now - _read[place][0] >= READ_AGAIN_S:
        _read[place] = now, await asyncio.to_thread(_kept, domain)
    return _read[place][1]


def _kept(domain: Domain) -> list[Lesson]:
    """None of a file that cannot be read: an answer is owed all the same."""
    try:
        return read_lessons(lesson_file(domain), domain.name)
    except LessonError as error:
        _log_once("prompts go without lessons: %s", error_text(error))
        return []


_log_once = cache(logger.error)
"""Once in a process."""
