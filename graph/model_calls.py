"""One call of a language model: retried while the fault may pass, counted, and read without trust."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx
import openai
from langchain_core.messages import AIMessage

from wavegraph.graph.domain import Meter
from wavegraph.graph.errors import ModelUnavailable, PlanError
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import ValidationIssue

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 20.0
_PASSING_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_PASSING = (TimeoutError, ConnectionError, httpx.TransportError, openai.APIConnectionError)
_T = TypeVar("_T")


async def retried(call: Callable[[], Awaitable[_T]], *, meter: Meter, settings: Settings) -> _T:
    """`call` until it succeeds; each try is counted and has `model_timeout_s`.

    Raises ModelUnavailable after `model_attempts` passing faults, or at once for a fault that will not
    pass; PlanError for an answer that was cut off or withheld.
    """
    for attempt in range(1, settings.model_attempts + 1):
        meter.llm_calls += 1
        try:
            async with asyncio.timeout(settings.model_timeout_s):
                return await call()
        except (openai.LengthFinishReasonError, openai.ContentFilterFinishReasonError) as error:
            reason = "length" if isinstance(error, openai.LengthFinishReasonError) else "content_filter"
            raise _withheld(reason) from None
        except (openai.APIError, *_PASSING) as error:
            if attempt == settings.model_attempts or not _may_pass(error):
                raise ModelUnavailable(f"the model cannot be reached: {type(error).__name__}") from None
            await asyncio.sleep(_pause(error, attempt))
    raise AssertionError("model_attempts is at least 1")


def _may_pass(error: Exception) -> bool:
    status = getattr(error, "status_code", None)
    return status in _PASSING_STATUS if status is not None else True


def _pause(error: Exception, attempt: int) -> float:
    """Seconds to wait: what the server asks for, else twice as long each time, with jitter."""
    headers = getattr(getattr(error, "response", None), "headers", {})
    asked = headers.get("retry-after", "") if headers else ""
    if asked.replace(".", "", 1).isdigit():
        return min(float(asked), LONGEST_PAUSE_S)
    doubled: float = FIRST_PAUSE_S * 2 ** (attempt - 1)
    return min(doubled, LONGEST_PAUSE_S) * random.uniform(0.5, 1.5)


def count_tokens(message: AIMessage, meter: Meter) -> None:
    usage = message.usage_metadata
    meter.input_tokens += usage["input_tokens"] if usage else 0
    meter.output_tokens += usage["output_tokens"] if usage else 0


def bad_output(rule: str, message: str) -> PlanError:
    issue: ValidationIssue = {
        "type": "broken_plan",
        "tool_id": "",
        "message": message,
        "severity": "critical",
        "rule": rule,
    }
    return PlanError([issue])


def json_object(message: AIMessage) -> dict[str, Any]:
    """The JSON object a model gave, as a tool call's arguments or as text. Raises PlanError saying why there is none."""
    reason = message.response_metadata.get("finish_reason")
    if message.additional_kwargs.get("refusal"):
        raise bad_output("refusal", "the model refused; plan what can be done, or refuse in `reply`")
    if reason in ("length", "content_filter"):
        raise _withheld(reason)
    if message.tool_calls:
        return dict(message.tool_calls[0]["args"])
    return _parsed(str(message.text))


def _withheld(reason: str) -> PlanError:
    if reason == "length":
        return bad_output("truncated", "the answer was cut off by the length limit; be briefer")
    return bad_output("content_filter", "the answer was withheld by a content filter; keep to the task")


def _parsed(text: str) -> dict[str, Any]:
    body = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
    try:
        found = json.loads(body)
    except json.JSONDecodeError as error:
        raise bad_output("malformed_json", f"not JSON: {error.msg} at character {error.pos}") from None
    if not isinstance(found, dict):
        raise bad_output("malformed_json", "the answer must be one JSON object")
    return found
