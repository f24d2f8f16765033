"""A model's replies in a domain with statements, with the real client: forms alone, once back, and told beside the results."""

from typing import Any

import pytest
from endpoint import Endpoint, Turn, answers, judges, plans
from inn import Inn
from plans import ask, beds, plan, verdict

from wavegraph import AnswerView, Catalogue, Domain, Sayable, Script, Statement, build_graph, results
from wavegraph.graph.answer.statements import Duty
from wavegraph.testing import planning

NIGHT = "2026-12-05"
ASKED = f"a bed on {NIGHT}, and please order a taxi"
TAXI = {"say": "cannot", "quote": "order a taxi"}
NO_TAXI = "“order a taxi”: that I cannot do here."
HELLO = {"say": "greeting", "kind": "hello"}
LIES = [
    "Dogs of any size stay for free.",
    "Done: a taxi will wait for you.",
    [{"say": "cannot", "quote": "We will upgrade you to a suite"}],
    [{"say": "greeting", "kind": "hello", "text": "Breakfast is free"}],
    [{"say": "promise", "what": "a suite"}],
]


def beds_told(view: AnswerView) -> Catalogue:
    found = [each for each in results(view.ledger).values() if each["tool"] == "get_beds"]
    texts = [f"{o['data']['free']} beds are free." if o["data"] else "The beds could not be looked up." for o in found]
    made = [Statement(id=f"beds.{n}", text=text) for n, text in enumerate(texts, 1)]
    return Catalogue(made, frozenset(), [Duty([each.id], [each.id]) for each in made])


def inn(*, has_rules: bool = True, **changes: Any) -> Domain:
    domain = (changes.pop("inn", None) or Inn()).domain(catalogue=Sayable(beds_told), **changes)
    return domain if has_rules else Inn().domain(catalogue=Sayable(beds_told), offline=None, script=Script(), **changes)


def asked(endpoint: Endpoint, domain: Domain, text: str = ASKED, **settings: Any) -> Any:
    told = ask(build_graph(domain).compile(), text, **settings)
    endpoint.assert_complete()
    return told


def test_a_form_is_the_answer_in_the_words_of_code(endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(action="greet", reply=[HELLO])))
    told = asked(endpoint, inn(), "hello!")
    assert (told["answer"], told["outcome"], told["llm_calls"]) == ("Hello! What can I do for you?", "answered", 1)
    assert told["plan"]["said"] == [HELLO]


def test_a_greeting_is_in_the_language_of_the_request(endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(action="greet", reply=[HELLO])))
    assert asked(endpoint, inn(), "שלום!")["answer"] == "שלום! במה אפשר לעזור?"


@pytest.mark.parametrize("lie", LIES, ids=str)
def test_what_is_no_form_goes_back_once_then_the_rules_plan(lie: Any, endpoint: Endpoint) -> None:
    lying = plan(action="answer", reply=lie)
    endpoint.plays(plans(lying, checked=False), plans(lying, checked=False))
    told = asked(endpoint, inn(), "a bed and order a taxi")
    assert (told["answer"], told["planner"]) == ("The porter asks: which night?", "rules")
    [issue] = endpoint.of("plan")[1].block("feedback")["issues"]
    assert (issue["type"], issue["rule"] in ("reply_shape", "reply_quote")) == ("broken_plan", True)


@pytest.mark.parametrize("lie", LIES, ids=str)
@pytest.mark.parametrize("has_rules", [True, False])
def test_without_rules_nothing_of_it_is_said(lie: Any, has_rules: bool, endpoint: Endpoint) -> None:
    lying = plan(action="refuse", reply=lie)
    endpoint.plays(plans(lying, checked=False), plans(lying, checked=False))
    told = asked(
        endpoint, inn(has_rules=has_rules), "a bed and order a taxi", model_fallback=False, answer_check="rules"
    )
    assert told["answer"] == "I did not understand that. Please put it another way."
    assert told["outcome"] == "refused"


def test_a_reply_put_right_is_said(endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(reply="Taxis are free."), checked=False), plans(plan(action="refuse", reply=[TAXI])))
    told = asked(endpoint, inn(), answer_check="rules")
    assert (told["answer"], told["outcome"]) == (NO_TAXI, "refused")


@pytest.mark.parametrize(
    "reply", ["Hi!", [{"say": "greeting", "kind": "שלום"}], [HELLO, {"say": "cannot", "quote": "free"}]]
)
def test_a_reply_that_stays_wrong_costs_its_own_words_and_never_the_answer(reply: Any, endpoint: Endpoint) -> None:
    made = plans(plan(beds("beds", NIGHT), reply=reply), checked=False)
    endpoint.plays(made, made, answers("{{beds.1}}"))
    told = asked(endpoint, inn(), answer_check="rules")
    assert (told["outcome"], told["planner"]) == ("answered", "llm")
    assert told["answer"] == "4 beds are free."


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        ("{{beds.1}} {{said.1}}", f"4 beds are free. {NO_TAXI}"),
        ("{{beds.1}}", f"4 beds are free.\n\n{NO_TAXI}"),
        ("With pleasure: a taxi waits for you.", f"The porter says: {NIGHT}: 4 free\n\n{NO_TAXI}"),
        ("{{said.1}}", f"{NO_TAXI}\n\n4 beds are free."),
    ],
)
def test_what_is_said_beside_calls_is_told_with_the_results(written: str, answer: str, endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(beds("beds", NIGHT), reply=[TAXI])), answers(written))
    told = asked(endpoint, inn(), answer_check="rules")
    assert (told["answer"], told["outcome"]) == (answer, "answered")
    assert (told["plan"]["remarks"], told["plan"]["said"], told["plan"]["reply"]) == ([NO_TAXI], [TAXI], None)


def test_it_is_told_where_all_calls_fail(endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(beds("beds", NIGHT), reply=[TAXI])), plans(plan()), answers("{{beds.1}}"))
    told = asked(endpoint, inn(inn=Inn(fails=True)), answer_check="rules")
    assert told["answer"] == f"The beds could not be looked up.\n\n{NO_TAXI}"


def test_it_is_told_by_templates_where_the_writer_is_down(endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(beds("beds", NIGHT), reply=[TAXI])), Turn("answer", status=401))
    told = ask(build_graph(inn()).compile(), ASKED, answer_check="rules")
    assert f"The porter says: {NIGHT}: 4 free\n\n{NO_TAXI}" in told["answer"]


def test_it_is_told_by_a_writer_of_the_callers_own(endpoint: Endpoint) -> None:
    class Writer:
        name = "own"

        async def respond(self, view: AnswerView) -> str:
            return "4 beds are free."

    endpoint.plays(plans(plan(beds("beds", NIGHT), reply=[TAXI])))
    told = ask(build_graph(inn(), responder=Writer()).compile(), ASKED, answer_check="rules")
    assert told["answer"] == f"4 beds are free.\n\n{NO_TAXI}"


def test_what_an_earlier_plan_said_is_told_behind_a_later_one(endpoint: Endpoint) -> None:
    hello = {"say": "cannot", "quote": "please order"}
    endpoint.plays(
        plans(plan(beds("beds", NIGHT), reply=[TAXI], status="continue")),
        plans(plan(reply=[hello, TAXI])),
        answers("{{beds.1}}"),
    )
    told = asked(endpoint, inn(), answer_check="rules")
    assert told["answer"] == f"4 beds are free.\n\n{NO_TAXI}\n“please order”: that I cannot do here."


def test_the_words_of_a_model_in_fields_of_the_engine_are_not_taken(endpoint: Endpoint) -> None:
    lies = {"remarks": ["A taxi waits."], "said": [{"say": "ask"}]}
    endpoint.plays(plans({**plan(beds("beds", NIGHT)), **lies}, checked=False), answers("{{beds.1}}"))
    told = asked(endpoint, inn(), answer_check="rules")
    assert (told["answer"], told["plan"].get("said")) == ("4 beds are free.", None)


def test_a_judge_is_told_that_code_wrote_a_reply(endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(action="refuse", reply=[TAXI])), judges(verdict()))
    asked(endpoint, inn(), answer_check="on")
    [seen] = endpoint.of("judge")
    assert "fixed ones" in seen.block("verified")


def test_a_planner_of_the_callers_own_says_what_it_likes() -> None:
    class Own:
        name = "own"

        async def plan(self, view: Any) -> Any:
            return planning(action="answer", reply="We have 25 rooms.")

    told = ask(build_graph(inn(), planner=Own()).compile(), "hello")
    assert (told["answer"], told["outcome"]) == ("We have 25 rooms.", "answered")
