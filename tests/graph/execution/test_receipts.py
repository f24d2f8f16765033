"""What happened is told in every answer: in a tool's own sentence, or plainly where nobody else tells it."""

from dataclasses import replace
from typing import Any

import pytest
from scripted import ledger_of, outcome, planned
from tables import table
from till import Till

from wavegraph import Domain
from wavegraph.graph.execution.receipts import done_writes, news, unknown_writes


def ledger(*ended: Any, effect: str = "write") -> Any:
    calls = [planned(f"c{n}", each["tool"], effect, **each["args"]) for n, each in enumerate(ended)]
    return ledger_of(calls, ended)


PAID = outcome("pay", {"item": "tea"}, data={"number": 1, "code": "B-7"})
FAILED = outcome("pay", {"item": "cake"}, "error")


def test_a_write_that_happened_is_told_once_however_often_it_was_planned() -> None:
    twice = [planned("a", "pay", "write", item="tea"), planned("b", "pay", "write", item="tea")]
    read, cut = outcome("look", {"item": "tea"}, data=4), outcome("pay", {"item": "jam"}, "partial", data={"number": 2})
    calls = [
        *twice,
        planned("c", "look", item="tea"),
        planned("d", "pay", "write", item="cake"),
        planned("e", "pay", "write", item="jam"),
    ]

    assert done_writes(ledger_of(calls, [PAID, read, FAILED, cut])) == [PAID, cut]


def till(receipt: Any = None) -> Domain:
    domain = Till().domain()
    given: Any = domain.tools
    return replace(domain, tools=[replace(tool, receipt=receipt) if tool.name == "pay" else tool for tool in given])


def told(answer: str, data: Any, *, receipt: Any = None, stood_in: bool = True, tool: str = "pay", **args: Any) -> Any:
    return news(answer, ledger(outcome(tool, args, data=data)), till(receipt), "en", stood_in=stood_in)


CODE = {"code": "B-7", "item": "tea"}


@table(
    ("answer", "sentences"),
    [
        ("done", ["B-7 is paid."]),
        ("it is B-77", ["B-7 is paid."]),
        ("it is AB-7", ["B-7 is paid."]),
        ("it is b-7.", []),
        ("מספר B-7", []),
    ],
)
@table("stood_in", [True, False])
def test_an_answer_holds_the_reference_or_the_tools_own_sentence(
    answer: str, sentences: list[str], stood_in: bool
) -> None:
    def receipt(data: Any, language: str) -> tuple[str, str]:
        return data["code"], f"{data['code']} is paid."

    assert told(answer, CODE, receipt=receipt, stood_in=stood_in, item="tea") == sentences


def test_a_receipt_without_a_reference_is_always_told() -> None:
    assert told("It is done. Bye!", CODE, receipt=lambda data, language: ("", "It is paid.")) == ["It is paid."]


@pytest.mark.parametrize(("stood_in", "sentences"), [(True, ["It is paid."]), (False, [])])
def test_a_receipt_without_a_reference_stands_in_for_the_engine_s_own_words(
    stood_in: bool, sentences: list[str]
) -> None:
    assert told("done", CODE, receipt=lambda data, language: (None, "It is paid."), stood_in=stood_in) == sentences


def broken(data: Any, language: str) -> tuple[str, str]:
    raise KeyError("secret")


@pytest.mark.parametrize("stood_in", [True, False])
def test_a_receipt_that_fails_leaves_the_plain_words(stood_in: bool, caplog: pytest.LogCaptureFixture) -> None:
    assert told("done", CODE, receipt=broken, stood_in=stood_in, item="tea") == ["Done: pay (code: B-7, item: tea)."]
    assert told("it is B-7", CODE, receipt=broken, stood_in=stood_in, item="tea") == []
    assert "secret" not in caplog.text


@table(
    ("answer", "data", "sentences"),
    [
        ("done", CODE, ["Done: pay (code: B-7, item: tea)."]),
        ("it is B-7", CODE, []),
        ("tea for you", CODE, ["Done: pay (code: B-7, item: tea)."]),
        ("it is B-7", {**CODE, "desk": "north"}, ["Done: pay (code: B-7, item: tea, desk: north)."]),
        ("B-7, desk north", {**CODE, "desk": "north"}, []),
        ("tea, 5 coins", {"item": "tea", "price": 5}, ["Done: pay (item: tea, price: 5)."]),
        ("paid", None, ["Done: pay."]),
        ("paid", "B-7", ["Done: pay (B-7)."]),
        ("paid B-7", "B-7", []),
        ("paid", {"left": True, "note": "", "parts": ["x"], "at": {"desk": 2.5}}, ["Done: pay (desk: 2.5)."]),
    ],
)
def test_of_a_write_without_a_receipt_a_stand_in_tells_what_it_gave(
    answer: str, data: Any, sentences: list[str]
) -> None:
    assert told(answer, data, item="tea") == sentences
    assert told(answer, data, item="tea", stood_in=False) == []


def test_a_write_of_a_tool_that_is_no_more_is_told_plainly() -> None:
    assert told("done", CODE, tool="refund") == ["Done: refund (code: B-7, item: tea)."]
    assert told("done", CODE, tool="refund", stood_in=False) == []


def test_a_write_is_told_in_so_many_facts_and_letters() -> None:
    (sentence,) = told("done", {f"f{n}": n for n in range(20)})
    assert sentence.endswith("f10: 10, f11: 11).")
    assert told("done", 200 * "x") == [f"Done: pay ({200 * 'x'})."]
    assert told("done", f"a {200 * 'x'}") == [f"Done: pay (a {198 * 'x'}…)."]
    assert told("done", " a\n\tb ") == ["Done: pay (a b)."]


def unknown(tool: str) -> Any:
    error = {"code": "write_unknown", "message": "", "retryable": False}
    return {**outcome(tool, {"item": "cake"}, "error"), "error": error}


@pytest.mark.parametrize(
    ("ended", "effect", "calls"),
    [
        ([PAID, unknown("pay")], "write", "pay"),
        ([unknown("refund"), unknown("pay")], "write", "pay, refund"),
        ([PAID, FAILED], "write", ""),
        ([unknown("pay")], "read", ""),
    ],
)
def test_a_write_that_may_have_happened_is_told_as_unknown(ended: Any, effect: str, calls: str) -> None:
    text = "It is not known whether this was done. Please have it checked; it will not be sent again: "

    assert unknown_writes(ledger(*ended, effect=effect), "en") == (f"{text}{calls}." if calls else "")
