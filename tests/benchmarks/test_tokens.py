"""The count of tokens: a request weighs what its body has on the wire, over HTTP and in memory."""

import asyncio
from pathlib import Path

import pytest
from benchmarks.tokens import request_row, requests_table
from benchmarks.tokens_requests import AGAIN, FOLLOWING, HOTEL, REQUESTS, asked_for
from benchmarks.tokens_wire import Asked, ToolCalls, Wire, tokens, weight
from langchain_openai import ChatOpenAI


def test_a_token_is_four_characters_of_the_whole_body(tmp_path: Path) -> None:
    """The client's own body weighs what we say a body weighs, in Hebrew too."""
    hebrew = HOTEL[3]
    with Wire() as wire:
        asked = asyncio.run(asked_for(hebrew, wire, tmp_path))
    assert [each.role for each in asked] == ["plan", "answer", "judge"]
    assert hebrew.text in str(asked[0].body)
    assert [each.sent for each in asked] == [weight(each.body) for each in asked]
    assert all(each.changing < each.characters < each.sent for each in asked[1:])
    assert tokens(10) == 2
    row = request_row("pets", asked).split()
    own = asked[:2]
    sums = [sum(getattr(each, size) for each in own) for size in ("characters", "changing", "sent")]
    assert row == [
        "pets",
        *(str(tokens(each.characters)) for each in asked),
        "-",
        *(str(tokens(size)) for size in sums),
    ]


def test_what_is_new_is_all_but_the_beginning_that_every_request_has() -> None:
    messages = [{"role": "system", "content": "ש" * 80}, {"role": "user", "content": "ט" * 8}]
    asked = Asked("plan", {"messages": messages, "response_format": "f" * 40}, 0, 0)
    assert (asked.changing, asked.characters - asked.changing > 120) == (
        len('[{"role":"user","content":""}]') + 8,
        True,
    )


def test_every_request_is_answered_as_planned() -> None:
    """Nothing is asked twice but what a full house asks again."""

    async def lines() -> list[str]:
        with Wire() as wire:
            return [line async for line in requests_table(wire)]

    head, *rows = asyncio.run(lines())
    assert head.split() == ["request", "plan", "answer", "judge", "check", "all", "new", "bytes"]
    assert [request.name for request, row in zip(REQUESTS, rows, strict=True) if "+" in row] == ["the same, full"]


def test_a_simple_request_and_a_follow_up_are_small() -> None:
    async def lines() -> list[str]:
        with Wire() as wire:
            return [line async for line in requests_table(wire)]

    _, *rows = asyncio.run(lines())
    columns = {request.name: row.split()[-5:] for request, row in zip(REQUESTS, rows, strict=True)}
    simple = [columns[request.name] for request in HOTEL if request.name != "the same, full"]
    assert [judge for judge, *_ in simple if int(judge) > 900] == []
    assert [whole for _, _, whole, _, _ in simple if int(whole) > 6000] == []
    assert [new for *_, new, _ in simple if int(new) > 2000] == []
    following = [columns[request.name][2] for request in (*FOLLOWING, AGAIN)]
    assert [whole for whole in following if int(whole) > 7000] == []


@pytest.mark.parametrize("streamed", [False, True])
def test_in_memory_a_request_weighs_the_same(streamed: bool) -> None:
    """And its reply is read the same."""

    async def said(wire: Wire, model: ChatOpenAI) -> str:
        return (await model.ainvoke("How much?", stream=streamed)).text

    with Wire(script=lambda asked: f"{len(asked.body['messages'])} kg") as wire:
        assert asyncio.run(said(wire, wire.model())) == asyncio.run(said(wire, wire.model_in_memory())) == "1 kg"
    over_http, in_memory = wire.asked
    assert (over_http.sent, over_http.got) == (in_memory.sent, in_memory.got) == (weight(over_http.body), 4)


def test_calls_of_tools_come_as_calls() -> None:
    wire = Wire(script=lambda asked: ToolCalls([("a", "look", {"q": "ä"})]))
    tool = {
        "type": "function",
        "function": {"name": "look", "description": "", "parameters": {"type": "object", "properties": {}}},
    }
    said = asyncio.run(wire.model_in_memory().bind_tools([tool]).ainvoke("Look."))
    assert [(each["id"], each["name"], each["args"]) for each in said.tool_calls] == [("a", "look", {"q": "ä"})]
    assert wire.asked[0].role == "act"
