"""What was asked for about people, in the manager's language: the tools word it in English, by a grammar of their own."""

import re
from collections.abc import Mapping
from datetime import date

from wavegraph.tools.roster.answers.phrases import day_in_words

_WHO = r"\A(?P<who>(?:[^:\n]|:(?! ))+): "
"""From the beginning to the first colon before a space: a long text is read once."""
_CHANGE = re.compile(
    _WHO + r"(?P<what>no work|off|would like to work|would like to be off"
    r"|(?P<how>no |would like |would rather not have |)shift (?P<shifts>(?:[^,\n]|,(?! ))+)), (?P<days>.+) "
    r"\((?P<held>must hold|settled|wish of weight (?P<weight>\d+))\)(?P<verdict>: .+)?"
)
_PAIR = re.compile(
    _WHO + r"(?P<what>on the same shifts|not on the same shift), the whole period "
    r"\(weight (?P<weight>\d+) a day\)(?P<verdict>: .+)?"
)
_NOT_KEPT = re.compile(r"\A(?:: kept on (?P<kept>\d+) of (?P<days>\d+) days, not|: not kept) on (?P<on>.+)")
_LAPSED = re.compile(_WHO + r"a wish (?:for shift (?P<shift>\S+)|to work) on (?P<day>.+) is dropped, since .+")
_MORE = re.compile(r"\A(?P<count>\d+) more of its (?:leave|wishes|locked|pairs)")
_AWAY = re.compile(_WHO + r"on leave already, (?P<days>.+)")
_REPLACED = "in place of what the ward has: "
_DAY = re.compile(r"[A-Z][a-z]+day (\d{4}-\d\d-\d\d)")
_WHAT: Mapping[str, str] = {
    "no work": "בלי עבודה",
    "off": "חופש",
    "would like to work": "מבקשת לעבוד",
    "would like to be off": "מבקשת חופש",
    "no ": "בלי משמרת ",
    "would like ": "מבקשת משמרת ",
    "would rather not have ": "מעדיפה בלי משמרת ",
    "": "משמרת ",
    "on the same shifts": "באותן משמרות",
    "not on the same shift": "לא באותה משמרת",
}
_HELD: Mapping[str, str] = {"must hold": "חייב להתקיים", "settled": "קבוע"}


def asked_in_words(words: str, language: str) -> str:
    """The words of a change, with or without whether a roster keeps it; what is not read so stays as it is."""
    if language != "he":
        return words
    if words.startswith(_REPLACED):
        return f"במקום מה שיש בקובץ המחלקה: {asked_in_words(words.removeprefix(_REPLACED), language)}"
    if (found := _PAIR.fullmatch(words)) and " and " in found["who"]:
        of_weight = f"לכל התקופה (משקל {found['weight']} ליום)"
        one, _, other = found["who"].partition(" and ")
        return f"{one} ו־{other}: {_WHAT[found['what']]}, {of_weight}{_verdict(found['verdict'])}"
    if found := _LAPSED.fullmatch(words):
        wish = f"משמרת {found['shift']}" if found["shift"] else "לעבוד"
        return f"{found['who']}: הבקשה ({wish}) ב{_days(found['day'])} בוטלה, כי זו עכשיו חופשה"
    if found := _MORE.fullmatch(words):
        return f"עוד {found['count']}"
    if found := _AWAY.fullmatch(words):
        return f"{found['who']}: כבר בחופשה, {_days(found['days'])}"
    if (found := _CHANGE.fullmatch(words)) is None:
        return words
    shifts = found["shifts"]
    what = _WHAT[found["what"]] if shifts is None else _WHAT[found["how"]] + shifts.replace(" or ", " או ")
    held = _HELD.get(found["held"]) or f"בקשה במשקל {found['weight']}"
    return f"{found['who']}: {what}, {_days(found['days'])} ({held}){_verdict(found['verdict'])}"


def _verdict(words: str | None) -> str:
    if not words:
        return ""
    if words in (": kept", ": replaced"):
        return ": נשמר" if words == ": kept" else ": הוחלף בבקשה מאוחרת יותר"
    if (found := _NOT_KEPT.fullmatch(words)) is None:
        return words
    part = f": נשמר ב־{found['kept']} מתוך {found['days']} ימים, לא ב" if found["kept"] else ": לא נשמר ב"
    return part + _days(re.sub(r"\(([^()]*)\)", lambda cells: f"({_cells(cells[1])})", found["on"]))


def _cells(words: str) -> str:
    return " ו־".join("חופש" if shift == "off" else shift for shift in words.split(" and "))


def _days(words: str) -> str:
    told = _DAY.sub(lambda found: day_in_words(date.fromisoformat(found[1]), "he"), words)
    told = re.sub(r"\band (\d+) more\b", r"ועוד \1", told.replace("the whole period", "לכל התקופה"))
    return told.replace(" to יום", " עד יום").replace(" and after", " ואילך")
