"""Prints results: the answer or its JSON on stdout, everything else on stderr."""

import json
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from rich.text import Text

from wavegraph.app.run.questions import question_text
from wavegraph.app.terminal.door import Console, print_json, print_text
from wavegraph.app.terminal.shell_words import shown_id

ResultRecord = Mapping[str, Any]
"""A result as `--json` prints it (`run.result.result_record`)."""


def result(record: ResultRecord, console: Console, *, as_json: bool) -> None:
    """Print the answer, and the figures also where the answer cannot be printed: they name the thread that keeps it."""
    try:
        answer(record, as_json=as_json)
    finally:
        footer(record, console)


def answer(record: ResultRecord, *, as_json: bool) -> None:
    """Print the answer on stdout, and the question that follows it; or the whole record as one JSON object in one line."""
    if as_json:
        return print_json(record)
    question = record.get("question")
    text = record["answer"]
    if question and question["shown"] and record["outcome"] != "awaiting_approval":
        text = f"{text}\n\n{question_text(question)}"
    print_text(text)


def footer(record: ResultRecord, console: Console) -> None:
    """Print outcome, figures and thread in one line."""
    seconds = record["elapsed_s"] or 0.0
    parts = [
        record["outcome"] or "cut off",
        _counted(record["tools_executed"] or 0, "tool call"),
        _counted(record["waves"] or 0, "wave"),
        *([_counted(record["adaptations"], "adaptation")] if record["adaptations"] else []),
        f"{seconds:.2f} s",
        f"thread {shown_id(record['thread_id'])}",
    ]
    console.print(Text(" · ".join(parts), style="dim"), soft_wrap=True)


def debug(record: ResultRecord, console: Console) -> None:
    """Print each wave with arguments and results, then the issues and how the answer was checked."""
    plan = record["plan"] or {}
    _heading(console, f"plan {plan.get('number', '-')} by {record['planner']}: {record['action']}")
    _json(console, {"reasoning": record["reasoning"], "slots": record["slots"]})
    calls = sorted((record["results"] or {}).items(), key=lambda item: item[1]["wave"])
    for wave, members in groupby(calls, key=lambda item: item[1]["wave"]):
        _heading(console, f"wave {wave}" if wave else "from before, or never started")
        for call_id, outcome in members:
            tries = f", {outcome['attempts']} attempts" if outcome["attempts"] > 1 else ""
            _plain(console, f"{call_id}: {outcome['tool']} {outcome['status']}, {outcome['elapsed_s']} s{tries}")
            _json(console, {"args": outcome["args"]})
            _json(console, {"error": outcome["error"]} if outcome["error"] else {"result": outcome["data"]})
    if record["issues"]:
        _heading(console, "issues")
        for issue in record["issues"]:
            _plain(console, f"{issue['severity']} {issue['type']} ({issue['tool_id']}): {issue['message']}")
    if check := record["answer_check"]:
        _heading(console, f"answer check by {check['checked_by']}: {check['reasoning']}")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _heading(console: Console, text: str) -> None:
    console.print(Text(f"── {text}", style="bold"), soft_wrap=True)


def _plain(console: Console, text: str) -> None:
    console.print(Text(text), soft_wrap=True)


def _json(console: Console, value: Any) -> None:
    lines = json.dumps(value, ensure_ascii=False, indent=2, default=str).splitlines()[1:-1]
    _plain(console, "\n".join(f"  {line}" for line in lines))
