"""A text rewritten so that card numbers can be found in it: each kind of digit, blank, dash and dot in one form.

People type and paste the same number in many ways: in other scripts, as keycaps, with escapes of a web page between
the groups. Read plainly once, the rules need not know of it; `Plain` leads back to the text as it was given.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple
from unicodedata import digit
from urllib.parse import unquote

_BLANK = r"\s\"'`´‘’‚“”„«»׳״\u00ad\u061c\u115f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\u2800\u3164\ufeff"
"""Also quotes, soft hyphens, direction marks and what else cannot be seen."""
_DASH = r"\-\u058a\u05be\u2010-\u2015\u2043\u207b\u208b\u2212\u2500\u2796\u30fc\ufe58\ufe63\uff0d\uff70"
_DOT = r".\u00b7\u2022\u2024-\u2027\u2219\u22c5\u25cf\u3002\u30fb\uff0e\uff61"
_SIGNS = str.maketrans(
    {"،": ",", "、": ",", "，": ",", "／": "/", "⁄": "/", "∕": "/", "：": ":", "∶": ":", "；": ";", "؛": ";", "｜": "|",
     "¦": "|", "│": "|", "＋": "+", "＊": "*", "～": "~", "〜": "~", "＝": "=", "＿": "_", "＼": "\\", "＆": "&",
     "（": "(", "）": ")", "［": "[", "］": "]", "【": "[", "】": "]", "＜": "<", "＞": ">"}
)  # fmt: skip
_MARK = r"\u0300-\u036f\u20d0-\u20f0\ufe00-\ufe0f"
"""What is drawn over or around the character before it, as the box of a keycap."""
_RAISED = r"\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089"
_CIRCLED = r"\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792"
_ESCAPE = (
    r"(?:%[89a-f][0-9a-f])+|%[0-7][0-9a-f]|&\#[0-9]{1,5};|&\#x[0-9a-f]{1,4};|&[a-z]{2,8};"
    r"|\\u[0-9a-f]{4}|\\[nrt]|<br\s?/?>"
)
_PLAIN = "0123456789-._,/:;|+"
"""Marks between groups, and digits, that are read as they are."""
_UNIT = re.compile(
    rf"""
    (?P<escape> {_ESCAPE} )
    | (?P<note> (?<=\d) [{_RAISED}]+ )                          # of a footnote, behind a digit
    | (?P<digit> [0-9](?=[{_MARK}]) | (?![0-9])\d | [{_RAISED}{_CIRCLED}] ) [{_MARK}]*
    | (?P<blank> (?!\ [^{_BLANK}]) [{_BLANK}]+ )                # a single space stays as it is
    | (?P<dash> (?!-) [{_DASH}] | -(?=[{_DASH}]) ) [{_DASH}]* [{_MARK}]*
    | (?P<dot> (?!\.) [{_DOT}] | \.(?=[{_DOT}]) ) [{_DOT}]*
    | __+ | [{_MARK}]+
    """,
    re.VERBOSE | re.IGNORECASE,
)


WIDE = "\t"
"""Stands for blanks that a card does not have: wide ones, quotes, escapes. Plain ones are a space."""
_MOST_BLANKS = 5
_QUOTES = frozenset("\"'`´‘’‚“”„«»׳״")


class _Piece(NamedTuple):
    at: int
    """Where it begins in the plain text."""
    start: int
    end: int | None
    """Where it ends in the text as given; None = it is unchanged, and ends where the next piece begins."""


class Plain(NamedTuple):
    text: str
    pieces: list[_Piece]

    def start(self, place: int) -> int:
        """Where in the text as given what begins here begins."""
        piece = self._piece(place)
        return piece.start + place - piece.at

    def end(self, place: int) -> int:
        """Where in the text as given what ends here ends."""
        piece = self._piece(place - 1)
        return piece.start + place - piece.at if piece.end is None else piece.end

    def _piece(self, place: int) -> _Piece:
        return self.pieces[bisect_right(self.pieces, place, key=lambda piece: piece.at) - 1]


def plain_text(text: str) -> Plain:
    plain, pieces = list[str](), list[_Piece]()
    at = 0
    for shown, piece in _parts(text.translate(_SIGNS) if not text.isascii() else text):
        if shown in (" ", WIDE) and plain and plain[-1].endswith((" ", WIDE)):
            plain[-1] = plain[-1][:-1] + WIDE
            continue
        if shown.startswith(" ") and plain and plain[-1].endswith(WIDE):
            shown, piece = shown[1:], piece._replace(start=piece.start + 1)
        plain.append(shown)
        pieces.append(piece._replace(at=at))
        at += len(shown)
    return Plain("".join(plain), pieces or [_Piece(0, 0, None)])


def _parts(text: str) -> Iterator[tuple[str, _Piece]]:
    """The parts of the plain text, in order, each with its piece; `at` is not filled in yet."""
    done = 0
    for found in _UNIT.finditer(text):
        meant = _stand_in(found)
        if meant is None:
            continue
        if done < found.start():
            yield text[done : found.start()], _Piece(0, done, None)
        if meant:
            yield meant, _Piece(0, *found.span())
        done = found.end()
    if done < len(text):
        yield text[done:], _Piece(0, done, None)


def _stand_in(found: re.Match[str]) -> str | None:
    """The character to write in its place; "" = leave it out; None = keep it as it is."""
    match found.lastgroup:
        case "escape":
            return _mark_of_escape(found[0])
        case "digit":
            return str(digit(found["digit"]))
        case "blank":
            return WIDE if len(found[0]) > _MOST_BLANKS or not _QUOTES.isdisjoint(found[0]) else " "
        case "note":
            return WIDE
        case "dash":
            return "-"
        case "dot":
            return "."
    return "_" if found[0].startswith("_") else ""


def _mark_of_escape(escape: str) -> str | None:
    """The digit, blank or mark that an escape of a web page or of JSON stands for."""
    if escape[0] in "%&":
        character = unquote(escape) if escape[0] == "%" else unescape(escape)
    else:
        character = chr(int(escape[-4:], 16)) if escape[1] in "uU" else " "
    if len(character) != 1:
        return None
    if character.isspace():
        return WIDE
    found = _UNIT.fullmatch(character)
    return _stand_in(found) if found else character if character in _PLAIN else None
