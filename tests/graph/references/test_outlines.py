"""What a planner is told of results before it has seen any."""

from datetime import date
from typing import Any

import pytest
from langchain_core.tools import tool
from pydantic import BaseModel, TypeAdapter

from wavegraph import Domain, SettingsError, read, write
from wavegraph.graph.model.planner import tool_list
from wavegraph.graph.references.signatures import outline


class Address(BaseModel):
    street: str
    town: str
    postcode: str
    country: str


class Order(BaseModel):
    number: int
    to: Address
    bill_to: Address | None


class Person(BaseModel):
    name: str
    home: Address
    orders: list[Order]


def outlined(result: Any, wanted: list[str] | None = None) -> str:
    return outline("look", TypeAdapter(result).json_schema(), wanted)


ADDRESS = "{street, town, postcode, country}"
ORDER = f"{{number: int, to: {ADDRESS}, bill_to: {ADDRESS}}}"


def test_a_result_is_outlined_two_records_deep() -> None:
    assert outlined(Order) == ORDER
    assert outlined(list[Order]) == f"[{ORDER}]"
    assert outlined(Person) == (f"{{name, home: {ADDRESS}, orders: [{{number: int, to: object, bill_to: object}}]}}")
    assert outlined(date | None) == "date"
    assert outlined(str) == "text"


def test_of_what_no_later_call_can_use_nothing_is_said() -> None:
    assert outlined(Person, ["orders", "number"]) == "{orders: [{number: int}]}"
    assert outlined(Order, []) == ""
    with pytest.raises(
        SettingsError, match=r"tool 'look': refer_to names \['colour'\], which its result does not have"
    ):
        outlined(Person, ["name", "colour"])


def test_a_tool_says_what_its_result_is_good_for() -> None:
    @tool
    def look(item: str) -> Person:
        """Look."""
        raise NotImplementedError

    @tool
    def tell(item: str) -> Person:
        """Tell."""
        raise NotImplementedError

    tools = [read(look, refer_to=["name"]), write(tell, refer_to=[])]
    assert tool_list(Domain(name="d", tools=tools)) == (
        "- look(item): Look. Result: {name}\n- tell(item) (changes): Tell."
    )
