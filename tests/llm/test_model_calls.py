"""How a model's message is read, whichever interface of whichever provider it came through."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage

from wavegraph.graph.model_calls import has_ended, why_withheld


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
