"""An e-mail address or a phone number, recognised in whatever way it is written."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from wavegraph.graph.errors import WavegraphError


class BadContact(WavegraphError):
    """Neither an e-mail address nor a phone number."""


FEWEST_DIGITS, MOST_DIGITS = 7, 15
_NUMBER = re.compile(r"\+?\d[\d\s().\-/\u2010-\u2015]*")
_GROUP = re.compile(r"\d+")


@dataclass(frozen=True)
class Contact:
    """Compares e-mail addresses without case, and phone numbers by their digits: with and without country code."""

    text: str

    @classmethod
    def of(cls, text: str) -> "Contact":
        """Raises BadContact for what is neither an e-mail address nor a phone number."""
        plain = _plain(text).strip()
        digits = "".join(_GROUP.findall(plain))
        is_phone = not re.search(r"[^\d\s().\-/+\u2010-\u2015]", plain) and FEWEST_DIGITS <= len(digits) <= MOST_DIGITS
        local, _, host = plain.partition("@")
        is_address = bool(local and host) and "@" not in host and not any(letter.isspace() for letter in plain)
        if not is_phone and not is_address:
            raise BadContact(
                f"{text!r} is neither an e-mail address nor a phone number of {FEWEST_DIGITS} digits or more"
            )
        return cls(plain)

    @property
    def is_address(self) -> bool:
        return "@" in self.text

    def is_in(self, text: str) -> bool:
        """Whether a text names it."""
        plain = _plain(text)
        if self.is_address:
            # Not as a part of a longer address.
            return re.search(rf"(?<![\w.+%-]){re.escape(self.text)}(?![\w-]|\.\w)", plain) is not None
        own = _significant("".join(_GROUP.findall(self.text)))
        return any(_same_number(own, _significant(number), is_start) for number, is_start in _numbers(plain))


def _plain(text: str) -> str:
    """Case-folded, digits of every script as ASCII."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(str(unicodedata.digit(letter, letter)) for letter in folded)


def _numbers(text: str) -> Iterator[tuple[str, bool]]:
    """The digits of every phone number that may be in a text, of each row of neighbouring groups of digits; and whether
    it can begin there: not where a longer number goes on."""
    for span in _NUMBER.finditer(text):
        groups = _GROUP.findall(span[0])
        for start in range(len(groups)):
            digits = ""
            for group in groups[start:]:
                digits += group
                if len(digits) > MOST_DIGITS:
                    break
                if len(digits) >= FEWEST_DIGITS:
                    yield digits, start == 0 or groups[start].startswith("0")


def _significant(digits: str) -> str:
    """Without the zeros that stand for a country or an area."""
    return digits.lstrip("0")


def _same_number(own: str, other: str, is_start: bool) -> bool:
    """Either may have a country code that the other has not."""
    if min(len(own), len(other)) < FEWEST_DIGITS:
        return False
    return other.endswith(own) or (is_start and own.endswith(other))
