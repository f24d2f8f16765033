"""Runs `wavegraph` on a database of its own: as a user does, as a process that is ready at once, or within this one."""

import json
import os
import subprocess
import sys
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ready
from clerk import HELD
from patience import HANGS_S
from typer.testing import CliRunner

from wavegraph.app.main import app

HERE = Path(__file__).parent
CLERK = ("--domain", "clerk:graph")
COMMAND = (sys.executable, "-c", "from wavegraph.app.start import main; main()")
ENDS_WITHIN_S = HANGS_S


@dataclass
class Shell:
    """Commands start in `tests/support`, where `clerk` is found; the user's data folder is `home`."""

    home: Path
    started: list[ready.Process] = field(default_factory=list)

    @property
    def held(self) -> Path:
        return self.home / "held"

    @property
    def database(self) -> str:
        return str(self.home / "test.db")

    def __call__(self, command: str, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """Run to the end with the clerk on this shell's database."""
        line = [*COMMAND, command, *CLERK, "--db", self.database, *words]
        return self._run(line, typed)

    def plain(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run to the end with exactly these words."""
        return self._run([*COMMAND, *words], "", **environment)

    def json(self, text: str, *words: str) -> dict[str, Any]:
        done = self("ask", text, "--json", *words)
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    def start(self, command: str, *words: str) -> ready.Process:
        """Start the clerk and do not wait. Its naps last while `held` is there."""
        return self.start_plain(command, *CLERK, "--db", self.database, *words)

    def start_plain(self, *words: str, stdin: int = subprocess.PIPE, stderr: int = subprocess.PIPE) -> ready.Process:
        """Start with exactly these words and do not wait."""
        environment = {**self._environment(), HELD: str(self.held)}
        self.started.append(ready.Process(COMMAND[2], words, cwd=HERE, env=environment, stdin=stdin, stderr=stderr))
        return self.started[-1]

    def close(self) -> None:
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.communicate()

    def _run(self, line: list[str], typed: str, **environment: str) -> subprocess.CompletedProcess[str]:
        given: Any = {"cwd": HERE, "env": {**self._environment(), **environment}, "timeout": ENDS_WITHIN_S}
        if tuple(line[:3]) == COMMAND and not any(name.startswith("PYTHON") for name in environment):
            return ready.completed(COMMAND[2], line[3:], typed=typed, **given)
        return subprocess.run(line, input=typed, text=True, encoding="utf-8", capture_output=True, check=False, **given)

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "XDG_DATA_HOME": str(self.home), "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"}


class Inside(Shell):
    """The same commands, run to their end within this process: a process of its own takes seconds to import it all."""

    def _run(self, line: list[str], typed: str, **environment: str) -> subprocess.CompletedProcess[str]:
        runner = CliRunner(env={**self._environment(), **environment})
        with chdir(HERE):
            done = runner.invoke(app, line[len(COMMAND) :], input=typed, catch_exceptions=False)
        return subprocess.CompletedProcess(line, done.exit_code, done.stdout, done.stderr)


def read_until(process: "subprocess.Popen[str] | ready.Process", *wanted: str) -> str:
    """Read the process's stderr until lines have held all that is `wanted`, in any order."""
    assert process.stderr is not None
    lines: list[str] = []
    missing = set(wanted)
    for line in process.stderr:
        lines.append(line)
        missing -= {each for each in missing if each in line}
        if not missing:
            return "".join(lines)
    raise AssertionError(f"ended without {missing}: {''.join(lines)}")
