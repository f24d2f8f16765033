"""Domains: what the engine reads off plain tools, and what it refuses at once."""

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from langchain_core.tools import BaseTool, InjectedToolArg, StructuredTool, tool
from pydantic import BaseModel, Field, ValidationError
from warehouse import Clerk, Warehouse

from wavegraph import Domain, DomainTool, Settings, SettingsError, build_graph, read


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


class AsyncScale(Scale):
    async def _arun(self, sku: str) -> int:
        return len(sku)


def domain(*tools: Any, **more: Any) -> Domain:
    return Domain(name="d", tools=tools, offline=Clerk(), **more)


def test_a_bare_tool_is_a_write() -> None:
    registry = domain(plain, read(Scale())).registry

    assert {name: found.effect for name, found in registry.items()} == {"plain": "write", "scale": "read"}


@pytest.mark.parametrize(
    ("made", "is_async"),
    [(plain, False), (Scale(), False), (AsyncScale(), True), (Warehouse().tools()[0], True)],
    ids=["function", "class", "async class", "coroutine"],
)
def test_sync_and_async_tools_are_told_apart(made: BaseTool, is_async: bool) -> None:
    assert DomainTool(made).is_async is is_async


def test_the_result_type_is_the_annotation_unless_given() -> None:
    @tool
    def bounded() -> Annotated[int, Field(ge=0)]:
        """Bounded."""
        return -1

    assert DomainTool(plain).result_adapter.validate_python({"n": "3"}) == {"n": 3}
    assert DomainTool(plain, result=str).result_adapter.validate_python("x") == "x"
    with pytest.raises(ValidationError):
        DomainTool(bounded).result_adapter.validate_python(-1)


def test_settings_are_injected_and_hidden_from_planners() -> None:
    @tool
    def where(sku: str, settings: Annotated[Any, InjectedToolArg]) -> str:
        """Where."""
        return str(settings)

    made = DomainTool(where)

    assert list(made.arguments) == ["sku"]
    assert made.injected == ["settings"]


def strange_result() -> "Nowhere":  # type: ignore[name-defined]  # noqa: F821
    return 1


class NoSchema:
    pass


def opaque() -> NoSchema:
    """Opaque."""
    return NoSchema()


class OneArgument(BaseModel):
    n: int = 1


@dataclass(frozen=True)
class Refused:
    id: str
    tools: list[Any]
    says: str
    more: dict[str, Any]


REFUSED = [
    Refused("two of one name", [plain, read(plain)], "two tools of one name", {}),
    Refused("a check for no tool", [plain], "unknown tools ['ghost']", {"checks": {"ghost": []}}),
    Refused(
        "arguments as a bare JSON schema",
        [StructuredTool(name="j", description="j", func=lambda: 1, args_schema={"type": "object", "properties": {}})],
        "tool 'j'",
        {},
    ),
    Refused(
        "a result type nobody knows",
        [StructuredTool(name="s", description="s", func=strange_result, args_schema=OneArgument)],
        "tool 's'",
        {},
    ),
    Refused("a result type without schema", [tool(opaque)], "tool 'opaque'", {}),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_a_domain_that_cannot_work_is_refused_when_built(case: Refused) -> None:
    with pytest.raises(SettingsError) as refused:
        build_graph(domain(*case.tools, **case.more))

    assert case.says in str(refused.value)


def test_the_settings_of_a_domain_are_the_context_of_its_graph() -> None:
    class Own(Settings):
        dock: str = "north"

    schema = build_graph(domain(plain, settings=Own)).compile().get_context_jsonschema()

    assert schema is not None
    assert {"dock", "planner", "max_waves"} <= set(schema["properties"])


def test_a_function_that_is_no_tool_is_named_with_the_way_out() -> None:
    with pytest.raises(SettingsError, match=r"domain 'd': <built-in function len> is no tool; decorate .* with @tool"):
        build_graph(domain(len))


def test_an_offline_part_without_its_methods_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"domain 'd': its offline part .* has no method 'plan'"):
        build_graph(Domain(name="d", tools=[plain], offline=object()))  # type: ignore[arg-type]
