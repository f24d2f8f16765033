"""Changes a domain's file of lessons: one writer at a time, the file always whole."""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any

from wavegraph.app.lessons.candidates import Candidate
from wavegraph.app.lessons.trial import Verdict, prompts_hash
from wavegraph.app.run.threads import now
from wavegraph.graph.domain import Domain
from wavegraph.graph.errors import LessonError, error_text
from wavegraph.graph.model.lessons import FORMAT, VERSION, Lesson, lesson_file, read_lessons, why_full

WAIT_S = 30.0
"""How long one process waits for another's change; one takes milliseconds."""
MOST_CHANGES = 20
"""Changed cases that are kept with a lesson."""


def kept_lessons(domain: Domain) -> list[Lesson]:
    """Raises LessonError."""
    return read_lessons(lesson_file(domain), domain.name)


def keep(domain: Domain, candidate: Candidate, trial: Mapping[str, Any] | None, *, anyway: bool = False) -> Lesson:
    """Put a tried lesson into the file. Raises LessonError for one that was not tried with the prompts as they are now,
    or made things worse (unless `anyway`), and where the file is full.
    """
    path = lesson_file(domain)
    with _alone(path):
        kept = read_lessons(path, domain.name)
        if any(each["id"] == candidate.id for each in kept):
            raise LessonError(f"lesson {candidate.id!r} is kept already")
        if why := why_not(domain, candidate, trial, kept, anyway=anyway):
            raise LessonError(f"lesson {candidate.id!r} is not kept: {why}")
        lesson = _lesson(candidate, trial or {})
        if why := why_full([*kept, lesson]):
            raise LessonError(f"with it the file {why}: `wavegraph lessons drop ID`")
        _write(path, domain.name, [*kept, lesson])
    return lesson


def why_not(
    domain: Domain, candidate: Candidate, trial: Mapping[str, Any] | None, kept: Sequence[Lesson], *, anyway: bool
) -> str:
    """Why a candidate may not be kept; empty = it may."""
    way_out = f"`wavegraph lessons try FILE --lesson {candidate.id}`"
    if trial is None:
        return f"it was not tried; {way_out}"
    if trial["lesson"] != candidate.hash:
        return f"another text was tried; {way_out}"
    if trial["prompts"] != prompts_hash(domain, kept):
        return f"the prompts, or the lessons kept with them, have changed since it was tried; {way_out}"
    if (worse := Verdict(trial).made_worse) and not anyway:
        return f"{'; '.join(worse)}; --anyway keeps it all the same"
    return ""


def drop(domain: Domain, lesson_id: str) -> Lesson | None:
    """Take a lesson out of the file, which is then as if it had never been kept; None = it is not kept.

    Raises LessonError.
    """
    path = lesson_file(domain)
    if not path.exists():
        return None
    with _alone(path):
        kept = read_lessons(path, domain.name)
        gone = next((each for each in kept if each["id"] == lesson_id), None)
        if gone is not None:
            _write(path, domain.name, [each for each in kept if each is not gone])
    return gone


def _lesson(candidate: Candidate, trial: Mapping[str, Any]) -> Lesson:
    verdict = Verdict(trial)
    changed = [*verdict.worse, *verdict.better][:MOST_CHANGES]
    figures: dict[str, Any] = {name: value for name, value in trial.items() if name != "cases"}
    figures |= {"passed": list(verdict.passed), "better": len(verdict.better), "worse": len(verdict.worse)}
    return {
        "id": candidate.id,
        "reader": candidate.reader,
        "text": candidate.text,
        "kept_at": now(),
        "evidence": {
            "kinds": list(candidate.kinds),
            "requests": candidate.requests,
            "keys": list(candidate.keys),
            "by": candidate.by,
        },
        "trial": {**figures, "changed": changed},
    }


def _write(path: Path, domain: str, lessons: Sequence[Lesson]) -> None:
    """The whole file in one step: a reader, and who kills this, sees the old one or the new one. Raises LessonError."""
    content = {"format": FORMAT, "version": VERSION, "domain": domain, "lessons": list(lessons)}
    draft = path.with_name(f".{path.name}.{token_hex(4)}.tmp")
    try:
        with draft.open("x", encoding="utf-8") as opened:
            opened.write(json.dumps(content, ensure_ascii=False, indent=1) + "\n")
            opened.flush()
            os.fsync(opened.fileno())
        os.replace(draft, path)
    except OSError as error:
        raise _unusable(path, error.strerror or type(error).__name__) from None
    finally:
        with suppress(OSError):  # it still exists only after an exception
            draft.unlink()


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Between reading and writing the file nobody else changes it; a killed process holds nothing. Raises LessonError."""
    lock = path.with_name(f".{path.name}.lock")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = sqlite3.connect(lock, timeout=WAIT_S, isolation_level=None)
    except OSError as error:
        raise _unusable(path, error.strerror or type(error).__name__) from None
    except sqlite3.Error as error:
        raise _unusable(path, error_text(error)) from None
    with closing(opened):
        try:
            opened.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            raise _unusable(path, error_text(error)) from None
        yield


def _unusable(path: Path, why: str) -> LessonError:
    return LessonError(
        f"the lessons in {str(path)!r} cannot be changed: {why}; let this user write there, or name another folder "
        "in WAVEGRAPH_LESSONS"
    )
