"""Reads a request by rules: which ward, which days, and whether it asks for more than that.

Wishes about people ("Ivan can't work nights") are not read here: a model turns them into typed changes, and without a
model they belong in the ward file. Nothing is ignored silently: the agent asks about words that it cannot read.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date

from wavegraph.tools.roster.dialogue.sentences import ID, Named, lexed, taken_apart, ward_in, word_set
from wavegraph.tools.roster.dialogue.spoken_days import Calendar, NoSuchDay
from wavegraph.tools.roster.ward.ward import MOST_DAYS

_WISH = re.compile(
    r"\b(can'?t|cannot|can ?not|unable|don'?t|not|never|apart|together|off|avoid|prefer\w*|wants?|would like|must|"
    r"only|without|except|lock\w*|swap|sick|ill|leave|away|vacation|instead|more|fewer|less)\b",
    re.IGNORECASE,
)
_MAKES = word_set("make create generate build solve plan prepare schedule roster rota rotas rosters")
"""Words that ask for a roster to be made."""
_KNOWN = _MAKES | word_set("""
a again all an and at begin beginning begins can coming could day days do duty first for from get give good hello hi i in is
it let lets making me month my need needed new next now nurse nurses of on our period planning please s scheduling shift
shifts staff start starting starts thank thanks that the then this through till to until up us ward week weeks work working
you
""")
"""Words that do not change which roster is asked for."""
_TASK = re.compile(
    r"\b(roster|rota|rotas|rosters|schedul\w*|generat\w*|plan\w*|shifts?|mak\w*|creat\w*|build|solve|week|weeks)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ReadRequest:
    is_task: bool = True
    """Whether it asks for a roster."""
    ward: str | None = None
    start: date | None = None
    days: int | None = None
    wish: str | None = None
    """The first word that asks for something about people."""
    unread: str | None = None
    """The first other word, or length, that the rules do not know."""
    bad_date: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all of it was read, as a request for a roster."""
        return self.is_task and not (self.bad_date or self.wish or self.unread)


ORDERED = ReadRequest()
"""A request that the settings define; its words are not read."""


def read(text: str, *, wards: Collection[str], today: date) -> ReadRequest:
    """The longest of several names is the ward; words inside it (`night-off`, `two weeks`) are not read."""
    try:
        said = taken_apart(text, Named(None, wards), Calendar(today))
    except NoSuchDay as none:
        return replace(ORDERED, ward=ward_in(text, wards)[0], bad_date=none.said)
    words = " ".join(word.said for word in said.words)
    wish, starts = _WISH.search(words), [when.first for when in said.days if when.first]
    lengths = [when.length for when in said.days if when.length is not None]
    spans = [(when.last - when.first).days + 1 for when in said.days if when.first and when.last]
    unread = [
        *(word.said for word in said.words if word.folded not in _KNOWN),
        *ID.findall(text),
        *(when.weekday for when in said.days if when.weekday),  # days of every week make no period
        *map(str, starts[1:]),
        *(f"{length} days" for length in lengths if not 1 <= length <= MOST_DAYS),
    ]
    return ReadRequest(
        is_task=bool(_TASK.search(words)) or said.ward is not None or bool(said.days),
        ward=said.ward,
        start=next(iter(starts), None),
        days=next(filter(None, [*lengths, *(days for days in spans if days > 1)]), None),
        wish=wish.group(0) if wish else None,
        unread=next(iter(unread), None),
    )


def asks_to_make(text: str) -> bool:
    """Whether it says so by a word of its own, or names a period alone: "from the 14th for two weeks"."""
    words = [word.folded for word in lexed(text)]
    return not _MAKES.isdisjoint(words) or words[:1] in (["from"], ["for"], ["starting"])
