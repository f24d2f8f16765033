"""Scoring: every rule holds against a run that keeps it, and fails one that does not."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from tables import table

from wavegraph.app.evaluate.file import Case as Expected
from wavegraph.app.evaluate.scores import Call, CaseScore, Seen, Vocabulary, score

WORDS = Vocabulary(
    tools={"shelf": frozenset({"look", "peek"})},
    unscored={"tell": frozenset({"topic"})},
    may_skip=lambda call, case: call.tool == "clock",
    may_ask={"shelf": {"colour": "colour"}},
    asks={"colour": re.compile("which colour"), "size": re.compile("what size")},
    made=lambda call: call.data and call.data["number"],
)


def look(word: str, wave: int = 1, **more: Any) -> Call:
    return Call(tool="look", args={"word": word, **more}, wave=wave)


def stay(first: str, last: str, wave: int = 1) -> Call:
    return Call(tool="look", args={"check_in": f"2027-01-{first}", "check_out": f"2027-01-{last}"}, wave=wave)


def order(number: int | None = None, **more: Any) -> Call:
    return Call(tool="order", args={}, wave=2, data=number and {"number": number}, **more)


def wants(*words: str) -> list[dict[str, Any]]:
    return [{"tool": "shelf", "args": {"word": word}} for word in words]


@dataclass(frozen=True)
class Rule:
    id: str
    expect: dict[str, Any]
    calls: Sequence[Call] = ()
    outcome: str = "answered"
    answer: str = "here you are"
    more: dict[str, Any] = field(default_factory=dict)
    fails: str | None = None
    """What the failure says; None = it passes."""


TEN_TO_TWELVE = {"tool": "shelf", "args": {"check_in": "2027-01-10", "check_out": "2027-01-12"}}
OTHERS = {**TEN_TO_TWELVE, "accept_stays": [["2027-01-11", "2027-01-12"]]}
WINDOW = {"tool": "shelf", "args": {"check_in": "2027-01-01"}, "window": ["2027-01-10", "2027-01-15"]}
CLOCK_FIRST = [[{"tool": "clock"}], wants("red")]
TWO_WAVES = [wants("red"), wants("blue")]
ORDER = [[{"tool": "order"}]]
NO_LOOK = {"action": "clarify", "must_not": ["shelf"]}

RULES = (
    Rule("an answer is given", {"action": "reply"}),
    Rule("no answer is given", {"action": "reply"}, answer=" ", fails="expected an answer"),
    Rule("clarify asks", {"action": "clarify"}, outcome="clarify"),
    Rule("clarify does not ask", {"action": "clarify"}, fails="expected clarify; got answered"),
    Rule("clarify asks for what is named", {"action": "clarify", "clarify": ["size"]}, (), "clarify", "what size?"),
    Rule("clarify asks for something else", {"action": "clarify", "clarify": ["size"]}, (), "clarify", "which colour?",
         fails="expected a question about size"),
    Rule("refuse refuses", {"action": "refuse"}, outcome="refused"),
    Rule("refuse does not refuse", {"action": "refuse"}, outcome="clarify", fails="expected refused; got clarify"),
    Rule("confirm waits", {"action": "confirm"}, [order(waits=True)], "awaiting_approval"),
    Rule("confirm asks in words", {"action": "confirm"}, outcome="clarify"),
    Rule("confirm does not wait", {"action": "confirm"}, [order(1)], fails="expected awaiting_approval or clarify"),
    Rule("a write that waits is none for confirm", {"action": "confirm", "must_not": ["order"]}, [order(waits=True)],
         "awaiting_approval"),
    Rule("a write that waits is one elsewhere", {"action": "reply", "must_not": ["order"]}, [order(waits=True)],
         fails="expected no order"),
    Rule("must_not is kept", NO_LOOK, [Call(tool="tell", args={})], "clarify"),
    Rule("must_not is broken by any of its tools", NO_LOOK, [Call(tool="peek", args={})], "clarify",
         fails="expected no shelf; got peek()"),
    Rule("allow is tolerated", {**NO_LOOK, "allow": ["tell"]}, [Call(tool="tell", args={})], "clarify"),
    Rule("what is not in allow is not", {**NO_LOOK, "allow": ["tell"]}, [order(1)], "clarify",
         fails="expected no call but tell; got order()"),
    Rule("the call is made", {"waves": [wants("red")]}, [look("Red ")]),
    Rule("the call is made with more arguments", {"waves": [wants("red")]}, [look("red", size=3)]),
    Rule("the call is made with another argument", {"waves": [wants("red")]}, [look("blue")],
         fails="expected shelf(word=red); got look(word=blue)"),
    Rule("the argument is absent", {"waves": [wants("red")]}, [Call(tool="look", args={})], fails="got look()"),
    Rule("the call is not made", {"waves": [wants("red")]}, [order(1)], fails="no such call (answered: here you are)"),
    Rule("one call is not two", {"waves": [wants("red", "red")]}, [look("red")], fails="expected shelf(word=red)"),
    Rule("spelling is free where it is unscored", {"waves": [[{"tool": "tell", "args": {"topic": "a"}}]]},
         [Call(tool="tell", args={"topic": "b"})]),
    Rule("the stay", {"waves": [[TEN_TO_TWELVE]]}, [stay("10", "12")]),
    Rule("another stay", {"waves": [[TEN_TO_TWELVE]]}, [stay("11", "12")], fails="got look(check_in=2027-01-11"),
    Rule("an accepted stay", {"waves": [[OTHERS]]}, [stay("11", "12")]),
    Rule("the stay itself beside accepted ones", {"waves": [[OTHERS]]}, [stay("10", "12")]),
    Rule("a mix of accepted stays", {"waves": [[OTHERS]]}, [stay("10", "11")], fails="or 1 other stay(s)"),
    Rule("inside the window", {"waves": [[WINDOW]]}, [stay("10", "15")]),
    Rule("over the window's end", {"waves": [[WINDOW]]}, [stay("14", "16")], fails="inside 2027-01-10 to 2027-01-15"),
    Rule("before the window", {"waves": [[WINDOW]]}, [stay("09", "12")], fails="inside 2027-01-10"),
    Rule("waves in order", {"waves": TWO_WAVES}, [look("red", 1), look("blue", 2)]),
    Rule("waves the other way round", {"waves": TWO_WAVES}, [look("blue", 1), look("red", 2)],
         fails="before look; ran in waves [2] and [1]"),
    Rule("waves at once", {"waves": TWO_WAVES}, [look("blue", 1), look("red", 1)], fails="ran in waves [1] and [1]"),
    Rule("of two like calls the later one counts", {"waves": TWO_WAVES}, [look("blue", 1), look("red", 1), look("blue", 2)]),
    Rule("together", {"waves": [wants("a", "b")], "parallel": True}, [look("a"), look("b")]),
    Rule("not together", {"waves": [wants("a", "b")], "parallel": True}, [look("a"), look("b", 2)],
         fails="expected look, look together; ran in waves [1, 2]"),
    Rule("not together, and need not be", {"waves": [wants("a", "b")]}, [look("a"), look("b", 2)]),
    Rule("done in the head", {"waves": CLOCK_FIRST, "min_waves": 2}, [look("red")]),
    Rule("not to be done in the head", {"waves": TWO_WAVES, "min_waves": 2}, [look("blue")],
         fails="expected shelf(word=red)"),
    Rule("too few waves", {"waves": [wants("red")], "min_waves": 2}, [look("red")], fails="at least 2 wave(s) of calls; got 1"),
    Rule("most waves", {"waves": [wants("red")], "max_waves": 2}, [look("red")], more={"waves": 2}),
    Rule("too many waves", {"waves": [wants("red")], "max_waves": 2}, [look("red")], more={"waves": 3},
         fails="at most 2 wave(s) of calls; got 3"),
    Rule("written once", {"waves": ORDER, "once": True}, [order(7)], more={"after_yes": [order(7)]}),
    Rule("written when agreed to", {"waves": ORDER, "once": True}, [order(waits=True)], more={"after_yes": [order(7), order(7)]}),
    Rule("about to be written", {"waves": ORDER, "once": True}, [order(waits=True)]),
    Rule("written twice", {"waves": ORDER, "once": True}, [order(7)], more={"after_yes": [order(8)]},
         fails="expected exactly one write; got 2"),
    Rule("written twice, nobody knows what", {"waves": ORDER, "once": True}, [order(), order()],
         fails="expected exactly one write; got 2"),
    Rule("words", {"action": "reply", "reply_must": ['"are"', "/YOU/"]}),
    Rule("exact words are missing", {"action": "reply", "reply_must": ['"Are"']}, fails='expected "Are" in the answer'),
    Rule("an expression is missing", {"action": "reply", "reply_must": ["/^are/"]}, fails="expected /^are/ in the answer"),
    Rule("words that must not be", {"action": "reply", "reply_must_not": ["/h.re/"]}, fails="got 'here'"),
    Rule("words for a reader", {"action": "reply", "reply_must": ["is polite"], "reply_must_not": ["lies"]}),
    Rule("the run failed", {"action": "reply"}, more={"error": "KeyError: 'x'"}, fails="the run failed: KeyError: 'x'"),
)  # fmt: skip


def scored(expect: dict[str, Any], calls: Sequence[Call] = (), outcome: str = "answered", answer: str = "here you are",
           vocabulary: Vocabulary = WORDS, **more: Any) -> CaseScore:  # fmt: skip
    case = Expected.model_validate({"id": "c", "text": "?", "expect": {"action": "tools", **expect}})
    waves = max((call.wave for call in calls), default=0)
    return score(
        case, Seen(**{"outcome": outcome, "answer": answer, "calls": calls, "waves": waves, **more}), vocabulary
    )


@table("rule", RULES)
def test_rule(rule: Rule) -> None:
    found = scored(rule.expect, rule.calls, rule.outcome, rule.answer, **rule.more)

    assert found.counts
    if rule.fails is None:
        assert found.failures == []
    else:
        assert rule.fails in "\n".join(found.failures)


def test_a_question_the_file_leaves_open_does_not_count() -> None:
    asked = scored({"waves": [wants("red")]}, outcome="clarify", answer="which colour?")

    assert (asked.counts, asked.failures) == (False, ())
    assert asked.unscored == ["it asked for colour, which the file leaves open"]


@pytest.mark.parametrize(
    ("expect", "answer", "calls"),
    [
        pytest.param(
            {"waves": [[{"tool": "shelf", "args": {"colour": "red"}}]]}, "which colour?", [], id="it was said"
        ),
        pytest.param({"waves": [wants("red")]}, "which colour, what size?", [], id="it asks for more"),
        pytest.param({"waves": [wants("red")]}, "who are you?", [], id="it asks for something else"),
        pytest.param(
            {"waves": [wants("red")], "must_not": ["order"]}, "which colour?", [order(1)], id="what must not be"
        ),
    ],
)
def test_a_question_in_place_of_work_fails(expect: dict[str, Any], answer: str, calls: list[Call]) -> None:
    asked = scored(expect, calls, "clarify", answer)

    assert asked.counts
    assert asked.failures


def test_what_nothing_can_judge_is_told() -> None:
    result = scored(
        {"action": "clarify", "clarify": ["hour"], "reply_must": ["is polite", "/x/"], "assume": "it rains"}
    )

    assert result.unscored == [
        "reply_must: is polite", "clarify: hour", "assume: it rains (the run uses the data as it is)"
    ]  # fmt: skip


def test_without_a_vocabulary_the_agents_own_words_count() -> None:
    expect = {"waves": [[{"tool": "look", "args": {"word": "red"}}]]}

    assert scored(expect, [look("red")], vocabulary=Vocabulary()).failures == []
    assert scored({"waves": [wants("red")]}, [look("red")], vocabulary=Vocabulary()).failures
