"""Who may see a booking: references and names as people type them."""

import re
import secrets
import unicodedata

from wavegraph.tools.hotel.records import Guest

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Capitals and digits that are not mistaken for each other: no 0 and O, no 1 and I."""
REFERENCE, REFERENCE_LENGTH = "WG-", 8
QUOTE, QUOTE_LENGTH = "Q-", 10


def new_reference() -> str:
    return REFERENCE + _drawn(REFERENCE_LENGTH)


def new_quote_id() -> str:
    return QUOTE + _drawn(QUOTE_LENGTH)


def _drawn(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def as_reference(typed: str) -> str:
    """A reference in its stored form: `wg abcd-2345` and `ABCD2345` are `WG-ABCD2345`."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKC", typed).upper() if letter.isalnum())
    mark = REFERENCE.rstrip("-")
    return REFERENCE + (plain.removeprefix(mark) if len(plain) > REFERENCE_LENGTH else plain)


def is_known_as(guest: Guest, surname_or_email: str) -> bool:
    """Whether this identifies the guest: the e-mail, or words of the name, of which one is more than a letter.

    Case, accents and vowel points are ignored.
    """
    if "@" in surname_or_email:
        return guest.email is not None and plain(surname_or_email) == plain(guest.email)
    asked = _words(surname_or_email)
    return any(len(word) > 1 for word in asked) and asked <= _words(guest.name)


def _words(name: str) -> set[str]:
    """The words of a name; an apostrophe or gershayim joins, a hyphen separates."""
    return set(re.findall(r"\w+", re.sub(r"['’‘`´׳״\"]", "", plain(name))))


def plain(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text.strip()).casefold()
    return "".join(letter for letter in parts if unicodedata.category(letter) not in ("Mn", "Cf"))
