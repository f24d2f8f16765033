"""Runs commands in a folder, and keeps each with what it printed for the document."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import fill

WIDTH = 116
"""Columns of a paragraph."""
COLUMNS = "120"
"""Width of the terminal."""


class Session:
    """A folder of its own, with its own database: nothing of the machine's is read or changed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.parts = folder, list[str]()
        self.program = Path(sys.executable).with_name("wavegraph")
        (folder / "data").mkdir()
        self.environment = {
            **os.environ,
            "XDG_DATA_HOME": str(folder / "data"),
            "WAVEGRAPH_DATABASE": str(folder / "data" / "wavegraph.sqlite"),
            "COLUMNS": COLUMNS,
            "PYTHONUNBUFFERED": "1",  # so both streams come in the order of a terminal
        }

    def say(self, text: str) -> None:
        """A paragraph is filled; a heading, picture, table or block stays as it is."""
        is_prose = not text.startswith(("#", "!", "|", "`"))
        self.parts.append(fill(text, WIDTH, break_long_words=False, break_on_hyphens=False) if is_prose else text)

    def heading(self, text: str) -> None:
        self.say(f"## {text}")

    def quiet(self, *arguments: str) -> str:
        """What a command prints to stdout that the document does not show."""
        return self._ran(arguments, subprocess.DEVNULL)

    def run(self, *arguments: str) -> str:
        """Run `wavegraph roster …` and show it with its output, as printed but for the folder's name."""
        printed = self._ran(arguments, subprocess.STDOUT).replace(f"{self.folder}/", "")
        words = " ".join(f'"{each}"' if " " in each else each for each in arguments)
        lines = [line.rstrip() for line in printed.strip().splitlines()]
        self.say("\n".join(["```shellsession", f"$ wavegraph roster {words}", *lines, "```"]))
        print(self.parts[-1], flush=True)
        return printed

    def _ran(self, arguments: tuple[str, ...], errors: int) -> str:
        return subprocess.run(
            [self.program, "roster", *arguments],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            check=False,
        ).stdout
