"""The count of tokens: a request weighs what its body has on the wire, and the loop beside ours what it would send."""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks import tokens_tau as tau
from benchmarks.references_tau import PARTS
from benchmarks.tokens import main, request_row, requests_table, tau_row
from benchmarks.tokens_requests import HOTEL, asked_for
from benchmarks.tokens_wire import Wire, filled, tokens, weight


@pytest.fixture(autouse=True)
def _bare(bare_environment: None) -> None:
    """Nothing but the loopback server is asked."""


def test_what_is_missing_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path)]) == 2
    assert "tau/retail.wiki.md" in capsys.readouterr().err


def test_a_token_is_four_bytes_of_the_whole_body(tmp_path: Path) -> None:
    """The client's own body weighs what we say a body weighs, in Hebrew too."""
    hebrew = HOTEL[3]
    with Wire() as wire:
        asked = asyncio.run(asked_for(hebrew, wire, tmp_path))
    assert [each.role for each in asked] == ["plan", "answer", "judge"]
    assert hebrew.text in str(asked[0].body)
    assert [each.sent for each in asked] == [weight(each.body) for each in asked]
    assert tokens(10) == 2
    row = request_row("pets", asked).split()
    assert row == [
        "pets",
        *(str(tokens(each.sent)) for each in asked),
        "-",
        str(tokens(sum(each.sent for each in asked))),
    ]


def test_every_request_is_answered_as_planned() -> None:
    """Nothing is asked twice but what a full house asks again."""

    async def lines() -> list[str]:
        with Wire() as wire:
            return [line async for line in requests_table(wire)]

    head, *rows = asyncio.run(lines())
    assert head.split() == ["request", "plan", "answer", "judge", "check", "all"]
    assert ["+" in row for row in rows] == [False, True, False, False, False, False]


def test_what_a_model_leaves_out_is_null() -> None:
    form = {"properties": {"a": {"$ref": "#/$defs/x"}, "b": {"type": "string"}}, "$defs": {"x": {"anyOf": [
        {"properties": {"tool": {"enum": ["one"]}, "c": {}}}, {"properties": {"tool": {"enum": ["two"]}, "d": {}}}]}}}  # fmt: skip
    assert filled({"a": {"tool": "two"}}, form, form) == {"a": {"tool": "two", "d": None}, "b": None}


def action(number: int, level: int, name: str, gave: str, /, **args: Any) -> dict[str, Any]:
    return {"id": number, "name": name, "arguments": args, "kind": "read", "level": level, "observation": gave}


ACTIONS = [action(0, 1, "find", '{"id": "u7"}', name="Mia"), action(1, 2, "look", '{"due": 12.5}', user="u7")]


@pytest.fixture
def shop(tmp_path: Path) -> tau.Shop:
    folder = tmp_path / "tau"
    folder.mkdir()
    tools = [
        {"type": "function", "function": {"name": name, "description": name, "parameters": {"type": "object",
         "properties": {key: {"type": "string"}}, "required": [key]}}}
        for name, key in (("find", "name"), ("look", "user"))
    ]  # fmt: skip
    traces = [
        {"instruction": "You are Mia. What is due?", "actions": ACTIONS},
        {"instruction": "Hello!", "actions": []},
    ]
    for part in PARTS:
        (folder / f"{part}.tools.json").write_text(json.dumps(tools), encoding="utf-8")
        (folder / f"{part}.wiki.md").write_text("Be kind.", encoding="utf-8")
        (folder / f"{part}-test.traces.json.gz").write_bytes(gzip.compress(json.dumps(traces).encode()))
    return next(tau.shops(tmp_path))


def test_a_loop_sends_everything_so_far_at_every_turn(shop: tau.Shop) -> None:
    """The first task has two levels and an answer, the second an answer alone."""
    count = tau.theirs(shop)
    assert count.calls == 4
    first = {"messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello!"}],
             "model": "counted", "tools": shop.tools}  # fmt: skip
    assert count.sent > 4 * weight(first)


def test_ours_plans_as_often_as_references_make_necessary(shop: tau.Shop) -> None:
    """A reference leads from the one call to the other: one plan and one answer; a greeting needs no answer of its own."""
    with Wire() as wire:
        count, roles = asyncio.run(tau.ours(shop, wire))
    assert (count.calls, roles["plan"].calls, roles["answer"].calls) == (3, 2, 1)
    assert tau_row("all", count).split() == ["all", "3", str(tokens(count.sent)), str(tokens(count.got))]
