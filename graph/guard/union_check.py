"""Traces an answer without statements: each figure, time, date, name and address stands in a result, in what was said before
(an earlier answer counts as far as it was traced) or in the domain's own words.

It looks at all sources together: that a figure stands somewhere does not make it this one. A judge is for the rest.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cached_property, lru_cache
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.errors import GraphBubbleUp

from wavegraph.graph.domain import Domain
from wavegraph.graph.guard.stated import Stated, codes_of, folded, is_day, stated_in, words_of
from wavegraph.graph.ledger import results
from wavegraph.graph.settings import request_settings
from wavegraph.graph.views import AnswerView

_SMALL_UNITS = frozenset({"agorot", "cents", "pence", "minor"})
_SHARES = frozenset({"percent", "pct", "percentage"})
_SHORTEST_PHONE = 7


class Known:
    """What the sources hold, read as far as it is asked for."""

    def __init__(self, today: date) -> None:
        self.today = today
        self.phrases = ""
        """The engine's own: words alone are theirs, their figures are no source."""
        self.own: Sequence[str] = ()
        """Texts that are the same for every request of a domain."""
        self.told: list[str] = []
        """What is this request's."""
        self.longest = 0
        """Elements of the longest list."""

    @cached_property
    def words(self) -> frozenset[str]:
        return _own_words(self.phrases) | _own_words("\n".join(self.own)) | words_of("\n".join(self.told))

    @cached_property
    def codes(self) -> set[str]:
        return {code for text in (*self.own, *self.told) for code in codes_of(text)}

    def of(self, kind: str) -> set[Hashable]:
        return self._values.setdefault(kind, set())

    @cached_property
    def _values(self) -> dict[str, set[Hashable]]:
        """By kind."""
        found: dict[str, set[Hashable]] = {}
        for kind, values in (*_own_values(tuple(self.own)), *_values_in(self.told)):
            found.setdefault(kind, set()).update(values)
        return found

    @cached_property
    def days(self) -> list[date]:
        dates = [value for value in self.of("date") if isinstance(value, tuple)]
        return [day for value in dates if (day := _as_day(value, self.today)) is not None]


def _values_in(texts: Sequence[str]) -> list[tuple[str, frozenset[Hashable]]]:
    """What they state, with its kinds. All is read at once; what ends one text and begins the next is not taken together."""
    return [(each.kind, each.values) for each in stated_in(_APART.join(texts), names=False)]


_APART = "\n\0\n"
_own_values = lru_cache(maxsize=16)(_values_in)


@lru_cache(maxsize=32)
def _own_words(text: str) -> frozenset[str]:
    return frozenset(words_of(text))


def untraced(domain: Domain, answer: str, view: AnswerView) -> list[str]:
    """What the answer states and no source holds, as written, each once."""
    if not (stated := stated_in(answer)):
        return []
    known = known_by(domain, view)
    return list(dict.fromkeys(each.text for each in stated if not is_borne(each, known)))


def known_by(domain: Domain, view: AnswerView) -> Known:
    known = Known(view.today)
    known.phrases = "\n".join(each for language in domain.languages for each in language.phrases.values())
    known.own = list(fixed_texts(domain))
    held: list[Any] = [
        request_settings(view.settings),
        view.plan["slots"],
        view.details,
        view.issues and _messages(view),
    ]
    if view.plan["planner"] == "rules":
        held.append(view.plan["reply"])
    for ledger in view.ledgers:
        held += [[outcome["args"], outcome["data"]] for outcome in results(ledger).values()]
    told = [view.today.isoformat(), view.request["text"], *said_before(view), *_told_by_templates(domain, view)]
    known.told = [*told, *("\n".join(_lines(each, known)) for each in held)]
    return known


def found_words(view: AnswerView) -> set[str]:
    """The words of the person and of the results, which an answer in any language may quote."""
    data = [outcome["data"] for outcome in results(view.ledger).values()]
    return words_of("\n".join([view.request["text"], *_persons(view), *_lines(data, Known(view.today))]))


def _persons(view: AnswerView) -> Iterator[str]:
    return (str(message.text) for message in view.conversation if isinstance(message, HumanMessage))


def said_before(view: AnswerView) -> Iterator[str]:
    """What was said in the conversation, but for answers that trace to nothing themselves."""
    return (str(message.text) for message in view.conversation if message.id is None or message.id not in view.untraced)


def _messages(view: AnswerView) -> list[str]:
    return [issue["message"] for issue in view.issues]


def fixed_texts(domain: Domain) -> Iterator[str]:
    """The domain's own words: its prompts, what its tools say of themselves."""
    yield from (domain.name, domain.description, domain.prompts.get("plan", ""), domain.prompts.get("respond", ""))
    yield from (text for tool in domain.registry.values() for text in tool.own_words)


def _told_by_templates(domain: Domain, view: AnswerView) -> Iterator[str]:
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


def _lines(value: Any, known: Known, key: str = "", is_money: bool = False) -> Iterator[str]:
    """The leaves of a record, each behind the words of its name."""
    if isinstance(value, Mapping):
        money = any("currency" in str(name) for name in value)
        for name, part in value.items():
            yield from _lines(part, known, str(name).replace("_", " "), money)
    elif isinstance(value, list | tuple):
        known.longest = max(known.longest, len(value))
        for part in value:
            yield from _lines(part, known, key, is_money)
    else:
        yield f"{key}: {value}"
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield from _as_said(value, set(key.casefold().split()), is_money)


def _as_said(value: float, name: set[str], is_money: bool) -> Iterator[str]:
    """Other ways to write a number: in whole units, as a share."""
    if name & _SMALL_UNITS:
        yield f"{value / 100}"
    if name & _SHARES:
        yield f"{value}%"
    elif 0 < value < 1 and not is_money:
        yield f"{round(value * 100, 6):g}%"


def is_borne(stated: Stated, known: Known) -> bool:
    return any(_holds(known, *_kind_of(value, stated), stated) for value in stated.values)


def _kind_of(value: Hashable, stated: Stated) -> tuple[str, Hashable]:
    """A value may be of another kind than the statement: `(kind, value)`."""
    if isinstance(value, tuple) and isinstance(value[0], str):
        return value[0], value[1]
    return stated.kind, value


def _holds(known: Known, kind: str, value: Any, stated: Stated) -> bool:
    match kind:
        case "date":
            return any(is_day(value, day) for day in known.days)
        case "month":
            return any(day.month == value for day in known.days) or value in known.of("month")
        case "weekday":
            return value in known.of("weekday") | {day.weekday() for day in known.days}
        case "day":
            return known.today + timedelta(days=value) in known.days or value in known.of("day")
        case "phone":
            return any(_same_phone(value, str(other)) for other in known.of("phone"))
        case "link":
            return any(str(other) == value or str(other).startswith(f"{value}/") for other in known.of("link"))
        case "code":
            return value in known.codes
        case "name":
            return _is_known_name(stated.text, known)
        case "order":
            is_day_of = stated.text[0].isdigit() and any(day.day == value for day in known.days)
            return value <= known.longest or is_day_of or value in known.of("number") | known.of("order")
        case "number":
            counted = value > 1 and value == known.longest
            is_year = any(day.year == value for day in known.days)
            in_words = not stated.text[0].isdigit() and words_of(stated.text) <= known.words
            return value in known.of("number") or counted or is_year or in_words
    return value in known.of(kind)


def _same_phone(one: str, other: str) -> bool:
    one, other = one.lstrip("0"), other.lstrip("0")
    return one == other or (
        min(len(one), len(other)) >= _SHORTEST_PHONE and (one.endswith(other) or other.endswith(one))
    )


def _is_known_name(name: str, known: Known) -> bool:
    word = folded(name)
    forms = {word, word.removesuffix("s"), f"{word}s"}
    if "א" <= word[0] <= "ת":
        forms |= {word[1:], word[2:]} - {""}
    return bool(forms & known.words)


def _as_day(value: tuple[Any, ...], today: date) -> date | None:
    """A date that a source holds; without a year, the next one."""
    year, month, number = value[:3]
    try:
        if year is not None:
            return date(year, month, number)
        day = date(today.year, month, number)
        return day if day >= today else day.replace(year=today.year + 1)
    except ValueError:
        return None
