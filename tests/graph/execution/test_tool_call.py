"""A call's arguments on their way into a tool: held against their model once, and what the function is given."""

from collections.abc import Callable
from datetime import date
from typing import Annotated, Any

import pytest
from langchain_core.tools import BaseTool, InjectedToolArg, tool
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    ValidationError,
    field_serializer,
    field_validator,
)
from runs import ask
from tables import table
from warehouse import Warehouse

from wavegraph import Domain, Settings, ToolRefusal, read
from wavegraph.testing import ScriptedPlanner, call, planning, ref

Run = Annotated[Settings, InjectedToolArg]


class Counted:
    """What was held against a model, and what a function was given."""

    def __init__(self) -> None:
        self.checked: list[Any] = []
        self.given: list[Any] = []


def model(seen: Counted) -> type[BaseModel]:
    class Search(BaseModel):
        day: date
        tags: list[str] = Field(default_factory=lambda: ["any"])
        note: str | None = None

        @field_validator("day")
        @classmethod
        def _seen(cls, value: date) -> date:
            seen.checked.append(value)
            return value

    return Search


def plain(seen: Counted) -> BaseTool:
    @tool("search", args_schema=model(seen))
    def search(day: date, tags: list[str], note: str | None = None) -> dict[str, Any]:
        """Search."""
        seen.given.append((day, list(tags), note))
        return {"day": day.isoformat()}

    return search


def waiting(seen: Counted) -> BaseTool:
    @tool("search", args_schema=model(seen))
    async def search(settings: Run, **search: Any) -> dict[str, Any]:
        """Search."""
        assert settings.language == "en"
        seen.given.append((search["day"], search["tags"], search["note"]))
        return {"day": search["day"].isoformat()}

    return search


def own_class(seen: Counted) -> BaseTool:
    class Search(BaseTool):
        name: str = "search"
        description: str = "Search."
        args_schema: Any = model(seen)

        def _run(self, day: date, tags: list[str], note: str | None = None) -> dict[str, Any]:
            seen.given.append((day, tags, note))
            return {"day": day.isoformat()}

    return Search()


def domain(*tools: BaseTool) -> Domain:
    return Domain(name="desk", tools=[read(each) for each in tools], offline=Warehouse().domain().offline)


def asked(of: Domain, *calls: Any) -> Any:
    return ask(of, ScriptedPlanner(planning(*calls)), context={"language": "en", "max_adaptations": 0})


@pytest.mark.parametrize("make", [plain, waiting, own_class])
def test_arguments_are_held_against_their_model_once_after_the_plan_check(make: Callable[[Counted], BaseTool]) -> None:
    seen = Counted()

    ended = asked(domain(make(seen)), call("a", "search", day="2026-05-01", tags=["sea"]))

    assert ended["results"]["a"]["status"] == "ok"
    assert (
        seen.checked == [date(2026, 5, 1)] * 2
    )  # where the plan is checked, and where the function is given its values
    assert seen.given == [(date(2026, 5, 1), ["sea"], None)]


def test_a_value_that_a_reference_brings_is_held_against_the_model_once() -> None:
    seen = Counted()

    @tool
    def look() -> dict[str, Any]:
        """Look."""
        return {"day": "2026-05-01", "no_day": "soon"}

    ended = asked(domain(look, plain(seen)), call("l", "look"), call("a", "search", day=ref("l", "day")),
                  call("b", "search", day=ref("l", "no_day")))  # fmt: skip

    assert seen.checked == [date(2026, 5, 1)]
    assert (ended["results"]["a"]["status"], ended["results"]["b"]["status"]) == ("ok", "skipped")
    assert ended["results"]["b"]["error"]["message"].startswith("search was not called: day")


def test_another_try_is_given_arguments_that_the_first_did_not_touch() -> None:
    seen = Counted()

    @tool("search", args_schema=model(seen))
    def search(day: date, tags: list[str], note: str | None = None) -> dict[str, Any]:
        """Search."""
        seen.given.append(list(tags))
        tags.append("tried")
        if len(seen.given) < 2:
            raise ToolRefusal("busy", "later", retryable=True)
        return {"day": day.isoformat()}

    ended = asked(domain(search), call("a", "search", day="2026-05-01", tags=["sea"]))

    assert (ended["results"]["a"]["status"], ended["results"]["a"]["attempts"]) == ("ok", 2)
    assert seen.given == [["sea"], ["sea"]]


def prefixed(text: str) -> str:
    if text.startswith("X-"):
        raise ValueError("already prefixed")
    return f"X-{text}"


class Price(BaseModel):
    euros: float
    note: str = Field(exclude=True)
    room: int | None = 7

    @field_serializer("euros")
    def _rounded(self, euros: float) -> int:
        return round(euros)


@tool
def take(
    n: Annotated[int, AfterValidator(lambda n: n + 1)] = 0,
    text: Annotated[str, AfterValidator(prefixed)] = "",
    price: Price | None = None,
    room: int | None = 7,
    tags: set[str] | None = None,
) -> dict[str, Any]:
    """Take it."""
    return {"n": n, "text": text, "price": dict(price) if price else None, "room": room, "tags": sorted(tags or ())}


@tool
def tidy(tags: set[str], rooms: int = 1) -> None:
    """Tidy up."""


TIDY = read(tidy)
PLANNED = [
    ({"n": 1}, {"n": 2}),
    ({"n": "1"}, {"n": 2}),
    ({"text": "a"}, {"text": "X-a"}),
    ({"price": {"euros": 10.49, "note": "a"}}, {"price": {"euros": 10.49, "note": "a", "room": 7}}),
    ({"price": {"euros": 1, "note": "", "room": None}}, {"price": {"euros": 1.0, "note": "", "room": None}}),
    ({"room": None}, {"room": None}),
    ({"room": 3}, {"room": 3}),
    ({"tags": ["b", "a", "b"]}, {"tags": ["a", "b"]}),
    ({"n": 4, "text": "b", "room": None, "tags": ["a"]}, {"n": 5, "text": "X-b", "room": None, "tags": ["a"]}),
]


@table("beside", [{}, {"tags": ref("l", "tags")}])
@table(("planned", "given"), PLANNED)
def test_a_tool_gets_what_its_model_makes_of_the_plan_once(
    planned: dict[str, Any], given: dict[str, Any], beside: dict[str, Any]
) -> None:
    @tool
    def look() -> dict[str, Any]:
        """Look."""
        return {"tags": ["a", "b"]}

    result = asked(domain(look, take), call("l", "look"), call("a", "take", **{**beside, **planned}))["results"]["a"][
        "data"
    ]

    left_out = {"n": 0, "text": "", "price": None, "room": 7, "tags": ["a", "b"] if beside else []}
    assert result == {**left_out, **given}


def test_what_is_stored_of_arguments_is_their_models_spelling_or_what_was_planned() -> None:
    held = domain(take).registry["take"]
    planned = {"n": 1, "tags": ["b", "b"], "room": None}  # what its model makes of `n` would be read as another
    assert held.checked_args(planned) == planned
    assert TIDY.checked_args({"tags": ["b", "b"]}) == {"tags": ["b"], "rooms": 1}


@pytest.mark.parametrize("bad", [2**70, -(2**64), float("nan"), float("inf")], ids=str)
def test_an_argument_that_nothing_can_store_is_a_fault_of_the_plan(bad: Any) -> None:
    for args in ({"n": bad}, {"price": {"euros": bad, "note": ""}}):
        with pytest.raises(ValidationError, match=r"more than 64 bits cannot be stored|a finite number is expected"):
            domain(take).registry["take"].checked_args(args)
    planner = ScriptedPlanner(planning(call("a", "take", n=bad)), planning(call("a", "take", n=1)))
    ended = ask(domain(take), planner, checkpointer=InMemorySaver())
    assert ended["results"]["a"]["data"]["n"] == 2


class Aliased(BaseModel):
    stay_from: date = Field(alias="from")
    nights: Annotated[int, AfterValidator(lambda n: n + 1)] = Field(1, validation_alias="forNights")


@tool(args_schema=Aliased)
def stay(stay_from: date, nights: int) -> list[Any]:
    """Stay."""
    return [stay_from, nights]


@pytest.mark.parametrize("names", [("from", "forNights"), ("stay_from", "nights")], ids=["aliases", "fields"])
def test_an_argument_is_planned_by_its_alias_or_by_its_name(names: tuple[str, str]) -> None:
    ended = asked(domain(stay), call("a", "stay", **{names[0]: "2026-05-01", names[1]: 2}))
    assert ended["results"]["a"]["data"] == ["2026-05-01", 3]
    assert ended["results"]["a"]["args"] == {"stay_from": "2026-05-01", "nights": 2}


def test_a_parameter_named_settings_needs_no_type() -> None:
    @tool
    def speak(word: str, settings) -> str:  # type: ignore[no-untyped-def]
        """Speak."""
        return f"{word} in {settings.language}"

    assert asked(domain(speak), call("a", "speak", word="hi"))["results"]["a"]["data"] == "hi in en"
