"""New processes for the overhead benchmark, and the processor time that each of them takes."""

import os
import subprocess
import sys
from collections.abc import Mapping

_COMMAND = """
import sys
sys.argv = ["wavegraph", *{words!r}]
from wavegraph.app.start import main
main()
"""
_UNTIL_PRINTED = """
import io, os, sys
class First(io.TextIOWrapper):
    def write(self, text):
        os._exit(0)
sys.stderr = First(sys.stderr.buffer, encoding="utf-8")
"""
"""The work of a request is told on stderr."""


def _command(*words: str) -> str:
    return _COMMAND.format(words=words)


STARTS: Mapping[str, str] = {
    "import langgraph.graph": "import langgraph.graph",
    "wavegraph --version": _command("--version"),
    "wavegraph --help": _command("--help"),
    "wavegraph ask": _UNTIL_PRINTED + _command("ask", "a room tomorrow for two", "--db", "start.db"),
}
"""Programs by name; the others are compared with the first. `ask` ends with the first event that it prints."""


def started(name: str, folder: str) -> float:
    """Milliseconds of processor time of a process that runs the program in that folder."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    child = subprocess.Popen(
        [sys.executable, "-c", STARTS[name]],
        cwd=folder,
        env={**environment, "XDG_DATA_HOME": folder},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{name} ended with status {child.returncode}")
    return (used.ru_utime + used.ru_stime) * 1000
