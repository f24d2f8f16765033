"""From a guest's text to lexemes: words, numbers and numeric dates with their possible meanings and positions.

Hebrew prefixes (ו ש כש ב ל מ ה) become lexemes of their own, so that the grammar sees "in January" either way.
"""

import re
import unicodedata
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from wavegraph.tools.hotel.dates.holiday_names import close_match, match_holiday
from wavegraph.tools.hotel.dates.vocabulary import (
    COUNTERS,
    FUZZY,
    MEASURES,
    NEVER_TYPOS,
    PHRASE_KEYS,
    QUANTITIES,
    SENSES,
    Sense,
)


@dataclass(frozen=True, slots=True)
class Lex(Sense):
    """One lexeme of the text `[start:end)`."""

    word: str = ""
    start: int = 0
    end: int = 0
    holiday: str | None = None
    written: tuple[int, int, int | None] | None = None
    """A numeric date as written: two numbers in order and the year, or (month, day, year) if `iso`."""
    iso: bool = False
    counted: bool = False
    """A number that counts guests, rooms, money, ages or hours."""
    mark: bool = False
    """Punctuation."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text without its meaning yet: `kind` is the name of the pattern's group."""

    kind: str
    word: str
    start: int
    end: int


_QUOTES = re.compile(r"[\"'`´’‘‛ʼ“”„׳״]")
_HEBREW = re.compile(r"[\u05d0-\u05ea]")
_TOKEN = re.compile(
    r"""
    (?P<other>https?://\S+|[^\s@]{1,64}@[^\s@]{1,255}\.\w+|\+?\d[\d-]{0,40}\d{5,}|\d{1,2}:\d{2}(?:\s?[ap]m\b)?|\d{1,2}\s?[ap]\.?m\b|\d{1,3}(?:,\d{3})+(?!\d))
    |(?P<ymd>(?<!\d)\d{4}([-/.])\d{1,2}\3\d{1,2}(?!\d))
    |(?P<dmy>(?<!\d)\d{1,2}([-./\\])\d{1,2}\5(?:\d{4}|\d{2})(?![\d/]))
    |(?P<dm>(?<!\d)\d{1,2}[./\\]\d{1,2}(?![\d/\\]|\.\d))
    |(?P<num>(?!2(?:moro|morrow|mrw|nite)\b)\d+(?:(?:st|nd|rd|th)\b)?)
    |(?P<word>2[a-z]+|[^\W\d_]+(?:["'`´’‘‛ʼ“”׳״]+[^\W\d_]+)*['’׳]?)
    |(?P<dash>[-–—−‐‑־~→]+|->)
    |(?P<mark>[^\s])
    """,
    re.VERBOSE | re.IGNORECASE,
)


def plain(word: str) -> str:
    """Lower case without quotes, apostrophes, accents or vowel points."""
    decomposed = unicodedata.normalize("NFKD", _QUOTES.sub("", word).lower())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _plain_char(char: str) -> str:
    """A space for a direction mark and other invisible characters, an ASCII digit for any."""
    if unicodedata.category(char) in {"Cf", "Cc", "Mn"}:
        return " " if unicodedata.category(char) != "Mn" else char
    return str(unicodedata.digit(char)) if char.isdecimal() else char


def _plain_word(word: str) -> str:
    """`we'd` is no Wednesday."""
    found = plain(word) or word
    return "we" if found == "wed" and _QUOTES.search(word) else found


def tokenise(text: str) -> list[Token]:
    """Split the text; never fails, and every non-blank character is in some token."""
    return [
        Token(str(found.lastgroup), _plain_word(found.group()), found.start(), found.end())
        for found in _TOKEN.finditer("".join(map(_plain_char, text)))
    ]


@lru_cache(maxsize=4096)
def _sense(word: str) -> Sense | None:
    """What a word means, allowing one typo in a long word; None if unknown."""
    if (known := SENSES.get(word)) is not None:
        return known
    meant = None if word in NEVER_TYPOS or word in QUANTITIES else close_match(word, FUZZY)
    return SENSES[meant] if meant else None


_PREFIXES = {"ו": "and", "ש": "that", "כ": "about", "ב": "in", "ל": "for", "מ": "from", "ה": "the"}


@lru_cache(maxsize=4096)
def _prefixed(word: str) -> int | None:
    """How many leading letters of a Hebrew word are prefixes of a known word; None if none fit."""
    for cut in range(1, min(4, len(word) - 1)):
        if word[cut - 1] not in _PREFIXES:
            return None
        if word[cut:] in SENSES:
            return cut
    return None


def _prefix_lexemes(token: Token, cut: int) -> list[Lex]:
    return [
        Lex(key=_PREFIXES[letter], word=letter, start=token.start + i, end=token.start + i + 1)
        for i, letter in enumerate(token.word[:cut])
    ]


def _with_sense(sense: Sense, word: str, start: int, end: int) -> Lex:
    return Lex(**{field.name: getattr(sense, field.name) for field in fields(Sense)}, word=word, start=start, end=end)


def _word(token: Token) -> list[Lex]:
    exact = SENSES.get(token.word)
    if exact is None and _HEBREW.match(token.word) and (cut := _prefixed(token.word)):
        inner = _with_sense(SENSES[token.word[cut:]], token.word[cut:], token.start + cut, token.end)
        return [*_prefix_lexemes(token, cut), inner]
    sense = exact or _sense(token.word) or Sense()
    if sense == Sense() and token.word[:1] in _PREFIXES and (inner_sense := _sense(token.word[1:])):
        return [*_prefix_lexemes(token, 1), _with_sense(inner_sense, token.word[1:], token.start + 1, token.end)]
    return [_with_sense(sense, token.word, token.start, token.end)]


def _number(token: Token) -> list[Lex]:
    digits = re.match(r"\d+", token.word)
    value = int(digits.group()[:9]) if digits else 0
    return [Lex(num=value, ordinal=not token.word.isdigit(), word=token.word, start=token.start, end=token.end)]


def _numeric_date(token: Token) -> list[Lex]:
    parts = [int(part) for part in re.findall(r"\d+", token.word)]
    at = {"word": token.word, "start": token.start, "end": token.end}
    if token.kind == "ymd":
        return [Lex(written=(parts[1], parts[2], parts[0]), iso=True, **at)]  # type: ignore[arg-type]
    year = None if len(parts) == 2 else parts[2] if parts[2] > 99 else 2000 + parts[2]
    return [Lex(written=(parts[0], parts[1], year), **at)]  # type: ignore[arg-type]


def _simple(token: Token) -> list[Lex]:
    if token.kind == "dash":
        return [Lex(key="dash", word=token.word, start=token.start, end=token.end)]
    if token.kind == "other":
        value = int(token.word[:9]) if token.word.isdecimal() else None
        return [Lex(num=value, word=token.word, start=token.start, end=token.end, counted=True)]
    key = "and" if token.word in "&+" else "," if token.word in ",;" else ""
    return [Lex(key=key, word=token.word, start=token.start, end=token.end, mark=True)]


_READERS = {"num": _number, "word": _word, "ymd": _numeric_date, "dmy": _numeric_date, "dm": _numeric_date}
_BARE_PREFIX = re.compile(r"^[ושכבלמה]{1,3}$")


def _glued_prefix(tokens: list[Token], i: int) -> int:
    """How many tokens ("מה", perhaps a dash) stick as Hebrew prefixes to a number at the end; 0 if none."""
    if not _BARE_PREFIX.match(tokens[i].word):
        return 0
    after = i + 1
    if after < len(tokens) and tokens[after].kind == "dash" and tokens[after].start == tokens[i].end:
        after += 1
    glued = after < len(tokens) and tokens[after].start == tokens[after - 1].end
    return after - i if glued and tokens[after].kind in {"num", "dm", "dmy", "ymd"} else 0


_PHRASES = {
    first: [(words, key) for words, key in PHRASE_KEYS.items() if words[0] == first] for first, *_ in PHRASE_KEYS
}


def _phrase(tokens: list[Token], i: int) -> tuple[str, int] | None:
    """A key of several words starting here, and how many tokens it takes."""
    for words, key in _PHRASES.get(tokens[i].word, ()):
        here = [t.word for t in tokens[i : i + len(words) + 1] if t.kind != "dash"][: len(words)]
        if tuple(here) == words:
            return key, len(words) + (tokens[i + 1].kind == "dash")
    return None


def _joined(tokens: list[Token], i: int) -> tuple[list[Lex], int] | None:
    """A lexeme made of several tokens: a holiday's name or a key of several words, perhaps after Hebrew prefixes."""
    words = [(token.word, token.kind) for token in tokens[i : i + 8]]
    for cut in range(4 if _HEBREW.match(tokens[i].word) else 1):
        if cut and (cut >= len(tokens[i].word) - 1 or tokens[i].word[cut - 1] not in _PREFIXES):
            return None
        words[0] = (tokens[i].word[cut:], "word")
        start, prefixes = tokens[i].start + cut, _prefix_lexemes(tokens[i], cut)
        if found := match_holiday(words):
            last = tokens[i + found.taken - 1]
            name = " ".join(word for word, _ in words[: found.taken])
            lex = replace(_with_sense(SENSES.get(name, Sense()), name, start, last.end), holiday=found.name)
            return [*prefixes, lex], found.taken
        if found_key := _phrase([replace(tokens[i], word=words[0][0]), *tokens[i + 1 : i + 5]], 0):
            key, taken = found_key
            lex = Lex(key=key, word=key, start=start, end=tokens[i + taken - 1].end)
            if key in {"weekend_unit", "weekends_unit"}:
                lex = replace(lex, key="", unit="weekend", word=key.removesuffix("_unit"))
            return [*prefixes, lex], taken
    return None


@lru_cache(maxsize=256)
def read(text: str) -> tuple[Lex, ...]:
    """The text's lexemes in order. A message and its parts are read several times."""
    tokens, lexemes, i = tokenise(text), list[Lex](), 0
    while i < len(tokens):
        if tokens[i].word == "." and lexemes and _is_abbreviation(lexemes[-1], tokens[i : i + 2]):
            i += 1
        elif tokens[i].kind == "word" and (glued := _glued_prefix(tokens, i)):
            lexemes += _prefix_lexemes(tokens[i], len(tokens[i].word))
            i += glued
        elif tokens[i].kind == "word" and (joined := _joined(tokens, i)):
            lexemes += joined[0]
            i += joined[1]
        else:
            lexemes += _READERS.get(tokens[i].kind, _simple)(tokens[i])
            i += 1
    return tuple(_count(_compound(lexemes)))


def _is_abbreviation(lex: Lex, dot: list[Token]) -> bool:
    """Whether the dot ends an abbreviation, as in `Dec.` or `Fri.`, or an ordinal, as in `5.-8. December`."""
    if lex.end != dot[0].start:
        return False
    if lex.num is not None and lex.word.isdigit() and len(dot) == 2:
        return dot[1].kind == "dash" or bool((_sense(dot[1].word) or Sense()).month)
    return bool(lex.month or lex.weekday is not None) and len(lex.word) <= 5


def _compound(lexemes: list[Lex]) -> list[Lex]:
    """Join number words: twenty first, twenty-one, עשרים ואחת, שנים עשר."""
    out: list[Lex] = []
    for lex in lexemes:
        gap = 1 if out and out[-1].key in {"dash", "and"} and out[-1].word in {"-", "ו"} else 0
        tens = out[-1 - gap] if len(out) > gap else None
        if tens is not None and _adds_up(tens, lex):
            total = (tens.num or 0) + (lex.num or 0)
            out[-1 - gap :] = [Lex(num=total, ordinal=lex.ordinal, word=lex.word, start=tens.start, end=lex.end)]
        else:
            out.append(lex)
    return out


def _adds_up(first: Lex, second: Lex) -> bool:
    if first.num is None or second.num is None or first.word[:1].isdigit() or second.word[:1].isdigit():
        return False
    if first.num in {20, 30}:
        return 0 < second.num < 10 and not first.ordinal
    return 0 < first.num < 10 and second.word in {"עשר", "עשרה"}


def _count(lexemes: list[Lex]) -> list[Lex]:
    """Mark the numbers that belong to guests, rooms, money, ages and hours."""
    counted = [_is_counted(lexemes, i) for i in range(len(lexemes))]
    return [lex if lex.counted == now else replace(lex, counted=now) for lex, now in zip(lexemes, counted, strict=True)]


_BETWEEN_COUNT = {"and", "or", "dash", ",", "to", "the", "of"}


def _is_counted(lexemes: list[Lex], i: int) -> bool:
    lex = lexemes[i]
    if lex.num is not None and lex.num > 9999:
        return not _time_follows(lexemes, i + 1)
    if lex.counted or (lex.num is None and lex.written is None) or lex.iso:
        return lex.counted
    if _is_for_so_many(lexemes, i):
        return True
    precedes = _counter_precedes(lexemes, i - 1) and not _is_day_of_room(lexemes, i) and not _in_dated_range(lexemes, i)
    if lex.written is not None and i + 1 < len(lexemes) and lexemes[i + 1].word not in MEASURES:
        return precedes
    return _quantity_follows(lexemes, i + 1) or precedes


_COUPLE = {"שניים", "שתיים", "שנים", "שתים"}


def _is_for_so_many(lexemes: list[Lex], i: int) -> bool:
    """`for two in December`, `for 4 in May`, `לשניים בדצמבר`, `חדר לשלושה במאי`: guests; `ל-5 בדצמבר` is a day."""
    lead, lex, following = lexemes[i - 1] if i else Lex(), lexemes[i], [*lexemes[i + 1 : i + 2], Lex()][0]
    room = i > 1 and lexemes[i - 2].word in _ROOMS and lex.word.isalpha()
    led = lead.word == "for" or (lead.key == "for" and (room or lex.word in _COUPLE))
    return led and lex.num is not None and lex.num <= 10 and not lex.ordinal and following.key in {"in", "over"}


def _time_follows(lexemes: list[Lex], i: int) -> bool:
    """`99999 nights`: too many, but no price and no phone number."""
    following = [lex for lex in lexemes[i : i + 2] if lex.key != "dash"][:1]
    return any(lex.unit and lex.num is None for lex in following)


_ROOMS = {"room", "rooms", "suite", "חדר"}


def _is_day_of_room(lexemes: list[Lex], i: int) -> bool:
    """`room 3-6 March`, `room 14-17.12`, `room 17.1`, `suite 5th`, `room 2 nights`: written as a day, so not the number of the room before it."""
    if lexemes[i - 1].word not in _ROOMS:
        return False
    lex, after = lexemes[i], [*lexemes[i + 1 : i + 4], *[Lex(mark=True)] * 3]
    if lex.written is not None or lex.ordinal or after[0].month or after[0].unit == "night":
        return True
    at = 2 if after[1].key == "the" else 1
    last = after[at]
    return after[0].key in {"dash", "to", "of", "in"} and bool(last.month or last.written or last.num is not None)


def _in_dated_range(lexemes: list[Lex], i: int) -> bool:
    """`girls 8 and 10, 17-19 January`: days of a month, not further ages."""
    keys = [lex.key for lex in lexemes[i - 1 : i + 2]]
    last = i + 2 if keys[2:] in (["dash"], ["to"]) else i if keys[:1] in (["dash"], ["to"]) else len(lexemes)
    after = [lex for lex in lexemes[last + 1 : last + 3] if lex.key not in {"in", "of"}][:1]
    return last < len(lexemes) and lexemes[last].num is not None and any(lex.month for lex in after)


def _quantity_follows(lexemes: list[Lex], i: int) -> bool:
    """`2 adults`, `5 large rooms`, `4 of us`, `1000 NIS`; a word of the date language ends the look ahead."""
    words = lexemes[i : i + 3]
    if [lex.word for lex in words[:2]] == ["of", "us"] or (words and words[0].word == "x"):
        return True
    for lex in words[:2]:
        if lex.word in QUANTITIES:
            return True
        if lex.key or lex.mark or lex.num is not None or lex.unit or lex.month or lex.holiday or lex.written:
            return False
    return False


def _counter_precedes(lexemes: list[Lex], i: int) -> bool:
    """`room 12`, `aged 5 and 8`, `under 1000`, `$200`: also through a list of numbers."""
    steps = 0
    while i >= 0 and steps < 6 and (lexemes[i].key in _BETWEEN_COUNT or _plain_number(lexemes[i])):
        i, steps = i - 1, steps + 1
    if i >= 0 and steps == 0 and lexemes[i].word in {"around", "about"} and _before_month(lexemes, i + 2):
        return False  # "around 9 March"
    if i > 0 and lexemes[i].word == "about" and lexemes[i - 1].word in {"what", "how"}:
        return False  # "what about 24-26?"
    return i >= 0 and lexemes[i].word in COUNTERS and (steps == 0 or lexemes[i].word in _AGES)


def _before_month(lexemes: list[Lex], i: int) -> bool:
    at = i + (i < len(lexemes) and lexemes[i].key == "of")
    return at < len(lexemes) and lexemes[at].month is not None


_AGES = {"aged", "ages", "age", "גיל", "גילאי", "בגילאי", "בני", "בנות", "בן", "בת"}


def _plain_number(lex: Lex) -> bool:
    return lex.num is not None and not lex.ordinal and not lex.month and not lex.unit
