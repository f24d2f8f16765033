"""What `make bench` measures: one module each, and how long it may take."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Measurement:
    """A module of this folder with `main(arguments)`, which takes `--seed` and `--json FILE` and writes a `Report` there."""

    name: str
    module: str
    title: str
    limit_s: int
    """Longer it may not run."""
    quick: Sequence[str] = ()
    """Arguments of a run that only shows that everything works."""
    needs: Sequence[str] = ()
    """Folders of the public material that it reads, below `--data`; such a module takes `--data FOLDER` too."""
    reports: bool = True
    """False = it prints its own tables, takes no `--seed` or `--json`, and runs only when it is named."""


MEASUREMENTS: Sequence[Measurement] = (
    Measurement(
        "tau", "benchmarks.tau", "tau-bench, replayed", 420, ("--tasks", "3"), needs=["tau"],
    ),
    Measurement("nestful", "benchmarks.nestful", "NESTFUL: right plans and broken ones", 180, ("--tasks", "5"), needs=["nestful"]),
    Measurement("storm", "benchmarks.storm", "tau-bench in a storm of faults", 240, ("--tasks", "3"), needs=["tau"]),
    Measurement("bfcl", "benchmarks.bfcl", "BFCL: calls in their order", 120, ("--dialogues", "3"), needs=["bfcl"]),
    Measurement(
        "overhead", "benchmarks.overhead", "Processor time of a request", 240,
        ("--rounds", "1", "--calls", "1", "4", "--at-once", "2"),
    ),
    Measurement("checks", "benchmarks.checks", "What each check costs", 60, ("--rounds", "2")),
    Measurement(
        "growth", "benchmarks.growth", "A hundred turns", 120, ("--turns", "3", "--rounds", "2"),
    ),
    Measurement(
        "server", "benchmarks.server_request", "A request on the LangGraph server", 120, ("--blocks", "1", "--requests", "1"),
    ),
    Measurement("starts", "benchmarks.overhead_starts", "Start-up", 120, ("--starts", "1")),
    Measurement(
        "memory", "benchmarks.memory", "Memory", 150, ("--at-once", "2", "--turns", "2", "--times", "1"),
    ),
    Measurement(
        "references", "benchmarks.references", "What references save and refuse", 120, needs=["nestful", "tau"],
        reports=False,
    ),
    Measurement("tokens", "benchmarks.tokens", "What models are sent", 240, reports=False),
)  # fmt: skip
"""Half an hour in all, of those that report."""
