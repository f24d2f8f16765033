"""Why a tool refused, in the manager's language, from what its refusal is about."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from wavegraph.tools.roster.answers.phrases import TABLES, day_in_words, in_words, joined, say


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
        yield "nurses" if name == "nearest" else name, _told(name, value, language)
    if {"first", "last"} <= about.keys():
        yield (
            "days",
            " – ".join(_told("first", day, language) for day in dict.fromkeys([about["first"], about["last"]])),
        )


def _told(name: str, value: Any, language: str) -> str:
    match name, value:
        case (("first" | "last" | "day"), str()):
            return day_in_words(date.fromisoformat(value), language)
        case "kinds", Sequence():
            return joined([in_words(kind, language) for kind in value], language)
        case _, list():
            return ", ".join(value)
    return str(value)
