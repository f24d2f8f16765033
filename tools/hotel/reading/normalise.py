"""Normalises text: one spelling of quotes, number words as digits, typos in key words corrected."""

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate

from wavegraph.tools.hotel.dates.holiday_names import words_of
from wavegraph.tools.hotel.reading.people import WHO

_QUOTES = str.maketrans({**dict.fromkeys("’‘`´׳", "'"), **dict.fromkeys("“”״", '"'), **dict.fromkeys("–—־", "-")})
_INVISIBLE = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)


# fmt: off
EN_NUMBERS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
}
HE_NUMBERS = {
    "אחד": 1, "אחת": 1, "שני": 2, "שתי": 2, "שניים": 2, "שתיים": 2, "שנים": 2, "שלוש": 3, "שלושה": 3, "שלשה": 3,
    "ארבע": 4, "ארבעה": 4, "חמש": 5, "חמישה": 5, "חמשה": 5, "שש": 6, "שישה": 6, "ששה": 6, "שבע": 7, "שבעה": 7,
    "שמונה": 8, "תשע": 9, "תשעה": 9, "עשר": 10, "עשרה": 10,
}
VOCABULARY = words_of(
    "availability available adults adult children child kids rooms room nights night double triple suite deluxe family "
    "accessible breakfast board inclusive parking swimming kosher cancellation cancel payment shuttle airport smoking "
    "beach address contact couple people guests persons cheapest cheaper cheap compare between budget under price "
    "prices booking reservation reserve refundable infant toddler vacancy vacancies wheelchair restaurant "
    "disregard ignore instructions previous password weather "
    "זמינות מבוגרים ילדים חדרים לילות תינוק תינוקת ארוחת בוקר סוויטה משפחתי משפחתית חניה בריכה ביטול תשלום תקציב "
    "הזמנה מבוגר נגישות פנסיון"
)
_KNOWN = frozenset(VOCABULARY) | {
    "adults'", "guest", "person", "table", "stable", "priced", "pricing", "suites", "doubles", "triples", "triplets", "couples",
    "budgets", "beaches", "parks", "booked", "bookings", "cancelled", "canceled", "cancelling", "smoke", "smoker",
    "families", "familiar", "infants", "toddlers", "contacts", "breakfasts", "boarding", "cancels", "comparing",
    "payments", "reserved", "reservations", "weather", "whether", "chill", "children's", "kid's", "underground",
    "kinds", "kings", "bids", "lids", "chile", "babe", "quests", "kidney", "instant", "parson",
    "hundred", "nightly", "midnight", "tonight", "roomy", "mushrooms", "leather", "feather", "nightmare",
    "הזמנות", "ביטולים", "תשלומים", "מבוגרת", "תינוקות", "בריכות", "חניון", "סוויטות", "הזמנת", "הזמנתי", "ילדות",
}
# fmt: on
_COUNTED = words_of(
    "adult adults child children kid kids baby babies infant guests people person מבוגר מבוגרים ילדים תינוק אנשים אורחים"
)
_NUMBER_BEFORE = re.compile(rf"(?:\d|(?<![a-z])(?:{'|'.join(EN_NUMBERS)})|(?<![א-ת])(?:{'|'.join(HE_NUMBERS)})) ?$")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[א-ת]+(?:[\"'][א-ת]+)?")


def clean(text: str) -> str:
    """`text` composed (NFC), without vowel points and direction marks."""
    return _INVISIBLE.sub("", unicodedata.normalize("NFC", text))


def fold(text: str) -> str:
    """Lower case and plain quotes; every character keeps its position, so offsets stay valid."""
    lowered = text.lower()
    if len(lowered) != len(text) or "Σ" in text:  # a letter became two, or another one at the end of a word
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return lowered.translate(_QUOTES)


def prepared(text: str) -> tuple[str, list[int]]:
    """Folded `text` with key words corrected and number words as digits, and where each character came from.

    A Hebrew prefix of a number is separated (`לשני` is `ל 2`). The list has one entry per character
    and one for the end.
    """
    parts: list[str] = []
    origin: list[int] = []
    at = 0
    for word in _WORD.finditer(text):
        new = _as_number(
            _mend_counted(word.group())
            if _NUMBER_BEFORE.search(text[max(0, word.start() - 9) : word.start()])
            else _mend(word.group())
        )
        parts += [text[at : word.start()], new]
        places = (min(word.start() + i - new.count(" ", 0, i), word.end() - 1) for i in range(len(new)))
        origin += [*range(at, word.start()), *places]
        at = word.end()
    return "".join([*parts, text[at:]]), [*origin, *range(at, len(text) + 1)]


def spans_in(origin: list[int], spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of a prepared text as spans of the text it came from."""
    return [(origin[start], origin[end]) for start, end in spans]


_SHORT = {
    "rom": "room", "roms": "rooms", "rooom": "room", "nite": "night", "nites": "nights", "adlts": "adults", "adluts": "adults", "ppl": "people",
    "avail": "available", "pls": "please", "brkfst": "breakfast", "chldren": "children", "childs": "children", "u": "you",
    "plz": "please", "smth": "something", "sth": "something", "smthing": "something", "rm": "room", "rms": "rooms", "ur": "your",
    "gonna": "going to", "wanna": "want to", "brekkie": "breakfast", "brekky": "breakfast", "kiddos": "kids",
    "hubby": "husband", "gf": "girlfriend", "bf": "boyfriend", "bday": "birthday", "wknd": "weekend", "abt": "about", "r": "are", "dbl": "double",
}  # fmt: skip
"""Short spellings that are too different from the word for fuzzy matching."""


@lru_cache(maxsize=4096)
def _mend(word: str) -> str:
    if word in _SHORT:
        return _SHORT[word]
    if len(word) < 5 or word in _KNOWN or word in EN_NUMBERS or "א" <= word[0] <= "ת":
        return word  # in Hebrew one letter makes another word, and prefixes do too
    near = difflib.get_close_matches(word, VOCABULARY, n=1, cutoff=0.84)
    return near[0] if near else word


@lru_cache(maxsize=4096)
def _mend_counted(word: str) -> str:
    """A word after a number: whom it counts, if it is one letter off, and no other word that is known."""
    mended = _mend(word)
    if len(mended) < 4 or not {mended, mended[1:]}.isdisjoint(_COUNTED) or mended in _KNOWN or mended in WHO:
        return mended
    return next((each for each in _COUNTED if _one_off(mended, each)), mended)


def _one_off(word: str, other: str) -> bool:
    """Whether one letter more, less, changed or two swapped make the one of the other."""
    start = next((n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    rest, others = word[start:], other[start:]
    swapped = rest[1:2] + rest[:1] + rest[2:] == others and len(rest) > 1
    return word != other and (rest[1:] == others[1:] or rest[1:] == others or rest == others[1:] or swapped)


def _as_number(word: str) -> str:
    if word in EN_NUMBERS:
        return str(EN_NUMBERS[word])
    if word == "שניים":
        return word  # it counts nothing that follows: it is two people
    if word in HE_NUMBERS:
        return str(HE_NUMBERS[word])
    for size in (1, 2):  # `לשני`, `ובשני`
        prefix, rest = word[:size], word[size:]
        if (
            len(rest) > 2
            and rest in HE_NUMBERS
            and prefix[-1] in "לובהשמ"
            and prefix[0] in ("לובהשמ" if size == 1 else "ו")
        ):
            return f"{prefix} {_as_number(rest)}"
    return word


def latest(texts: Sequence[str], most_chars: int) -> Sequence[str]:
    """The last of the texts that together have no more characters."""
    lengths = accumulate(map(len, reversed(texts)))
    return texts[len(texts) - sum(length <= most_chars for length in lengths) :]


def blank(text: str, spans: list[tuple[int, int]]) -> str:
    """`text` with the spans overwritten by a bar that no pattern matches, offsets kept."""
    return overwritten(text, spans, "|")


def overwritten(text: str, spans: Iterable[tuple[int, int]], mark: str) -> str:
    """`text` with `mark` in place of every character of the spans."""
    chars = list(text)
    for start, end in spans:
        chars[start:end] = mark * (end - start)
    return "".join(chars)
