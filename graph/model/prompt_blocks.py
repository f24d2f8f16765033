"""The blocks of a prompt's message: the request's data for a model, as tagged JSON."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage

from wavegraph.graph.dialogue.messages import is_question
from wavegraph.graph.ledger import bounded_view
from wavegraph.graph.state import Ledger, Request
from wavegraph.graph.views import AnswerView

RECENT_MESSAGES = 20
LONGEST_MESSAGE = 2000
"""Characters of an earlier message that a model sees."""
_DATE = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")


def calls_shown(ledger: Ledger, max_bytes: int) -> list[dict[str, Any]]:
    """What was tried and what came of it, lists as tables."""
    rows = bounded_view(ledger, max_bytes)
    return [{**row, "data": as_tables(row["data"])} if "data" in row else row for row in rows]


def results_shown(ledger: Ledger, max_bytes: int) -> list[dict[str, Any]]:
    """The same, without what only a planner needs: ids, and that a call went well."""
    return [
        {name: value for name, value in row.items() if name != "id" and (name, value) != ("status", "ok")}
        for row in calls_shown(ledger, max_bytes)
    ]


def not_done(view: AnswerView) -> dict[str, list[str]]:
    """What an answer cannot know: calls that were not made, and the limits that kept them from it."""
    found = {"calls": list(view.unfinished), "limits": list(view.limits_hit)}
    return {name: names for name, names in found.items() if names}


def weekdays_of(texts: Mapping[str, str]) -> dict[str, str]:
    """The weekday of every date in the blocks, so that a model need not work it out."""
    days = {day for text in texts.values() for day in _DATE.findall(text)}
    return {day: f"{found:%A}" for day in sorted(days) if (found := _as_date(day))}


def _as_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def conversation_of(messages: Sequence[AnyMessage], request: Request) -> list[dict[str, str]]:
    """The latest messages before the request, shortened."""
    earlier = messages[: _position(messages, request)][-RECENT_MESSAGES:]
    return [{"role": message.type, "text": str(message.text)[:LONGEST_MESSAGE]} for message in earlier]


def last_answer(messages: Sequence[AnyMessage], request: Request) -> str:
    """The request's previous answer, if it was sent back; empty = none yet."""
    later = messages[_position(messages, request) + 1 :]
    answers = (m for m in reversed(later) if isinstance(m, AIMessage) and not is_question(m))
    return next((str(message.text) for message in answers), "")


def _position(messages: Sequence[AnyMessage], request: Request) -> int:
    """Index of the request; the end, if it is not a message of the thread."""
    return next((n for n, message in enumerate(messages) if message.id == request["id"]), len(messages))


def tagged(parts: Mapping[str, Any]) -> str:
    """One tagged block per part, none for an empty list or record. `<` is escaped inside, so that no text can close its
    block or open another."""
    return blocks(encoded(parts))


def blocks(texts: Mapping[str, str]) -> str:
    return "\n\n".join(f"<{name}>\n{text}\n</{name}>" for name, text in texts.items())


def encoded(parts: Mapping[str, Any]) -> dict[str, str]:
    """What stands in the blocks of parts, by name."""
    return {name: _encoded(value) for name, value in parts.items() if value not in ([], {})}


def _encoded(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).replace("<", "\\u003c")
    return text.encode(errors="replace").decode()  # broken input may hold half a character, which cannot be sent


LEAST_ROWS = 3
"""Records that make a table."""


def as_tables(data: Any) -> Any:
    """The data with each list, or mapping, of at least three records with the same fields as a table.

    `columns` names the fields (`a.b` inside a record inside), `rows` has their values in that order, by the same keys
    where it was a mapping; `all` has the fields that are the same in each.
    """
    if isinstance(data, list):
        return _table(data, data) or [as_tables(each) for each in data]
    if isinstance(data, dict):
        return _table(data, list(data.values())) or {name: as_tables(part) for name, part in data.items()}
    return data


def _table(data: Any, records: Sequence[Any]) -> dict[str, Any] | None:
    if len(records) < LEAST_ROWS or not all(isinstance(each, dict) and each for each in records):
        return None
    flat = [_flat(each) for each in records]
    columns = list(flat[0])
    if any(list(each) != columns for each in flat):
        return None
    texts = [{name: json.dumps(value, default=str) for name, value in each.items()} for each in flat]  # 1 is not True
    same = {name: flat[0][name] for name in columns if all(each[name] == texts[0][name] for each in texts)}
    varied = [name for name in columns if name not in same]
    rows = [[as_tables(each[name]) for name in varied] for each in flat]
    told: dict[str, Any] = {"all": {name: as_tables(value) for name, value in same.items()}} if same else {}
    named = dict(zip(data, rows, strict=True)) if isinstance(data, dict) else rows
    return {"columns": varied, "rows": named, **told}


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """Records directly inside, spread out; one whose own names hold a point stays as it is."""
    found: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict) and value and not any("." in inner for inner in value):
            found.update({f"{name}.{inner}": part for inner, part in value.items()})
        else:
            found[name] = value
    return found
