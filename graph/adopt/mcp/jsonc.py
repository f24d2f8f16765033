"""JSON as editors write it: with comments, and commas after the last element."""

import json
from collections.abc import Iterator
from typing import Any


def loads(text: str) -> Any:
    """Raises ValueError for what is not JSON either way."""
    try:
        return json.loads(text)
    except ValueError:
        return json.loads("".join(_without_last_commas(_pieces(text))))


def _pieces(text: str) -> Iterator[str]:
    """Strings whole, all else sign by sign; a comment as one space."""
    at = 0
    while at < len(text):
        if text[at] == '"':
            end = _end_of_string(text, at)
            yield text[at:end]
        elif text.startswith("//", at):
            end = _after(text, "\n", at)
            yield " "
        elif text.startswith("/*", at):
            end = _after(text, "*/", at + 2)
            yield " "
        else:
            end = at + 1
            yield text[at]
        at = end


def _after(text: str, sign: str, start: int) -> int:
    found = text.find(sign, start)
    return len(text) if found < 0 else found + len(sign)


def _end_of_string(text: str, start: int) -> int:
    at = start + 1
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at + 1


def _without_last_commas(pieces: Iterator[str]) -> list[str]:
    kept: list[str] = []
    last = -1  # where the last piece stands that is no space
    for piece in pieces:
        if piece in ("}", "]") and last >= 0 and kept[last] == ",":
            kept[last] = ""
        kept.append(piece)
        if not piece.isspace():
            last = len(kept) - 1
    return kept
