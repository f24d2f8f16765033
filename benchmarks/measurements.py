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
    in_readme: bool = False
    """Whether the README shows its picture."""
    reports: bool = True
    """False = it prints its own tables, takes no `--seed` or `--json`, and runs only when it is named."""


MEASUREMENTS: Sequence[Measurement] = (
    Measurement(
        "overhead", "benchmarks.overhead", "Processor time of a request", 420,
        ("--rounds", "1", "--calls", "1", "4", "--at-once", "2"), in_readme=True,
    ),
    Measurement("checks", "benchmarks.checks", "What each check costs", 90, ("--rounds", "2")),
    Measurement("starts", "benchmarks.overhead_starts", "Start-up", 150, ("--starts", "1")),
    Measurement(
        "memory", "benchmarks.memory", "Memory", 180, ("--at-once", "2", "--turns", "2", "--times", "1")
    ),
    Measurement(
        "storm", "benchmarks.storm", "tau-bench in a storm of faults", 240, ("--tasks", "5", "--seeds", "1"), needs=["tau"],
        reports=False,
    ),
    Measurement(
        "references", "benchmarks.references", "What references save and refuse", 120, needs=["nestful", "tau"],
        reports=False,
    ),
    Measurement("tokens", "benchmarks.tokens", "What models are sent", 240, needs=["tau"], reports=False),
)  # fmt: skip
