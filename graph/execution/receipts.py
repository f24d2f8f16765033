"""Reports writes: every answer says what was written; the engine adds what the writer leaves out."""

import logging
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from wavegraph.graph.domain import Domain, DomainTool
from wavegraph.graph.errors import kind_of_fault
from wavegraph.graph.language import say
from wavegraph.graph.ledger import GOOD, WRITE_UNKNOWN, is_unread, results, sent_as_another
from wavegraph.graph.state import Ledger, ToolOutcome

logger = logging.getLogger("wavegraph")

MOST_FACTS = 12
LONGEST_FACT = 200
"""Characters of one."""


def done_writes(ledger: Ledger) -> list[ToolOutcome]:
    """The writes of the request that happened, each once."""
    done = (o for o in _writes(ledger) if o["status"] in GOOD and "same_as" not in o)
    return list({o["signature"]: o for o in done}.values())


def news(answer: str, ledger: Ledger, domain: Domain, language: str, *, stood_in: bool) -> list[str]:
    """A sentence for each write that happened and that the answer leaves out.

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


def unknown_writes(ledger: Ledger, language: str) -> str:
    """The sentence that some writes may or may not have happened; empty if all are known."""
    cut = {o["tool"] for o in _writes(ledger) if o["error"] and o["error"]["code"] == WRITE_UNKNOWN}
    return say("write_unknown", language, calls=", ".join(sorted(cut))) if cut else ""


def _writes(ledger: Ledger) -> list[ToolOutcome]:
    return [o for call_id, o in results(ledger).items() if ledger["calls"][call_id]["effect"] == "write"]


def _sentence(answer: str, done: ToolOutcome, tool: DomainTool | None, language: str, stood_in: bool) -> str:
    if tool is not None and tool.receipt is not None:
        try:
            reference, sentence = tool.receipt(done["data"], language)
            return "" if _holds(answer, reference) else sentence
        except Exception as error:  # noqa: BLE001  the domain's own code, and the write has happened
            logger.error("the receipt of %s failed: %s", tool.name, kind_of_fault(error))
            stood_in = True
    return _plainly(done, language) if stood_in and not _mentions(answer, done) else ""


def _holds(answer: str, reference: str) -> bool:
    """Whether the answer contains the reference literally; B-7 is not in B-77."""
    found = re.search(rf"(?<![A-Za-z0-9]){re.escape(reference)}(?![A-Za-z0-9])", answer, re.IGNORECASE)
    return bool(reference) and found is not None


def _mentions(answer: str, done: ToolOutcome) -> bool:
    asked = {value for _, value in _facts(done["args"])}
    given = [value for _, value in _facts(done["data"]) if isinstance(value, str) and value not in asked]
    return bool(given) and all(_holds(answer, value) for value in given)


def _plainly(done: ToolOutcome, language: str) -> str:
    facts = [f"{name}: {_shortened(value)}" if name else _shortened(value) for name, value in _facts(done["data"])]
    return say("done", language, what=f"{done['tool']} ({', '.join(facts)})" if facts else done["tool"])


def _facts(data: Any) -> Iterator[tuple[str, str | float]]:
    """The first plain values of a result with their names, also from nested records."""
    return islice(_values("", data), MOST_FACTS)


def _values(name: str, data: Any) -> Iterator[tuple[str, str | float]]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _values(str(key), value)
    elif isinstance(data, str | int | float) and not isinstance(data, bool) and data != "":
        yield name, data


def _shortened(value: str | float) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= LONGEST_FACT else f"{text[:LONGEST_FACT]}…"
