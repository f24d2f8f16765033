"""Removes the secrets that this process knows from texts on their way out: logs, traces, errors, events."""

import os
import re
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from wavegraph.graph.secrets.known import in_environment
from wavegraph.graph.secrets.spellings import (
    SHORTEST,
    SURELY,
    first_piece,
    in_base64,
    is_ordinary,
    last_piece,
    spelled_out,
    spellings,
)

MARK = "[secret removed]"
MOST_TAUGHT = 1000
"""Secrets learned outside the environment; of more, the oldest tenth is forgotten."""

FEW = 200
"""Up to so many pieces are looked for one by one; with more, each part of the text is looked up among them."""
GRAM = 6
"""Signs; no piece is shorter."""
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


@dataclass(frozen=True)
class _Known:
    """What is looked for; never changed, so that it is read without a lock."""

    begins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Spellings by their beginning, which may stand anywhere."""
    ends: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Spellings by their end, both backwards: what is left of one whose beginning is missing or broken is found from there."""
    ordinary: re.Pattern[str] | None = None
    """Ordinary values, where the text before says that a secret follows."""
    words: tuple[str, ...] = ()
    """The ordinary values."""
    pieces: tuple[str, ...] = ()
    """Beginnings and ends of the others. If none of these and of the words is in a text, no secret is."""
    grams: frozenset[str] = frozenset()
    """How the pieces begin."""


class Scrubber:
    """The secrets of one process. All methods may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._environment: dict[str, str] = {}
        self._from_environment: frozenset[str] = frozenset()
        self._taught: dict[str, None] = {}
        self._known = _Known()

    def read_environment(self, environ: Mapping[str, str] | None = None) -> None:
        """Take the secrets that are in the environment now, in place of those read before."""
        now = dict(os.environ if environ is None else environ)
        if now == self._environment:
            return
        self._environment = now
        found = frozenset(in_environment(now))
        if found != self._from_environment:
            with self._lock:
                self._from_environment = found
                self._compile()

    def learn(self, *secrets: str | None) -> None:
        """Know these from now on; what is too short to be a secret is left out."""
        new = [each for each in secrets if each and len(each) >= SHORTEST and each not in self._taught]
        if not new:
            return
        with self._lock:
            self._taught.update(dict.fromkeys(new))
            if len(self._taught) <= MOST_TAUGHT:
                self._known = _known_with(self._known, new)
                return
            for oldest in list(self._taught)[: MOST_TAUGHT // 10]:
                del self._taught[oldest]
            self._compile()

    def forget(self) -> None:
        """Forget all of them: for tests, which share a process."""
        with self._lock:
            self._environment, self._from_environment, self._taught = {}, frozenset(), {}
            self._compile()

    def _compile(self) -> None:
        self._known = _known_with(_Known(), {*self._from_environment, *self._taught})

    def holds(self, text: str) -> bool:
        """Whether the text may hold a secret; quick, however many are known."""
        known = self._known
        for word in known.words:
            if word in text:
                return True
        return _has_piece(text, known) or ("://" in text and _LOGIN_IN_URL.search(text) is not None)

    def scrub(self, text: str) -> str:
        """The text with each secret replaced by a mark: as it is, encoded, broken over lines, or cut off."""
        if not self.holds(text):
            return text
        known = self._known
        text = _with_marks(text, known.begins, _BREAK, MARK)
        text = _with_marks(text[::-1], known.ends, _BREAK_BACKWARDS, MARK[::-1])[::-1]
        if known.ordinary:
            text = known.ordinary.sub(lambda found: f"{found[1]}{MARK}", text)
        return _LOGIN_IN_URL.sub(lambda found: f"://{found[1]}:{MARK}@", text)

    def scrub_json(self, value: Any, depth: int = 0) -> Any:
        """The same for every text in a JSON-like value, keys too; the value itself if it holds none."""
        if depth > DEEPEST:
            return MARK
        if isinstance(value, str):
            return self.scrub(value)
        if isinstance(value, dict):
            return self._clean_dict(value, depth + 1)
        if type(value) in (list, tuple):
            inner = [self.scrub_json(each, depth + 1) for each in value]
            return value if _same(inner, value) else type(value)(inner)
        return value

    def _clean_dict(self, value: dict[Any, Any], depth: int) -> dict[Any, Any]:
        keys = [self.scrub_json(key, depth) for key in value]
        inner = [self.scrub_json(each, depth) for each in value.values()]
        same = _same(keys, value) and _same(inner, value.values())
        return value if same else dict(zip(keys, inner, strict=True))


def _same(left: Iterable[Any], right: Iterable[Any]) -> bool:
    return all(one is other for one, other in zip(left, right, strict=True))


def _known_with(known: _Known, values: Iterable[str]) -> _Known:
    """What is known, and these secrets."""
    new = [each for each in values if len(each) >= SHORTEST]
    ordinary = [each for each in new if is_ordinary(each)]
    forms = [form for value in new for form in (in_base64(value) if value in ordinary else spellings(value))]
    begins = _by_piece(known.begins, {form: first_piece(form) for form in forms})
    ends = _by_piece(known.ends, {form[::-1]: last_piece(form)[::-1] for form in forms})
    words = {*known.words, *(form for value in ordinary for form in spelled_out(value))}
    pattern = known.ordinary if words == {*known.words} else _pattern_behind_hints(words)
    pieces = (*dict.fromkeys([*begins, *(piece[::-1] for piece in ends)]),)
    return _Known(begins, ends, pattern, (*words,), pieces, frozenset(each[:GRAM] for each in pieces))


def _by_piece(known: Mapping[str, tuple[str, ...]], pieces: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """What is known, and these spellings by the piece they are found by. `pieces`: that of each."""
    found = dict(known)
    for form, piece in pieces.items():
        found[piece] = (*found.get(piece, ()), form)
    return found


def _pattern_behind_hints(words: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"({_BEFORE})(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def _has_piece(text: str, known: _Known) -> bool:
    if len(known.pieces) > FEW:
        return not known.grams.isdisjoint(_grams(text))
    for piece in known.pieces:  # noqa: SIM110  measured: faster than `any`, and much than one pattern of all pieces
        if piece in text:
            return True
    return False


def _grams(text: str) -> list[str]:
    return [text[at : at + GRAM] for at in range(len(text) - GRAM + 1)]


def _in_text(pieces: Iterable[str], text: str) -> list[str]:
    """The pieces that the text holds, the longest first: one may begin as another does."""
    parts = frozenset(_grams(text))
    return sorted((piece for piece in pieces if piece[:GRAM] in parts and piece in text), key=len, reverse=True)


def _with_marks(text: str, known: Mapping[str, tuple[str, ...]], gap: re.Pattern[str], mark: str) -> str:
    """The text with the mark in place of each secret, from the piece that it begins with as far as the text goes on with it,
    over line breaks (`gap`)."""
    for piece in _in_text(known, text):
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
