"""What a question says of the writes before it in the same request, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from wavegraph.tools.roster.advice.records import SwapPublished
from wavegraph.tools.roster.answers.phrases import answer_language, number, one_line, say, worded
from wavegraph.tools.roster.records import Amended, Publication


def changes_receipt(result: Any, language: str) -> tuple[None, str]:
    """What was put into the ward, and what lies elsewhere."""
    made, spoken = Amended.model_validate(result), answer_language(language)
    lines = [
        say("applied", spoken, ward=made.ward),
        *(f"- {one_line(worded(each, spoken))}" for each in made.changes),
    ]
    others = [f"{say('elsewhere', spoken)}:", *(f"- {one_line(worded(each, spoken))}" for each in made.elsewhere)]
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
        return say("drafted_only", language, why=worded(made.why_draft, language))
    return say("withdrawn" if made.withdrawn else "drafted", language)


def fails(details: Mapping[str, Any]) -> bool:
    """Whether a yes to these terms publishes what fails its checks: then it names their code."""
    return bool(details.get("problems")) and not details.get("as_draft")


def restate_swap(details: Mapping[str, Any], language: str) -> str:
    """What a yes to a swap is to."""
    spoken, cost = answer_language(language), details["cost"]
    key = "cost_same" if cost == 0 else "cost_more" if cost > 0 else "cost_less"
    about = {"version": worded(details["version"], spoken), "ward": details["ward"]}
    head = say("swap_terms", spoken, cost=say(key, spoken, cost=number(abs(cost), spoken)), **about)
    cells = [f"- {worded(each, spoken)}" for each in details["cells"]]
    rests = [say("needs_rest", spoken, what=worded(each, spoken)) for each in details["compensatory"]]
    failing = under(say("swap_fails", spoken), failing_in_words(details, spoken))
    worse = under(say("worse_off_heading", spoken), [worded(each, spoken) for each in details["worse_off"]])
    return "\n".join([head, *cells, *rests, *failing, *worse, say("swap_replaces", spoken)])


def failing_in_words(details: Mapping[str, Any], language: str) -> list[str]:
    """The findings by which what is published fails its checks, as far as the terms name them."""
    more = details.get("more_problems")
    named = [worded(each, language) for each in details.get("problems", ())]
    return [*named, say("terms_more", language, more=more)] if more else named


def under(heading: str, lines: Sequence[str]) -> list[str]:
    """The lines below their heading, which stands alone nowhere."""
    return [f"{heading}:", *(f"- {line}" for line in lines)] if lines else []
