"""The statements that a written answer about rosters is made of, and the template that lists them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from wavegraph.graph.answer.statements import Catalogue, Duty, Statement, courtesies
from wavegraph.graph.views import AnswerView
from wavegraph.tools.roster.answers import courtesy
from wavegraph.tools.roster.answers.advice_facts import advice_facts, what_if_facts
from wavegraph.tools.roster.answers.facts import Fact, Work, arithmetic, in_sentences, template
from wavegraph.tools.roster.answers.look_facts import look_facts
from wavegraph.tools.roster.answers.nurse_facts import nurse_facts
from wavegraph.tools.roster.answers.roster_facts import LOOKS, not_held, refused_looks, roster_facts
from wavegraph.tools.roster.answers.ward_facts import asked_of_wards, ward_facts
from wavegraph.tools.roster.records import Round

LONGEST = 6000
"""Characters of an answer: twelve problems, as many changes, three rounds and what else a manager asks."""

MOST_WARDS = 12
"""That are named."""


def statements(view: AnswerView, rounds: Sequence[Round], wards: Sequence[str] = ()) -> Catalogue:
    """Everything the answer to a request may say, in the manager's language, and what it must. `wards`: that are known here."""
    work = Work(view, rounds)
    facts = [*in_sentences(_facts(work))]
    ids, tools = [each.statement.id for each in facts], {call["tool"] for call in view.ledger["calls"].values()}
    # of a roster made before it depends on the question alone what must be told: one of them, else the first
    if "get_report" in tools and tools <= {"get_report", *LOOKS}:
        facts = [replace(each, must=ids if each is facts[0] else ()) for each in facts]
    else:
        facts = _once_a_roster(facts, is_new=bool(rounds))
    facts = [replace(each, must=()) if _is_told_above(each, view) else each for each in facts]
    duties = [Duty(each.must, (each.statement.id,)) for each in facts if each.must]
    regrets = any(round_.failed for round_ in rounds[-1:]) or any(each.statement.id == "why.1" for each in facts)
    language = work.language
    sorry = {"sorry": courtesy.SORRY[language]} if regrets else {}
    polite = courtesies({**courtesy.COURTESIES[language], **sorry}, courtesy.QUESTIONS[language])
    made = [*(each.statement for each in facts), *_wards_here(wards, work), *polite]
    return Catalogue(made, courtesy.HARMLESS[language], duties, longest=LONGEST, arithmetic=arithmetic(language))


def compose(view: AnswerView, rounds: Sequence[Round]) -> str:
    """The answer without a model: the verdict, what failed, the rounds, the decision, what could not be applied."""
    if view.plan["planner"] == "rules" and (reply := view.plan["reply"]):  # what was found only led to it
        return reply
    return template([each for each in in_sentences(_facts(Work(view, rounds))) if not _is_told_above(each, view)])


def found_beside(view: AnswerView) -> str:
    """What a request's looks found, for a manager who is asked about its changes: what a yes may hang on."""
    work = Work(view, [])
    found = [*look_facts(work), *advice_facts(work), *asked_of_wards(work), *refused_looks(work)]
    return template(list(in_sentences(each for each in found if not each.roster)))


def _is_told_above(told: Fact, view: AnswerView) -> bool:
    """Whether it stood above the terms that the manager has answered by now."""
    above = view.plan.get("beside", "") if view.decided else ""
    return bool(above) and told.statement.text in above


def _once_a_roster(facts: Sequence[Fact], *, is_new: bool) -> list[Fact]:
    """The facts, of which one alone must say which roster the others are about; the verdict of a new one must in any case."""
    ids = {each.roster: [e.statement.id for e in facts if e.roster == each.roster] for each in facts if each.roster}
    free = [each for each in facts if each.roster and not (is_new and each.statement.id == "verdict")]
    return [replace(each, must=ids[each.roster]) if each in free else each for each in facts]


def _facts(work: Work) -> Iterator[Fact]:
    roster = list(roster_facts(work))
    yield from look_facts(work)
    yield from advice_facts(work)
    first = [each for each in roster if each.section not in ("rounds", "decision", "asked")]
    yield from first
    yield from what_if_facts(work)
    yield from nurse_facts(work)
    yield from ward_facts(work)
    yield from (each for each in roster if each not in first)
    yield from not_held(work)


def _wards_here(wards: Sequence[str], work: Work) -> Iterator[Statement]:
    if wards:
        listed = ", ".join(work.first_of(wards, MOST_WARDS))
        yield Statement(id="wards", text=work.say("wards_here", wards=listed), about="wards")
