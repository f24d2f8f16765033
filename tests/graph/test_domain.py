"""Domains: what the engine reads off plain tools, and what it refuses at once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import pytest
from langchain_core.tools import BaseTool, InjectedToolArg, StructuredTool, tool
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    RootModel,
    ValidationError,
    field_serializer,
)
from pydantic.v1 import BaseModel as OldModel
from tables import table
from warehouse import Clerk

from wavegraph import Domain, DomainTool, SettingsError, build_graph, read
from wavegraph.graph.domain import NamedCheck
from wavegraph.graph.domain_tool import write
from wavegraph.graph.errors import explain
from wavegraph.graph.views import Meter
from wavegraph.testing import ScriptedPlanner, ref


@tool
def plain(n: int, m: int | None = None) -> dict[str, int]:
    """Plain."""
    return {"n": n}


class Scale(BaseTool):
    """A tool written as a class."""

    name: str = "scale"
    description: str = "Weigh"

    def _run(self, sku: str) -> int:
        return len(sku)


def domain(*tools: Any, **more: Any) -> Domain:
    return Domain(**{"name": "d", "tools": tools, "offline": Clerk(), **more})


def test_a_bare_tool_is_a_write() -> None:
    registry = domain(plain, read(Scale())).registry

    assert {name: found.effect for name, found in registry.items()} == {"plain": "write", "scale": "read"}


def test_settings_are_injected_and_hidden_from_planners() -> None:
    @tool
    def where(sku: str, settings: Annotated[Any, InjectedToolArg]) -> str:
        """Where."""
        return str(settings)

    made = DomainTool(where)

    assert list(made.arguments) == ["sku"]
    assert made.supplied == {"settings": "settings"}
    assert DomainTool(plain).supplied == {}


def strange_result() -> "Nowhere":  # type: ignore[name-defined]  # noqa: F821
    return 1


class NoSchema:
    pass


def opaque() -> NoSchema:
    """Opaque."""
    return NoSchema()


class OneArgument(BaseModel):
    n: int = 1


class OldArgument(OldModel):
    n: int = 1


@dataclass
class Odd:
    user: str = "u"


class Fluent(Clerk):
    plan = None  # type: ignore[assignment]


class Mute(Clerk):
    respond = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Refused:
    id: str
    tools: list[Any]
    says: str
    more: dict[str, Any]


REFUSED = [
    Refused("two of one name", [plain, read(plain)], "two tools with the same name", {}),
    Refused("a check for no tool", [plain], "unknown tools ['ghost']", {"checks": {"ghost": []}}),
    Refused(
        "arguments without names",
        [StructuredTool(name="j", description="j", func=lambda: 1, args_schema={"type": "string"})],
        "tool 'j': its args_schema names no arguments",
        {},
    ),
    Refused(
        "arguments of the pydantic before",
        [StructuredTool(name="o", description="o", func=lambda n: n, args_schema=OldArgument)],
        "tool 'o': its args_schema must be a pydantic model",
        {},
    ),
    Refused(
        "a result type nobody knows",
        [StructuredTool(name="s", description="s", func=strange_result, args_schema=OneArgument)],
        "tool 's'",
        {},
    ),
    Refused("a result type without schema", [tool(opaque)], "tool 'opaque'", {}),
    Refused(
        "a kind judged by what it does not have", [plain], "unknown criteria ['warmth']", {"kinds": {"k": ["warmth"]}}
    ),
    Refused("a name of nothing", [plain], 'name must be a text, such as "desk"; not 3', {"name": 3}),
    Refused("a prompt for nobody", [plain], "prompts for ['plann']; the roles are plan, ", {"prompts": {"plann": "x"}}),
    Refused("a prompt of nothing", [plain], "prompts must be texts by role, ", {"prompts": {"plan": 3}}),
    Refused("a criterion of nothing", [plain], "criteria must be what each asks, by name, ", {"criteria": {"x": 3}}),
    Refused(
        "a language by its code", [plain], "languages must be a list of Language(…); not 'en'", {"languages": "en"}
    ),
    Refused("languages by their codes", [plain], "languages must be a list of Language(…)", {"languages": ["en"]}),
    Refused("settings as a dataclass", [plain], "settings must be a subclass of Settings; ", {"settings": Odd}),
    Refused("workarounds as a script", [plain], "script must be Script(…), such as ", {"script": plain}),
    Refused("statements as a catalogue", [plain], "catalogue must be Sayable(…), ", {"catalogue": plain}),
    Refused("limits as a table", [plain], "limits must be Limits(…), such as Limits(", {"limits": {"max_waves": 2}}),
    Refused("an offline part that cannot plan", [plain], "no method 'plan'", {"offline": Fluent()}),
    Refused("an offline part that cannot answer", [plain], "no method 'respond'", {"offline": Mute()}),
]


@table("case", REFUSED)
def test_a_domain_that_cannot_work_is_refused_when_built(case: Refused) -> None:
    with pytest.raises(SettingsError) as refused:
        build_graph(domain(*case.tools, **case.more))

    assert case.says in str(refused.value)


def test_a_function_that_is_no_tool_is_named_with_the_way_out() -> None:
    with pytest.raises(
        SettingsError, match=r"domain 'd': <built-in function len> is not a tool; decorate .* with @tool"
    ):
        build_graph(domain(len))


async def find_plain(args: Any, settings: Any) -> None:
    """A look-up."""


class Finder:
    async def __call__(self, args: Any, settings: Any = None, *more: Any) -> None:
        """A look-up."""


def find_at_once(args: Any, settings: Any) -> None:
    """Not async."""


async def find_order(model: str, customer: str, shop: str) -> None:
    """With the arguments of the write."""


@pytest.mark.parametrize("look_up", [find_plain, Finder(), Finder().__call__, partial(find_order, shop="x")])
def test_a_look_up_is_async_and_takes_two(look_up: Any) -> None:
    assert write(plain, look_up=look_up).look_up is look_up


@table(
    ("look_up", "named"),
    [
        (find_at_once, "<function find_at_once"),
        (find_order, "<function find_order"),
        ("find_plain", "'find_plain'"),
        (len, "<built-in function len>"),
        (partial(find_plain, 1), "functools.partial("),
    ],
)
def test_any_other_look_up_is_refused_at_once_with_the_way_out(look_up: Any, named: str) -> None:
    says = "tool 'plain': look_up must be `async def look_up(args, settings)`: "
    with pytest.raises(SettingsError) as refused:
        write(plain, look_up=look_up)
    assert str(refused.value).startswith(says)
    assert f"; not {named}" in str(refused.value)


def test_an_offline_part_without_its_methods_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"domain 'd': its offline part .* has no method 'plan'"):
        build_graph(Domain(name="d", tools=[plain], offline=object()))  # type: ignore[arg-type]


# Arguments


class Stay(BaseModel):
    nights: Annotated[int, Field(ge=1)] = 1
    note: str | None = None


class Booking(BaseModel):
    name: str
    guests: Annotated[int, Field(ge=1)] = 2
    stay: Stay = Stay()
    wishes: list[str] = Field(default_factory=lambda: ["quiet"])
    until: str | None


@tool(args_schema=Booking)
def book(**given: Any) -> None:
    """Book."""


BOOK = DomainTool(book)
FROM = ref("a", "name")
DEFAULTS = {"guests": 2, "stay": {"nights": 1}, "wishes": ["quiet"]}


@table("name", ["Dana", FROM])
@table(
    ("args", "spelt"),
    [
        ({"until": None}, {}),
        ({"until": "noon", "guests": "3"}, {"until": "noon", "guests": 3}),
        ({"until": None, "guests": None, "stay": None, "wishes": None}, {}),
        ({"until": "noon", "stay": {"nights": "2", "note": None}}, {"until": "noon", "stay": {"nights": 2}}),
        ({"until": "noon", "colour": None}, {"until": "noon"}),
    ],
)
def test_arguments_are_spelt_as_their_model_has_them(name: Any, args: Any, spelt: Any) -> None:
    assert BOOK.checked_args({"name": name, **args}) == {"name": name, **DEFAULTS, **spelt}


@table("name", ["Dana", FROM])
@table(
    ("args", "says"),
    [
        ({"guests": 2}, "until = "),
        ({"until": "noon", "guests": 0}, "guests = 0: Input should be greater than or equal to 1"),
        ({"until": "noon", "stay": {"nights": "x"}}, "stay.nights = 'x': Input should be a valid integer"),
        ({"until": 7, "guests": 1}, "until = 7: Input should be a valid string"),
    ],
)
def test_arguments_that_the_model_does_not_take_are_named(name: Any, args: Any, says: str) -> None:
    with pytest.raises(ValidationError) as refused:
        BOOK.checked_args({"name": name, **args})

    assert says in explain(refused.value)


# What a validator reads


def spelt_out(value: Any) -> Any:
    return value


class Free(BaseModel):
    """Its fields are read by a function, wherever it is referred to."""

    word: Annotated[str, BeforeValidator(spelt_out)]
    more: "list[Free]" = []


class Chain(BaseModel):
    name: str
    next: "Chain | None" = None


class Told(BaseModel):
    noted: Annotated[str, Field(json_schema_extra={"examples": [{"type": "function-before"}]})]
    shown: Annotated[str, PlainSerializer(str.upper)]


class Both(BaseModel):
    free: Free
    chain: Chain
    plain: int


class Many(BaseModel):
    name: str
    chain: Chain
    next: "Many | None" = None


class Mixed(BaseModel):
    chain: Chain
    word: Annotated[str, BeforeValidator(spelt_out)]
    next: "Mixed | None" = None


class Bare(RootModel[dict[str, int]]):
    pass


@table(
    ("model", "place", "types"),
    [
        (Told, ["noted"], ["string"]),
        (Told, ["shown"], ["string"]),
        (Both, ["plain"], ["integer"]),
        (Both, ["free"], ["object"]),
        (Both, ["free", "word"], None),
        (Many, ["name"], ["string"]),
        (Many, ["chain", "next", "name"], ["string"]),
        (Mixed, ["word"], None),
        (Bare, ["root"], ["integer"]),
    ],
)
def test_only_what_a_validator_reads_by_itself_is_undeclared(model: Any, place: Any, types: Any) -> None:
    assert read(tool(args_schema=model)(opaque)).takes(place) == (types and {"types": types})


# Results


class Alias(BaseModel):
    plain: int = Field(alias="itsAlias")


class Dumped(Alias):
    model_config = ConfigDict(serialize_by_alias=True)


class Wrapped(BaseModel):
    amount: int

    @field_serializer("amount", mode="wrap")
    def _as_record(self, value: int, usual: Any):  # type: ignore[no-untyped-def]
        return {"value": value}


class Noted(BaseModel):
    amount: Annotated[int, Field(json_schema_extra={"serialization": "plain"})]


@table(
    ("result", "fields"),
    [
        (Stay, [["nights", "note"]]),
        (Alias, [["plain"], ["itsAlias"]]),
        (Dumped, [["itsAlias"], ["plain"]]),
        (Noted, [["amount"]]),
        (Wrapped, [["amount"]]),
        (Callable[[], int], []),
    ],
)
def test_what_is_declared_of_a_result(result: Any, fields: Any) -> None:
    found = DomainTool(plain, result=result).result_schemas

    assert [list(schema["properties"]) for schema in found] == fields


class Held(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    it: NoSchema


def test_of_arguments_that_have_no_schema_nothing_is_declared() -> None:
    assert DomainTool(tool(args_schema=Held)(opaque)).argument_schema == {}


def test_what_models_were_used_for_is_added_by_role_and_model_also_to_an_earlier_version_s() -> None:
    def use(calls: int, tokens: int) -> Any:
        return {"calls": calls, "input": tokens, "output": tokens, "cached": 0, "reasoning": 1}

    used: Any = {"usage": {"planner m": {**use(1, 10), "cost": "0.1"}, "responder m": use(1, 5)}}
    more = {"planner m": use(2, 7), "planner n": use(1, 1)}
    assert Meter(usage=more).added_to(used)["usage"] == {
        "planner m": {**use(3, 17), "reasoning": 2},
        "responder m": use(1, 5),
        "planner n": use(1, 1),
    }
    assert Meter(usage=more).added_to({})["usage"] == more, "a request that an earlier version began"
    assert Meter().added_to(used) == {}


async def _async_check(result: Any, call: Any) -> list[Any]:
    return []


class _AsyncObject:
    async def __call__(self, result: Any, call: Any) -> list[Any]:
        return []


@table(
    ("checks", "why"),
    [
        ({"look": len}, r"checks\['look'\] = <built-in function len>: give a list of checks"),
        ({"look": "len"}, r"checks\['look'\] = 'len': give a list of checks"),
        ({"look": [None]}, r"checks\['look'\] has None: a check is a plain function"),
        ([len], r"checks = \[<built-in function len>\]: give a dict"),
        ({"look": [_async_check]}, "has <function _async_check .*: a check is a plain function"),
        ({"look": [partial(_async_check, call=None)]}, "a plain function"),
        ({"look": [_AsyncObject()]}, "a plain function"),
        ({"look": [NamedCheck("late", _async_check)]}, "has NamedCheck.name='late'.*: a check is a plain function"),
    ],
)
def test_checks_that_cannot_be_any_are_refused(checks: Any, why: str) -> None:
    def look(word: str) -> str:
        """Look."""
        return word

    with pytest.raises(SettingsError, match=f"domain 'd': .*{why}"):
        build_graph(Domain(name="d", tools=[read(look)], checks=checks), planner=ScriptedPlanner())
