"""Removes the secrets that this process knows from texts on their way out: logs, traces, errors, events."""

import base64
import html
import json
import os
import re
import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote, quote_plus

from wavegraph.graph.secrets.known import in_environment

# How else a secret may be spelled in a text, and which values are too ordinary to be looked for everywhere

SHORTEST = 4
"""Characters; nothing shorter is a secret worth the harm of removing it."""
SURELY = 8
"""From here on a value that is no word is removed wherever it stands."""
WITH_PIECES = 16
"""From here on a cut-off beginning or end is recognised too."""
PIECE = 8
"""Characters of the shortest beginning or end that is recognised."""
LONGEST_WORD = 14
"""Letters of one case: a longer run of them is no ordinary word."""
FEWEST_DIGITS = 16
"""Fewer digits, with or without signs between them, may be a date, a price or a phone number."""
_HEAD = re.compile(r"(?:[A-Za-z0-9]{1,7}[-_]){0,3}")
"""What all keys of a vendor begin with, such as `sk-proj-`: it gives nothing away."""


def is_ordinary(value: str) -> bool:
    """Whether texts hold the value for other reasons than being a secret: a word or words, a number, or very short."""
    letters = [part for part in re.split(r"[\W_]+", value) if part]
    words = all(part.isalpha() and (part in (part.lower(), part.upper(), part.title())) for part in letters)
    if words and len(max(letters, key=len, default="")) <= LONGEST_WORD and len(letters) <= 3:
        return True
    numbers = all(part.isdigit() for part in letters)
    return (numbers and sum(map(len, letters)) < FEWEST_DIGITS) or len(value) < SURELY - 2


def spelled_out(value: str) -> list[str]:
    """The value as it is, in JSON, Python, URLs, HTML and XML."""
    in_urls = [quote(value), quote(value, safe=""), quote_plus(value), quote(value, safe="!$&'()*+,;=")]
    lower = [re.sub(r"%[0-9A-F]{2}", lambda found: found[0].lower(), each) for each in in_urls]
    escaped = [json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1], repr(value)[1:-1]]
    twice = [json.dumps(each)[1:-1] for each in escaped]
    in_html = [html.escape(value), html.escape(value, quote=False)]
    attribute = in_html[1].replace('"', "&quot;")
    in_xml = [attribute, attribute.encode("ascii", "xmlcharrefreplace").decode()]
    return [*dict.fromkeys([value, *in_urls, *lower, *escaped, *twice, *in_html, *in_xml])]


def in_base64(value: str) -> list[str]:
    """What the base64 of a text around the value has of it alone: three alignments, two alphabets. Empty if that is short."""
    raw = value.encode(errors="surrogatepass")
    if len(raw) < SURELY:
        return []
    found: list[str] = []
    for before in range(3):
        first, last = -(-before * 8 // 6), (before + len(raw)) * 8 // 6
        spelled = base64.b64encode(bytes(before) + raw)[first:last].decode()
        found += [spelled, spelled.translate(str.maketrans("+/", "-_"))]
    return [*dict.fromkeys(found)]


def first_piece(spelled: str) -> str:
    """The beginning by which a spelling is found."""
    if len(spelled) < WITH_PIECES:
        return spelled
    head = _HEAD.match(spelled)
    return spelled[: max(PIECE, (head.end() if head else 0) + PIECE // 2)]


# The secrets of a process

MARK = "[secret removed]"
MOST_TAUGHT = 1000
"""Secrets learned outside the environment; of more, the oldest are forgotten."""

LONGEST_BREAK = 60
_BREAK_SIGN = r"[\s\\\"'|│]"
_BREAK = re.compile(rf"(?:\\[nrt]|{_BREAK_SIGN}){{1,{LONGEST_BREAK}}}")
"""What a wrapped line puts into the middle of a secret: a line break with what quotes and indents it."""
_BREAK_BACKWARDS = re.compile(rf"(?:[nrt]\\|{_BREAK_SIGN}){{1,{LONGEST_BREAK}}}")
AGAIN = 4
"""Signs of the secret that must follow a break."""
_LOGIN_IN_URL = re.compile(r"://([^\s:@/]{0,200}):([^\s@/]{1,300})@")
_QUOTES = r"[\"'`\\]{0,3}"
_BEFORE = (
    rf"(?i:(?:passw(?:or)?d|passphrase|bearer){_QUOTES}(?:\s{{0,3}}[:=]\s{{0,3}}|\s(?:is|was)\s|\s){_QUOTES}"
    rf"|(?:secret|(?<![^\W\d_])(?:token|key|apikey|pass|pwd|auth|authorization)){_QUOTES}\s{{0,3}}[:=]\s{{0,3}}{_QUOTES})"
)
"""What says that a secret follows."""
DEEPEST = 60
"""Levels of a value that are looked into; what lies deeper is taken away whole."""


class _Known(NamedTuple):
    """What is looked for; never changed, so that it is read without a lock."""

    begins: Mapping[str, Sequence[str]]
    """Spellings by their beginning, which may stand anywhere."""
    ends: Mapping[str, Sequence[str]]
    """Spellings by their end, both backwards: what is left of one whose beginning is missing or broken is found from there."""
    ordinary: re.Pattern[str]
    """Ordinary values, where the text before says that a secret follows."""
    pieces: Sequence[str]
    """Beginnings, ends and ordinary values. If none of these is in a text, no secret is."""


class Scrubber:
    """The secrets of one process. All methods may be called from any thread, also by a log record on the way of another."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._environment: dict[str, str] = {}
        self._taught: dict[str, None] = {}
        self._read: _Known | None = None
        """None = there is something new to be read."""

    def read_environment(self) -> None:
        """Take the secrets that are in the environment now, in place of those read before."""
        now = dict(os.environ)
        if now != self._environment:
            with self._lock:
                self._environment, self._read = now, None
            self._known()

    def learn(self, *secrets: str | None) -> None:
        """Know these from now on; what is too short to be a secret is left out."""
        new = [each for each in secrets if each and len(each) >= SHORTEST and each not in self._taught]
        if not new:
            return
        with self._lock:
            self._taught.update(dict.fromkeys(new))
            for oldest in list(self._taught)[:-MOST_TAUGHT]:
                del self._taught[oldest]
            self._read = None

    def _known(self) -> _Known:
        if (known := self._read) is None:
            with self._lock:
                known = self._read = _known([*in_environment(self._environment), *self._taught])
        return known

    def holds(self, text: str) -> bool:
        """Whether the text may hold a secret; quick, however many are known."""
        for piece in self._known().pieces:  # measured: faster than `any`, and much than one pattern of all pieces
            if piece in text:
                return True
        return "://" in text and _LOGIN_IN_URL.search(text) is not None

    def scrub(self, text: str) -> str:
        """The text with each secret replaced by a mark: as it is, encoded, broken over lines, or cut off."""
        if not self.holds(text):
            return text
        known = self._known()
        text = _with_marks(text, known.begins, _BREAK, MARK)
        text = _with_marks(text[::-1], known.ends, _BREAK_BACKWARDS, MARK[::-1])[::-1]
        text = known.ordinary.sub(lambda found: f"{found[1]}{MARK}", text)
        return _LOGIN_IN_URL.sub(lambda found: f"://{found[1]}:{MARK}@", text)

    def scrub_json(self, value: Any, depth: int = 0) -> Any:
        """The same for every text in a JSON-like value, keys too; the value itself if it holds none."""
        if depth > DEEPEST:
            return MARK
        if isinstance(value, str):
            return self.scrub(value)
        clean = value
        if isinstance(value, dict):
            clean = {self.scrub_json(key, depth + 1): self.scrub_json(each, depth + 1) for key, each in value.items()}
        elif type(value) in (list, tuple):
            clean = type(value)(self.scrub_json(each, depth + 1) for each in value)
        return value if clean == value else clean


def _known(secrets: Iterable[str]) -> _Known:
    begins, ends, words = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list), set[str]()
    for secret in dict.fromkeys(secrets):
        plain, forms = _spellings(secret)
        words.update(plain)
        for form in forms:
            begins[first_piece(form)].append(form)
            last = form if len(form) < WITH_PIECES else form[-PIECE:]
            ends[last[::-1]].append(form[::-1])
    longest_first = map(re.escape, sorted(words, key=len, reverse=True))
    ordinary = re.compile(rf"({_BEFORE})(?:{'|'.join(longest_first)})(?!\w)" if words else "(?!)")  # which is nowhere
    pieces = dict.fromkeys([*words, *begins, *(piece[::-1] for piece in ends)])
    return _Known(dict(begins), dict(ends), ordinary, [*pieces])


@lru_cache(maxsize=2 * MOST_TAUGHT)
def _spellings(secret: str) -> tuple[Sequence[str], Sequence[str]]:
    """How a secret is spelled where it needs a word before it to be one, and where it is one anywhere."""
    if len(secret) < SHORTEST:
        return (), ()
    return (
        (spelled_out(secret), in_base64(secret))
        if is_ordinary(secret)
        else ((), [*spelled_out(secret), *in_base64(secret)])
    )


def _with_marks(text: str, known: Mapping[str, Sequence[str]], gap: re.Pattern[str], mark: str) -> str:
    """The text with the mark in place of each secret, from the piece that it begins with as far as the text goes on with it,
    over line breaks (`gap`)."""
    for piece in sorted(
        (piece for piece in known if piece in text), key=len, reverse=True
    ):  # one may begin as another does
        start = text.find(piece)
        while start >= 0:
            end = max(_end_of(text, start, form, gap) for form in known[piece])
            if len(piece) < SURELY and any(
                each.isalnum() or each == "_" for each in (text[start - 1 : start], text[end : end + 1])
            ):
                start = text.find(piece, end)  # within a word
                continue
            text = f"{text[:start]}{mark}{text[end:]}"
            start = text.find(piece, start + len(mark))
    return text


def _end_of(text: str, place: int, form: str, gap: re.Pattern[str]) -> int:
    known = 0
    while known < len(form) and place < len(text):
        if text[place] == form[known]:
            place, known = place + 1, known + 1
        elif (found := gap.match(text, place)) and text.startswith(form[known : known + AGAIN], found.end()):
            place = found.end()
        else:
            break
    return place


process = Scrubber()
"""Knows the secrets of this process."""
