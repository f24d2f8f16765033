"""What a page of the documentation shows: its blocks and commands, and which of its lines are not printed."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from patience import HANGS_S

BETWEEN = "--- the next command ---"
WAVEGRAPH = "from wavegraph.app.main import main; main()"
SAME_HERE = {"PYTHONIOENCODING": "utf-8", "NO_PROXY": "127.0.0.1", "COLUMNS": "200"}
Step = tuple[str, list[str]]
"""A command, and the lines that it prints."""


def blocks(text: str, kind: str) -> list[str]:
    """An indented block stands in a list."""
    found = re.findall(rf"^( *)```{kind}\n(.*?)^\1```", text, flags=re.DOTALL | re.MULTILINE)
    return [re.sub(rf"^{indent}", "", block, flags=re.MULTILINE) for indent, block in found]


def typed(block: str) -> list[Step]:
    """The commands of a block, each with the lines that it prints. One goes on after a backslash at a line's end."""
    commands = [each.replace("\\\n", "\0") for each in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    lines = [each.splitlines() for each in commands]
    return [(line.replace("\0", "\\\n"), shown) for line, *shown in lines]


def run_in_bash(commands: Iterable[str], folder: Path, **environment: str) -> list[str]:
    """What each of them prints, one after the other in one shell."""
    script = [f'wavegraph() {{ "{sys.executable}" -c "{WAVEGRAPH}" "$@"; }}']
    script += [f"{command}\necho; echo '{BETWEEN}'" for command in commands]
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)], cwd=folder, env={**os.environ, **SAME_HERE, **environment},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False, timeout=HANGS_S,
    )  # fmt: skip
    return done.stdout.split(f"\n{BETWEEN}\n")[:-1]


def unprinted(steps: Iterable[Step], printed: Iterable[str]) -> list[str]:
    """Where a command does not print what is shown below it: the command, a line, and what it printed."""
    return [
        f"{command}\n{line}\n{told}"
        for (command, shown), told in zip(steps, printed, strict=True)
        for line in unlike(shown, told)
    ]


def unlike(shown: Iterable[str], printed: str) -> list[str]:
    """Lines that are shown and not printed, or not in that order; `[…]` stands for anything, and ids, hashes and numbers of
    bookings are others each time."""
    place, missed = 0, []
    for line in shown:
        found = re.compile(_pattern(line)).search(printed, place)
        place = found.end() if found else place
        missed += [] if found else [line]
    return missed


def _pattern(line: str) -> str:
    same = re.escape(line).replace(re.escape("[…]"), ".*")
    uuid = r"[0-9a-f]{8}(?:\\-[0-9a-f]{4}){3}\\-[0-9a-f]{12}"
    return re.sub(rf"{uuid}|[0-9a-f]{{64}}|WG\\-[0-9A-Z]+", "[0-9A-Za-z-]+", same)


def missing(block: str, printed: str) -> list[str]:
    """Lines that the block shows and that are not printed, or not in that order; numbers of bookings, clocks and seconds
    are others each time."""
    shown = [line for line in block.splitlines() if line and not line.startswith(("$ ", "you> ", "[…]", "^C"))]
    lines = iter([same_each_time(line) for line in printed.splitlines()])
    return [line for line in shown if same_each_time(line) not in lines]


def same_each_time(line: str) -> str:
    changing = r"\b(?:WG|Q)-[0-9A-Z]+|\d{4}-\d\d-\d\d[T ][\d:.]+(?:[+-]\d\d:\d\d)?|\d+\.\d\d s\b"
    return re.sub(changing, "…", line.rstrip())
