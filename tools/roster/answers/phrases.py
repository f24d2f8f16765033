"""The sentences of an answer about rosters, in English and Hebrew: numbers, days and names are put into them."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from wavegraph.tools.roster.answers.phrases_en import ENGLISH
from wavegraph.tools.roster.answers.phrases_he import HEBREW

TABLES = {"en": ENGLISH, "he": HEBREW}
MOST_NAMED = 6
"""Nurses of whom one sentence tells."""
_ISO = re.compile(r"(?<![\w-])(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day )?(\d{4}-\d\d-\d\d)(?![\w-])")
_EN_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_HE_DAYS = ("שני", "שלישי", "רביעי", "חמישי", "שישי", "שבת", "ראשון")
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
    return TABLES[language][key].format(**given)


def counted(count: int, noun: str, language: str) -> str:
    """`no nights`, `1 night`, `2 nights`; some numbers have a form of their own."""
    own = f"{noun}_{count}"
    return say(own if own in TABLES[language] else noun, language, n=count)


def in_words(kind: str, language: str) -> str:
    """What was found, priced or raised, in plain words; a name that is not known stays itself."""
    return TABLES[language].get(f"kind.{kind}", kind.replace("_", " "))


def day_in_words(day: date, language: str) -> str:
    """`Monday 2026-11-23`, `יום שני, 23 בנובמבר 2026`."""
    if language == "he":
        return f"יום {_HE_DAYS[day.weekday()]}, {day.day} ב{_HE_MONTHS[day.month - 1]} {day.year}"
    return f"{_EN_DAYS[day.weekday()]} {day.isoformat()}"


def day_said(said: str, language: str) -> str:
    """What was said of days, read in English, in the manager's language: `31 November`, `31 נובמבר`."""
    if language != "he":
        return said
    own = dict(zip(_EN_MONTHS, _HE_MONTHS, strict=True)) | dict(zip(_EN_DAYS, _HE_DAYS, strict=True))
    own |= {"from": "מ־", "to": "עד", "until": "עד", "of": "של", "the": ""}
    return " ".join(own.get(word, word) for word in said.split()).replace("־ ", "־")


def days_in_words(days: Sequence[date], language: str) -> str:
    """Days in order; three and more in a row by the first and the last."""
    runs: list[list[date]] = []
    for day in days:
        if runs and day - runs[-1][-1] == timedelta(days=1):
            runs[-1].append(day)
        else:
            runs.append([day])
    return ", ".join(part for run in runs for part in _run(run, language))


def _run(run: Sequence[date], language: str) -> list[str]:
    words = [day_in_words(day, language) for day in run]
    return [say("days_to", language, first=words[0], last=words[-1])] if len(words) > 2 else words


def with_weekdays(text: str, language: str) -> str:
    """The text with the day of the week beside each date."""
    return _ISO.sub(lambda found: _spelt(found[1], language), text)


def _spelt(iso: str, language: str) -> str:
    try:
        return day_in_words(date.fromisoformat(iso), language)
    except ValueError:  # a name may look like a date
        return iso


def number(amount: float | None, language: str) -> str:
    return say("unknown", language) if amount is None else f"{round(amount, 2):g}"


def joined(parts: Sequence[str], language: str) -> str:
    """`a, b and c`; of many the first few."""
    if len(parts) > MOST_NAMED:
        return say("and_others", language, names=", ".join(parts[:MOST_NAMED]))
    if len(parts) < 2:
        return "".join(parts)
    return say("and", language, front=", ".join(parts[:-1]), last=parts[-1])


def one_line(text: str) -> str:
    return " ".join(text.split())
