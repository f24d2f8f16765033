"""Which faults of a model are tried again, after what pause and within what time, and how its message is read."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import httpx
import openai
import pytest
from langchain_core.exceptions import ModelAuthenticationError, ModelRateLimitError
from langchain_core.messages import AIMessage
from langgraph.errors import GraphInterrupt
from skipping import Stopwatch, skip
from tables import table

from wavegraph.graph.errors import ModelUnavailable, SettingsError
from wavegraph.graph.model.calls import why_withheld, with_retries
from wavegraph.graph.settings import Settings

REQUEST = httpx.Request("POST", "http://model/v1")
ANSWER, HANGS = "4 beds", "no answer"


@dataclass
class Tried:
    """How a call went: when each try began, and what came of it at what time."""

    at: list[float] = field(default_factory=list)
    ended: float = 0.0
    gave: Any = None
    raised: Exception | None = None


def tried(*comes: Any, within_s: float = float("inf"), **settings: Any) -> Tried:
    """The tries of a call that meets these, one after the other; each is raised, waited for, or the answer."""
    return skip(_tried(list(comes), within_s, Settings(**settings)))


async def _tried(comes: list[Any], within_s: float, settings: Settings) -> Tried:
    told, watch = Tried(), Stopwatch()

    async def call() -> Any:
        told.at.append(watch.seconds)
        come = comes.pop(0)
        if come is HANGS:
            await asyncio.Event().wait()
        if isinstance(come, Exception):
            raise come
        return come

    try:
        told.gave = await with_retries(call, settings=settings, within_s=within_s)
    except Exception as error:  # noqa: BLE001  the tests look at what was raised
        told.raised = error
    told.ended = watch.seconds
    return told


class Answered(Exception):
    """A provider's error with the answer it is about."""

    def __init__(self, status: Any, **headers: str) -> None:
        self.response = SimpleNamespace(
            status_code=status, headers={n.replace("_", "-"): v for n, v in headers.items()}
        )


class Coded(Exception):
    def __init__(self, status: Any) -> None:
        self.status_code = status


class Broken(ConnectionError):
    """One that would pass, by its kind."""

    def __init__(self, status: Any) -> None:
        self.status_code = status


class Api(openai.APIError):
    """A kind of its own."""


@table(
    "error",
    [
        *map(Coded, (408, 409, 425, 429, 500, 502, 503, 504, 529)), Answered(503), Broken(200), Broken("401"), Broken(299),
        TimeoutError(), ModelRateLimitError("slow"), httpx.ReadError("reset"), openai.APIConnectionError(request=REQUEST),
        openai.APIError("overloaded", REQUEST, body=None),
    ],
)  # fmt: skip
def test_what_may_pass_is_tried_again(error: Exception) -> None:
    assert (tried(error, ANSWER).gave, len(tried(error, ANSWER).at)) == (ANSWER, 2)


@table(
    ("error", "says"),
    [
        *((Coded(status), f"Coded, status {status}") for status in (400, 401, 403, 404, 407, 410, 422, 501, 505)),
        (Answered(401), "Answered, status 401"),
        (Broken(400), "Broken, status 400"),
        (ValueError("sk-1"), "ValueError"),
        (Coded("503"), "Coded"),
        (ModelAuthenticationError("sk-1"), "ModelAuthenticationError"),
        (Api("sk-1", REQUEST, body=None), "Api"),
    ],
)
def test_what_will_not_pass_is_told_at_once_and_by_its_kind_alone(error: Exception, says: str) -> None:
    told = tried(error)
    assert isinstance(told.raised, ModelUnavailable)
    assert str(told.raised) == f"the model cannot be used: {says}"


@pytest.mark.parametrize("error", [SettingsError("no model"), ModelUnavailable("none"), GraphInterrupt()], ids=repr)
def test_what_is_the_engines_own_passes_as_it_is(error: Exception) -> None:
    assert tried(error).raised is error


def asks(seconds: Any) -> Answered:
    return Answered(429, retry_after=str(seconds))


@dataclass(frozen=True)
class Paused:
    id: str
    comes: Callable[[], list[Any]]
    at: list[float]
    """When each try begins."""
    ended: float
    within_s: float = float("inf")


PAUSES = [
    Paused("as long as the server asks", lambda: [asks(7), asks(0.25), ANSWER], [0, 7, 7.25], 7.25),
    Paused("not at all, if it asks so", lambda: [asks(0), ANSWER], [0, 0], 0),
    Paused("as long as may be", lambda: [asks(20), ANSWER], [0, 20], 20),
    Paused("longer than may be", lambda: [asks(20.5)], [0], 0),
    Paused("less than nothing", lambda: [asks(-1)], [0], 0),
    Paused("as long as there is time", lambda: [asks(9), ANSWER], [0, 9], 9, within_s=10),
    Paused("till there is none", lambda: [asks(10)], [0], 0, within_s=10),
    Paused("a try that hangs is given up", lambda: [HANGS, asks(0), ANSWER], [0, 30.5, 30.5], 30.5),
    Paused("and with it all, where time has run out", lambda: [HANGS], [0], 10, within_s=10),
    Paused("also after the first", lambda: [asks(6), HANGS], [0, 6], 10, within_s=10),
]


@pytest.mark.parametrize("case", PAUSES, ids=lambda case: case.id)
def test_it_waits(case: Paused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "uniform", lambda low, high: (low + high) / 2)
    told = tried(*case.comes(), within_s=case.within_s, model_timeout_s=30)
    assert (told.at, told.ended) == (case.at, case.ended)
    assert isinstance(told.raised, ModelUnavailable) == (told.gave is None)


@pytest.mark.parametrize("error", [TimeoutError(), asks("Sun, 22 Nov 2026 12:00:00 GMT")], ids=["none", "date"])
def test_where_the_server_asks_for_no_pause_they_double_and_vary(error: Exception) -> None:
    random.seed(7)
    runs = [tried(*[error] * 9, ANSWER, model_attempts=10).at for _ in range(300)]
    for n, middle in enumerate([0.5, 1, 2, 4, 8, 16, 20, 20, 20]):
        pauses = [(at[n + 1] - at[n]) / middle for at in runs]
        assert 0.499 < min(pauses) < 0.6
        assert 1.4 < max(pauses) < 1.501


@table(
    ("message", "why"),
    [
        (AIMessage("x", response_metadata={"finish_reason": "MAX_TOKENS"}), "truncated"),
        (AIMessage("x", response_metadata={"stop_reason": "max_tokens"}), "truncated"),
        (AIMessage("x", response_metadata={"done_reason": "length"}), "truncated"),
        (AIMessage("x", response_metadata={"finish_reason": "SAFETY"}), "content_filter"),
        (AIMessage("", additional_kwargs={"refusal": "No."}), "refusal"),
        (AIMessage([{"type": "text", "text": "x"}, {"type": "refusal", "refusal": "No."}]), "refusal"),
        (AIMessage(["refusal"]), None),
    ],
)
def test_why_an_answer_is_not_whole_in_any_providers_words(message: AIMessage, why: str | None) -> None:
    assert why_withheld(message) == why
