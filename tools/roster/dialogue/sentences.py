"""A message about rosters, taken apart: whom, which days, which shifts it names, and the words that are left."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Literal

from wavegraph.tools.roster.dialogue.lexicon import ENGLISH, HEBREW, PHRASES
from wavegraph.tools.roster.dialogue.spoken_days import MONTHS, OF_DAYS, WEEKDAYS, Calendar, When, read_days, spelled
from wavegraph.tools.roster.ward.names import folded, name_key, plain_signs
from wavegraph.tools.roster.ward.ward import Ward

LONGEST_NAME = 6
"""Words."""
SHORTEST_NAME = 4
"""Letters of a mistyped name."""
SHORTEST_MENDED, LONGEST_MENDED = 5, 20
"""Letters of a mistyped word that is mended."""
NIGHT = "night"
PREFIXES, MOST_PREFIXES = "ובהלמשכ", 3
"""Hebrew letters that stand before a word, and how many at once."""
ID = re.compile(r"(?<!\w)[0-9a-f]{16}(?!\w)")
_WORD = re.compile(r"(\d{1,2}\.\d{1,2}(?:\.(?:20\d\d)?)?|\d{1,2}/\d{1,2}(?:/20\d\d)?|\w+(?:['-]\w+)*)([^\w]*)")
_JOINT = re.compile(r"[;,&\n]|[.!?]\s")
"""Behind a word: what follows may be a sentence of its own; so may what follows one of these words."""
_ASKED = frozenset("?؟")
_JOINTS = ("and", "then")
_EACH_OWN = re.compile("n[ds]+n|ds*nn+s*d")
"""A nurse behind what is said of another, or days on both sides of several nurses."""
_PHRASES = [(re.compile(words, re.IGNORECASE), plain) for words, plain in PHRASES]
_SENSES = {word: sense for words in (ENGLISH, HEBREW) for sense, own in words.items() for word in own.split()}


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ASKS = word_set("who what when where which why how is are does do did has whose")
"""First words of a question."""
_LEADS = word_set("can could would will you please tell me let us know whether i need want like to just and so then ok")
"""Words that lead to what is said."""
_REQUESTS = word_set("can could would will")
Kind = Literal["word", "nurse", "day", "shift"]


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
        named = {
            folded(shift.name): shift.id for shift in (self.ward.shifts if self.ward else ()) if shift.name.strip()
        }
        plural = {f"{name[:-1]}ies" if name.endswith("y") else f"{name}s": shift for name, shift in named.items()}
        return {**plural, **named, **({NIGHT: NIGHT, "nights": NIGHT} if self.ward else {})}

    @cached_property
    def shift_ids(self) -> Collection[str]:
        return self.ward.shift_by_id if self.ward else ()

    @cached_property
    def mended(self) -> list[str]:
        """Words that are read also where they are mistyped."""
        words = self.telling and self.telling | {*WEEKDAYS, *MONTHS, "tomorrow", *self.shifts}
        return [word for word in words if len(word) >= SHORTEST_MENDED]

    def mend(self, word: str) -> str:
        """The word that is meant by a mistyped one; itself where it is known, or may be several or none."""
        if self._is_known(word) or not SHORTEST_MENDED <= len(word) <= LONGEST_MENDED or not word.isalpha():
            return word
        near = [each for each in self.mended if _is_near(each, word)]
        return near[0] if len(near) == 1 else word

    def is_nearly_a_nurse(self, word: str) -> bool:
        """Whether it is a name but for one letter, and no other word; then the person is asked."""
        is_like = not self._is_known(word) and len(word) >= SHORTEST_NAME and word.isalpha()
        return is_like and any(_is_near(name, word) for name in self.nurses if name != word)

    def _is_known(self, word: str) -> bool:
        return any(word in known for known in (self.words, self.nurses, self.shifts, OF_DAYS))


def _is_near(word: str, typed: str) -> bool:
    """One letter more, less, other, or two beside each other in the wrong order."""
    shorter, longer = sorted((word, typed), key=len)
    if len(longer) == len(shorter) + 1:
        return any(longer[:place] + longer[place + 1 :] == shorter for place in range(len(longer)))
    if len(longer) > len(shorter):
        return False
    other = [place for place, letters in enumerate(zip(word, typed, strict=True)) if letters[0] != letters[1]]
    is_turned = len(other) == 2 and word[other[0] : other[0] + 2] == typed[other[1]] + typed[other[0]]
    return len(other) == 1 or is_turned


@dataclass(frozen=True)
class Word:
    """A word of a message; or the nurse, the days or the shift that several words name."""

    said: str
    folded: str
    """In the grammar's sense, in small letters; empty = it names something."""
    opens: bool = False
    """Whether a sentence of its own may begin with it."""
    asks: bool = False
    """Whether a question mark follows it."""
    kind: Kind = "word"
    value: Any = None
    """Of days `When`, of a shift its id or `night`, of a nurse as she was called."""


@dataclass(frozen=True)
class Sentence:
    items: tuple[Word, ...]
    ward: str | None = None

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """What no name and no day took."""
        return tuple(item for item in self.items if item.kind == "word")

    @cached_property
    def nurses(self) -> tuple[str, ...]:
        return tuple(item.value for item in self.items if item.kind == "nurse")

    @cached_property
    def days(self) -> tuple[When, ...]:
        return tuple(item.value for item in self.items if item.kind == "day")

    @cached_property
    def shifts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(item.value for item in self.items if item.kind == "shift"))

    @cached_property
    def folded(self) -> frozenset[str]:
        return frozenset(word.folded for word in self.words)

    @cached_property
    def is_question(self) -> bool:
        words = [item.folded for item in self.items]
        is_request = len(words) > 1 and words[0] in _REQUESTS and words[1] == "you"
        is_asked = any(item.asks for item in self.items) and not is_request
        return is_asked or next((word for word in words if word not in _LEADS), "") in _ASKS

    @cached_property
    def is_each_own(self) -> bool:
        """Whether each nurse may have days and shifts of her own: `Tom on Friday and Mia on Saturday`."""
        return _EACH_OWN.search("".join(item.kind[0] for item in self.items if item.kind != "word")) is not None

    def but(self, *others: Word) -> "Sentence":
        """With these in the place of the same kind of thing."""
        kinds = {item.kind for item in others}
        return replace(self, items=(*(item for item in self.items if item.kind not in kinds), *others))


def taken_apart(text: str, named: Named, calendar: Calendar) -> Sentence:
    """Raises NoSuchDay."""
    ward, rest = ward_in(text, named.wards)
    words = [_as_meant(word, named, is_first=place == 0) for place, word in enumerate(lexed(ID.sub(" ", rest)))]
    words = _taken(words, "nurse", lambda words, place: _nurse_at(words, place, named))
    plain = [spelled(word.folded) for word in words]
    words = _taken(words, "day", lambda _, place: read_days(plain, place, calendar))
    words = _taken(words, "shift", lambda words, place: _shift_at(words, place, named))
    return Sentence(tuple(words), ward)


Read = Callable[[Sequence[Word], int], tuple[Any, int] | None]
"""What is said at a place, and the place behind it; None = nothing of its kind."""


def _taken(words: Sequence[Word], kind: Kind, read: Read) -> list[Word]:
    """The words, with what is read in the place of those that say it."""
    left, place = list[Word](), 0
    while place < len(words):
        found = read(words, place) if words[place].kind == "word" else None
        value, after = found or (None, place + 1)
        first, last = words[place], words[after - 1]
        left.append(Word(first.said, "", first.opens, last.asks, kind, value) if found else first)
        place = after
    return left


def _as_meant(word: Word, named: Named, *, is_first: bool) -> Word:
    """The word as it is spelled; a name, and what may be one, stays as it is."""
    is_letter = len(word.said) == 1 and word.said.isupper()
    if is_letter or name_key(word.said) in named.nurses or word.said in named.shift_ids:
        return word
    plain = _SENSES.get(word.folded, word.folded)
    return replace(word, folded=named.mend(plain) if is_first or word.said == word.folded else plain)


def is_hebrew(word: str) -> bool:
    return "א" <= word[:1] <= "ת"


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


def lexed(text: str) -> list[Word]:
    """The words of a text, Hebrew ones in English where they are known."""
    text = plain_signs(text)
    for pattern, plain in _PHRASES:
        text = pattern.sub(plain, text)
    words, opens = list[Word](), False
    for found, behind in _WORD.findall(text):
        own = _in_english(found)
        opens = opens or found[0] == "ו"
        words += [
            Word(said, folded(said), opens and not place, not _ASKED.isdisjoint(behind))
            for place, said in enumerate(own)
        ]
        opens = _JOINT.search(behind) is not None or own[-1].casefold() in _JOINTS
    return words


@lru_cache(maxsize=1024)
def _in_english(word: str) -> Sequence[str]:
    """The word, or the English one of a Hebrew word; a prefix is left off: `ב-2` is `on 2`, `ל-Alice` is `Alice`."""
    prefix, dash, rest = word.partition("-")
    if is_hebrew(word) and dash and len(prefix) <= MOST_PREFIXES and set(prefix) <= set(PREFIXES):
        return ("on", rest) if rest[:1].isdigit() else _in_english(rest)
    return next(
        ((_SENSES[form],) for form in (word, *without_prefix(word, 1)) if form in _SENSES and is_hebrew(word)), (word,)
    )


def without_prefix(word: str, shortest: int = 2) -> Sequence[str]:
    """What a Hebrew word may be less its prefix: `לאבי` is `אבי`."""
    cuts = range(1, min(MOST_PREFIXES, len(word) - shortest) + 1) if is_hebrew(word) else ()
    return [word[cut:] for cut in cuts if set(word[:cut]) <= set(PREFIXES)]


def _nurse_at(words: Sequence[Word], place: int, named: Named) -> tuple[str, int] | None:
    lengths = range(min(LONGEST_NAME, len(words) - place), 0, -1)
    return next(((name, place + n) for n in lengths if (name := _nurse(words, place, n, named))), None)


def _nurse(words: Sequence[Word], place: int, length: int, named: Named) -> str | None:
    """The nurse who is named by so many words, as she is called there: without a Hebrew prefix that is no part of her name."""
    own = words[place : place + length]
    rest = [word.said for word in own[1:]]
    for form in (own[0].said, *without_prefix(own[0].said)):
        called = " ".join([form, *rest])
        if name_key(called) in named.nurses and _is_meant(words, place, length, named):
            return called
    return own[0].said if length == 1 and named.is_nearly_a_nurse(name_key(own[0].said)) else None


def _is_meant(words: Sequence[Word], place: int, length: int, named: Named) -> bool:
    """Whether what is a name is no other word here: that of a month, or of the language."""
    own = words[place]
    if length > 1 or own.folded not in named.words | frozenset(MONTHS):
        return True
    beside = [word.folded[:1].isdigit() for word in (*words[max(0, place - 1) : place], *words[place + 1 : place + 2])]
    return own.said[:1].isupper() and place > 0 and not any(beside)


def _shift_at(words: Sequence[Word], place: int, named: Named) -> tuple[str, int] | None:
    word, after = words[place], [each.folded for each in words[place + 1 : place + 2]]
    is_free = after in (["shift"], ["shifts"]) or word.folded not in named.words
    shift = word.said if word.said in named.shift_ids else named.shifts.get(word.folded)
    return (shift, place + 1) if shift and is_free else None
