"""A plan that cannot be used goes back exactly once with the reason; after that the rules plan."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from endpoint import Endpoint, Turn, answers, as_asked, judges, plans
from inn import Inn
from plans import ask, beds, call, plan, verdict

from wavegraph import build_graph
from wavegraph.testing import ref

NIGHT = "2026-12-05"
TEXT = f"a bed on {NIGHT}"


@dataclass(frozen=True)
class Case:
    id: str
    turn: Turn
    rule: str
    says: str
    """A part of the reason that the planner is given."""


GOOD = json.dumps(as_asked(plan(beds("beds", NIGHT))))
CASES = [
    Case("cut off", plans(GOOD[:40], finish="length", checked=False), "truncated", "cut off"),
    Case("whole but marked as cut off", plans(GOOD, finish="length"), "truncated", "cut off"),
    Case("filtered", plans("", call=False, finish="content_filter", checked=False), "content_filter", "content filter"),
    Case("refused", plans(None, refusal="I can't help with that.", checked=False), "refusal", "refused"),
    Case("malformed", plans(GOOD[:-2], checked=False), "malformed_json", "not JSON"),
    Case("prose", plans("I would look for beds.", checked=False), "malformed_json", "not JSON"),
    Case("two plans", plans(f"{GOOD}\n{GOOD.replace('as asked', 'or so')}", checked=False), "malformed_json", "two different"),
    Case("empty", plans("", checked=False), "plan_shape", "list of calls"),
    Case("an empty text", plans("", call=False, checked=False), "malformed_json", "empty"),
    Case("a list", plans("[1]", checked=False), "malformed_json", "one JSON object"),
    Case("no tools", plans('{"status": "done"}', checked=False), "plan_shape", "tools"),
    Case("nested too deeply", plans('{"tools":' * 20_000, checked=False), "malformed_json", "not JSON"),
    Case("unknown tool", plans(plan(call("x", "get_pool")), checked=False), "unknown_tool", "get_pool"),
    Case("bad argument", plans(plan(beds("beds", "soon"))), "bad_arguments", "night"),
    Case("missing argument", plans(plan(beds("beds", None)), checked=False), "bad_arguments", "night"),
    Case("arguments that are no object", plans(plan({**beds("beds", NIGHT), "args": [1]}), checked=False), "plan_shape", "args"),
    Case("dangling", plans(plan(beds("beds", ref("fair", "opens")))), "dangling_reference", "fair"),
    Case("circle", plans(plan(beds("beds", ref("beds", "night")))), "cyclic_reference", "waits for itself"),
    Case("one id twice", plans(plan(beds("b", NIGHT), beds("b", "2026-12-06"))), "duplicate_id", "'b'"),
    Case("text cut off", plans(GOOD[:40], call=False, finish="length", checked=False), "truncated", "cut off"),
    Case("malformed text", plans(GOOD[:-2], call=False, checked=False), "malformed_json", "not JSON"),
    Case("text with a bad argument", plans(plan(beds("beds", "soon")), call=False), "bad_arguments", "night"),
]  # fmt: skip


@pytest.mark.parametrize("watched", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_goes_back_once_with_the_reason(case: Case, watched: bool, endpoint: Endpoint) -> None:
    endpoint.plays(case.turn, plans(plan(beds("beds", NIGHT))), answers("4 beds are free."))
    told = ask(build_graph(Inn().domain()).compile(), TEXT, None, watched)
    assert (told["outcome"], told["planner"], told["llm_calls"]) == ("answered", "llm", 3)
    if case.id != "a list":  # the client throws that answer away, usage and all
        assert told["llm_tokens"]["output"] == 30
    assert (told["adaptations"], told["issues"]) == (0, [])
    feedback = endpoint.of("plan")[1].block("feedback")
    assert (feedback["source"], feedback["suggestions"]) == ("plan", [])
    [issue] = feedback["issues"]
    assert (issue["rule"], issue["type"]) == (case.rule, "broken_plan")
    assert case.says in issue["message"]
    assert endpoint.of("plan")[1].block("so_far") == {"calls": []}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_second_time_the_rules_plan(case: Case, endpoint: Endpoint) -> None:
    endpoint.plays(case.turn, case.turn, answers("4 beds are free."))
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    assert (told["outcome"], told["planner"], told["llm_calls"]) == ("answered", "rules", 3)
    assert told["answer"] == "4 beds are free."


def test_without_the_rules_the_second_time_nothing_is_done(endpoint: Endpoint) -> None:
    inn = Inn()
    endpoint.plays(*[plans(plan(beds("beds", "soon")))] * 2)
    told = ask(build_graph(inn.domain()).compile(), TEXT, model_fallback=False)
    assert (told["outcome"], inn.asked) == ("failed", [])
    assert told["answer"].startswith("I could not work out how to do that")


def test_a_broken_replan_goes_back_with_both_reasons(endpoint: Endpoint) -> None:
    from datetime import date

    inn = Inn(full={date(2026, 12, 5)})
    endpoint.plays(
        plans(plan(beds("beds", NIGHT))),
        plans(plan(beds("later", "soon", instead_of="beds"))),
        plans(plan(beds("later", "2026-12-06", instead_of="beds"))),
        answers("4 beds on 2026-12-06."),
    )
    told = ask(build_graph(inn.domain()).compile(), TEXT)
    assert (told["outcome"], told["adaptations"]) == ("answered", 1)
    third = endpoint.of("plan")[2]
    feedback = third.block("feedback")
    assert (feedback["source"], [issue["rule"] for issue in feedback["issues"]]) == (
        "plan",
        ["bed_free", "bad_arguments"],
    )
    assert [call["tool"] for call in feedback["suggestions"]] == ["get_beds"]
    assert [row["id"] for row in third.block("so_far")["calls"]] == ["beds"]


def test_a_replan_broken_twice_is_mended_by_the_domain(endpoint: Endpoint) -> None:
    from datetime import date

    inn = Inn(full={date(2026, 12, 5)})
    bad = plans(plan(beds("later", "soon", instead_of="beds")))
    endpoint.plays(plans(plan(beds("beds", NIGHT))), bad, bad, answers("4 beds on 2026-12-06."))
    told = ask(build_graph(inn.domain()).compile(), TEXT)
    assert (told["outcome"], told["planner"], told["adaptations"]) == ("answered", "rules", 1)
    assert told["results"]["beds_next"]["args"]["night"] == "2026-12-06"


LOOSE = {
    "in a fence": "```json\n{}\n```",
    "in a bare fence": "```\n{}\n```",
    "among words": "Here is the plan:\n\n{}\n\nGood luck!",
    "twice": "{}\n{}",
    "twice in fences": "```json\n{}\n```\n```json\n{}\n```",
    "with a comma too many": "{,}",
    "fenced with a comma too many": "```json\n{,}\n```",
    "after a thought": "<think>{</think>{}",
}
"""How a model writes `{}`, and `{,}` for one with a comma before its last bracket."""


@pytest.mark.parametrize("call", [True, False], ids=["function", "text"])
@pytest.mark.parametrize("role", ["plan", "judge"])
@pytest.mark.parametrize("loose", LOOSE.values(), ids=LOOSE)
def test_loosely_written_json_is_read_before_it_is_asked_for_again(
    loose: str, role: str, call: bool, endpoint: Endpoint
) -> None:
    def written(text: str) -> str:
        return loose.replace("{}", text).replace("{,}", f"{text[:-1]},}}")

    texts = {"plan": GOOD, "judge": json.dumps(verdict())}
    given = {each: written(text) if each == role else text for each, text in texts.items()}
    endpoint.plays(
        plans(given["plan"], call=call, checked=False),
        answers("4 beds are free."),
        judges(given["judge"], call=call, checked=False),
    )
    told = ask(build_graph(Inn().domain()).compile(), TEXT, answer_check="on")
    assert (told["planner"], told["llm_calls"]) == ("llm", 3)
    assert told["answer_check"]["checked_by"] == "scripted"


def test_a_plan_is_asked_for_as_one_function(endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(beds("beds", NIGHT))), answers("4 beds are free."))
    told = ask(build_graph(Inn().domain()).compile(), TEXT)
    body: dict[str, Any] = endpoint.received[0].body
    [function] = body["tools"]
    assert told["planner"] == "llm"
    assert "response_format" not in body
    assert function["function"]["strict"] is False
    assert body["tool_choice"] == {"type": "function", "function": {"name": "plan"}}
