"""The sentences of an answer about rosters, in English and Hebrew: numbers, days and names are put into them; and why a tool
refused, in the manager's language, from what its refusal is about."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from wavegraph.graph.decimals import decimal
from wavegraph.graph.views import AnswerView, PlanningView
from wavegraph.tools.roster.answers.phrases_en import ENGLISH
from wavegraph.tools.roster.answers.phrases_he import HEBREW
from wavegraph.tools.roster.told import Given, Line, Told, day_spans, refused_as

TABLES = {"en": ENGLISH, "he": HEBREW}
MOST_NAMED = 6
"""Nurses of whom one sentence tells."""
_ISO = re.compile(r"(?<![\w-])(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day )?(\d{4}-\d\d-\d\d)(?![\w-])")
_EN_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_HE_DAYS = ("שני", "שלישי", "רביעי", "חמישי", "שישי", "שבת", "ראשון")
_BEFORE_OTHER = re.compile(r"(?<![א-ת\"׳״'])([בכלמו]{1,2})(?=[A-Za-z])")
_BEFORE_HEBREW = re.compile(r"(?<![א-ת])([בכלמו]{1,2})־(?=[א-ת])")
# fmt: off
_EN_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
_HE_MONTHS = ("ינואר", "פברואר", "מרץ", "אפריל", "מאי", "יוני", "יולי", "אוגוסט", "ספטמבר", "אוקטובר", "נובמבר", "דצמבר")
# fmt: on


def findings_in_words(counts: Mapping[str, int], language: str) -> str:
    """`Findings: 11 (rest owed 3, note 8).`, and what owed rest means. `counts`: by level; empty = "" ."""
    if not counts:
        return ""
    kinds = [say("level", language, level=say(f"level.{level}", language), n=n) for level, n in counts.items()]
    told = say("findings", language, n=sum(counts.values()), kinds=", ".join(kinds))
    return f"{told} {say('findings_owed', language)}" if "compensatory" in counts else told


def answer_language(language: str) -> str:
    """The language of the answer: English unless there are phrases in the manager's."""
    return language if language in TABLES else "en"


def say(key: str, language: str, **given: object) -> str:
    """A phrase. Some have a form of their own for a number `n`: `no nights`, `1 night`, `2 nights`.

    A Hebrew prefix of one letter stands right before a Hebrew word, and with a hyphen before any other: `בחמישי`, `ב־Harbour`.
    """
    table, own = TABLES[language], f"{key}_{given.get('n')}"
    text = table[own if own in table else key].format(**given)
    return _BEFORE_HEBREW.sub(r"\1", _BEFORE_OTHER.sub(r"\1־", text)) if language == "he" else text


def worded(line: Line | Mapping[str, Any], language: str) -> str:
    """What a tool says, in the manager's language. `line`: a mapping is a `Told` that was kept as JSON."""
    if isinstance(line, str):
        return line
    found = line if isinstance(line, Told) else Told.model_validate(line)
    given = {name: given_in_words(name, value, language) for name, value in found.given.items()}
    return say(found.say, language, **given)


def in_english(lines: Iterable[Line | Mapping[str, Any]]) -> list[str]:
    """For the command line, which speaks no other language."""
    return [worded(each, "en") for each in lines]


def english_record(value: Any) -> Any:
    """JSON with what a tool tells as words: the command line speaks English."""
    if isinstance(value, dict):
        is_told = value.keys() == {"say", "given"}
        return worded(value, "en") if is_told else {name: english_record(each) for name, each in value.items()}
    return [english_record(each) for each in value] if isinstance(value, list) else value


def given_in_words(name: str, value: Given, language: str) -> str:
    match name, value:
        case (("day" | "first" | "last" | "start" | "end"), str()):
            return day_in_words(date.fromisoformat(value), language)
        case (("on" | "until"), str()):
            return date_in_words(date.fromisoformat(value), language)
        case "kind", str():
            return in_words(value, language)
        case "detail", str():
            return with_weekdays(value, language)
        case "kinds", [*_]:
            return joined([in_words(str(kind), language) for kind in value], language)
        case "shifts", [*_]:
            return f" {say('or', language)} ".join(map(str, value))
        case (("lines" | "why"), [*_]):
            return " ".join(worded(each, language) for each in value)
        case "reasons", [*_]:
            return ". ".join(worded(each, language).rstrip(".") for each in value)
        case (("rules" | "gives" | "clauses"), [*_]):
            return "; ".join(worded(each, language) for each in value)
        case _, [*_]:
            return ", ".join(worded(each, language) for each in value)
        case _, None:
            return say("off", language)
        case _, int() | float():
            return number(value, language)
        case _, str() | Told() | Mapping():
            return worded(value, language)
    raise TypeError(f"{name} = {value!r} is not what a tool may say")


def in_words(kind: str, language: str) -> str:
    """What was found, priced or raised, in plain words; a name that is not known stays itself."""
    return TABLES[language].get(f"kind.{kind}", kind.replace("_", " "))


def day_in_words(day: date, language: str) -> str:
    """`Monday 2026-11-23`, `יום שני, 23 בנובמבר 2026`."""
    if language == "he":
        return f"יום {_HE_DAYS[day.weekday()]}, {date_in_words(day, language)}"
    return f"{_EN_DAYS[day.weekday()]} {day.isoformat()}"


def date_in_words(day: date, language: str) -> str:
    """As a person says it: `23 November 2026`, `23 בנובמבר 2026`."""
    if language == "he":
        return f"{day.day} ב{_HE_MONTHS[day.month - 1]} {day.year}"
    return f"{day.day} {_EN_MONTHS[day.month - 1]} {day.year}"


def day_said(said: str, language: str) -> str:
    """What was said of days, read in English, in the manager's language: `31 November`, `31 נובמבר`."""
    if language != "he":
        return said
    own = dict(zip(_EN_MONTHS, _HE_MONTHS, strict=True)) | dict(zip(_EN_DAYS, _HE_DAYS, strict=True))
    own |= {"from": "מ־", "to": "עד", "until": "עד", "of": "של", "the": ""}
    return " ".join(own.get(word, word) for word in said.split()).replace("־ ", "־")


def days_in_words(days: Sequence[date], language: str) -> str:
    """As `day_spans`."""
    return ", ".join(worded(span, language) for span in day_spans(days))


def with_weekdays(text: str, language: str) -> str:
    """The text with the day of the week beside each date."""
    return _ISO.sub(lambda found: _spelt(found[1], language), text)


def _spelt(iso: str, language: str) -> str:
    try:
        return day_in_words(date.fromisoformat(iso), language)
    except ValueError:  # a name may look like a date
        return iso


def number(amount: float | None, language: str) -> str:
    return say("unknown", language) if amount is None else decimal(amount, mark=",")


def joined(parts: Sequence[str], language: str) -> str:
    """`a, b and c`; of many the first few."""
    if len(parts) > MOST_NAMED:
        return say("and_others", language, names=", ".join(parts[:MOST_NAMED]))
    if len(parts) < 2:
        return "".join(parts)
    return say("and", language, front=", ".join(parts[:-1]), last=parts[-1])


class Speaker:
    """Who speaks about a view, in the manager's language."""

    view: PlanningView | AnswerView

    @property
    def language(self) -> str:
        return answer_language(self.view.request["language"])

    def say(self, key: str, **given: object) -> str:
        """A phrase of ours; days, figures and several names in words."""
        return say(key, self.language, **{name: self._spoken(value) for name, value in given.items()})

    def _spoken(self, value: object) -> object:
        match value:
            case date():
                return day_in_words(value, self.language)
            case None | float() | int():
                return number(value, self.language)
            case [*parts]:
                return joined([*map(str, parts)], self.language)
        return value


def one_line(text: str) -> str:
    return " ".join(text.split())


def refused(code: str, about: Mapping[str, Any], language: str) -> str | None:
    """A sentence of its own, and never a question; None = there are no words for it."""
    key = refused_as(code, about)
    if key not in TABLES[language]:
        return None
    try:
        return say(key, language, **dict(_given(about, language)))
    except KeyError:  # a refusal that an earlier version stored holds less
        return None


def _given(about: Mapping[str, Any], language: str) -> Iterator[tuple[str, str]]:
    for name, value in about.items():
        yield name, given_in_words(name, value, language)
    if {"first", "last"} <= about.keys():
        days = dict.fromkeys([about["first"], about["last"]])
        yield "days", " – ".join(given_in_words("day", day, language) for day in days)
