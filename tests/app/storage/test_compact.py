"""Stored messages are made without validating them again, and are the same that LangGraph's own serializer makes."""

from datetime import date
from decimal import Decimal
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage, ToolMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from tables import table

from wavegraph.app.storage.serializer import CompressingSerializer
from wavegraph.graph._langgraph import DeltaSnapshot

CALL: Any = {"name": "look", "args": {"item": "bolt"}, "id": "c1", "type": "tool_call"}
SPENT: Any = {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}
MESSAGES = {
    "a person's": HumanMessage("hello", id="1"),
    "in blocks": HumanMessage([{"type": "text", "text": "hello"}, "and more"], id="1", name="Dana"),
    "marked": HumanMessage("yes", id="1", additional_kwargs={"wavegraph_reply": True}),
    "an answer": AIMessage("hello " * 200, id="2"),
    "with calls": AIMessage("", id="2", tool_calls=[CALL], usage_metadata=SPENT, response_metadata={"model": "m"}),
    "without an id": AIMessage("hello"),
    "a chunk": AIMessageChunk("hel", id="3"),
    "a tool's": ToolMessage("7", tool_call_id="c1", id="4"),
    "a system's": SystemMessage("be kind", id="5"),
    "with a field of its own": HumanMessage("hello", id="6", mood="good"),  # type: ignore[call-arg]
}


@table("message", MESSAGES.values())
def test_a_message_is_the_one_that_langgraph_makes(message: Any) -> None:
    stored = CompressingSerializer().dumps_typed([message])
    [ours] = CompressingSerializer().loads_typed(stored)
    [theirs] = JsonPlusSerializer().loads_typed(JsonPlusSerializer().dumps_typed([message]))
    assert (type(ours), ours) == (type(theirs), theirs)
    assert vars(ours) == vars(theirs)
    assert ours.__pydantic_fields_set__ == theirs.__pydantic_fields_set__
    assert (ours.__pydantic_extra__, ours.__pydantic_private__) == (
        theirs.__pydantic_extra__,
        theirs.__pydantic_private__,
    )
    assert ours.model_dump() == message.model_dump()
    assert ours.model_copy(update={"id": "new"}).id == "new"
    assert str(ours.text) == str(message.text)


def test_so_are_those_of_a_whole_thread() -> None:
    serde, all_of_them = CompressingSerializer(), list(MESSAGES.values())
    found = serde.loads_typed(serde.dumps_typed({"channel_values": {"messages": DeltaSnapshot(all_of_them)}}))
    assert found["channel_values"]["messages"] == DeltaSnapshot(all_of_them)


def test_two_readings_share_nothing() -> None:
    serde = CompressingSerializer()
    stored = serde.dumps_typed(MESSAGES["marked"])
    one, other = (serde.loads_typed(stored) for _ in range(2))
    one.additional_kwargs["wavegraph_reply"] = one.content = False
    assert other == MESSAGES["marked"]


def test_a_message_of_other_fields_is_validated() -> None:
    """As another version of LangChain stored it: with a field less, its default is filled in."""
    serde = CompressingSerializer()
    kind, stored = JsonPlusSerializer().dumps_typed(HumanMessage("hello", id="1"))
    fewer = stored.replace(b"\x86", b"\x85", 1).replace(b"\xa4name\xc0", b"", 1)
    fewer = fewer.replace(bytes([stored[1]]), bytes([stored[1] - 6]), 1)  # the length of what is wrapped
    assert len(fewer) == len(stored) - 6
    assert serde.loads_typed((kind, fewer)) == HumanMessage("hello", id="1")


def test_values_of_other_kinds_are_langgraphs_own() -> None:
    serde = CompressingSerializer()
    for value in ({1: "a", "b": (2, {3})}, Decimal("1.5"), date(2026, 5, 1), {"deep": [{"set": frozenset({1})}]}):
        theirs = JsonPlusSerializer().loads_typed(JsonPlusSerializer().dumps_typed(value))
        assert serde.loads_typed(serde.dumps_typed(value)) == theirs
