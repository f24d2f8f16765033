"""The live view of a request, from its events only.

On a terminal, running calls have a spinner under the lines of those that ended; elsewhere only the lines are
printed. All of it goes to stderr: stdout is for the answer.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from rich.console import Group
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from wavegraph.app.plain_text import plain
from wavegraph.app.terminal.door import Console
from wavegraph.graph.errors import short_repr

EventRecord = Mapping[str, Any]
LONGEST_VALUE = 40
"""Characters of one argument in a line; `--debug` prints them whole."""


@dataclass(frozen=True)
class _Running:
    """A call that has not ended: its `tool_started` and its line."""

    started: EventRecord
    spinner: Spinner

    def show(self, width: int, progress: Mapping[str, Any] | None = None) -> None:
        figures = "".join(f"  {name} {value}" for name, value in (progress or {}).items())
        line = Text(f" {self.started['id']}{figures}  {call_text(self.started)}")
        line.truncate(width - 2, overflow="ellipsis")  # a line that wraps would make the view jump
        self.spinner.update(text=line)


class LiveView:
    """Pass it to a run as `on_event`, and use it as a context manager around the run."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._marks = _GLYPHS if console.encoding.lower().startswith("utf") else _ASCII
        self._running: dict[str, _Running] = {}
        self._work = ""
        self._printed_issues: set[str] = set()
        self._live: Live | None = None

    def __enter__(self) -> Self:
        self._begin("Planning…")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._running.clear()
        self._work = ""
        if self._live:
            self._live.stop()
            self._live = None

    def __call__(self, event: EventRecord) -> None:
        match event["event"]:
            case "wave_started":
                self._work = "Working…"
            case "tool_started":
                self._running[event["id"]] = _Running(event, Spinner("dots", style="cyan"))
                self._running[event["id"]].show(self._console.width)
            case "tool_progress":
                for call in self._running.values():
                    if call.started["tool"] == event["tool"]:
                        call.show(self._console.width, event["progress"])
            case "tool_finished":
                self._running.pop(event["id"], None)
            case "adaptation_started":
                self._work = "Trying alternatives…"
            case "answer_checked" if event["sent_back_to"] == "plan":
                self._work = "Planning again…"
            case "validation_complete" | "answer_checked":
                self._work = "Writing the answer…"
        self._refresh()  # first: a printed line shows the spinners under it again
        if line := describe(self._without_printed(event), self._marks):
            self._console.print(line, soft_wrap=not self._console.is_terminal)

    def _begin(self, work: str) -> None:
        self._work = work
        if self._console.is_terminal:
            self._live = Live(console=self._console, transient=True, refresh_per_second=12)
            self._live.start()
            self._refresh()

    def _without_printed(self, event: EventRecord) -> EventRecord:
        """The event without issues already printed: an open issue is in the event of every wave."""
        if event["event"] != "validation_complete":
            return event
        fresh = [issue for issue in event["issues"] if issue["message"] not in self._printed_issues]
        self._printed_issues.update(issue["message"] for issue in fresh)
        return {**event, "issues": fresh}

    def _refresh(self) -> None:
        if self._live:
            rest = [Spinner("dots", Text(f" {self._work}", style="dim"))] if self._work and not self._running else []
            self._live.update(Group(*(call.spinner for call in self._running.values()), *rest), refresh=True)


_GLYPHS = {"ok": "✓", "bad": "✗", "plan": "●", "wave": "▸", "note": "!", "again": "↻", "arrow": "→", "limit": "■"}
_ASCII = {"ok": "+", "bad": "x", "plan": "*", "wave": ">", "note": "!", "again": "~", "arrow": "->", "limit": "#"}


def describe(event: EventRecord, marks: Mapping[str, str] = _GLYPHS) -> Text | None:
    """An event as a printed line; None if it only moves the spinner."""
    match event["event"]:
        case "plan_created":
            return _plan(event, marks)
        case "wave_started":
            return _line(marks["wave"], "cyan", f"wave {event['wave']}: {', '.join(event['calls'])}")
        case "tool_finished":
            return _finished(event, marks)
        case "check_finished":
            kinds = ", ".join(kind.replace("_", " ") for kind in event["found"])
            mark, colour = (marks["note"], "yellow") if kinds else (marks["ok"], "green")
            return _line(f"  {mark}", colour, f"{event['check']}: {kinds or 'nothing found'}")
        case "validation_complete" if event["issues"]:
            found = dict.fromkeys(issue["message"] for issue in event["issues"])
            return Text("\n").join(_line(f"  {marks['note']}", "yellow", message) for message in found)
        case "adaptation_started":
            return _line(marks["again"], "yellow bold", "Trying alternatives…")
        case "adaptation_complete":
            outcome = "found another way" if event["success"] else "found no other way"
            return _line(marks["again"], "yellow", outcome)
        case "answer_checked" if not event["satisfied"]:
            what = "answer sent back" if event["sent_back_to"] else "answer falls short"
            return _line(marks["note"], "yellow", f"{what}: {event['reason']}")
        case "limit_reached":
            left = f"; left undone: {', '.join(event['left_undone'])}" if event["left_undone"] else ""
            return _line(marks["limit"], "red", f"limit reached: {event['limit']}{left}")
        case "custom":
            return _written(event["data"])
    return None


def _written(data: Any) -> Text | None:
    """What a tool wrote into the stream itself."""
    text = plain(data if isinstance(data, str) else short_repr(data))
    return Text(f"    {text}", style="dim") if text else None


def call_text(call: EventRecord) -> str:
    """`tool(name='value', …)`: long values cut, empty ones left out."""
    given = {name: value for name, value in call["args"].items() if value not in (None, [], {}, "")}
    return f"{call['tool']}({', '.join(f'{name}={_short(value)}' for name, value in given.items())})"


def _short(value: Any) -> str:
    if isinstance(value, Mapping) and set(value) == {"ref"}:
        return f"{value['ref']['call']}.{value['ref']['path']}"
    text = repr(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def _plan(event: EventRecord, marks: Mapping[str, str]) -> Text:
    line = _line(marks["plan"], "bold", f"plan {event['number']}: {event['action']}")
    calls: Iterable[str] = (plain(call_text(call)) for call in event["tools"])
    return line.append("".join(f"\n    {call}" for call in calls), style="dim")


def _finished(event: EventRecord, marks: Mapping[str, str]) -> Text:
    good = event["status"] in ("ok", "partial")
    line = _line(f"  {marks['ok' if good else 'bad']}", "green" if good else "red", event["id"])
    status = event["status"] if event["status"] != "ok" else ""
    detail = plain(": ".join(part for part in (status, event["error"]) if part))
    return line.append(f"  {event['elapsed_s']:.2f} s", style="dim").append(f"  {detail}" if detail else "")


def _line(mark: str, style: str, text: str) -> Text:
    return Text().append(f"{mark} ", style=style).append(plain(text))
