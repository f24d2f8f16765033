"""What a start costs: processor time of a new process, beside one that only imports LangGraph.

    python -m benchmarks.overhead_starts [--starts 15]

Until the process ends, or until the first line that a `wavegraph ask` prints of its work. Byte code and database are
written beforehand; the kinds take turns, in an order that the seed shuffles anew each round. Medians.
"""

import os
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.report import Goal, Report, Row, add_options, figure, forget_settings, parser_of, told

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


IMPORT, ASK = "import langgraph.graph", "wavegraph ask"
STARTS: Mapping[str, str] = {
    IMPORT: IMPORT,
    "wavegraph --version": _command("--version"),
    "wavegraph --help": _command("--help"),
    ASK: _UNTIL_PRINTED + _command("ask", "a room tomorrow for two", "--db", "start.db"),
}
"""Programs by name; the others are compared with the first. `ask` ends with the first event that it prints."""


TABLE, TIME, RATIO = "start", "processor time", "to the import"
MOST = 1.5
"""Times the import, that the first event of a `wavegraph ask` may take."""
WHY = "the command imports the engine, the agent and the storage before it can plan"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("overhead_starts", __doc__)
    parser.add_argument("--starts", type=int, default=15, help="processes of each kind (default: %(default)s)")
    add_options(parser)
    given = parser.parse_args(arguments)
    forget_settings()
    rows = measured(given.starts, given.seed)
    return told(
        Report("starts", given.seed, rows, goals(rows), [f"Medians of {given.starts} processes of each."]), given
    )


def measured(times: int, seed: int) -> list[Row]:
    chance = random.Random(seed)
    spent: dict[str, list[float]] = {name: [] for name in STARTS}
    with TemporaryDirectory() as folder:
        for number in range(1 + times):  # the first writes the byte code, and the database
            for name in chance.sample(list(STARTS), len(STARTS)):
                took = started(name, folder)
                if number:
                    spent[name].append(took)
    medians = {name: median(each) for name, each in spent.items()}
    first = medians[IMPORT]
    rows = [
        (Row(TABLE, name, TIME, took, "ms"), Row(TABLE, name, RATIO, took / first)) for name, took in medians.items()
    ]
    return [row for both in rows for row in both]


def goals(rows: Sequence[Row]) -> list[Goal]:
    found = {(row.name, row.measure): row.value for row in rows}
    ratio = round(found[ASK, RATIO], 2)
    told_as = f"first event of a `wavegraph ask`: at most {MOST} × `{IMPORT}`"
    return [Goal(told_as, f"{figure(found[IMPORT, TIME])} ms", f"{ratio:.2f} ×", ratio <= MOST, WHY)]


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


if __name__ == "__main__":
    sys.exit(main())
