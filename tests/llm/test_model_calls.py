"""How a model's message is read, whichever interface of whichever provider it came through."""

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from tables import table

from wavegraph.graph.errors import PlanError
from wavegraph.graph.model.calls import has_ended, json_object, why_withheld, without_thoughts


@table(
    ("message", "why"),
    [
        (AIMessage("x"), None),
        (AIMessage("x", response_metadata={"finish_reason": "stop"}), None),
        (AIMessage("x", response_metadata={"finish_reason": "tool_calls"}), None),
        (AIMessage("x", response_metadata={"status": "completed", "incomplete_details": None}), None),
        (AIMessage("x", response_metadata={"incomplete_details": {"reason": "max_output_tokens"}}), "truncated"),
        (AIMessage("x", response_metadata={"incomplete_details": {"reason": "content_filter"}}), "content_filter"),
        (AIMessage([{"type": "refusal", "refusal": "No."}]), "refusal"),
        (AIMessage([{"type": "text", "text": "refusal"}]), None),
        (AIMessage("", additional_kwargs={"refusal": None}), None),
    ],
)
def test_why_an_answer_is_not_whole(message: AIMessage, why: str | None) -> None:
    assert why_withheld(message) == why


@table(
    ("metadata", "ended"),
    [
        ({"model_provider": "openai", "finish_reason": "stop"}, True),
        ({"model_provider": "openai", "status": "completed"}, True),
        ({"model_provider": "openai"}, False),
        ({"model_provider": "anthropic"}, True),
        ({}, True),
    ],
)
def test_whether_a_stream_came_to_its_end(metadata: dict[str, Any], ended: bool) -> None:
    assert has_ended(AIMessage("x", response_metadata=metadata)) is ended


FIELDS = ("tools", "status")
PLAN = '{"tools": [{"id": "a", "args": {"note": "{\\"x\\": 1} }"}}], "status": "done"}'
READ = json.loads(PLAN)


@table(
    "text",
    [
        PLAN,
        f"```json\n{PLAN}\n```",
        f"Here it is, {{as asked}}:\n{PLAN}\nGood luck {{always}}!",
        f"{PLAN}\n{PLAN}",
        f"{PLAN}{PLAN}",
        f"```json\n{PLAN}\n```\nThat is:\n```json\n{PLAN}\n```",
        f'{PLAN} {{"status": "done", "tools": {json.dumps(READ["tools"])}}}',
        PLAN.replace("}}]", "}},]"),
        f"```json\n{PLAN[:-1]},\n}}\n```",
        f"Here:\n{PLAN[:-1]} , }}\n{PLAN}",
        f"{PLAN}{{}}",
        f'{{"x": 1}} {PLAN}',
        f'{{"status": "maybe"}} {PLAN}',
        f"<think>Perhaps {PLAN.replace('done', 'continue')}? No.</think>{PLAN}",
        f"<THINK>\nfirst</THINK>\n<thinking>{{</thinking>\n\n{PLAN}",
        f"The opening tag is in the prompt. {{}} </think>\n{PLAN}",
        f"[{PLAN},",
        f"{{{PLAN}",
        "{" * 99 + f" {PLAN}",
    ],
)  # fmt: skip
def test_the_object_is_found_among_what_a_model_puts_round_it(text: str) -> None:
    assert json_object(AIMessage(text), FIELDS) == READ


def test_commas_in_texts_stay() -> None:
    text = '{"status": "a,] \\" ,}", "tools": ["x,}",],}'
    assert json_object(AIMessage(text), FIELDS) == {"status": 'a,] " ,}', "tools": ["x,}"]}


def test_a_call_with_a_comma_too_many_is_read() -> None:
    call = {"name": "plan", "args": PLAN[:-1] + ",}", "id": "1", "error": None}
    assert json_object(AIMessage("", invalid_tool_calls=[call]), FIELDS) == READ


def test_a_tag_inside_the_object_is_a_part_of_it() -> None:
    text = '{"status": "<think> </think> <think>", "tools": []}'
    assert json_object(AIMessage(text), FIELDS)["status"] == "<think> </think> <think>"


@table(
    ("text", "says"),
    [
        ("", "empty"),
        (f"<think>{PLAN}</think>", "empty"),
        (f"<think>{PLAN}", "empty"),
        ("I would rather not.", "not JSON"),
        ('Look: {"x": 1}', "not JSON"),
        (PLAN[:-1], "not JSON"),
        (f"{PLAN}\n{PLAN.replace('done', 'continue')}", "two different objects"),
        (f"```json\n{PLAN}\n```\nOr:\n{PLAN.replace('done', 'continue')}", "two different objects"),
        (f"{PLAN[:-1]},}}\n{PLAN[:-1].replace('done', 'continue')},}}", "two different objects"),
        (PLAN.replace("}}]", "}},,]"), "not JSON"),
        (PLAN.replace('"tools"', "tools"), "not JSON"),
        ('{"' + '\\"' * 50_000 + "{,", "not JSON"),
        ("[]", "one JSON object"),
        ("null", "one JSON object"),
        ("{" * 50_000, "not JSON"),
        ("{" * 100 + f" {PLAN}", "not JSON"),
        ('{"tools":' * 20_000, "not JSON"),
        ('Look: {"tools":' + '{"tools":' * 20_000, "not JSON"),
    ],
)
def test_what_holds_no_such_object_is_told(text: str, says: str) -> None:
    with pytest.raises(PlanError, match=says):
        json_object(AIMessage(text), FIELDS)


@table(
    ("text", "said"),
    [
        ("There are 4 beds.", "There are 4 beds."),
        ("<think>4?\n5?</think>\n\nThere are 4 beds.", "There are 4 beds."),
        ("4? 5?</think>There are 4 beds.", "There are 4 beds."),
        ("<think>4?</think>There are <think>yes</think>4 beds.", "There are 4 beds."),
        ("<think>4? There are 4 beds.", ""),
        ("<think>4? <think>There are 4 beds.", ""),
        ("<think>4?</reasoning> 5?</think>There are 4 beds.", "There are 4 beds."),
        ("<think>4?</reasoning>There are 4 beds.", ""),
        ("<Think>4?</thinK>There are 4 beds.", "There are 4 beds."),
        ("There are 4 beds. <think>Or 5?", ""),
        ("<think></think>", ""),
        ("מיטות: 4 <5", "מיטות: 4 <5"),
    ],
)
def test_thoughts_are_no_part_of_what_is_said(text: str, said: str) -> None:
    assert without_thoughts(text) == said
