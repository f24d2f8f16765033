"""What goes before and after a write: whether it was done already, who agrees, and whether it happened after all."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
from alone import Alone, alone
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from runs import compiled, human
from scripted import planned
from skipping import jump
from till import Till, till_asking
from warehouse import Warehouse

from wavegraph import Settings, ToolRefusal, build_graph
from wavegraph.graph.approval import hash_of
from wavegraph.graph.domain_tool import write
from wavegraph.graph.execution.tool_call import CallEnd
from wavegraph.graph.execution.write import LOOKS_UP_WITHIN_S, settled_write
from wavegraph.graph.ledger import signature
from wavegraph.graph.state import WaveCall
from wavegraph.nodes.execute_wave import execute_wave

ARGS = {"item": "tea", "who": "Dana"}
KEY = signature("pay", ARGS)
PAY = planned("pay", "pay", "write", **ARGS)
TERMS: Any = {"details": {"item": "tea", "price": 4}, "valid_until": None}
HASH = hash_of("pay", ARGS, TERMS["details"])
RECEIPT = {"item": "tea", "price": 4, "who": "Dana", "number": 1}
ASKED: Any = {"call": "pay", "tool": "pay", "args": ARGS, "terms": TERMS, "terms_hash": HASH, "number": 1,
              "decision": None, "reason": "", "changed_from": None, "settings": {}}  # fmt: skip


def paying(approval: Any = None, **more: Any) -> WaveCall:
    made: Any = {"request_id": "m1", "wave": 1, "call": PAY, "signature": KEY, "run": 1, "attempts": 2,
                 "timeout_s": 20.0, "approval": approval, **more}  # fmt: skip
    return made  # type: ignore[no-any-return]


async def paid(till: Till, call: WaveCall, **changes: Any) -> Alone:
    domain = till_asking(till, **changes) if changes else till.domain()
    return await alone(execute_wave, call, build_graph(domain).agent)


def outcome_of(found: Alone) -> Any:
    return found.update["ledger"]["outcomes"][KEY]


def agreed(**changes: Any) -> Any:
    return {**ASKED, "decision": "approve", **changes}


# Before it is sent


async def test_a_write_that_was_done_already_is_not_sent() -> None:
    till = Till()
    await paid(till, paying(agreed()))
    found = await paid(till, paying())

    assert till.ran() == ["prepare:tea", "pay:tea"]
    assert (outcome_of(found)["status"], outcome_of(found)["data"]) == ("ok", RECEIPT)
    assert [event["event"] for event in found.events] == ["tool_started", "tool_finished"]


@pytest.mark.parametrize(
    ("error", "tries", "retryable"), [(OSError("address"), 1, False), (ConnectionError("address"), 2, True)]
)
async def test_a_look_up_that_fails_keeps_it_from_being_sent(error: Exception, tries: int, retryable: bool) -> None:
    async def down(args: Any, settings: Any) -> None:
        raise error

    till = Till()
    till.look_up = down  # type: ignore[method-assign]
    found = outcome_of(await paid(till, paying(agreed())))

    message = f"pay failed with {type(error).__name__}"
    assert (found["status"], found["attempts"], till.ran()) == ("error", tries, [])
    assert found["error"] == {"code": "tool_error", "message": message, "retryable": retryable}


async def test_a_person_is_asked_with_the_exact_terms() -> None:
    till = Till()
    found = await paid(till, paying(settings={"language": "he"}))

    assert found.update == {"approvals": {KEY: {**ASKED, "settings": {"language": "he"}}}}
    assert found.events == [{"event": "approval_asked", "id": "pay", "tool": "pay", "number": 1}]
    assert (await paid(Till(), paying())).update == {"approvals": {KEY: ASKED}}


async def test_a_yes_to_these_terms_sends_it() -> None:
    till = Till()
    found = outcome_of(await paid(till, paying(agreed())))

    assert (found["status"], found["data"], till.ran()) == ("ok", RECEIPT, ["prepare:tea", "pay:tea"])


async def test_a_write_that_nobody_needs_to_agree_to_is_sent() -> None:
    house = Warehouse()
    move = planned("m", "move", "write", sku="bolt")
    call: Any = {**paying(), "call": move, "signature": "s"}

    found = await alone(execute_wave, call, build_graph(house.domain()).agent)

    assert found.update["ledger"]["outcomes"]["s"]["status"] == "ok"
    assert house.moves == [("bolt", 1)]


OLD: Any = {"terms": {**TERMS, "details": {"item": "tea", "price": 3}}, "terms_hash": "old"}
MOVED = {"args": ARGS, "details": {"item": "tea", "price": 3}}


@pytest.mark.parametrize(
    ("before", "number", "moved"),
    [
        (agreed(**OLD), 2, MOVED),
        (agreed(**OLD, number=2), 3, MOVED),
        ({**ASKED, "decision": "reject"}, 2, None),
        (ASKED, 2, None),
    ],
    ids=["yes to other terms", "yes to other terms again", "no", "nothing said"],
)
async def test_anything_else_is_asked_again(before: Any, number: int, moved: Any) -> None:
    till = Till()
    found = await paid(till, paying(before))

    assert found.update == {"approvals": {KEY: {**ASKED, "number": number, "changed_from": moved}}}
    assert found.events[0]["number"] == number
    assert till.ran() == ["prepare:tea"]


async def test_terms_that_moved_each_time_end_it_and_what_was_kept_is_given_back() -> None:
    till = Till()
    found = outcome_of(await paid(till, paying(agreed(**OLD, number=3))))

    message = "the terms of pay changed each time they were agreed to"
    assert found["error"] == {"code": "terms_moved", "message": message, "retryable": False}
    assert (found["status"], found["attempts"], till.ran()) == ("error", 0, ["prepare:tea", "release:tea"])


@pytest.mark.parametrize(("before", "log"), [(None, []), (agreed(), ["release:tea"])], ids=["at first", "after a yes"])
async def test_what_cannot_be_had_is_not_asked_about(before: Any, log: list[str]) -> None:
    till = Till(prices={})
    found = outcome_of(await paid(till, paying(before)))

    assert found["error"] == {"code": "sold_out", "message": "no tea left", "retryable": False}
    assert till.ran() == ["prepare:tea", *log]


@pytest.mark.parametrize(
    ("saver", "configurable"),
    [(None, {}), (InMemorySaver(), {"wavegraph_keeps_nothing": True})],
    ids=["no checkpointer", "one that ends with the run"],
)
async def test_where_nobody_could_answer_nobody_is_asked(saver: Any, configurable: dict[str, Any]) -> None:
    till = Till()
    config: RunnableConfig = {"configurable": {"thread_id": "t", **configurable}}
    ended = await compiled(till.domain(), checkpointer=saver).ainvoke(human("pay tea for Dana"), config)

    message = "pay needs a person's approval, but a run without a checkpointer cannot wait for one"
    error = {"code": "approval_impossible", "message": message, "retryable": False}
    assert (ended["results"]["pay"]["error"], till.ran()) == (error, [])


# After it was sent

MOVE = planned("m", "move", "write", sku="bolt", units=1, to="dock")
FOUND = {"sku": "bolt", "units": 1, "ticket": "T"}
UNKNOWN = "move did not end within 1 s; it may or may not have happened"


def failed(code: str, retryable: bool, message: str = f"{UNKNOWN}, look it up") -> CallEnd:
    return CallEnd("timeout", None, {"code": code, "message": message, "retryable": retryable}, 1)


@dataclass(frozen=True)
class Case:
    id: str
    ended: CallEnd
    finds: Any = None
    ends: CallEnd | None = None
    """None = as it was."""
    looked: bool = True


NOT_FOUND = f"{UNKNOWN}; a look-up right after it did not find it"
CASES = [
    Case("it ended well", CallEnd("ok", FOUND, None, 1), FOUND, looked=False),
    Case("it was refused for good", failed("closed", False, "closed"), FOUND, looked=False),
    Case("found", failed("write_unknown", True), FOUND, CallEnd("ok", FOUND, None, 1)),
    Case("found, though it may not be sent again", failed("write_unknown", False), FOUND, CallEnd("ok", FOUND, None, 1)),
    Case("found behind another failure", failed("tool_error", True, "move failed"), FOUND, CallEnd("ok", FOUND, None, 1)),
    Case("not found", failed("write_unknown", True), None, failed("timeout", True, NOT_FOUND)),
    Case("not found, and it may still run", failed("write_unknown", False)),
    Case("not found behind another failure", failed("busy", True, "later"), None,
         failed("busy", True, "later; a look-up right after it did not find it")),
    Case("the look-up fails", failed("write_unknown", True), OSError("address"), failed("write_unknown", False)),
    Case("the look-up refuses", failed("busy", True, "later"), ToolRefusal("down", "x"), failed("busy", False, "later")),
    Case("the look-up finds what does not fit", failed("write_unknown", True), {"sku": 1}, failed("write_unknown", False)),
    Case("the look-up is slow", failed("write_unknown", True), LOOKS_UP_WITHIN_S + 0.1, failed("write_unknown", False)),
    Case("the look-up takes a moment", failed("write_unknown", True), 0.1, failed("timeout", True, NOT_FOUND)),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
async def test_what_a_look_up_finds_of_a_write_that_failed(case: Case) -> None:
    looked: list[Any] = []

    async def look_up(args: Any, settings: Any) -> Any:
        looked.append(args)
        if isinstance(case.finds, Exception):
            raise case.finds
        if isinstance(case.finds, float):
            jump(case.finds)
            for _ in range(3):  # a limit that is over is noticed in the next turn of the loop
                await asyncio.sleep(0)
            return None
        return case.finds

    call: Any = {**paying(), "call": MOVE, "signature": "s"}
    tool = write(Warehouse().tools()[4], look_up=look_up)

    assert await settled_write(case.ended, tool, call, Settings()) == (case.ends or case.ended)
    assert looked == ([MOVE["args"]] if case.looked else [])


async def test_without_a_look_up_it_stays_as_it_ended() -> None:
    call: Any = {**paying(), "call": MOVE, "signature": "s"}

    assert await settled_write(failed("busy", True), write(Warehouse().tools()[4]), call, Settings()) == failed(
        "busy", True
    )
