"""What a question says of the writes before it in the same request, in words."""

from typing import Any

from wavegraph.tools.roster.advice.records import SwapPublished
from wavegraph.tools.roster.answers.asked_words import asked_in_words
from wavegraph.tools.roster.answers.phrases import answer_language, one_line, say
from wavegraph.tools.roster.records import Amended, Publication


def changes_receipt(result: Any, language: str) -> tuple[None, str]:
    """What was put into the ward, and what lies elsewhere."""
    made, spoken = Amended.model_validate(result), answer_language(language)
    lines = [
        say("applied", spoken, ward=made.ward),
        *(f"- {asked_in_words(one_line(each), spoken)}" for each in made.changes),
    ]
    others = [f"{say('elsewhere', spoken)}:", *(f"- {one_line(each)}" for each in made.elsewhere)]
    return None, "\n".join([*lines, *(others if made.elsewhere else [])])


def publication_receipt(result: Any, language: str) -> tuple[None, str]:
    return None, decision_in_words(Publication.model_validate(result), answer_language(language), warned=False)


def swap_receipt(result: Any, language: str) -> tuple[None, str]:
    made = SwapPublished.model_validate(result)
    spoken = answer_language(language)
    return None, say("swapped", spoken, id=made.roster_id, version=made.version, before=made.replaces)


def decision_in_words(made: Publication, language: str, *, warned: bool) -> str:
    """`warned`: whether the roster fails its checks."""
    if not made.as_draft:
        return say("published_warned" if warned else "published", language)
    if made.why_draft:
        return say("drafted_only", language, why=made.why_draft)
    return say("withdrawn" if made.withdrawn else "drafted", language)
