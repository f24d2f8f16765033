"""Which pieces of a request a plan forgets: a plan and its request in, the numbers out."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from scripted import ledger_of, outcome, plan_of, planned
from states import REQUEST, state_of
from tables import table

from wavegraph import Limits, Settings
from wavegraph.graph.guard.pieces import pieces
from wavegraph.graph.request.serving import (
    contradiction_issue,
    is_held,
    named,
    parts_in_doubt,
    served_calls,
    unserved_issues,
    with_account,
    words_served,
)
from wavegraph.graph.request.views import answer_view, planning_view
from wavegraph.graph.state import Plan, PlannedCall, new_issue, with_defaults
from wavegraph.graph.views import AnswerView, Contradiction, PlanningView
from wavegraph.testing import planning, ref

TODAY = date(2026, 11, 20)
STAY = "Hello there! We come on 17-19 January. Is there parking? We were with you in 2019."


def view_of(text: str, *before: PlannedCall, plan: Plan | None = None) -> PlanningView:
    state = state_of(request={**REQUEST, "text": text}, plan=plan, ledger=ledger_of(before))
    return planning_view(state, Settings(today=TODAY), Limits(), None)


def served(name: str, *numbers: int, **args: Any) -> PlannedCall:
    return {**planned(name, "look", **args), "serves": list(numbers)}


def accounted(view: PlanningView, *calls: PlannedCall, is_last: bool = True, **said: Any) -> Plan:
    made: Any = {**plan_of(calls), **{name: said.pop(name) for name in ("said", "reply") if name in said}}
    asked: Any = {**planning(), **said}
    return with_account(made, asked, view, is_last=is_last)


@dataclass(frozen=True)
class Case:
    id: str
    text: str
    calls: list[PlannedCall]
    forgotten: list[int]
    said: dict[str, Any]


def case(name: str, text: str, calls: list[PlannedCall], forgotten: list[int], **said: Any) -> Case:
    return Case(name, text, calls, forgotten, said)


BOTH = [served("stay", 2, night="2027-01-17", until="2027-01-19"), served("parking", 3)]
CASES = [
    case("all served", STAY, [served("a", 1, 2, 3, 4)], []),
    case("the half of it", STAY, [served("a", 2)], [1, 3, 4]),
    case("a greeting and a story aside", STAY, [*BOTH, served("b", 9, year=2019)], [], context=[1, 4]),
    case("a figure that no argument has", STAY, BOTH, [4], context=[1, 4]),
    case("a question is no context", STAY, BOTH[:1], [3, 4], context=[1, 3, 4]),
    case("by a form", STAY, BOTH, [1], replied=[4]),
    case("by words that a form quotes", STAY, BOTH, [1], said=[{"say": "cannot", "quote": "with you in 2019"}]),
    case("numbers that are no pieces", STAY, [served("a", 0, -1, 2, 3, 7)], [1, 4], context=[-3, 99]),
    case("a lone piece by any call", "Is there parking?", [served("a")], []),
    case("a lone piece by any form", "Is there parking?", [], [], replied=[5]),
    case("a lone piece by nothing", "Is there parking?", [], [1]),
    case("a lone piece that asks nothing", "We will think about it", [], [], context=[1]),
    case("a courtesy needs nobody", "Is there parking? Thanks!", [served("a", 1)], []),
    case("a text answers all of it", STAY, [], [], reply="Which night?"),
    case("a figure in a form", "Room 4. Ours was on floor 4.", [served("a", 1)], [], context=[2], said=[{"rooms": 4}]),
    case("a figure of a list is its mark", "1. hello\n2. a room", [served("a", 2)], [], context=[1]),
    case("a card number is no figure", "A room. My card is 4111 1111 1111 1111", [served("a", 1)], [], context=[2]),
    case("digits of another script", "غرفة. ١٧ يناير.", [served("a", 1, day=17)], [], context=[2]),
    case("an ordinal of a story", "A room. It is my mum's 70th birthday.", [served("a", 1)], [], context=[2]),
    case("the ordinal of a feast", "A room. It's our 30th wedding anniversary.", [served("a", 1)], [], context=[2]),
    case("the number of a feast", "חדר. זה יום נישואין 30.", [served("a", 1)], [], context=[2]),
    case("an ordinal that may be a day", "A room. We leave on the 22nd.", [served("a", 1)], [2], context=[2]),
    case("a question of another script", "غرفة. هل يوجد موقف؟", [served("a", 1)], [2], context=[2]),
    case("a mark behind the question", "A room. (Is there parking?) ", [served("a", 1)], [2], context=[2]),
    case(
        "a question cut from the next",
        "My parents are old, do you have a lift for them, and is it big?",
        [served("a", 2)],
        [1],
        context=[1],
    ),
    case("in Hebrew", "אנחנו באים עם ההורים, והאם יש מעלית. זה מלון.", [served("a", 1, 3)], [2], context=[2]),
    case(
        "without any mark",
        "we come by car and how do i get to you and also is there a place for it",
        [served("a", 1)],
        [2, 3],
        context=[2, 3],
    ),
    case(
        "a story that has what we have", "We have a boy, as do you. You are there?", [served("a", 2)], [], context=[1]
    ),
    case("a long number", "A room. 00" + "7" * 1900, [served("a", 1)], [2], context=[2]),
    case("of a letter nobody counts", "Is there parking? " * 200, [], []),
]


@table("each", CASES)
def test_what_a_plan_forgets(each: Case) -> None:
    made = accounted(view_of(each.text), *each.calls, **each.said)
    assert made["unserved"] == each.forgotten


def test_it_is_counted_over_all_plans_and_by_the_last() -> None:
    first = accounted(view_of(STAY), BOTH[0], is_last=False, context=[1], replied=[4])
    assert "unserved" not in first
    assert accounted(view_of(STAY, BOTH[0], plan=first), BOTH[1])["unserved"] == []
    assert accounted(view_of(STAY, BOTH[0], plan=first))["unserved"] == [3]


def test_an_issue_names_the_piece_and_why_it_is_no_context() -> None:
    view = view_of("A room. Is there parking? My card is 4111 1111 1111 1111.")
    forgotten, asks = unserved_issues(accounted(view, served("a", 1), context=[2]), view.pieces)
    assert (forgotten["rule"], forgotten["expected"]) == ("unserved", {"piece": 2, "words": "Is there parking?"})
    assert "no context" in forgotten["message"]
    assert "4111" not in str(asks)
    assert "no context" not in asks["message"]


NAMES = {
    "A room. Do you take Amex?": "Do you take Amex",
    "A room. Could you tell us whether there is parking for two cars?": "Could you tell us whether there is parking…",
    "A room.\n- the “quiet” side": "the 'quiet' side",
    "A room. My card 4111 1111 1111 1111 is it fine?": "My card [card number removed] is it fine",
    "A room. My card is 4111 1111\n1111 1111": "My card is",
    "חדר. האם יש חניה?": "האם יש חניה",
    "我们要房间。有停车场吗？": "有停车场吗",
    "1. a room\n2. parking": "parking",
}


@table("text", NAMES)
def test_what_is_forgotten_is_named_in_at_most_eight_words(text: str) -> None:
    view = view_of(text)
    assert named(accounted(view, served("a", 1)), view) == [NAMES[text]]


def test_nothing_is_named_that_a_call_without_numbers_may_be_for() -> None:
    view = view_of(STAY)
    made = accounted(view, served("a", 2), served("b"))
    assert (made["unserved"], named(made, view)) == ([1, 3, 4], [])


def test_the_words_that_a_call_serves_stand_as_in_the_request() -> None:
    found = pieces("We come on 17.1.\nand leave\non 19.1. Parking?")
    assert words_served(served("a", 1, 2, 3), found) == "We come on 17.1.\nand leave\non 19.1. "
    assert words_served(served("a", 4, 3, 3, 8), found) == "on 19.1. Parking?"
    assert words_served(served("a"), found) == words_served(planned("a", "look"), found) == ""
    assert words_served(served("a"), ("Parking?",)) == "Parking?"
    assert words_served(planned("a", "look"), ("Parking?",)) == ""  # a call of the rules says nothing of it


def test_what_is_forgotten_or_crowded_is_a_judges_to_look_at() -> None:
    long = "we come for two nights with the dog and need parking for two cars and breakfast"
    text = f"{long}. {long}. Is there a pool?"
    once = [served("a", 1), served("b", 2), served("c", 2)]
    known = [*once, {**served("d", 1), "instead_of": "a"}, {**served("a_1", 1), "element_of": "a"}]
    made = accounted(view_of(text, *known))
    assert parts_in_doubt(answered(text, made, known)) == [1, 3]
    replied = accounted(view_of(text, *known), replied=[1, 3])
    assert parts_in_doubt(answered(text, replied, known)) == []
    alone = [served("a")]
    assert parts_in_doubt(answered(long, accounted(view_of(long, *alone)), alone)) == [1]
    twice = f"{long} for us {long}"
    both = [served("a"), served("b")]
    assert parts_in_doubt(answered(twice, accounted(view_of(twice, *both)), both)) == [1]


def answered(text: str, made: Plan, calls: list[PlannedCall]) -> AnswerView:
    state = state_of(request={**REQUEST, "text": text}, plan=made, ledger=ledger_of(calls), message_id="")
    return answer_view(state, Settings(today=TODAY), Limits())


def test_a_call_is_held_with_its_references_as_far_as_they_are_known() -> None:
    found = outcome("find", {"words": "tea"}, data={"items": ["green", "black"]})
    calls = [
        {**planned("find", "find", words="tea"), "serves": [1]},
        served("look", 2, item=ref("find", "items[1]")),
        served("next", 1, 2, item=ref("look", "")),
        {**served("other", 1), "instead_of": "look"},
        planned("of_the_rules", "look", item="tea"),
    ]
    text = "Which tea? And the price?"
    held = served_calls(plan_of(calls), ledger_of(calls, [found]), view_of(text))
    assert [(each.id, each.args, each.words) for each in held] == [
        ("find", {"words": "tea"}, "Which tea? "),
        ("look", {"item": "black"}, "And the price?"),
        ("next", {"item": ref("look", "")}, text),
    ]


def test_a_contradiction_is_told_with_both_sides() -> None:
    issue = contradiction_issue(Contradiction(call="look", about="colour", said="red", planned=["blue", 2]))
    assert issue == {
        "type": "broken_plan",
        "tool_id": "look",
        "message": 'look does not have the colour of the request: the request says "red", planned is ["blue",2]',
        "severity": "critical",
        "rule": "contradicts_request",
        "expected": "red",
        "actual": ["blue", 2],
        "about": {"what": "colour"},
    }


@table(
    ("changes", "held"),
    [({}, True), ({"second_looks": ["unserved"]}, True), ({"second_looks": ["contradicts_request"]}, False),
     ({"adaptations": 1}, True), ({"answer_replans": 1}, True)],
)  # fmt: skip
def test_a_plan_is_compared_once(changes: dict[str, Any], held: bool) -> None:
    """The first is a request that an older version opened."""
    state: Any = with_defaults({"adaptations": 0, **changes})
    assert is_held(state) is held


def test_a_call_in_place_of_a_good_one_is_held_and_a_way_round_is_not() -> None:
    calls = [served("look", 1, item="tea"), {**served("again", 1, item="milk"), "instead_of": "look"}]
    text, good = "Which tea?", ledger_of(calls, [outcome("look", {"item": "tea"}, data={})])
    view = replace(view_of(text), ledger=good)
    found = new_issue("unsatisfied", "look", "nothing there", "none")
    assert [each.id for each in served_calls(plan_of(calls), good, view)] == ["look", "again"]
    assert [each.id for each in served_calls(plan_of(calls), good, replace(view, issues=[found]))] == ["look"]


def test_a_call_that_says_nothing_of_what_it_is_for_is_held_against_all() -> None:
    calls = [{**planned("look", "look", item="tea"), "serves": []}, planned("of_the_rules", "look", item="coffee")]
    text = "Which tea? And the price?"
    assert [each.words for each in served_calls(plan_of(calls), ledger_of(calls), view_of(text))] == [text]
