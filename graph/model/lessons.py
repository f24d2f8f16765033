"""Lessons: a text that somebody keeps for an agent, which follows the fixed instructions of the models that plan and write.

`WAVEGRAPH_LESSONS` names the file, or a folder with a file for each agent. A run reads it and never writes it. Lessons come
last in the instructions, so that what comes before them is the same for every request.
"""

import asyncio
import json
import os
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import platformdirs

from wavegraph.graph.errors import logger
from wavegraph.prompts import render

Reader = Literal["planner", "writer"]
PLACE = "WAVEGRAPH_LESSONS"
"""Environment variable: the file, or the folder; left out: `lessons` in the user's data folder."""
MOST_CHARS = 4000
READ_AGAIN_S = 1.0
"""How long what was read serves: reading is work for a thread, which costs as much as a node of the graph."""

_warn_once = cache(logger.error)
_read: dict[tuple[str | None, str, Reader], tuple[float, str]] = {}
"""By place, agent and reader: when a file was read, and what it held."""


async def with_lessons(instructions: str, agent: str, reader: Reader) -> str:
    """The instructions, and after them the agent's lessons; unchanged if there are none."""
    key, now = (os.environ.get(PLACE), agent, reader), time.monotonic()
    if key not in _read or now - _read[key][0] >= READ_AGAIN_S:
        _read[key] = now, await asyncio.to_thread(kept_lessons, agent, reader)
    text = _read[key][1]
    return f"{instructions}\n\n{render('lessons', lessons=text)}" if text else instructions


def lessons_file(agent: str, environ: Mapping[str, str] = os.environ) -> Path:
    """Where an agent's lessons are kept; may not exist. In a folder a `.json` file of earlier versions serves too."""
    named = environ.get(PLACE)
    place = Path(named).expanduser() if named else platformdirs.user_data_path("wavegraph") / "lessons"
    if place.is_file() or place.suffix in (".md", ".json"):
        return place
    file = place / f"{quote(agent, safe='')}.md"
    return file if file.exists() else file.with_name(f"{quote(agent, safe='')}.json")


def kept_lessons(agent: str, reader: Reader) -> str:
    """Empty, with a line in the log, for a file that cannot be used: an answer is owed all the same."""
    file = lessons_file(agent)
    try:
        text = file.read_text(encoding="utf-8")
        lessons = _of_earlier_version(text, agent, reader) if file.suffix == ".json" else text.strip()
        if len(lessons) <= MOST_CHARS:
            return lessons
        _warn_once("prompts go without lessons: %s has more than %s characters", file, MOST_CHARS)
    except FileNotFoundError:
        pass
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        _warn_once("prompts go without lessons: %s cannot be read (%s)", file, type(error).__name__)
    return ""


def _of_earlier_version(text: str, agent: str, reader: Reader) -> str:
    """One line each. Raises ValueError, LookupError or TypeError for anything but an agent's own file."""
    content = json.loads(text)
    if (content["format"], content["version"], content["domain"]) != ("wavegraph lessons", 1, agent):
        raise ValueError(text)
    return "\n".join(f"- {each['text']}" for each in content["lessons"] if each["reader"] == reader)
