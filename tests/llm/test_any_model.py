"""Chat models of other providers: with tools, without, and with their own errors."""

import json
from collections.abc import Callable

import pytest
from inn import Inn
from langchain_core.exceptions import ModelAuthenticationError, ModelRateLimitError
from langchain_core.messages import AIMessage
from plans import ask, beds, plan

from wavegraph import build_graph
from wavegraph.testing import ScriptedModel

NIGHT = "2026-12-05"
TEXT = f"a bed on {NIGHT}"
GOOD = json.dumps(plan(beds("beds", NIGHT)))


@pytest.mark.parametrize("says", [GOOD, f"```json\n{GOOD}\n```", f"```\n{GOOD}\n```", f"Sure!\n{GOOD}"])
def test_a_model_without_tools_plans_in_text(says: str) -> None:
    model = ScriptedModel(says, "4 beds are free.", calls_tools=False)
    told = ask(build_graph(Inn().domain(), model=model).compile(), TEXT)
    assert (told["planner"], told["answer"]) == ("llm", "4 beds are free.")
    system = str(model.heard[0][0].content)
    assert '"instead_of"' in system, "a model that is given no schema has to read it"


def test_a_model_with_tools_is_asked_through_them() -> None:
    model = ScriptedModel(plan(beds("beds", NIGHT)), "4 beds are free.")
    told = ask(build_graph(Inn().domain(), model=model).compile(), TEXT)
    assert (told["planner"], told["answer"]) == ("llm", "4 beds are free.")
    assert '"instead_of"' not in str(model.heard[0][0].content)


@pytest.mark.parametrize(
    ("metadata", "rule"),
    [
        ({"stop_reason": "max_tokens"}, "truncated"),
        ({"finish_reason": "MAX_TOKENS"}, "truncated"),
        ({"done_reason": "length"}, "truncated"),
        ({"finish_reason": "SAFETY"}, "content_filter"),
    ],
)
def test_a_cut_off_plan_is_known_in_any_providers_words(metadata: dict[str, str], rule: str) -> None:
    model = ScriptedModel(AIMessage(GOOD, response_metadata=metadata), GOOD, "4 beds are free.")
    told = ask(build_graph(Inn().domain(), model=model).compile(), TEXT)
    assert (told["planner"], told["llm_calls"]) == ("llm", 3)
    assert f'"rule":"{rule}"' in str(model.heard[1][1].content)


class RateLimited(Exception):
    status_code = 429


class Unauthorised(Exception):
    status_code = 401


PASSING: list[Callable[[], Exception]] = [
    RateLimited,
    ConnectionResetError,
    TimeoutError,
    lambda: ModelRateLimitError("key sk-1 is slow"),
]
LASTING: list[Callable[[], Exception]] = [
    Unauthorised,
    lambda: ModelAuthenticationError("key sk-1 is wrong"),
    lambda: ValueError("sk-1"),
    lambda: KeyError("choices"),
]


@pytest.mark.parametrize("error", PASSING)
def test_another_providers_passing_error_is_tried_again(error: Callable[[], Exception]) -> None:
    told = ask(build_graph(Inn().domain(), model=ScriptedModel(error(), GOOD, "4 beds are free.")).compile(), TEXT)
    assert (told["planner"], told["llm_calls"]) == ("llm", 3)


@pytest.mark.parametrize("error", LASTING)
def test_another_providers_lasting_error_hands_over(
    error: Callable[[], Exception], caplog: pytest.LogCaptureFixture
) -> None:
    told = ask(build_graph(Inn().domain(), model=ScriptedModel(error())).compile(), TEXT)
    assert (told["planner"], told["outcome"], told["llm_calls"]) == ("rules", "answered", 1)
    assert "sk-1" not in f"{told.state}{caplog.text}"
    assert type(error()).__name__ in caplog.text


def test_a_model_that_cannot_stream_answers_in_one_piece() -> None:
    told = ask(build_graph(Inn().domain(), model=ScriptedModel(GOOD, "4 beds are free.")).compile(), TEXT)
    assert told.streamed == "4 beds are free."
    assert {chunk.id for chunk in told.chunks} == {told["messages"][-1].id}
