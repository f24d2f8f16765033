"""Words and command lines as a shell takes them, in letters that can be seen and typed."""

import shlex
from collections.abc import Iterable


def shell_line(words: Iterable[str]) -> str:
    return " ".join(map(shell_word, words))


def shell_word(text: str) -> str:
    """The word as POSIX shells read it; with characters that are not seen as `$'…'` (bash, zsh, ksh)."""
    return shlex.quote(text) if text.isprintable() else f"$'{''.join(map(_escaped, text))}'"


def shown_id(name: str) -> str:
    """An id as it is, or as `shell_word` where it holds what is not seen: no two ids look the same."""
    return name if name.isprintable() and not name.startswith("$'") else f"$'{''.join(map(_escaped, name))}'"


def _escaped(letter: str) -> str:
    code = ord(letter)
    if letter in "\\'":
        return f"\\{letter}"
    if letter.isprintable():
        return letter
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8, as Python reads it from the command line
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
