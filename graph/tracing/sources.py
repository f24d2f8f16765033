"""What the claims of an answer may stand in: results, what was said in the conversation, the domain's own words."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from langchain_core.messages import HumanMessage
from langgraph.errors import GraphBubbleUp

from wavegraph.graph.decimals import decimal
from wavegraph.graph.domain import Domain
from wavegraph.graph.ledger import results
from wavegraph.graph.settings import request_settings
from wavegraph.graph.tracing.claims import Claim, Value, bare, claims_in, folded
from wavegraph.graph.views import AnswerView

_SMALL_UNITS = frozenset({"agorot", "cents", "pence", "minor"})
_SHARES = frozenset({"percent", "pct", "percentage"})
_SHORTEST_PHONE = 7
LONGEST_AGAIN = 4000
"""Characters of a text whose values are kept: the messages before are sources of each request in their thread."""
_APART = "\n\0\n"
"""Between texts: what ends one and begins the next is not read together."""


class Source:
    """Texts that a claim may stand in, each read when it is asked for."""

    def __init__(self, texts: Iterable[str], today: date, lengths: Collection[int] = ()) -> None:
        """`lengths`: of lists in them, which count as figures."""
        self._texts = list(dict.fromkeys(texts))
        self.text = _APART.join(self._texts)
        self.today = today
        self._lengths = lengths

    def holds(self, claim: Claim) -> bool:
        held = self.names if claim.kind == "name" else self.codes if claim.kind == "code" else self.values
        return not held.isdisjoint(claim.values)

    @cached_property
    def values(self) -> set[Value]:
        """All but names and codes."""
        stated = {
            value
            for text in self._texts
            for value in (_values_in if len(text) <= LONGEST_AGAIN else _values_in.__wrapped__)(text)
        }
        numbered = {("order", float(n)) for n in range(1, max(self._lengths, default=0) + 1)}
        counted = {("number", float(length)) for length in self._lengths}
        return {each for value in stated for each in self._borne_by(value)} | numbered | counted

    def _borne_by(self, value: Value) -> Iterable[Value]:
        """What stands in a source with a value of it: with a day its month and weekday, with a page its site."""
        kind, what = value
        if kind == "date" and isinstance(what, tuple):
            return _borne_by_day(what, self.today)
        if kind == "phone":  # without its country and area
            return [(kind, str(what)[n:]) for n in range(max(1, len(str(what)) - _SHORTEST_PHONE + 1))]
        if kind == "link":
            parts = str(what).split("/")
            return [(kind, "/".join(parts[:n])) for n in range(1, len(parts) + 1)]
        if kind == "time" and isinstance(what, int):
            return [value, ("hour", what // 60), ("minute", what % 60)]
        return [value]

    @cached_property
    def names(self) -> set[Value]:
        """All words, and the parts of those that are joined."""
        words = {folded(found) for found in re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", self.text)}
        return {("name", part) for word in words for part in (word, *re.split(r"['’]", word))}

    @cached_property
    def codes(self) -> set[Value]:
        """All words and numbers without their signs, also two together: `IC 204`."""
        tokens = [bare(each) for each in re.findall(r"[\w-]+", self.text)]
        return {("code", each) for each in (*tokens, *(one + other for one, other in pairwise(tokens)))}


@lru_cache(maxsize=2048)
def _values_in(text: str) -> frozenset[Value]:
    """A text is taken for what it most likely means: the `at 2` of a price is no time."""
    claims = claims_in(text, names=False)
    return frozenset(value for claim in claims for value in claim.values if value[0] == claim.kind)


def _borne_by_day(value: tuple[Any, ...], today: date) -> Iterable[Value]:
    """A date without its year is the next one."""
    year, month, number, _ = value
    try:
        day = date(year or today.year, month, number)
        day = day.replace(year=day.year + 1) if year is None and day < today else day
    except ValueError:
        return []
    years, weekdays = (day.year, None), (day.isoweekday(), None)
    return [
        *(("date", (y, day.month, day.day, weekday)) for y in years for weekday in weekdays),
        ("month", day.month),
        ("weekday", day.isoweekday()),
        ("day", (day - today).days),
        ("number", float(day.year)),
        ("day of month", float(day.day)),
    ]


_of_domain = lru_cache(maxsize=16)(Source)


def sources_of(domain: Domain, view: AnswerView) -> list[Source]:
    """What is of this request, and the domain's own words. An earlier answer counts if it was traced itself."""
    issues = [issue["message"] for issue in view.issues]
    found: list[Any] = [request_settings(view.settings), view.plan["slots"], view.details, *issues]
    if view.plan["planner"] == "rules":
        found.append(view.plan["reply"])
    for ledger in view.ledgers:
        found += [part for outcome in results(ledger).values() for part in (outcome["args"], outcome["data"])]
    nodes = [node for part in found for node in nodes_in(part)]
    before = [str(each.text) for each in view.conversation if each.id is None or each.id not in view.untraced]
    texts = [view.today.isoformat(), view.request["text"], *before, *_by_templates(domain, view)]
    own_words = (text for tool in domain.registry.values() for text in tool.own_words)
    prompts = (domain.prompts.get(role, "") for role in ("plan", "respond"))
    lines = dict.fromkeys(_lines(nodes))  # many results hold the same
    return [
        Source([*texts, "\n".join(lines)], view.today, lengths_of(nodes)),
        _of_domain((domain.name, domain.description, *prompts, *own_words), view.today),
    ]


def words_found(view: AnswerView) -> Collection[Value]:
    """The words of the person and of the results, which an answer in any language may quote."""
    messages = [str(message.text) for message in view.conversation if isinstance(message, HumanMessage)]
    data = [outcome["data"] for outcome in results(view.ledger).values()]
    return Source([view.request["text"], *messages, *_lines(nodes_in(data))], view.today).names


def _by_templates(domain: Domain, view: AnswerView) -> Iterator[str]:
    """What the domain's templates say of these results."""
    if domain.offline is None:
        return
    plan = view.plan if view.plan["planner"] == "rules" else {**view.plan, "reply": ""}
    try:
        yield domain.offline.respond(replace(view, plan=plan))
    except GraphBubbleUp:
        raise
    except Exception:  # noqa: BLE001  the domain's own code: what fails here is told where the templates answer
        return


class Node(NamedTuple):
    """A record of JSON, a list or a value in one."""

    place: str
    name: str
    """Of the nearest field."""
    value: Any
    has_currency: bool
    """Whether a field beside it names a currency."""


def nodes_in(value: Any, place: str = "", name: str = "", has_currency: bool = False) -> Iterator[Node]:
    yield Node(place, name, value, has_currency)
    if isinstance(value, Mapping):
        money = any("currency" in str(field) for field in value)
        for field, part in value.items():
            yield from nodes_in(part, f"{place}.{field}" if place else str(field), str(field), money)
    elif isinstance(value, list | tuple):
        for n, part in enumerate(value):
            yield from nodes_in(part, f"{place}[{n}]", name, has_currency)


def lengths_of(nodes: Iterable[Node]) -> set[int]:
    """Of its lists."""
    return {len(node.value) for node in nodes if isinstance(node.value, list | tuple)}


def _lines(nodes: Iterable[Node]) -> Iterator[str]:
    """The values of a record, each behind the words of its name, and numbers also in whole units and as a share."""
    for node in nodes:
        value, words = node.value, node.name.replace("_", " ")
        units = set(words.casefold().split())
        if not isinstance(value, Mapping | list | tuple):
            yield f"{words}: {value}"
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield from [f"{value / 100}"] if units & _SMALL_UNITS else ()
            is_share = 0 < value < 1 and not node.has_currency
            yield from [f"{value}%"] if units & _SHARES else [f"{decimal(value * 100, 6)}%"] if is_share else ()
