"""Reports writes: every answer says what was written and what was not; the engine adds what the writer leaves out."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from wavegraph.graph.decimals import decimal
from wavegraph.graph.domain import Domain
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import excerpt, kind_of_fault, logger
from wavegraph.graph.language import say
from wavegraph.graph.ledger import (
    GOOD,
    NOT_FOUND_AFTER,
    cut_writes,
    is_rejected,
    is_unknown,
    is_unread,
    resolver,
    results,
    sent_as_another,
)
from wavegraph.graph.references.paths import references
from wavegraph.graph.state import Ledger, PastRequest, ToolOutcome
from wavegraph.graph.views import AnswerView

MOST_FACTS = 12
LONGEST_FACT = 200
"""Characters of one."""
MOST_NAMED = 10
"""Calls that a sentence names."""
MOST_ARGUMENTS = 4
LONGEST_ARGUMENT = 60
"""Characters of one."""


def done_writes(ledger: Ledger) -> list[ToolOutcome]:
    """The writes of the request that happened, each once."""
    done = (o for o in _writes(ledger).values() if o["status"] in GOOD and "same_as" not in o)
    return list({o["signature"]: o for o in done}.values())


def news(answer: str, ledger: Ledger, domain: Domain, language: str, *, stood_in: bool) -> list[str]:
    """A sentence for each write that happened and that the answer does not mention.

    A tool's `receipt` says what an answer must contain. A write without one is reported only if a stand-in wrote the
    answer (`stood_in`) and it lacks some of the words that the write returned. One whose result cannot be read, and one
    that a plan held more than once, are always told: a writer may count it wrong.
    """
    tools = domain.registry
    done = done_writes(ledger)
    unread = sorted({each["tool"] for each in done if is_unread(each)})
    alike = sorted({ledger["calls"][name]["tool"] for name, _ in sent_as_another(ledger)})
    sentences = [
        *(_sentence(answer, o, tools.get(o["tool"]), language, stood_in) for o in done if not is_unread(o)),
        say("unread", language, calls=", ".join(unread)) if unread else "",
        say("sent_once", language, calls=", ".join(alike)) if alike else "",
    ]
    return [sentence for sentence in sentences if sentence]


def unasked_writes(ledger: Ledger, before: PastRequest | None, language: str) -> str:
    """The sentence that names every write of a server's tool to which nobody has said yes; empty for none. `before`: the
    request before; if it was cut off, no answer has named its writes."""
    was_cut_off = before is not None and before["outcome"] is None and not before.get("approvals")
    ledgers = [before["ledger"], ledger] if before is not None and was_cut_off else [ledger]
    calls = [_call_words(o["tool"], o["args"]) for known in ledgers for o in done_writes(known) if o.get("unasked")]
    return say("done_unasked", language, calls="; ".join(calls)) if calls else ""


def unknown_writes(ledger: Ledger, language: str) -> str:
    """The sentence that some writes may or may not have happened; empty if all are known."""
    cut = {ledger["calls"][name]["tool"] for name in cut_writes(ledger)}
    return say("write_unknown", language, calls=", ".join(sorted(cut))) if cut else ""


def may_have_written(ledger: Ledger) -> bool:
    """Whether a write of the request was sent, whatever came of it."""
    return any(o["status"] in GOOD or is_unknown(o) or _failed_midway(o) for o in _writes(ledger).values())


def undone(ledger: Ledger, language: str, *, worked_around: Collection[str] = (), said: str = "") -> list[str]:
    """One sentence for each way in which writes did not happen. `worked_around`: ids of calls that others stand for.
    `said`: a text that may tell of some, by their errors' words."""
    by_end: dict[str, dict[str, str]] = {}
    for call_id, ended in _writes(ledger).items():
        is_told = ended["status"] in GOOD or (ended["error"] and ended["error"]["message"] in said)
        if not is_told and (is_unknown(ended) or call_id not in worked_around):
            by_end.setdefault(_end_of(ended), {})[ended["signature"]] = _call_words(ended["tool"], ended["args"])
    return [say(key, language, calls=_call_list(list(calls.values()))) for key, calls in by_end.items()]


def left_undone(calls: Sequence[str], ledger: Ledger, language: str) -> str:
    """The sentence that a limit kept these calls from running; empty for none."""
    planned = [ledger["calls"][name] for name in calls if name in ledger["calls"]]
    named = [_call_words(call["tool"], resolver(ledger).args_of(call).args) for call in planned]
    return say("left_undone", language, calls=_call_list(named)) if named else ""


def limits_named(view: AnswerView) -> str:
    """The sentence that names the limits that ended the work, and how high each was; empty for none."""
    most = {name: getattr(view.limits, name, None) for name in view.limits_hit}
    named = [name if number is None else f"{name} = {decimal(number)}" for name, number in most.items()]
    return say("limit_reached", view.request["language"], limits=", ".join(named)) if named else ""


def _end_of(ended: ToolOutcome) -> str:
    if is_unknown(ended):
        return "write_unknown"
    if is_rejected(ended):
        return "not_agreed"
    return "failed" if _failed_midway(ended) else "not_done"


def _failed_midway(ended: ToolOutcome) -> bool:
    """Whether a write raised an error of its own, which does not say how far it came."""
    error = ended["error"]
    return error is not None and error["code"] == "tool_error" and not error["message"].endswith(NOT_FOUND_AFTER)


def _call_words(tool: str, args: Mapping[str, Any]) -> str:
    """A call as a person reads it: its tool's words and its first arguments."""
    known = {name: value for name, value in args.items() if not references(value)}
    facts = islice(_values("", known), MOST_ARGUMENTS)
    told = ", ".join(f"{name.replace('_', ' ')}: {_short_text(value, LONGEST_ARGUMENT)}" for name, value in facts)
    return f"{tool.replace('_', ' ')} ({told})" if told else tool.replace("_", " ")


def _call_list(calls: Sequence[str]) -> str:
    more = f"; … ({len(calls)})" if len(calls) > MOST_NAMED else ""
    return "; ".join(calls[:MOST_NAMED]) + more


def _writes(ledger: Ledger) -> dict[str, ToolOutcome]:
    names = {name for name, call in ledger["calls"].items() if call["effect"] == "write"}
    return {name: o for name, o in results(ledger).items() if name in names} if names else {}


def _sentence(answer: str, done: ToolOutcome, tool: DomainTool | None, language: str, stood_in: bool) -> str:
    if tool is not None and tool.receipt is not None:
        try:
            reference, sentence = tool.receipt(done["data"], language)
            is_left_out = stood_in if reference is None else not _holds(answer, reference)
            return sentence if is_left_out else ""
        except Exception as error:  # noqa: BLE001  the domain's own code, and the write has happened
            logger.error("the receipt of %s failed: %s", tool.name, kind_of_fault(error))
            stood_in = True
    return _plain_sentence(answer, done, language) if stood_in else ""


def _holds(answer: str, reference: str) -> bool:
    """Whether the answer contains the reference literally; B-7 is not in B-77."""
    found = re.search(rf"(?<![A-Za-z0-9]){re.escape(reference)}(?![A-Za-z0-9])", answer, re.IGNORECASE)
    return bool(reference) and found is not None


def _plain_sentence(answer: str, done: ToolOutcome, language: str) -> str:
    """A sentence with what the write returned; empty if the answer holds all its words."""
    facts = list(islice(_values("", done["data"]), MOST_FACTS))
    asked = {value for _, value in islice(_values("", done["args"]), MOST_FACTS)}
    given = [value for _, value in facts if isinstance(value, str) and value not in asked]
    if given and all(_holds(answer, value) for value in given):
        return ""
    words = ", ".join(f"{name}: {_short_text(value)}" if name else _short_text(value) for name, value in facts)
    return say("done", language, what=f"{done['tool']} ({words})" if words else done["tool"])


def _values(name: str, data: Any) -> Iterator[tuple[str, str | float]]:
    """The plain values of a result with their names, also from nested records."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _values(str(key), value)
    elif isinstance(data, str | int | float) and not isinstance(data, bool) and data != "":
        yield name, data


def _short_text(value: str | float, longest: int = LONGEST_FACT) -> str:
    return excerpt(" ".join(str(value).split()), longest)
