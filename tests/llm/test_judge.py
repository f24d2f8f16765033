"""The judge: what it sees, what its verdict does, and what happens when it fails."""

import logging
from typing import Any

import pytest
from endpoint import Endpoint, Serving, answers, judges, plans
from inn import Inn
from plans import ask, beds, plan, verdict
from skipping import LIMIT_S

from wavegraph import SettingsError, build_graph
from wavegraph.graph.language import say

NIGHT = "2026-12-05"
SAID = "On Saturday 2026-12-05 there are 4 free beds, 350 each."
STANDARD = ("accuracy", "completeness", "clarity")


@pytest.fixture
def inn(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Inn:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")
    return Inn()


def graph_of(inn: Inn, **changes: Any) -> Any:
    return build_graph(inn.domain(**changes)).compile()


GOOD = plans(plan(beds("beds", NIGHT)))


def test_a_satisfied_judge_lets_the_answer_out(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(GOOD, answers(SAID), judges(verdict()))

    told = ask(graph_of(inn), "a bed on 2026-12-05?")

    assert (told["answer"], told["outcome"], told["llm_calls"]) == (SAID, "answered", 3)
    assert told["answer_check"]["satisfied"]
    assert told["answer_check"]["checked_by"] == "scripted"
    assert [c["name"] for c in told["answer_check"]["criteria"]] == list(STANDARD)


def test_it_sees_the_question_the_answer_and_the_trace_after_instructions_that_never_change(
    endpoint: Endpoint, inn: Inn
) -> None:
    for night in (NIGHT, "2026-12-06"):
        endpoint.plays(plans(plan(beds("beds", night))), answers(f"4 free on {night}"), judges(verdict()))
        ask(graph_of(inn), f"a bed on {night}?")

    first, second = endpoint.of("judge")
    assert first.system == second.system
    assert (first.block("request"), first.block("answer")) == ("a bed on 2026-12-05?", "4 free on 2026-12-05")
    assert first.block("results")[0]["data"] == {"night": NIGHT, "free": 4, "price": 350}
    assert first.block("tools") == [tool for tool in inn.domain().registry if tool.startswith("get_")]
    assert first.text.index("<results>") < first.text.index("<request>") < first.text.index("<answer>")


def test_a_gap_is_planned_again_and_the_better_answer_goes_out(endpoint: Endpoint, inn: Inn) -> None:
    better = f"{SAID} The night after: 4 free, 350 each."
    endpoint.plays(
        GOOD, answers(SAID), judges(verdict(completeness="the night after is not there", reasoning="half", by="get_beds")),
        plans(plan(beds("after", "2026-12-06"))), answers(better), judges(verdict()),
    )  # fmt: skip

    told = ask(graph_of(inn), "beds on 2026-12-05 and the night after?")

    assert (told["answer"], told["outcome"]) == (better, "answered")
    assert list(told["results"]) == ["beds", "after"]
    replan = endpoint.of("plan")[1]
    assert replan.block("feedback")["source"] == "answer"
    assert replan.block("feedback")["issues"][0]["message"] == "the night after is not there (get_beds)"
    assert replan.block("last_answer") == SAID
    assert [call["id"] for call in replan.block("so_far")["calls"]] == ["beds"]
    assert [event["satisfied"] for event in told.told("answer_checked")] == [False, True]
    assert [event["attempt"] for event in told.told("answer_checked")] == [1, 2]
    assert told["answer_check"]["satisfied"]


def test_a_gap_that_needs_no_call_is_only_written_again(endpoint: Endpoint, inn: Inn) -> None:
    better = f"{SAID} That is the price of one bed."
    endpoint.plays(
        GOOD, answers(SAID), judges(verdict(clarity="whose price is it?", by="words")), answers(better),
        judges(verdict()),
    )  # fmt: skip

    told = ask(graph_of(inn), "a bed on 2026-12-05?")

    assert (told["answer"], told["tools_executed"], told["answer_check"]["satisfied"]) == (better, 1, True)
    assert endpoint.of("answer")[1].block("gaps") == ["whose price is it?"]


def test_a_wrong_claim_alone_is_written_again_without_planning(endpoint: Endpoint, inn: Inn) -> None:
    better = "On Saturday 2026-12-05: 4 free beds at 350."
    endpoint.plays(
        GOOD, answers(SAID), judges(verdict(accuracy="350 is the price of one bed, not of all", by="words")), answers(better),
        judges(verdict()),
    )  # fmt: skip

    told = ask(graph_of(inn), "a bed on 2026-12-05?")

    assert told["answer"] == better
    assert len(endpoint.of("plan")) == 1
    assert endpoint.of("answer")[1].block("unsupported_claims") == ["350 is the price of one bed, not of all"]


def test_what_the_rules_catch_is_written_again_before_the_judge_is_asked(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(GOOD, answers("4 free beds, 999 each."), answers(SAID), judges(verdict()))

    told = ask(graph_of(inn), "a bed on 2026-12-05?")

    assert (told["answer"], told["answer_check"]["checked_by"]) == (SAID, "scripted")


def test_an_answer_that_fails_again_goes_out_with_the_reservation(endpoint: Endpoint, inn: Inn) -> None:
    again = f"{SAID} More I do not know."
    endpoint.plays(
        GOOD, answers(SAID), judges(verdict(completeness="the way there", by="get_beds")),
        plans(plan(beds("after", "2026-12-06"))), answers(again), judges(verdict(completeness="still no way there", by="get_beds")),
    )  # fmt: skip

    told = ask(graph_of(inn), "a bed on 2026-12-05, and how do I get there?")

    assert (
        told["answer"]
        == f"{again}\n\n(I could not make sure that this covers everything you asked. If something is missing, please ask for it again.)"
    )
    assert told["outcome"] == "partial"
    assert not told["answer_check"]["satisfied"]
    assert told["answer_check"]["reasoning"] == "as it should be"
    assert [f["gap"] for f in told["answer_failures"]] == ["the way there", "still no way there"]
    assert told["messages"][-1].text == told["answer"]
    assert told.told("answer_replaced")[-1]["answer"] == told["answer"]
    assert [event["limit"] for event in told.told("limit_reached")] == ["max_answer_replans"]


def test_a_plan_with_nothing_new_ends_the_loop_and_the_answer_stands(endpoint: Endpoint, inn: Inn) -> None:
    gap = verdict(completeness="the way there", by="get_beds")
    endpoint.plays(GOOD, answers(SAID), judges(gap), plans(plan()))

    told = ask(graph_of(inn), "a bed on 2026-12-05, and how do I get there?", max_answer_replans=5)

    assert not told["answer_check"]["satisfied"]
    assert told["answer"].startswith(f"{SAID}\n\n(I could not")


def test_so_does_the_same_plan_under_another_name(endpoint: Endpoint, inn: Inn) -> None:
    gap = verdict(completeness="the way there", by="get_beds")
    again = plans(plan(beds("under_another_name", NIGHT)))
    endpoint.plays(GOOD, answers(SAID), judges(gap), again)

    told = ask(graph_of(inn), "a bed on 2026-12-05, and how do I get there?", max_answer_replans=5)

    assert (told["answer_replans"], told["tools_executed"]) == (1, 1)
    assert told["answer"].startswith(f"{SAID}\n\n(I could not")


def test_a_gap_that_nobody_can_mend_costs_nothing(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(GOOD, answers(SAID), judges(verdict(completeness="the way there", by="the porter")))

    told = ask(graph_of(inn), "a bed on 2026-12-05, and how do I get there?")

    assert (told["llm_calls"], told["answer_replans"], told["rewrites"]) == (3, 0, 0)
    assert told["answer"].startswith(f"{SAID}\n\n(I could not make sure that this covers everything")
    assert (told["outcome"], told["answer_failures"][0]["by"]) == ("answered", None)


def test_the_number_of_a_card_is_not_named(endpoint: Endpoint, inn: Inn) -> None:
    asked = "A bed on 2026-12-05. Is my card 4111 1111 1111 1111 good for the whole of the week?"
    endpoint.plays(
        GOOD, answers(SAID), judges(verdict(completeness="the card", about="Is my card 4111 1111 1111 1111 good"))
    )
    named = ask(graph_of(inn), asked)["answer"].removeprefix(f"{SAID}\n\n")
    assert named.startswith("(I could not")
    assert "4111" not in named


@pytest.mark.parametrize(
    "given",
    [
        {"about": "how do I get there?"},
        {"about": "How do I get there", "by": "the porter"},
        {"by": "how do I get there"},
    ],
    ids=["its words", "and nobody", "in the place of who mends it"],
)
def test_a_gap_that_nobody_can_mend_is_named_in_the_words_of_the_request(
    endpoint: Endpoint, inn: Inn, given: dict[str, str]
) -> None:
    endpoint.plays(GOOD, answers(SAID), judges(verdict(completeness="the way there", **given)))

    told = ask(graph_of(inn), "a bed on 2026-12-05, and how do I get there?")

    assert (told["llm_calls"], told["answer_replans"], told["rewrites"]) == (3, 0, 0)
    assert told["answer"] == f"{SAID}\n\nOn “how do I get there” I have nothing more."


def test_a_gap_that_other_words_do_not_mend_is_named_so_too(endpoint: Endpoint, inn: Inn) -> None:
    gap = judges(verdict(completeness="the way there", by="words", about="how do I get there?"))
    endpoint.plays(GOOD, answers(SAID), gap, answers(SAID))
    told = ask(graph_of(inn), "a bed on 2026-12-05, and how do I get there?", max_answer_replans=1)
    assert told["answer"].endswith("On “how do I get there” I have nothing more.")


def test_a_wrong_claim_goes_out_in_doubt_whatever_it_is_about(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(GOOD, answers(SAID), judges(verdict(accuracy="not that bed", about="a bed")))
    assert ask(graph_of(inn), "a bed on 2026-12-05")["answer"] == f"{SAID}\n\n{say('doubt', 'en')}"


def test_each_gap_of_a_criterion_is_planned_for_and_named_by_itself(endpoint: Endpoint, inn: Inn) -> None:
    way = {"criterion": "completeness", "gap": "the way there", "by": "get_beds", "about": "how do I get there?"}
    soup = {"criterion": "completeness", "gap": "the soup", "by": None, "about": None}
    endpoint.plays(
        GOOD, answers(SAID), judges({"reasoning": "two", "gaps": [way, soup]}), plans(plan(beds("more", "2026-12-06"))),
        answers(f"{SAID} Also on 2026-12-06."), judges({"reasoning": "two", "gaps": [way, soup]}),
    )  # fmt: skip
    told = ask(graph_of(inn), "a bed on 2026-12-05, and how do I get there?", max_answer_replans=1)
    lacked = endpoint.of("plan")[1].block("feedback")["issues"]
    assert [each["message"] for each in lacked] == ["the way there (get_beds)", "the soup"]
    named = "On “how do I get there” I have nothing more."
    assert told["answer"].endswith(f"\n\n{named}\n\n{say('reservation', 'en')}")


def test_the_same_answer_is_not_judged_twice(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(
        GOOD, answers(SAID), judges(verdict(completeness="the way there", by="get_beds")),
        plans(plan(beds("after", "2026-12-06"))), answers(SAID),
    )  # fmt: skip

    told = ask(graph_of(inn), "a bed on 2026-12-05, and how do I get there?", max_answer_replans=5)

    assert not told["answer_check"]["satisfied"]


WITHOUT_WORDS = verdict(completeness=" ")


@pytest.mark.parametrize("first", [WITHOUT_WORDS, {"reasoning": "fine"}], ids=["a gap without words", "no gaps at all"])
def test_a_verdict_that_cannot_be_read_is_sent_back_once(endpoint: Endpoint, inn: Inn, first: dict[str, Any]) -> None:
    endpoint.plays(GOOD, answers(SAID), judges(first, checked=False), judges(verdict()))

    told = ask(graph_of(inn), "a bed on 2026-12-05?")

    assert told["answer_check"]["satisfied"]
    assert told["answer_check"]["checked_by"] == "scripted"
    assert endpoint.of("judge")[1].block("last_verdict_was_refused")


DOWN = judges("", status=500)


@pytest.mark.parametrize(
    "turns",
    [
        (judges(WITHOUT_WORDS), judges(WITHOUT_WORDS)),
        (judges("no verdict", checked=False), judges('{"satisfied": "maybe"}', checked=False)),
        (judges(None, refusal="I would rather not", checked=False),) * 2,
        (DOWN, DOWN, DOWN),
        (judges("", status=401),),
        (judges("", fault="hang", lasts_s=LIMIT_S + 1),),
    ],
    ids=["unreadable twice", "no JSON", "refused", "down", "wrong key", "hangs"],
)
def test_a_judge_that_fails_holds_no_answer_up(
    endpoint: Endpoint, inn: Inn, turns: Any, caplog: pytest.LogCaptureFixture
) -> None:
    endpoint.plays(GOOD, answers(SAID), *turns)
    slow = (
        {"model_timeout_s": LIMIT_S, "model_attempts": 1, "answer_check_timeout_s": 9 * LIMIT_S}
        if turns[0].fault
        else {}
    )

    with caplog.at_level(logging.WARNING, "wavegraph"):
        told = ask(graph_of(inn), "a bed on 2026-12-05?", **slow)

    endpoint.released.set()
    assert (told["answer"], told["outcome"]) == (SAID, "answered")
    assert told["answer_check"]["checked_by"] == "unavailable"
    assert told["answer_check"]["satisfied"]
    assert any("the judge is unavailable" in record.message for record in caplog.records)


@pytest.mark.parametrize("mode", ["rules", "off"])
def test_it_is_switched_off_by_a_setting_and_by_the_environment(
    endpoint: Endpoint, inn: Inn, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    endpoint.plays(GOOD, answers(SAID), GOOD, answers(SAID))

    by_setting = ask(graph_of(inn), "a bed on 2026-12-05?", answer_check=mode)
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", mode)
    by_environment = ask(graph_of(inn), "a bed on 2026-12-05?")

    assert by_setting["answer_check"]["checked_by"] == by_environment["answer_check"]["checked_by"] == mode


def test_off_traces_no_claim_either(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(GOOD, answers("999 beds"))

    assert ask(graph_of(inn), "a bed on 2026-12-05?", answer_check="off")["answer"] == "999 beds"


def test_a_setting_goes_before_the_environment(endpoint: Endpoint, inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "off")
    endpoint.plays(GOOD, answers(SAID), judges(verdict()))

    assert ask(graph_of(inn), "a bed on 2026-12-05?", answer_check="on")["answer_check"]["checked_by"] == "scripted"


def test_a_mode_there_is_not_is_refused(inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "sometimes")

    with pytest.raises(SettingsError, match="WAVEGRAPH_ANSWER_CHECK='sometimes': expected one of on, auto, rules, off"):
        graph_of(inn)


def test_on_without_any_model_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")
    with pytest.raises(SettingsError, match="the answer check 'on' needs a model"):
        ask(graph_of(Inn()), "a bed on 2026-12-05?", answer_check="on")


def test_a_run_by_the_rules_asks_no_judge_unless_told_to(endpoint: Endpoint, inn: Inn) -> None:
    endpoint.plays(judges(verdict()))

    assert ask(graph_of(inn), "beds 2026-12-05", planner="rules")["answer_check"]["checked_by"] == "rules"
    told = ask(graph_of(inn), "beds 2026-12-05", planner="rules", answer_check="on")
    assert (told["planner"], told["answer_check"]["checked_by"]) == ("rules", "scripted")


def test_the_judge_has_an_endpoint_a_key_and_a_model_of_its_own(
    endpoint: Endpoint, inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Serving() as own:
        monkeypatch.setenv("WAVEGRAPH_VALIDATOR_BASE_URL", own.url)
        monkeypatch.setenv("WAVEGRAPH_VALIDATOR_API_KEY", "sk-of-the-judge")
        monkeypatch.setenv("WAVEGRAPH_VALIDATOR_MODEL", "small")
        endpoint.plays(GOOD, answers(SAID))
        own.plays(judges(verdict(), model="small"))

        told = ask(graph_of(inn), "a bed on 2026-12-05?")

        assert told["answer_check"]["checked_by"] == "small"
        assert own.received[0].key == "Bearer sk-of-the-judge"


def test_without_its_own_the_judge_uses_the_planners(
    endpoint: Endpoint, inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAVEGRAPH_PLANNER_MODEL", "large")
    endpoint.plays(GOOD.but(model="large"), answers(SAID, model="scripted"), judges(verdict(), model="large"))
    ask(graph_of(inn), "a bed on 2026-12-05?")

    endpoint.plays(GOOD.but(model="huge"), answers(SAID), judges(verdict(), model="huge"))
    ask(graph_of(inn), "a bed on 2026-12-05?", planner_model="huge")

    endpoint.plays(GOOD, answers(SAID), judges(verdict(), model="tiny"))
    ask(graph_of(inn), "a bed on 2026-12-05?", validator_model="tiny")


def test_its_own_address_alone_serves_the_rules_too(inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "WAVEGRAPH_MODEL"):
        monkeypatch.delenv(name)
    with Serving() as own:
        monkeypatch.setenv("WAVEGRAPH_VALIDATOR_BASE_URL", own.url)
        own.plays(judges(verdict()))

        told = ask(graph_of(inn), "beds 2026-12-05")

        assert (told["planner"], told["answer_check"]["checked_by"], own.models_asked) == ("rules", "scripted", 1)


def test_the_kind_of_request_decides_the_criteria(endpoint: Endpoint, inn: Inn) -> None:
    own: dict[str, Any] = {
        "criteria": {"price": "The price is there.", "way": "The way there is told."},
        "kinds": {"price": ("price",)},
        "kind_of": lambda view: "price" if "much" in view.request["text"] else "other",
    }
    endpoint.plays(GOOD, answers(SAID), judges(verdict()), GOOD, answers(SAID), judges(verdict()))

    ask(graph_of(inn, **own), "how much is a bed on 2026-12-05?")
    ask(graph_of(inn, **own), "a bed on 2026-12-05?")

    first, second = endpoint.of("judge")
    assert first.block("criteria") == {"price": "The price is there."}
    assert second.block("criteria") is None
    assert first.system == second.system


def test_criteria_that_nobody_described_are_refused(inn: Inn) -> None:
    with pytest.raises(SettingsError, match=r"judges by unknown criteria \['speed'\]"):
        graph_of(inn, kinds={"any": ("speed",)})
