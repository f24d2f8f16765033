"""What is typed for an argument, read by the type that the tool declares."""

from typing import Annotated, Any

import pytest
from langchain_core.tools import tool
from pydantic import BeforeValidator
from tables import table

from wavegraph.app.run.approvals import typed_value
from wavegraph.graph.domain_tool import DomainTool

SCHEMA = {
    "type": "object",
    "properties": {"phone": {"type": ["string", "null"]}, "rooms": {"type": "integer"}, "rest": {}},
}


@tool
def book(
    phone: str | None, name: Annotated[str, BeforeValidator(str.strip)], rooms: int, price: float, late: bool,
    ages: list[int], either: int | str, rest: Any,
) -> None:  # fmt: skip
    """Book."""


@tool(args_schema=SCHEMA)
def declared(**args: Any) -> None:
    """Book."""


@table(
    ("name", "text", "value"),
    [
        ("phone", "972501234567", "972501234567"),
        ("phone", "0501234567", "0501234567"),
        ("phone", "+972501234567", "+972501234567"),
        ("phone", "null", None),
        ("phone", "true", "true"),
        ("phone", "[1]", "[1]"),
        ("phone", "[" * 100_000, "[" * 100_000),
        ("name", "42", "42"),
        ("name", "null", "null"),
        ("name", '"Dana"', "Dana"),
        ("rooms", "2", 2),
        ("rooms", "two", "two"),
        ("price", "2", 2),
        ("late", "true", True),
        ("ages", "[4, 7]", [4, 7]),
        ("either", "5", 5),
        ("either", "five", "five"),
        ("rest", "5", 5),
        ("nosuch", "5", 5),
    ],
)
def test_a_value_is_read_by_the_declared_type(name: str, text: str, value: Any) -> None:
    assert typed_value(text, name, DomainTool(book)) == value


@pytest.mark.parametrize(("name", "value"), [("phone", "12"), ("rooms", 12), ("rest", 12)])
def test_it_may_be_declared_by_a_schema(name: str, value: Any) -> None:
    assert typed_value("12", name, DomainTool(declared)) == value
