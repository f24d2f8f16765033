"""A request in pieces: what one of them says can be asked for, and forgotten, on its own.

A piece ends with a sentence of any script, with a line, before a list's mark, or before “and” where another question begins;
a long one also at its commas. Joined, the pieces are the request again.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

LONGEST_REQUEST = 2000
"""Characters: a longer one is a letter, of which nobody says what each piece is for."""
LONGEST_PIECE = 200
"""Characters above which commas divide a piece."""
FEWEST_WORDS = 3
"""With a letter, between such commas: `4, 6 and 8` stays together."""
MOST_NAMED = 8
"""Words of a piece that an answer names."""
_ADDRESS = r"(?:https?://|www\.)\S*[\w/]|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.\w+)+"
_ENDS = "?!;؟؛۔।॥。！？；｡։።፧។။\u037e"
"""What ends a sentence whatever stands beside it; the last is the Greek question mark."""
_CLOSING = "\"'”’»)\\]」』）】"
_END = re.compile(
    rf"(?P<address>{_ADDRESS})|(?:[{_ENDS}](?!=)[{_ENDS}.…]*|(?P<point>\.)(?!\.)|(?<![.…])[.…]+(?=\s))[{_CLOSING}]*\s*|\n\s*",
    re.IGNORECASE,
)
_BEFORE_NAMES = re.compile("dr|mr|mrs|ms|mx|prof|st|rev|hon|jr|fr|sr|sra|mme|mlle|vs|approx|ca", re.IGNORECASE)
_BEFORE_NUMBERS = re.compile("no|nr|tel|max|min|apt|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec", re.IGNORECASE)
"""Words that a point shortens, by what follows them then."""
_MARK = re.compile(r"(?<!\S)\(?(\d{1,2})[.)](?=\s)|(?<!\S)•(?=\s)")
_ASKING = (
    "am|is|are|was|were|do|does|did|can|could|may|might|must|shall|should|will|would|have|has|"
    "what|whats|when|where|which|who|whom|whose|why|how"
)
_ASKING_HE = "האם|מה|מתי|איפה|היכן|כמה|איך|כיצד|למה|מדוע|מי|איזה|איזו|אילו|אפשר|ניתן|מותר|יש"
_OF_WHAT = r"(?:(?:about|at|by|for|from|in|on|to|till|until|with)\s+(?=(?:what|when|where|which|whom?|how)\b))?"
_OF_WHAT_HE = r"(?:(?:(?:אל|על|עם|עד)\s+|[בלמ])(?=(?:מה|מתי|איפה|היכן|כמה|מי|איזה|איזו|אילו)(?![א-ת])))?"
"""What stands before the word that asks: `until when`."""
_ANOTHER_QUESTION = re.compile(
    rf"(?<=\s)(?:and|but|or|also|plus)\s+(?:also\s+)?{_OF_WHAT}(?:{_ASKING})\b|"
    rf"(?<=\s)(?:וגם\s+|ו){_OF_WHAT_HE}(?:{_ASKING_HE})(?![א-ת])|(?<=,\s)האם(?![א-ת])",
    re.IGNORECASE,
)
_JOINING = re.compile(
    rf"(?:and|but|or|also|plus)\s+(?:also\s+)?|וגם\s+|ו(?={_OF_WHAT_HE}(?:{_ASKING_HE})(?![א-ת]))", re.IGNORECASE
)
"""What joins a piece to the one before it."""
_COMMA = re.compile(r"[,،]\s+|[、，]\s*")
_AROUND = f" \t\r\n.,:…•*-–{_ENDS}"
_CJK = "\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_CJK}]{{1,2}}|[^\s{_CJK}]+")


@lru_cache(maxsize=64)
def pieces(text: str) -> tuple[str, ...]:
    """The pieces of a request, in order; none of a letter, or of what holds no word."""
    if len(text) > LONGEST_REQUEST:
        return ()
    marks = [found for found in _MARK.finditer(text) if not found[1]] + _counting_up(text)
    cuts = {found.start() for found in marks} | set(_ends(text, {found.end() for found in marks}))
    whole = [text[start:end] for start, end in pairwise(sorted({0, *cuts, len(text)}))]
    return tuple(part for each in _with_words(whole) for part in _divided(each))


def words_in(piece: str) -> list[str]:
    """Its words; two letters of a script without spaces count as one."""
    return _WORD.findall(piece)


def shortened(piece: str, most: int) -> str:
    """Its first words, without the marks around them and what joins them to those before."""
    bare = piece.strip(_AROUND)
    if joint := _JOINING.match(bare):
        bare = bare[joint.end() :]
    words = [*_WORD.finditer(bare)]
    return f"{bare[: words[most - 1].end()].rstrip(_AROUND)}…" if len(words) > most else bare


def _counting_up(text: str) -> list[re.Match[str]]:
    """The numbers of a list, `1. … 2. …`; one alone is none."""
    found: list[re.Match[str]] = []
    for mark in _MARK.finditer(text):
        if mark[1] and int(mark[1]) == len(found) + 1:
            found.append(mark)
    return found if len(found) > 1 else []


def _ends(text: str, marks: set[int]) -> Iterator[int]:
    """Where a sentence or a line ends, with the space behind it. `marks`: where marks of a list end."""
    start = 0
    for found in _END.finditer(text):
        if found["address"] or (found["point"] and not _is_stop(text, start, found, marks)):
            continue
        start = found.end()
        yield start


def _is_stop(text: str, start: int, found: re.Match[str], marks: set[int]) -> bool:
    """Whether a point ends the sentence that began at `start`: not that of a number, a short form or a list."""
    before = text[start : found.start()].split()[-1:] or [""]
    word, behind = before[0].strip("(\"'“"), text[found.end() : found.end() + 2]
    if not behind or "\n" in found[0]:
        return True
    if _BEFORE_NAMES.fullmatch(word) or (_BEFORE_NUMBERS.fullmatch(word) and behind[0].isdigit()):
        return False
    follows_small = behind[0].islower() or behind[0] in "-–—"
    if not found[0][-1].isspace():  # `Thanks.Is there …`
        return word[-2:].isalpha() and len(word) > 1 and behind.isalpha() and len(behind) > 1 and not follows_small
    if word[-1:].isdigit():
        is_mark = found.start() + 1 in marks or not text[start : found.start()].strip("0123456789( ")
        return not (is_mark or follows_small or behind[0].isdigit())
    if len(word) < 2 or word[-2:-1] == ".":  # `J. Levi`, `p.m.`
        return "." in word and behind[0].isupper()
    return True


def _with_words(parts: Iterable[str]) -> list[str]:
    """The parts; one without a word belongs to the one before it, or behind it at the start."""
    found = [""]
    for part in parts:
        if any(map(str.isalnum, part)) and any(map(str.isalnum, found[-1])):
            found.append(part)
        else:
            found[-1] += part
    return found if any(map(str.isalnum, found[0])) else []


def _divided(piece: str) -> Iterator[str]:
    """A piece in parts, each of which begins another question; of these a long one in the parts between its commas."""
    for each in _parts(piece, [found.start() for found in _ANOTHER_QUESTION.finditer(piece)]):
        yield from _parts(each, [found.end() for found in _COMMA.finditer(each)] if len(each) > LONGEST_PIECE else [])


def _parts(piece: str, cuts: Iterable[int]) -> Iterator[str]:
    """Cut where both sides have a few words."""
    start = 0
    for cut in cuts:
        if _has_words(piece[start:cut]) and _has_words(piece[cut:]):
            yield piece[start:cut]
            start = cut
    yield piece[start:]


def _has_words(part: str) -> bool:
    return sum(any(map(str.isalpha, word)) for word in words_in(part)) >= FEWEST_WORDS
