"""The live view, event by event."""

import io
from typing import Any

import pytest
from rich.console import Console
from tables import table

from wavegraph.app.terminal.live import LiveView, call_text, describe

ISSUE = {"message": "full is sold out"}
STARTED = {"event": "tool_started", "id": "a", "tool": "solve", "args": {"seed": 1}, "wave": 1}
ENDED = {"event": "tool_finished", "id": "a", "tool": "solve", "elapsed_s": 1.25, "error": None, "status": "ok"}
CHECKED = {"event": "answer_checked", "satisfied": True, "reason": "good", "attempt": 1, "sent_back_to": None}
FAILED = {**CHECKED, "satisfied": False, "reason": "12 is from nowhere"}

LINES: list[tuple[dict[str, Any], str | None]] = [
    (
        {"event": "plan_created", "number": 2, "action": "look_up", "tools": [{"tool": "look", "args": {"word": "x"}}]},
        "● plan 2: look_up\n    look(word='x')",
    ),
    ({"event": "wave_started", "wave": 1, "calls": ["a", "b"]}, "▸ wave 1: a, b"),
    (STARTED, None),
    ({"event": "tool_progress", "tool": "solve", "progress": {"gap": 3}}, None),
    (ENDED, "  ✓ a  1.25 s"),
    ({**ENDED, "status": "partial"}, "  ✓ a  1.25 s  partial"),
    ({**ENDED, "status": "timeout", "error": "too slow"}, "  ✗ a  1.25 s  timeout: too slow"),
    ({"event": "validation_complete", "needs_adaptation": False, "issues": []}, None),
    ({"event": "validation_complete", "needs_adaptation": True, "issues": [ISSUE, ISSUE]}, "  ! full is sold out"),
    ({"event": "adaptation_started", "turn": 1, "reason": "full"}, "↻ Trying alternatives…"),
    ({"event": "adaptation_complete", "turn": 1, "tools_executed": 1, "success": True}, "↻ found another way"),
    ({"event": "adaptation_complete", "turn": 1, "tools_executed": 0, "success": False}, "↻ found no other way"),
    (CHECKED, None),
    ({**FAILED, "sent_back_to": "respond"}, "! answer sent back: 12 is from nowhere"),
    ({**FAILED, "sent_back_to": "plan"}, "! answer sent back: 12 is from nowhere"),
    (FAILED, "! answer falls short: 12 is from nowhere"),
    ({"event": "answer_replaced", "message_id": "m", "answer": "new"}, None),
    ({"event": "limit_reached", "limit": "max_waves", "left_undone": ["b"]}, "■ limit reached: max_waves; left undone: b"),
    ({"event": "limit_reached", "limit": "max_waves", "left_undone": []}, "■ limit reached: max_waves"),
    ({"event": "check_started", "id": "a", "tool": "solve", "check": "law"}, None),
    ({"event": "check_finished", "id": "a", "tool": "solve", "check": "law", "found": []}, "  ✓ law: nothing found"),
    ({"event": "check_finished", "id": "a", "tool": "solve", "check": "law", "found": ["too_late", "odd"]},
     "  ! law: too late, odd"),
    ({"event": "an event of a later version"}, None),
    ({"event": "custom", "data": "Looking\nup\x1b[2J…"}, "    Looking up…"),
    ({"event": "custom", "data": {"event": "tool_started"}}, "    {'event': 'tool_started'}"),
    ({"event": "custom", "data": None}, "    None"),
    ({"event": "custom", "data": ""}, None),
]  # fmt: skip


@table(("event", "line"), LINES)
def test_each_event_has_its_line(event: dict[str, Any], line: str | None) -> None:
    text = describe(event)
    assert (text.plain if text else None) == line


def test_a_call_is_shown_short() -> None:
    reference = {"ref": {"call": "dates", "path": "stays[0].check_in"}}
    args = {"check_in": reference, "children": [], "note": "x" * 100}
    text = call_text({"tool": "look", "args": args})
    assert text == f"look(check_in=dates.stays[0].check_in, note='{'x' * 38}…)"


def test_an_open_issue_is_told_once() -> None:
    console = Console(file=io.StringIO(), width=80)
    with LiveView(console) as view:
        for _ in range(2):
            view({"event": "validation_complete", "needs_adaptation": False, "issues": [ISSUE]})
    assert console.file.getvalue().count("full is sold out") == 1  # type: ignore[attr-defined]


def test_on_a_terminal_what_runs_is_shown_until_it_ends() -> None:
    file = io.StringIO()
    console = Console(file=file, width=60, force_terminal=True, color_system=None, legacy_windows=False)
    with LiveView(console) as view:
        view(STARTED)
        view({"event": "tool_progress", "tool": "solve", "progress": {"gap": 3}})
        running = file.getvalue()
        view(ENDED)
    assert "a  solve(seed=1)" in running
    assert "a  gap 3  solve(seed=1)" in running
    assert file.getvalue().rindex("✓ a") > file.getvalue().rindex("solve(seed=1)")


def test_a_terminal_without_these_signs_gets_plain_ones() -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    with LiveView(Console(file=file, width=80)) as view:
        view(ENDED)
        view({"event": "wave_started", "wave": 1, "calls": ["a"]})
    file.seek(0)
    assert file.read() == "  + a  1.25 s\n> wave 1: a\n"


@pytest.mark.parametrize(("to", "work"), [("plan", "Planning again…"), ("respond", "Writing the answer…")])
def test_an_answer_that_is_sent_back_shows_where_it_went(to: str, work: str) -> None:
    file = io.StringIO()
    console = Console(file=file, width=60, force_terminal=True, color_system=None, legacy_windows=False)
    with LiveView(console) as view:
        view({**FAILED, "sent_back_to": to})
    assert work in file.getvalue()
