"""What no answer may hold: each rule in each domain and language."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from inn import Inn
from scripted import outcome, planned
from states import REQUEST, state_of

from wavegraph import Domain
from wavegraph.graph.limits import Limits
from wavegraph.graph.request.views import answer_view
from wavegraph.graph.settings import Settings
from wavegraph.graph.tracing.untraced import misformed
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.roster.domain import roster_domain

DOMAINS: dict[str, Callable[[Path], Domain]] = {
    "hotel": hotel_domain,
    "roster": lambda folder: roster_domain(),
    "inn": lambda folder: Inn().domain(),
}
TOOL = {"hotel": "get_availability", "roster": "generate_roster", "inn": "get_beds"}
ASKED = {"en": "What is free? I am Dana.", "he": "מה פנוי? שמי דנה."}
GOOD = {
    "en": ["Four of these are free, Dana.", "There is nothing free just now.", "See “שלום דנה” on the door."],
    "he": ["ארבעה מהם פנויים, דנה.", "כרגע אין דבר פנוי.", "הכותרת היא The Old Man and the Sea."],
}
OTHER = {"en": "כרגע אין דבר פנוי, אפשר לנסות מחר.", "he": "There is nothing free just now, sorry."}
BAD: dict[str, Callable[[str, str], str]] = {
    "another language": lambda domain, language: OTHER[language],
    "thoughts": lambda domain, language: f"<think>hm</think> {GOOD[language][0]}",
    "a thought that does not end": lambda domain, language: f"{GOOD[language][0]} <thinking> or not",
    "a record": lambda domain, language: f'{GOOD[language][0]}\n{{"free": 4}}',
    "a list of records": lambda domain, language: f'{GOOD[language][0]}\n[{{"free": 4}}]',
    "a fence": lambda domain, language: f"{GOOD[language][0]}\n```\nfree\n```",
    "a tool's name": lambda domain, language: f"{GOOD[language][0]} ({TOOL[domain]})",
}


def view_of(language: str, text: str = "") -> Any:
    request = {**REQUEST, "text": text or ASKED[language], "language": language}
    data = {"title": "The Old Man and the Sea"}
    call, ended = planned("a", "look", of="x"), outcome("look", {"of": "x"}, data=data)
    state = state_of([call], [ended], messages=[], previous=None, request=request)
    state["plan"] |= {"planner": "a model", "reply": ""}
    return answer_view(state, Settings(today=date(2026, 11, 20)), Limits())


@pytest.fixture(scope="module")
def domains(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Domain]:
    folder = tmp_path_factory.mktemp("data")
    return {name: make(folder) for name, make in DOMAINS.items()}


@pytest.mark.parametrize("language", ["en", "he"])
@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("rule", BAD)
def test_what_breaks_a_rule_is_found(domains: dict[str, Domain], rule: str, domain: str, language: str) -> None:
    assert misformed(domains[domain], BAD[rule](domain, language), view_of(language))


@pytest.mark.parametrize("language", ["en", "he"])
@pytest.mark.parametrize("domain", DOMAINS)
def test_what_breaks_none_is_not(domains: dict[str, Domain], domain: str, language: str) -> None:
    for answer in GOOD[language]:
        assert misformed(domains[domain], answer, view_of(language)) == []


def test_the_persons_own_words_may_be_said_again(domains: dict[str, Domain]) -> None:
    assert misformed(domains["inn"], "get_beds looks beds up.", view_of("en", "What is get_beds?")) == []


def test_a_language_that_the_domain_does_not_know_is_not_judged(domains: dict[str, Domain]) -> None:
    assert misformed(domains["inn"], "Il n'y a rien de libre ce soir.", view_of("fr", "Libre?")) == []
