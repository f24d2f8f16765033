"""The blocks of a prompt's message: the request's data for a model, as tagged JSON."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage

from wavegraph.graph.dialogue.messages import blocks_of, calls_in, is_of_calls, is_question, is_stop_note
from wavegraph.graph.dialogue.messages import is_reply as is_decision
from wavegraph.graph.domain import Domain
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.ledger import bounded_view
from wavegraph.graph.limits import RECENT_MESSAGES
from wavegraph.graph.state import Ledger, Request, ToolOutcome
from wavegraph.graph.views import AnswerView, View

LONGEST_MESSAGE = 2000
"""Characters of a person's earlier message that a model sees."""
LONGEST_ANSWER = 4000
"""Of an earlier answer: what a follow-up means by "the last one" stands in its lines."""
MOST_OF_RESULTS = 8 * LONGEST_MESSAGE
"""Of results that stand in a conversation, the latest first."""
_DATE = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")


def calls_shown(ledger: Ledger, max_bytes: int, *shown: Callable[[ToolOutcome], Any]) -> list[dict[str, Any]]:
    """What was tried and what came of it, lists as tables. `shown`: what of a result; left out = all."""
    rows = bounded_view(ledger, max_bytes, *shown)
    return [{**row, "data": as_tables(row["data"])} if "data" in row else row for row in rows]


def results_shown(ledger: Ledger, max_bytes: int) -> list[dict[str, Any]]:
    """The same, without what only a planner needs: ids, that a call went well, arguments that the result repeats."""
    return [_without_id(_without_echo(row)) for row in calls_shown(ledger, max_bytes)]


def calls_before(ledger: Ledger, max_bytes: int, tools: Mapping[str, DomainTool]) -> list[dict[str, Any]]:
    """The calls of an earlier request, which no call can refer to any more: their arguments, and the fields of a result that a
    later call may take as they are (`DomainTool.refer_to`); its lists stand in the conversation. Where a tool does not declare
    such fields the whole result is shown, as far as there is room.
    """

    def shown(outcome: ToolOutcome) -> Any:
        tool, data = tools.get(outcome["tool"]), outcome["data"]
        return data if tool is None or tool.refer_to is None else values_named(data, tool.refer_to)

    rows = _without_repeats([_without_id(row) for row in calls_shown(ledger, max_bytes, shown)])
    return [{name: value for name, value in row.items() if (name, value) != ("data", {})} for row in rows]


def _without_repeats(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The rows without texts that stood in an earlier row's result under the same name, such as the id of what all are about."""
    earlier: set[tuple[str, str]] = set()
    for row in rows:
        if isinstance(data := row.get("data"), dict):
            texts = {(name, value) for name, value in data.items() if isinstance(value, str)}
            again = {name for name, _ in texts & earlier}
            row = {**row, "data": {name: value for name, value in data.items() if name not in again}}
            earlier |= texts
        yield row


def _without_id(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "id" and (name, value) != ("status", "ok")}


def _without_echo(row: dict[str, Any]) -> dict[str, Any]:
    """Without the arguments that its result repeats."""
    data = row.get("data")
    own = {name: value for name, value in row["args"].items() if not isinstance(data, dict) or data.get(name) != value}
    return {name: value for name, value in {**row, "args": own}.items() if (name, value) != ("args", {})}


def values_named(data: Any, names: Collection[str]) -> dict[str, Any]:
    """The fields of a result with these names, also of records inside it, but not of records in a list."""
    found: dict[str, Any] = {}
    for name, value in data.items() if isinstance(data, dict) else ():
        if isinstance(value, dict):
            found |= {name: inner} if (inner := values_named(value, names)) else {}
        elif name in names and not (
            value and isinstance(value, list) and all(isinstance(each, dict) for each in value)
        ):
            found[name] = value
    return found


def orders_in(view: View, domain: Domain) -> str:
    """What system messages of the thread order, to stand behind an agent's own instructions; empty where they are data."""
    orders = [str(each.text) for each in view.conversation if isinstance(each, SystemMessage)]
    return "\n\n".join(["", "# Of this conversation", *orders]) if orders and domain.takes == "messages" else ""


def with_blocks(text: str, view: View, domain: Domain) -> str | list[str | dict[str, Any]]:
    """A message's text, with what a person's latest messages hold besides: images, sounds, files."""
    said = [each for each in view.conversation if not is_of_calls(each)]
    recent = [each for each in said[-view.limits.max_messages :] if isinstance(each, HumanMessage)]
    found = [block for each in recent for block in blocks_of(each)] if domain.takes == "messages" else []
    return [{"type": "text", "text": text}, *found] if found else text


def not_done(view: AnswerView) -> dict[str, list[str]]:
    """What an answer cannot know: calls that were not made, and the limits that kept them from it."""
    found = {"calls": list(view.unfinished), "limits": list(view.limits_hit)}
    return {name: names for name, names in found.items() if names}


def weekdays_of(texts: Mapping[str, str]) -> dict[str, str]:
    """The weekday of every date in the blocks, so that a model need not work it out."""
    found: dict[str, str] = {}
    for day in sorted({day for text in texts.values() for day in _DATE.findall(text)}):
        with suppress(ValueError):  # a day that does not exist
            found[day] = f"{date.fromisoformat(day):%A}"
    return found


def conversation_of(
    messages: Sequence[AnyMessage], request: Request, most: int = RECENT_MESSAGES
) -> list[dict[str, Any]]:
    """The latest messages before the request, shortened."""
    return latest_messages(messages_before(messages, request), most=most)


def messages_before(messages: Sequence[AnyMessage], request: Request) -> Sequence[AnyMessage]:
    return messages[: _position(messages, request)]


def latest_messages(
    messages: Sequence[AnyMessage], longest: int = LONGEST_ANSWER, most: int = RECENT_MESSAGES
) -> list[dict[str, Any]]:
    """The latest of what was said, shortened, with the calls between and what they gave."""
    said = [n for n, each in enumerate(messages) if not is_of_calls(each)]
    recent = messages[said[-most] :] if len(said) > most else messages
    calls, left = calls_in(recent), MOST_OF_RESULTS
    rows: list[dict[str, Any]] = []
    for each in reversed(recent):
        if isinstance(each, ToolMessage):
            text = str(each.text)[: min(left, longest, LONGEST_MESSAGE)]
            left -= len(text)
            rows.append({"role": "tool", **_call_of(each, calls), "text": text})
        elif not is_of_calls(each):
            length = min(longest, LONGEST_ANSWER if each.type == "ai" else LONGEST_MESSAGE)
            rows.append({"role": each.type, "text": str(each.text)[:length]})
    return rows[::-1]


def _call_of(result: ToolMessage, calls: Mapping[str, Any]) -> dict[str, Any]:
    call = calls.get(result.tool_call_id)
    return {"tool": call["name"], "args": call["args"]} if call else {"tool": result.name}


def now_asked(view: AnswerView) -> tuple[Sequence[AnyMessage], str]:
    """What was said before, and the request that the answer is to: after a decision the words of that, empty for a form."""
    before = messages_before(view.conversation, view.request)
    if not view.decided:
        return before, view.request["text"]
    said = [each for each in view.since if not is_stop_note(each)]
    words = str(said.pop().text) if said and is_decision(said[-1]) else ""
    return [*before, *view.conversation[len(before) : len(before) + 1], *said], words


def decisions_of(view: AnswerView) -> list[str]:
    """What was decided in the request, for who writes or judges its answer."""
    to_tell = "To tell: what came of it; what was asked before it and not told yet."
    return [f"{each['tool']}: {each['decision']}. {to_tell}" for each in view.decided]


def last_answer(messages: Sequence[AnyMessage], request: Request) -> str:
    """The request's previous answer, if it was sent back; empty = none yet."""
    later = messages[_position(messages, request) + 1 :]
    answers = (m for m in reversed(later) if isinstance(m, AIMessage) and not (is_question(m) or is_of_calls(m)))
    return next((str(message.text) for message in answers), "")


def _position(messages: Sequence[AnyMessage], request: Request) -> int:
    """Index of the request; the end, if it is not a message of the thread."""
    return next((n for n in reversed(range(len(messages))) if messages[n].id == request["id"]), len(messages))


def tagged(parts: Mapping[str, Any]) -> str:
    """One tagged block per part, none for None, an empty list or record. `<` is escaped inside, so that no text can close its
    block or open another."""
    return blocks(json_texts(parts))


def blocks(texts: Mapping[str, str]) -> str:
    return "\n\n".join(f"<{name}>\n{text}\n</{name}>" for name, text in texts.items())


def json_texts(parts: Mapping[str, Any]) -> dict[str, str]:
    """What stands in the blocks of parts, by name."""
    return {name: _json_text(value) for name, value in parts.items() if value not in (None, [], {})}


_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)


def _json_text(value: Any) -> str:
    text = _encoder.encode(value).replace("<", "\\u003c")
    return text.encode(errors="replace").decode()  # broken input may hold half a character, which cannot be sent


def has_table(text: str) -> bool:
    """Whether a table stands in the text of a block: no text inside can look like one, as its quotation marks are escaped."""
    return '{"columns":[' in text


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
    shared: dict[str, Any] = {"all": {name: as_tables(value) for name, value in same.items()}} if same else {}
    named = dict(zip(data, rows, strict=True)) if isinstance(data, dict) else rows
    return {"columns": varied, "rows": named, **shared}


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """Records directly inside, spread out; one whose own names hold a point stays as it is."""
    found: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict) and value and not any("." in inner for inner in value):
            found.update({f"{name}.{inner}": part for inner, part in value.items()})
        else:
            found[name] = value
    return found
