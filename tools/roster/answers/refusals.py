"""Why a tool refused, in the manager's language, from what its refusal is about."""

from collections.abc import Iterator, Mapping
from typing import Any

from wavegraph.tools.roster.answers.phrases import TABLES, given_in_words, say


def refused(code: str, about: Mapping[str, Any], language: str) -> str | None:
    """A sentence of its own, and never a question; None = there are no words for it."""
    which = ".near" if about.get("nearest") else ".off" if about.get("shift", code) is None else ""
    key = f"refused.{code}{which}"
    if key not in TABLES[language]:
        return None
    try:
        return say(key, language, **dict(_given(about, language)))
    except KeyError:  # a refusal that an earlier version stored holds less
        return None


def _given(about: Mapping[str, Any], language: str) -> Iterator[tuple[str, str]]:
    for name, value in about.items():
        yield "nurses" if name == "nearest" else name, given_in_words(name, value, language)
    if {"first", "last"} <= about.keys():
        days = dict.fromkeys([about["first"], about["last"]])
        yield "days", " – ".join(given_in_words("day", day, language) for day in days)
