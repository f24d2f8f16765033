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
    reading: str = ""
    """How its tables are read, for the page that shows them."""


MEASUREMENTS: Sequence[Measurement] = (
    Measurement(
        "tau", "benchmarks.tau", "tau-bench, replayed", 420, ("--tasks", "3"), needs=["tau"],
        reading=
        "The same 165 tasks, done by each agent. An oracle that knows the right calls stands in for the "
        "model. Fewer model calls, tokens and seconds are better. `database right` counts the tasks whose "
        "final database is right, `every observation right` those in which each call returned what was "
        "recorded.",
    ),
    Measurement(
        "nestful", "benchmarks.nestful", "NESTFUL: right plans and broken ones", 180, ("--tasks", "5"), needs=["nestful"],
        reading=
        "Plans whose calls refer to each other. First the plans as published: those `of declared fields` "
        "should run; the `others` cite a field or tool that does not exist, and should be refused. Then the "
        "same plans, broken in one place: each should be refused before any of its calls runs.",
    ),
    Measurement(
        "storm", "benchmarks.storm", "tau-bench in a storm of faults", 240, ("--tasks", "3"), needs=["tau"],
        reading=
        "The same tasks while each attempt at a call fails with the chance p. `done`: all that was asked for "
        "is done. `partial`: the answer says what is left. `no answer`: the run ended in an exception. "
        "`unnamed`: the answer leaves out something that is not done. `wrong`: it says that something is done "
        "which is not. `twice`: writes that took effect again. With `roomy limits` a request may try more "
        "often than by default.",
    ),
    Measurement(
        "bfcl", "benchmarks.bfcl", "BFCL: calls in their order", 120, ("--dialogues", "3"), needs=["bfcl"],
        reading=
        "Dialogues whose calls must keep their order. `all in order` counts the dialogues in which every call "
        "came in its place; `order-sensitive` are those whose result another order changes. In the second "
        "table the model says each call twice: a write should still be done once.",
    ),
    Measurement(
        "overhead", "benchmarks.overhead", "Processor time of a request", 240, ("--rounds", "1", "--calls", "1", "4", "--at-once", "2"),
        reading=
        "Processor time of one request, by the number of its calls and by the number of requests at once: "
        "without a checkpointer (`no saver`), with SQLite, and with PostgreSQL. `ours to it` is wavegraph's time divided "
        "by the peer's; above 1, the peer needs less.",
    ),
    Measurement("checks", "benchmarks.checks", "What each check costs", 60, ("--rounds", "2")),
    Measurement(
        "growth", "benchmarks.growth", "A hundred turns", 120, ("--turns", "3", "--rounds", "2"),
        reading=
        "One conversation of a hundred turns: what a turn takes, and what is stored. The last table compares "
        "a turn on that long thread with one on a new thread.",
    ),
    Measurement(
        "server", "benchmarks.server_request", "A request on the LangGraph server", 120, ("--blocks", "1", "--requests", "1"),
        reading=
        "A request over HTTP, waited for and streamed, beside a bare graph on the same server. The hotel "
        "works without a model: it reads the guest's words by rules, and traces its answer.",
    ),
    Measurement(
        "starts", "benchmarks.overhead_starts", "Start-up", 120, ("--starts", "1"),
        reading="A new process until it ends, or for `ask` until it prints the first line of its work.",
    ),
    Measurement(
        "memory", "benchmarks.memory", "Memory", 150, ("--at-once", "2", "--turns", "2", "--times", "1"),
        reading="The most memory that a process holds, libraries and all.",
    ),
    Measurement(
        "references", "benchmarks.references", "What references save and refuse", 120, needs=["nestful", "tau"],
        reports=False,
    ),
    Measurement(
        "plan_form", "benchmarks.plan_form", "The form a plan is asked in", 120, needs=["nestful", "tau"], reports=False,
    ),
    Measurement("wards", "benchmarks.ward_runs", "Ordinary wards: breaches, and what cannot be kept", 3600, reports=False),
    Measurement("tokens", "benchmarks.tokens", "What models are sent", 240, reports=False),
)  # fmt: skip
"""Half an hour in all, of those that report."""
