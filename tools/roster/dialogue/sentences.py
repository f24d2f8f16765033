"""A sentence about a roster, taken apart: whom, which days, which shifts it names, and the words that are left."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wavegraph.tools.roster.dialogue.hebrew import (
    MOST_PREFIXES,
    PREFIXES,
    in_english,
    is_hebrew,
    with_phrases_in_english,
    without_prefix,
)
from wavegraph.tools.roster.dialogue.spoken_days import MONTHS, OF_DAYS, WEEKDAYS, Calendar, When, read_days, spelled
from wavegraph.tools.roster.ward.names import folded, name_key, plain_signs
from wavegraph.tools.roster.ward.ward import Ward

LONGEST_NAME = 6
"""Words."""
SHORTEST_NAME = 4
"""Letters of a mistyped name."""
NIGHT = "night"
ID = re.compile(r"(?<!\w)[0-9a-f]{16}(?!\w)")
_WORD = re.compile(r"\d{1,2}\.\d{1,2}(?:\.(?:20\d\d)?)?|\d{1,2}/\d{1,2}(?:/20\d\d)?|\w+(?:['-]\w+)*")
_SPAN = re.compile(r"(\d{1,2}(?:st|nd|rd|th)?)-(\d{1,2}(?:st|nd|rd|th)?)")
_PART_OF_TODAY = re.compile(r"\bthis (?=(?:morning|afternoon|evening)\b)", re.IGNORECASE)
_DASH = re.compile(r"\s[-–—]\s|(?<=\d)[–—](?=\d)")
_NURSE, _DAY, _SHIFT = "n", "d", "s"
"""What stands in the place of words that are taken."""
_EACH_OWN = re.compile("n[ds]+n|ds*nn+s*d")
"""A nurse behind what is said of another, or days on both sides of several nurses."""


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ASKS = word_set("who whos what whats when where which why how is are does do did has whose")
"""First words of a question."""
_LEADS = word_set("can could would will you please tell me let us know whether i need want like to just and so ok")
"""Words that lead to what is said."""
_REQUESTS = word_set("can could would will")
TONIGHT = frozenset(["tonight", "tonite"])
_TYPED = {
    "pls": "please", "plz": "please", "thx": "thanks", "ty": "thanks", "u": "you", "ur": "your", "n": "and", "teh": "the",
}  # fmt: skip
"""Words as they are typed in haste."""
SHORTEST_MENDED, LONGEST_MENDED = 5, 20
"""Letters of a mistyped word that is mended."""


@dataclass(frozen=True)
class Named:
    """The names that a sentence may hold."""

    ward: Ward | None
    """None = of nobody, and of no shift."""
    wards: Collection[str] = ()
    """What those that are known are called."""
    words: frozenset[str] = frozenset()
    """Words of the language that are a nurse's name only with a capital, inside a sentence."""
    telling: frozenset[str] = frozenset()
    """Those of them that say what is asked for."""

    @cached_property
    def nurses(self) -> frozenset[str]:
        """Ids, names and parts of names, as they are compared."""
        nurses = self.ward.nurses if self.ward else ()
        whole = {name_key(text) for nurse in nurses for text in (nurse.id, nurse.name) if text.strip()}
        return frozenset(whole | {part for nurse in nurses for part in name_key(nurse.name).split()})

    @cached_property
    def shifts(self) -> dict[str, str]:
        """Ids, or `night`, by the words that name a shift, case-folded."""
        if self.ward is None:
            return {}
        named = {folded(shift.name): shift.id for shift in self.ward.shifts if shift.name.strip()}
        plural = {f"{name[:-1]}ies" if name.endswith("y") else f"{name}s": shift for name, shift in named.items()}
        return {**plural, **named, NIGHT: NIGHT, "nights": NIGHT}

    @cached_property
    def shift_ids(self) -> Collection[str]:
        return self.ward.shift_by_id if self.ward else ()

    @cached_property
    def mended(self) -> Mapping[str, str]:
        """Words by each way to leave out one letter of them; a word that is mistyped has one of these in common."""
        words = self.telling and self.telling | {*WEEKDAYS, *MONTHS, *TONIGHT, "tomorrow", *self.shifts}
        ways: dict[str, str] = {}
        for word in sorted(word for word in words if len(word) >= SHORTEST_MENDED):
            for way in _shorter(word):
                ways[way] = "" if ways.get(way, word) != word else word
        return ways

    def mend(self, word: str) -> str:
        """The word that is meant by a mistyped one; itself where it is known, or may be several or none."""
        if self._is_known(word) or not SHORTEST_MENDED <= len(word) <= LONGEST_MENDED or not word.isalpha():
            return word
        found = {self.mended.get(way, word) for way in _shorter(word) if way in self.mended}
        known = {each for each in found if each and _is_near(each, word)}
        return known.pop() if len(known) == 1 and "" not in found else word

    def is_nearly_a_nurse(self, word: str) -> bool:
        """Whether it is a name but for one letter, and no other word; then the person is asked."""
        is_like = not self._is_known(word) and len(word) >= SHORTEST_NAME and word.isalpha()
        return is_like and any(_is_near(name, word) for name in self.nurses if name != word)

    def _is_known(self, word: str) -> bool:
        return any(word in known for known in (self.words, self.nurses, self.shifts, OF_DAYS))


def _shorter(word: str) -> set[str]:
    return {word, *(word[:place] + word[place + 1 :] for place in range(len(word)))}


def _is_near(word: str, typed: str) -> bool:
    """One letter more, less, other, or two beside each other in the wrong order."""
    if len(word) != len(typed):
        shorter, longer = sorted((word, typed), key=len)
        return len(longer) == len(shorter) + 1 and shorter in _shorter(longer)
    other = [place for place in range(len(word)) if word[place] != typed[place]]
    if len(other) != 2:
        return len(other) == 1
    one, two = other
    return two == one + 1 and word[one : two + 1] == typed[two] + typed[one]


@dataclass(frozen=True)
class Word:
    said: str
    folded: str

    @property
    def as_name(self) -> str:
        return name_key(self.said)


@dataclass(frozen=True)
class Sentence:
    text: str
    words: tuple[Word, ...]
    """What no name and no day took."""
    nurses: tuple[str, ...] = ()
    """As they were said."""
    days: tuple[When, ...] = ()
    shifts: tuple[str, ...] = ()
    """Ids, or `night`."""
    ward: str | None = None
    is_question: bool = False
    is_each_own: bool = False
    """Whether each nurse may have days and shifts of her own: `Tom on Friday and Mia on Saturday`."""

    @cached_property
    def folded(self) -> frozenset[str]:
        return frozenset(word.folded for word in self.words)


Read = Callable[[Sequence["Word | str"], int], tuple[Any, int] | None]
"""What is said at a place, and the place behind it; None = nothing of its kind."""


def taken_apart(text: str, named: Named, calendar: Calendar) -> Sentence:
    """Raises NoSuchDay."""
    ward, rest = ward_in(text, named.wards)
    words = [_as_meant(word, named, is_first=place == 0) for place, word in enumerate(lexed(ID.sub(" ", rest)))]
    is_question = _is_question(text, [word.folded for word in words])
    left, nurses = _taken(words, _NURSE, lambda words, place: _nurse_at(words, place, named))
    plain = [spelled(word.folded) if isinstance(word, Word) else "" for word in left]
    left, days = _taken(left, _DAY, lambda _, place: read_days(plain, place, calendar) if plain[place] else None)
    left, shifts = _taken(left, _SHIFT, lambda words, place: _shift_at(words, place, named))
    unnamed = tuple(word for word in left if isinstance(word, Word))
    order = "".join(mark for mark in left if isinstance(mark, str))
    is_each_own = _EACH_OWN.search(order) is not None
    once = tuple(dict.fromkeys(shifts))
    return Sentence(text, unnamed, tuple(nurses), tuple(days), once, ward, is_question, is_each_own)


def _taken(words: Sequence["Word | str"], mark: str, read: Read) -> tuple[list["Word | str"], list[Any]]:
    """The words, a mark in the place of each thing that is read, and these things."""
    left, found, place = list[Word | str](), [], 0
    while place < len(words):
        taken = read(words, place)
        left.append(words[place] if taken is None else mark)
        found += [] if taken is None else [taken[0]]
        place = place + 1 if taken is None else taken[1]
    return left, found


def _as_meant(word: Word, named: Named, *, is_first: bool) -> Word:
    """The word as it is spelled; a name, and what may be one, stays as it is."""
    is_letter = len(word.said) == 1 and word.said.isupper()
    if is_letter or word.as_name in named.nurses or word.said in named.shift_ids:
        return word
    plain = _TYPED.get(word.folded, word.folded)
    return Word(word.said, named.mend(plain) if is_first or word.said == word.folded else plain)


def _is_question(text: str, words: Sequence[str]) -> bool:
    first = next((word for word in words if word not in _LEADS), "")
    is_request = len(words) > 1 and words[0] in _REQUESTS and words[1] == "you"
    return first in _ASKS or (text.rstrip().endswith(("?", "؟")) and not is_request)


def may_be_a_name(word: str) -> bool:
    """Whether it looks like one: a capital, or Hebrew, which has none."""
    return word[:1].isupper() or is_hebrew(word)


def whole_name(name: str) -> re.Pattern[str]:
    """Finds the name, not inside a word; a Hebrew prefix may stand before it: `בצפון`, `ל-small`."""
    dash = "?" if is_hebrew(name) else ""
    return re.compile(rf"(?<!\w)(?:[{PREFIXES}]{{1,{MOST_PREFIXES}}}[-־]{dash})?{re.escape(name)}(?!\w)", re.IGNORECASE)


def ward_in(text: str, names: Collection[str]) -> tuple[str | None, str]:
    """The longest of the names that the text holds, and the text without it."""
    text = plain_signs(text)
    whole = {name: whole_name(plain_signs(name)) for name in sorted(names, key=len, reverse=True)}
    found = next((name for name, pattern in whole.items() if pattern.search(text)), None)
    return found, whole[found].sub(" ", text) if found else text


def lexed(text: str) -> Iterator[Word]:
    """The words of a text, Hebrew ones in English where they are known."""
    text = _PART_OF_TODAY.sub("today ", with_phrases_in_english(text))
    for found in _WORD.findall(_DASH.sub(" to ", plain_signs(text))):
        for plain in in_english(found):
            if (span := _SPAN.fullmatch(plain)) is not None:
                yield from (Word(part, folded(part)) for part in (span[1], "to", span[2]))
            elif (ends := plain.casefold().split("-")) and len(ends) == 2 and {*map(spelled, ends)} <= {*WEEKDAYS}:
                yield from (Word(part, part) for part in (ends[0], "to", ends[1]))
            elif plain.casefold() in TONIGHT:
                yield from (Word(part, part) for part in ("today", NIGHT))
            else:
                own = plain[:-2] if plain.casefold().endswith("'s") else plain
                yield Word(own, folded(own))


def _nurse_at(words: Sequence[Word | str], place: int, named: Named) -> tuple[str, int] | None:
    lengths = range(min(LONGEST_NAME, len(words) - place), 0, -1)
    return next(((name, place + n) for n in lengths if (name := _nurse(words, place, n, named))), None)


def _nurse(words: Sequence[Any], place: int, length: int, named: Named) -> str | None:
    """The nurse who is named by so many words, as she is called there: without a Hebrew prefix that is no part of her name."""
    own = words[place : place + length]
    rest = [word.said for word in own[1:]]
    for form in (own[0].said, *without_prefix(own[0].said)):
        called = " ".join([form, *rest])
        if name_key(called) in named.nurses and _is_meant(words, place, length, named):
            return called
    return own[0].said if length == 1 and named.is_nearly_a_nurse(own[0].as_name) else None


def _is_meant(words: Sequence[Any], place: int, length: int, named: Named) -> bool:
    """Whether what is a name is no other word here: that of a month, or of the language."""
    own = words[place]
    if length > 1 or own.folded not in named.words | frozenset(MONTHS):
        return True
    beside = [word.folded[:1].isdigit() for word in (*words[max(0, place - 1) : place], *words[place + 1 : place + 2])]
    return own.said[:1].isupper() and place > 0 and not any(beside)


def _shift_at(words: Sequence[Word | str], place: int, named: Named) -> tuple[str, int] | None:
    word, after = words[place], [each.folded for each in words[place + 1 : place + 2] if isinstance(each, Word)]
    if not isinstance(word, Word):
        return None
    is_free = after in (["shift"], ["shifts"]) or word.folded not in named.words
    shift = word.said if word.said in named.shift_ids else named.shifts.get(word.folded)
    return (shift, place + 1) if shift and is_free else None
