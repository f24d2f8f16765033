"""Reads a request by rules: which ward, which days, and whether it asks for more than that.

Wishes about people ("Ivan can't work nights") are not read here: a model turns them into typed changes, and without a
model they belong in the ward file. Nothing is ignored silently: the agent asks about words that it cannot read.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from wavegraph.tools.roster.dialogue.hebrew import in_english, with_phrases_in_english
from wavegraph.tools.roster.dialogue.sentences import ward_in
from wavegraph.tools.roster.dialogue.spoken_days import Calendar, NoSuchDay, When, read_days, spelled
from wavegraph.tools.roster.ward.names import plain_signs
from wavegraph.tools.roster.ward.ward import MOST_DAYS

_WISH = re.compile(
    r"\b(can'?t|cannot|can ?not|unable|don'?t|not|never|apart|together|off|avoid|prefer\w*|wants?|would like|must|"
    r"only|without|except|lock\w*|swap|sick|ill|leave|away|vacation|instead|more|fewer|less)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\d{1,2}\.\d{1,2}(?:\.(?:20\d\d)?)?|\d{1,2}/\d{1,2}(?:/20\d\d)?|[^\W_]+(?:['-][^\W_]+)*")
_DASH = re.compile(r"\s[-–—]\s|(?<=\d)[–—](?=\d)")
_PLAIN = """
a again all an and at begin beginning begins can coming could create day days do duty first for from generate get
give good hello hi i in is it let's lets make making me month my need needed new next now nurse nurses of on our
period plan planning please prepare roster roster's rosters rota rotas s schedule scheduling shift shifts solve
staff start starting starts thank thanks that the then this through till to until up us ward week week's weeks work
working you
"""
"""Words that do not change which roster is asked for."""
_KNOWN = frozenset(_PLAIN.split())
_TASK = re.compile(
    r"\b(roster|rota|rotas|rosters|schedul\w*|generat\w*|plan\w*|shifts?|mak\w*|creat\w*|build|solve|week|weeks)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ReadRequest:
    is_task: bool
    """Whether it asks for a roster."""
    ward: str | None
    start: date | None
    days: int | None
    wish: str | None
    """The first word that asks for something about people."""
    unread: str | None
    """The first other word, or length, that the rules do not know."""
    bad_date: str | None

    @property
    def is_whole(self) -> bool:
        """Whether all of it was read, as a request for a roster."""
        return self.is_task and not (self.bad_date or self.wish or self.unread)


ORDERED = ReadRequest(is_task=True, ward=None, start=None, days=None, wish=None, unread=None, bad_date=None)
"""A request that the settings define; its words are not read."""


def read(text: str, *, wards: Collection[str], today: date) -> ReadRequest:
    """The longest of several names is the ward; words inside it (`night-off`, `two weeks`) are not read."""
    ward, text = ward_in(plain_signs(text), wards)
    words = words_of(text)
    try:
        said, left, too_long = _days(words, Calendar(today))
    except NoSuchDay as none:
        return replace(ORDERED, is_task=True, ward=ward, bad_date=none.said)
    rest = " ".join(left)
    wish = _WISH.search(rest)
    whole = next((when for when in said if when.first), When())
    length = next((when.length for when in said if when.length), None)
    spans = [(when.last - when.first).days + 1 for when in said if when.first and when.last and when.first < when.last]
    return ReadRequest(
        is_task=bool(_TASK.search(" ".join(words))) or ward is not None or bool(said),
        ward=ward,
        start=whole.first,
        days=length or (spans[0] if spans else None),
        wish=wish.group(0) if wish else None,
        unread=next((word for word in left if word.casefold() not in _KNOWN), None) or _unread_days(said) or too_long,
        bad_date=None,
    )


def _days(words: Sequence[str], calendar: Calendar) -> tuple[list[When], list[str], str | None]:
    """The days that are said, the words that are left, and a length that no roster has."""
    folded = [_plain(word) for word in words]
    found, left, too_long, place = list[When](), list[str](), None, 0
    while place < len(words):
        when = read_days(folded, place, calendar)
        if when is None:
            left.append(words[place])
            place += 1
            continue
        if when[0].length is not None and not 1 <= when[0].length <= MOST_DAYS:
            too_long = " ".join(word for word in words[place : when[1]] if word not in ("for", "the"))
        found.append(when[0])
        place = when[1]
    return found, left, too_long


def _plain(word: str) -> str:
    return spelled(word.casefold().removesuffix("'s"))


def _unread_days(said: Sequence[When]) -> str | None:
    """Days that make no period: those of every week, and more than one beginning."""
    every = next((when.weekday for when in said if when.weekday), None)
    starts = [when.first.isoformat() for when in said if when.first]
    return every or (starts[1] if len(starts) > 1 else None)


def words_of(text: str) -> list[str]:
    """Those of the text, Hebrew ones in English where they are known."""
    found = _WORD.findall(_DASH.sub(" to ", with_phrases_in_english(text)))
    return [word for each in found for word in in_english(each)]


def asks_to_make(text: str) -> bool:
    """Whether it says so by a word of its own, or names a period alone: "from the 14th for two weeks"."""
    words = [word.casefold() for word in words_of(text)]
    return bool(_MAKES.intersection(words)) or bool(words and words[0] in ("from", "for", "starting"))


_MAKES = frozenset(
    [
        "make",
        "create",
        "generate",
        "build",
        "solve",
        "plan",
        "prepare",
        "schedule",
        "roster",
        "rota",
        "rotas",
        "rosters",
    ]
)
