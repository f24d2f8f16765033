"""What a planner is told of results before it has seen any."""

from typing import Any

import pytest
from langchain_core.tools import tool
from pydantic import BaseModel, TypeAdapter

from wavegraph import Domain, SettingsError, read, write
from wavegraph.graph.model.plan_form import tool_list
from wavegraph.graph.references.outlines import Outlines, result_tree


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


def outlines(*results: Any, wanted: dict[int, list[str]] | None = None) -> list[str]:
    schemas = [each if isinstance(each, dict) else TypeAdapter(each).json_schema() for each in results]
    told = Outlines({str(n): result_tree(str(n), schema, (wanted or {}).get(n)) for n, schema in enumerate(schemas)})
    return [told.outline(str(n)) for n in range(len(results))]


ADDRESS = "{street, town, postcode, country}"
ORDER = f"{{number: int, to: Address {ADDRESS}, bill_to: Address}}"


def test_a_record_that_comes_again_is_outlined_once() -> None:
    assert outlines(Order) == [ORDER]
    assert outlines(Order, Order) == [f"Order {ORDER}", "Order"]
    assert outlines(list[Order], Address) == [f"[{ORDER}]", "Address"]


def test_what_was_outlined_less_deeply_is_outlined_again() -> None:
    assert outlines(Person, Order) == [
        f"{{name, home: Address {ADDRESS}, orders: [Order {{number: int, to: Address, bill_to: Address}}]}}",
        "Order {number: int, to: Address, bill_to: Address}",
    ]


def record(title: str | None, **fields: Any) -> dict[str, Any]:
    made = {
        "type": "object",
        "properties": {name: part if isinstance(part, dict) else {"type": part} for name, part in fields.items()},
    }
    return {**made, "title": title} if title else made


PLACE = {"longitude": "number", "latitude": "number", "town": "string"}
FLOWN = {"carrier": "string", "number": "integer", "departure": "string"}


def test_records_of_one_title_or_none_are_named_by_their_fields() -> None:
    one = record("Recorded", place=record("Recorded", **PLACE), flight=record(None, **FLOWN))
    other = record("Recorded", flight=record(None, **dict(reversed(FLOWN.items()))), place=record("Recorded", **PLACE))
    assert outlines(one, record("Recorded", number="string"), other) == [
        "Result {place: Place {longitude: number, latitude: number, town}, flight: Flight {carrier, number: int, departure}}",
        "{number}",
        "Result",
    ]
    assert outlines(record(None, a=record(None, place=record(None, **PLACE)), place=record(None, **FLOWN)),
                    record(None, place=record(None, **PLACE)), record(None, place=record(None, **FLOWN))) == [
        "{a: A {place: object}, place: Place_2 {carrier, number: int, departure}}",
        "A {place: Place {longitude: number, latitude: number, town}}",
        "{place: Place_2}",
    ]  # fmt: skip


def test_of_what_no_later_call_can_use_nothing_is_said() -> None:
    assert outlines(Person, Order, wanted={0: ["orders", "number"], 1: []}) == ["{orders: [{number: int}]}", ""]
    with pytest.raises(SettingsError, match=r"tool '0': refer_to names \['colour'\], which its result does not have"):
        outlines(Person, wanted={0: ["name", "colour"]})


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
