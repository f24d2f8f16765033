"""Conversations made at random while payments wait: each is agreed to by the words that its question asks for, or not made.

The account of what agrees is kept here, by the texts alone: the last one that was shown, and what is said to it.
"""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from langgraph.types import Command
from till import Talk, Till, paying_after_look
from warehouse import Clerk

from wavegraph import PlanningResult, PlanningView
from wavegraph.testing import call, planning

pytestmark = [pytest.mark.attack, pytest.mark.seeded]

CONVERSATIONS = 15
TURNS = 12
YES = ["yes", "Yes, please!", "ok", "sure", "alright", "go ahead", "כן", "סבבה", "בסדר"]
NO_YES = [
    "thanks", "ok thanks", "great!", "תודה", "סבבה תודה", "yes?", "yes but for Noa", "not yet", "yes no", "maybe",
    "my wife said yes", "yes 000000", "sure thing, tell me more", "yes please " * 30, "no problem", "👍 or 👎",
]  # fmt: skip
DEED = "pay it"
ASIDES = ["tell me", "tell and ask", "ask back", "refuse", "refuse and ask"]
PLAIN = re.compile(r"(\w+) for (\d+) coins[\s\S]*Shall I go ahead\? \(yes / no\)$")


def plan(view: PlanningView) -> PlanningResult:
    words = view.request["text"].split()
    match words:
        case ["pay", item, "for", who]:
            return paying_after_look(item, who)
        case ["tell", *_]:
            return planning(call("look", "look", item="tea"), action="look")
        case ["refuse", *more]:
            return planning(action="refuse", reply="I cannot. Shall I ask?" if more else "I cannot.")
    return planning(action="clarify", reply="Which one do you mean?")


def respond(view: Any) -> str:
    told = "It is fresh."
    return f"{told} Will you have one?" if view.request["text"].endswith("ask") else told


class Agreed:
    """What may be paid for by the next words, as a person reads the conversation."""

    def __init__(self, talk: Talk) -> None:
        messages = talk.state.values.get("messages", []) if talk.state.values else []
        last = messages[-1] if messages else None
        shown = PLAIN.search(last.text) if last is not None and last.type == "ai" else None
        self.plain = (shown[1], int(shown[2])) if shown else None
        self.shown_ms = last.additional_kwargs["wavegraph_shown_ms"] if last is not None and shown else 0
        interrupts = talk.state.interrupts
        question = interrupts[0].value if interrupts else None
        self.code = question["terms_hash"][:6] if question else ""
        self.terms = (question["terms"]["item"], question["terms"]["price"]) if question else None

    def by(self, words: str, *, early: bool) -> tuple[str, int] | None:
        """`early`: said before the last text was shown."""
        if self.code and words == f"yes {self.code}":
            return self.terms
        if early:
            return None
        return self.plain if words in (*YES, DEED) else None


def say(talk: Talk, words: str, chosen: random.Random, sent_at_ms: int | None = None) -> None:
    """As a new message or as an answer to the interrupt, where there is one."""
    if talk.state.interrupts and chosen.random() < 0.5:
        talk.reply(words, sent_at_ms=sent_at_ms)
    else:
        talk.say(words, sent_at_ms=sent_at_ms)


def turn(talk: Talk, till: Till, number: int, chosen: random.Random) -> None:
    agreed = Agreed(talk)
    wish = f"pay {chosen.choice(['tea', 'cake'])} for N{number}"
    named = [f"yes {agreed.code}"] if agreed.code else []
    words = chosen.choice([chosen.choice([*YES, DEED]), chosen.choice(NO_YES), chosen.choice(ASIDES), wish, *named])
    if moves := chosen.random() < 0.15:
        till.prices["tea"] += 1
    paid = len(till.paid)
    early = bool(agreed.plain) and chosen.random() < 0.2

    say(talk, words, chosen, agreed.shown_ms - 1 if early else None)

    news = [(each.item, each.price) for each in till.paid[paid:]]
    allowed = agreed.by(words, early=early)
    assert news in ([], [allowed]), (words, talk.said[-6:])
    if allowed and not moves and allowed == (allowed[0], till.prices[allowed[0]]):
        assert news == [allowed], (words, talk.said[-6:])


def test_nothing_is_paid_but_what_the_last_text_asked_for(seed: int, attempts: Callable[[str, int], None]) -> None:
    chosen = random.Random(seed)
    for _ in range(CONVERSATIONS):
        till = Till()
        talk = Talk(till.domain({"yes": [DEED], "rivals": ["look"]}, offline=Clerk(plan, respond)))
        for number in range(TURNS):
            turn(talk, till, number, chosen)
    attempts("words said at random while a payment waits", CONVERSATIONS * TURNS)


def test_a_thread_marked_as_resolved_at_random_leaves_nothing_to_agree_to(
    seed: int, attempts: Callable[[str, int], None]
) -> None:
    chosen = random.Random(seed)
    for number in range(CONVERSATIONS):
        till = Till(by_asker=chosen.random() < 0.5)
        talk = Talk(till.domain(offline=Clerk(plan, respond)))
        talk.say(f"pay tea for N{number}")
        for words in chosen.sample(ASIDES, chosen.randrange(3)):
            talk.say(words)
        talk.give(Command(goto=chosen.choice(["__end__", ["__end__"]])))
        for words in chosen.sample(YES, 3):
            say(talk, words, chosen)
        assert (till.paid, till.held) == ([], {})
    attempts("threads marked as resolved, then said yes on", CONVERSATIONS)
