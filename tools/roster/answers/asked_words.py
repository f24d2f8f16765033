"""What was asked for, as the talk words it in English, in the manager's language: the words are terms of a yes and stay as they are.

A line that is worded otherwise is told as it is.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from wavegraph.tools.roster.answers.phrases import counted, say, with_weekdays

_DAYS = r"(?P<days>the whole period|[A-Z][a-z]+day \d{4}-\d\d-\d\d.*?)"
_NURSE = r"(?P<nurse>.+?)"
LINES: Mapping[str, re.Pattern[str]] = {
    key: re.compile(pattern)
    for key, pattern in {
        "asked_one": rf"{_NURSE}: (?P<what>no .+?|off|shift .+?|would .+?), {_DAYS} \((?P<held>must hold|settled|wish of weight \d+)\)",
        "asked_pair": r"(?P<nurse>.+?) and (?P<other>.+?): (?P<what>(?:not )?on the same shifts?), the whole period \(weight (?P<n>\d+) a day\)",
        "asked_instead": r"in place of what the ward has: (?P<rows>\d+ of its (?:wishes|leave|locked|pairs))",
        "asked_lapsed": rf"{_NURSE}: a wish to work on {_DAYS} is dropped, since that is leave now",
        "asked_over": rf"{_NURSE}: {_DAYS} is over, and the roster keeps what was worked",
        "asked_elsewhere_over": rf"{_NURSE}: {_DAYS} is over, and not in this roster",
        "asked_past": rf"{_NURSE}: {_DAYS} is past already, and kept as it was",
        "asked_for_file": rf"{_NURSE}: {_DAYS} is in no roster that is published: put it into the ward's file \((?P<field>`\w+`)\), for the roster of these days",
        "asked_gone": rf"{_NURSE}: {_DAYS} is in no roster that is published: take her or him out of the ward's file, for the rosters of these days",
        "asked_kept": r"(?P<asked>.+\)): kept",
        "asked_replaced": r"(?P<asked>.+\)): replaced",
        "asked_not_kept": rf"(?P<asked>.+\)): not kept on {_DAYS}",
        "asked_partly": rf"(?P<asked>.+\)): kept on (?P<n>\d+) of (?P<all>\d+) days, not on {_DAYS}",
    }.items()
}
_HEBREW: Mapping[str, Sequence[tuple[str, str]]] = {
    "what": [
        (r"no work", "בלי עבודה"), (r"no shift (.+)", r"בלי משמרת \1"), (r"off", "חופש"), (r"shift (.+)", r"משמרת \1"),
        (r"would like to be off", "רוצה חופש"), (r"would like to work", "רוצה לעבוד"),
        (r"would like shift (.+)", r"רוצה משמרת \1"), (r"would rather not have shift (.+)", r"מעדיפה בלי משמרת \1"),
        (r"on the same shifts", "באותן משמרות"), (r"not on the same shift", "לא באותה משמרת"),
    ],
    "held": [(r"must hold", "חובה"), (r"settled", "נקבע"), (r"wish of weight (\d+)", r"בקשה במשקל \1")],
}  # fmt: skip
_OF_DAYS = [("the whole period", "כל התקופה"), (r"\band after\b", "ואילך"), (r"\band (\d+) more\b", r"ועוד \1"),
            (r" to (?=יום )", " עד "), (r"(?<=[(\s])off(?=[)\s])", "חופש"), (r" and (?=[^()]*\))", " או ")]  # fmt: skip


def asked_in_words(line: str, language: str) -> str:
    for key, pattern in LINES.items():
        if found := pattern.fullmatch(line):
            given = {name: _value(name, value, language) for name, value in found.groupdict().items()}
            return say(key, language, **given)
    return line


def _value(name: str, value: str, language: str) -> str:
    own: Mapping[str, Callable[[str, str], str]] = {"rows": _rows, "asked": asked_in_words}
    if name in own:
        return own[name](value, language)
    if language != "he":
        return value
    if name == "days":
        value = with_weekdays(value, language)
        for pattern, words in _OF_DAYS:
            value = re.sub(pattern, words, value)
        return value
    for pattern, words in _HEBREW.get(name, ()):
        if found := re.fullmatch(pattern, value):
            return found.expand(words).replace(" or ", " או ")
    return value


def _rows(value: str, language: str) -> str:
    number, _, field = value.partition(" of its ")
    return counted(int(number), f"file_{field}_count", language)
