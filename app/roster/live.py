"""Progress of a roster: the round being solved, then the verdict of its checks and the raised penalties.

On a terminal a running round is a single line that updates; elsewhere it prints a line every few seconds. All goes to
stderr.
"""

import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from wavegraph.app.pages.numbers import percent
from wavegraph.app.plain_text import plain
from wavegraph.app.roster.page.words import amount
from wavegraph.app.terminal.door import Console
from wavegraph.graph.decimals import decimal
from wavegraph.tools.roster.answers.phrases import in_words, say
from wavegraph.tools.roster.loop.generation import TOOL
from wavegraph.tools.roster.records import Round, gap_of

Event = Mapping[str, Any]
LINE_EVERY_S = 5.0
"""Solver seconds between two lines of a round, where there is no terminal."""
MOST_LISTED = 6
"""Findings listed for a round; the answer has the rest."""
VERDICTS = {"passed": "green", "failed": "yellow", "no roster": "red"}


class RosterView:
    """Give it to a run as `on_event`; use it as a context manager around the run, again for each part of it."""

    def __init__(self, console: Console, limit_s: float) -> None:
        """`limit_s`: time limit of one round."""
        self.solving = False
        """Whether a round is being solved now."""
        self._console = console
        self._limit_s = limit_s
        self._live: Live | None = None
        self._spinner = Spinner("dots", style="cyan")
        self._work = ""
        self._began: float | None = None
        self._figures: Event = {}
        self._next_s = LINE_EVERY_S
        self._rounds_printed = 0
        self._checks: dict[str, str] = {}

    def __enter__(self) -> Self:
        self._work = "planning"
        if self._console.is_terminal and not self._console.quiet:
            self._live = Live(
                console=self._console, transient=True, refresh_per_second=8, get_renderable=self._renderable
            )
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.solving = False
        if self._live:
            self._live.stop()
            self._live = None

    def __call__(self, event: Event) -> None:
        match event["event"]:
            case "plan_created":
                self._print_raised(event["tools"])
            case "tool_started" if event["tool"] == TOOL:
                self._begin_round(event["args"].get("iteration", 1))
            case "tool_progress" if event["tool"] == TOOL:
                self._progressed(event["progress"])
            case "tool_finished" if event["tool"] == TOOL:
                self.solving, self._began, self._work = False, None, "checking"
            case "check_started":
                self._checks[event["check"]] = "…"
                self._work = self._checking
            case "check_finished":
                self._checks[event["check"]] = ", ".join(map(_kind, event["found"])) or "✓"
                self._work = self._checking
            case "validation_complete":
                self._checks = {}
                self._print_rounds([Round.model_validate(each) for each in event.get("details", {}).get("rounds", [])])

    @property
    def _checking(self) -> str:
        """The checks of a round side by side, each with what it found so far."""
        return "checking" + "".join(f"  {name} {found}" for name, found in self._checks.items())

    def _begin_round(self, iteration: int) -> None:
        self.solving, self._began, self._figures, self._next_s = True, time.monotonic(), {}, LINE_EVERY_S
        self._work = f"round {iteration}"
        if not self._live:
            self._line(f"round {iteration}: solving, at most {_seconds(self._limit_s)} s")

    def _progressed(self, figures: Event) -> None:
        self._figures = figures
        if not self._live and figures["seconds"] >= self._next_s:
            self._next_s = figures["seconds"] + LINE_EVERY_S
            self._line(f"round {figures['iteration']}: {_so_far(figures)}, {amount(figures['seconds'])} s")

    def _renderable(self) -> Spinner:
        parts = [self._work]
        if self._began is not None:
            parts += [_so_far(self._figures)] if self._figures else ["looking for a first roster"]
            parts += [f"{time.monotonic() - self._began:.0f} s of at most {_seconds(self._limit_s)} s"]
        self._spinner.update(text=Text(" " + "  ".join(parts), overflow="ellipsis", no_wrap=True))
        return self._spinner

    def _print_rounds(self, rounds: Sequence[Round]) -> None:
        for round_ in rounds[self._rounds_printed :]:
            head = f"round {round_.iteration}: {_figures_of(round_)}{amount(round_.seconds)} s: "
            self._print(Text.assemble(head, (_verdict(round_), VERDICTS[round_.status])))
            details = list(dict.fromkeys(issue.detail for issue in round_.issues))
            for detail in details[:MOST_LISTED]:
                self._line(f"  ! {plain(detail)}")
            if details[MOST_LISTED:]:
                self._line(f"  ! and {len(details) - MOST_LISTED} more")
        self._rounds_printed = len(rounds) or self._rounds_printed

    def _print_raised(self, calls: Sequence[Event]) -> None:
        for call in calls:
            if call["tool"] == TOOL and (raised := call["args"].get("penalty_multipliers")):
                listed = ", ".join(f"{in_words(kind, 'en')} x {decimal(factor)}" for kind, factor in raised.items())
                self._line(f"raised: {listed}")

    def _line(self, text: str) -> None:
        self._print(Text(text))

    def _print(self, text: Text) -> None:
        self._console.print(text, soft_wrap=not self._console.is_terminal)


def _seconds(limit_s: float) -> str:
    """Two digits of a limit that is too short for two decimals: 10, 0.33, 0.00033."""
    return amount(limit_s) if limit_s >= 0.1 else f"{limit_s:.2g}"


def _so_far(figures: Event) -> str:
    """By the round's own prices, raised ones included."""
    gap = f"gap {percent(figures['gap'])}"
    return f"cost {amount(figures['cost'])}, bound {amount(figures['bound'])}, {gap}"


def _figures_of(round_: Round) -> str:
    """By the base prices, so that rounds can be compared."""
    if round_.cost is None:
        return ""
    gap = gap_of(round_.cost, round_.bound)
    return f"cost {amount(round_.cost)}, bound {amount(round_.bound)}, gap {percent(gap)}, "


def _verdict(round_: Round) -> str:
    kinds = dict.fromkeys(map(_kind, round_.failed))
    return say("round_failed", "en", kinds=", ".join(kinds)) if kinds else round_.status


def _kind(kind: str) -> str:
    return in_words(kind, "en")
