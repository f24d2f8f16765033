"""One case per rule, and its neighbour that is sold."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import pytest
from tables import table

from wavegraph.tools.hotel.inventory.products import market
from wavegraph.tools.hotel.inventory.property_data import Calendar, InventoryDay, RestrictionDay, StayDates, Window
from wavegraph.tools.hotel.inventory.restrictions import PLAN_ORDER, ROOM_TYPE_ORDER, Block, most_useful

MONDAY = date(2026, 3, 2)
TODAY = date(2026, 3, 1)


def day(n: int) -> date:
    return MONDAY + timedelta(days=n)


def rule(n: int, room_type: str = "*", rate_plan: str = "*", **rules: Any) -> RestrictionDay:
    return RestrictionDay(room_type, rate_plan, day(n), **rules)


@dataclass(frozen=True)
class Case:
    id: str
    arrive: int
    depart: int
    expected: Block | None
    rules: list[RestrictionDay] = field(default_factory=list)
    inventory: list[InventoryDay] = field(default_factory=list)
    plan: dict[str, int] = field(default_factory=dict)


CASES = [
    Case("free", 0, 2, None),
    Case(
        "sold out on one night", 0, 2, Block("sold_out", dates=(day(1),)), inventory=[InventoryDay("DBL", day(1), 2, 2)]
    ),
    Case(
        "sold out on one night and closed on another",
        0,
        3,
        Block("sold_out", dates=(day(0), day(2))),
        inventory=[InventoryDay("DBL", day(0), 2, 0, 0, True), InventoryDay("DBL", day(2), 2, 2)],
    ),
    Case(
        "held rooms are not free",
        0,
        1,
        Block("sold_out", dates=(day(0),)),
        inventory=[InventoryDay("DBL", day(0), 2, 1, 1)],
    ),
    Case("one room left is enough", 0, 2, None, inventory=[InventoryDay("DBL", day(1), 2, 1)]),
    Case("departure day may be full", 0, 2, None, inventory=[InventoryDay("DBL", day(2), 2, 2)]),
    Case(
        "stop sell", 0, 2, Block("not_on_sale", dates=(day(0),)), inventory=[InventoryDay("DBL", day(0), 2, 0, 0, True)]
    ),
    Case("stop sell on departure day", 0, 2, None, inventory=[InventoryDay("DBL", day(2), 2, 0, 0, True)]),
    Case("beyond the calendar", 6, 8, Block("not_on_sale", dates=(day(7),))),
    Case("up to its end", 5, 7, None),
    Case("closed arrival", 1, 3, Block("closed_arrival", dates=(day(1),)), [rule(1, cta=True)]),
    Case("through a closed arrival", 0, 3, None, [rule(1, cta=True)]),
    Case("closed departure", 0, 2, Block("closed_departure", dates=(day(2),)), [rule(2, ctd=True)]),
    Case("through a closed departure", 0, 3, None, [rule(2, ctd=True)]),
    Case("minimum on arrival", 1, 2, Block("min_stay", 2, (day(1),)), [rule(1, min_stay_arrival=2)]),
    Case("minimum on arrival reached", 1, 3, None, [rule(1, min_stay_arrival=2)]),
    Case("minimum on arrival does not bind a stay through", 0, 2, None, [rule(1, min_stay_arrival=3)]),
    Case("minimum through binds it", 0, 2, Block("min_stay", 3, (day(1),)), [rule(1, min_stay=3)]),
    Case("minimum through reached", 0, 3, None, [rule(1, min_stay=3)]),
    Case("minimum through of the departure date", 0, 2, None, [rule(2, min_stay=3)]),
    Case(
        "strictest minimum, with its dates",
        0,
        2,
        Block("min_stay", 4, (day(1),)),
        [rule(0, min_stay_arrival=3), rule(1, min_stay=4)],
    ),
    Case("maximum", 0, 3, Block("max_stay", 2, (day(1),)), [rule(1, max_stay=2)]),
    Case("maximum kept", 0, 2, None, [rule(1, max_stay=2)]),
    Case("of another room type", 0, 2, None, [rule(0, "FAM", cta=True)]),
    Case("of another plan", 0, 2, None, [rule(0, "*", "NRF", cta=True)]),
    Case("of this type and plan", 0, 2, Block("closed_arrival", dates=(day(0),)), [rule(0, "DBL", "FLEX", cta=True)]),
    Case("arrival before length", 0, 1, Block("closed_arrival", dates=(day(0),)), [rule(0, cta=True, min_stay=3)]),
    Case("length before departure", 0, 1, Block("min_stay", 2, (day(0),)), [rule(0, min_stay=2), rule(1, ctd=True)]),
    Case(
        "sold out before closed",
        0,
        1,
        Block("sold_out", dates=(day(0),)),
        [rule(0, cta=True)],
        [InventoryDay("DBL", day(0), 2, 2)],
    ),
    Case("booked too late for the plan", 0, 1, Block("not_on_sale", dates=(day(0),)), plan={"min_adv": 2}),
    Case("just in time for the plan", 1, 2, None, plan={"min_adv": 2}),
    Case("booked too early for the plan", 2, 3, Block("not_on_sale", dates=(day(2),)), plan={"max_adv": 2}),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_restrictions(case: Case, tiny: Any) -> None:
    room = tiny.room()
    plain = tiny.calendar([room])
    window = Window(Calendar([*plain.inventory, *case.inventory], plain.rates, case.rules))
    property_data = tiny.property_data([room], [tiny.plan(**case.plan)])
    on_sale = market(
        property_data, window, [room], StayDates(day(case.arrive), day(case.depart)), board=None, today=TODAY
    )
    assert on_sale.blocks.get("DBL") == case.expected
    assert bool(on_sale.products) == (case.expected is None)


def test_a_night_without_a_rate_is_not_on_sale(tiny: Any) -> None:
    room = tiny.room()
    plain = tiny.calendar([room])
    window = Window(Calendar(plain.inventory, [rate for rate in plain.rates if rate.date != day(1)]))
    on_sale = market(
        tiny.property_data([room], [tiny.plan()]), window, [room], StayDates(day(0), day(3)), board=None, today=TODAY
    )
    assert on_sale.blocks == {"DBL": Block("not_on_sale", dates=(day(1),))}


def test_a_board_that_is_not_sold_is_no_full_house(tiny: Any) -> None:
    room = tiny.room()
    plain = tiny.calendar([room])
    full = InventoryDay("DBL", day(0), 2, 2, 0, False)
    window = Window(Calendar([*plain.inventory, full], plain.rates))
    blocks = {
        board: market(
            tiny.property_data([room], [tiny.plan()]),
            window,
            [room],
            StayDates(day(0), day(1)),
            board=board,
            today=TODAY,
        )
        .blocks["DBL"]
        .code
        for board in (None, "RO", "FB")
    }
    assert blocks == {None: "sold_out", "RO": "sold_out", "FB": "not_on_sale"}


def test_one_open_plan_is_enough(tiny: Any) -> None:
    room = tiny.room()
    plain = tiny.calendar([room])
    window = Window(Calendar(plain.inventory, plain.rates, [rule(0, rate_plan="FLEX", cta=True)]))
    plans = [tiny.plan(), tiny.plan("NRF", refundable=False, rates_of="FLEX")]
    on_sale = market(
        tiny.property_data([room], plans), window, [room], StayDates(day(0), day(1)), board=None, today=TODAY
    )
    assert [product.plan.code for product in on_sale.products] == ["NRF"]
    assert on_sale.blocks == {}


def test_tourist_plans_are_not_shown(tiny: Any) -> None:
    room = tiny.room()
    window = Window(tiny.calendar([room]))
    on_sale = market(
        tiny.property_data([room], [tiny.plan(audience="tourist")]),
        window,
        [room],
        StayDates(day(0), day(1)),
        board=None,
        today=TODAY,
    )
    assert on_sale.blocks["DBL"].code == "not_on_sale"


@table(
    ("codes", "of_plans", "of_room_types"),
    [
        (["sold_out", "min_stay"], "min_stay", "min_stay"),
        (["closed_arrival", "min_stay"], "min_stay", "min_stay"),
        (["occupancy", "sold_out"], "sold_out", "sold_out"),
        (["not_on_sale", "sold_out"], "not_on_sale", "sold_out"),
        (["occupancy"], "occupancy", "occupancy"),
    ],
)
def test_the_most_useful_reason_is_reported(codes: list[Any], of_plans: str, of_room_types: str) -> None:
    blocks = [Block(code) for code in codes]
    assert most_useful(blocks, PLAN_ORDER).code == of_plans
    assert most_useful(blocks, ROOM_TYPE_ORDER).code == of_room_types


def test_of_two_minimum_stays_the_shorter_is_reported() -> None:
    assert most_useful([Block("min_stay", 5), Block("min_stay", 3)], ROOM_TYPE_ORDER).nights == 3


@pytest.mark.parametrize(
    ("today", "deadline"),
    [(date(2026, 2, 1), date(2026, 2, 28)), (date(2026, 2, 28), date(2026, 2, 28)), (TODAY, None)],
)
def test_a_deadline_that_has_passed_makes_an_offer_not_refundable(
    today: date, deadline: date | None, tiny: Any
) -> None:
    room = tiny.room()
    property_data = tiny.property_data([room], [tiny.plan(cancel_days=2)])
    on_sale = market(
        property_data, Window(tiny.calendar([room])), [room], StayDates(day(0), day(1)), board=None, today=today
    )
    (product,) = on_sale.products
    assert (product.cancel_until, product.refundable) == (deadline, deadline is not None)
