"""Who fits where, and the cheapest rooms for a party, against a search through everything."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wavegraph.tools.hotel.inventory.combinations import (
    Mix,
    OfferPart,
    cheapest_mixes,
    equal_rooms,
    fewest_rooms,
    holds,
)
from wavegraph.tools.hotel.inventory.offers import varied
from wavegraph.tools.hotel.inventory.pricing import Guests, NightRate, room_price, round_half_up
from wavegraph.tools.hotel.inventory.products import Product
from wavegraph.tools.hotel.inventory.property_data import RatePlan, RoomKind


@pytest.mark.parametrize(
    ("limits", "fits", "does_not"),
    [
        pytest.param(
            (2, 1, 1, 3),
            [Guests(2, 1, 1), Guests(1, 2)],
            [Guests(3), Guests(2, 2), Guests(2, 0, 2), Guests(0, 1)],
            id="DBL",
        ),
        pytest.param(
            (3, 0, 1, 3), [Guests(3), Guests(2, 1)], [Guests(3, 1), Guests(4)], id="TRP-child-in-an-adult-bed"
        ),
        pytest.param(
            (4, 3, 2, 5), [Guests(4), Guests(2, 3, 2), Guests(4, 1)], [Guests(5), Guests(3, 3), Guests(2, 4)], id="FAM"
        ),
    ],
)
def test_holds(limits: tuple[int, ...], fits: list[Guests], does_not: list[Guests], tiny: Any) -> None:
    names = ("max_adults", "max_children", "max_babies", "max_total")
    room = tiny.room(**dict(zip(names, limits, strict=True)))
    assert [guests for guests in fits if not holds(room, guests)] == []
    assert [guests for guests in does_not if holds(room, guests)] == []


small = st.integers(0, 2)
parties = st.builds(Guests, st.integers(1, 5), small, small)


@st.composite
def products(draw: st.DrawFn, code: str) -> Product:
    adults, children = draw(st.integers(1, 3)), draw(small)
    room = RoomKind(
        code=code,
        name=code,
        name_he=code,
        base_occ=draw(st.integers(1, 3)),
        max_adults=adults,
        max_children=children,
        max_babies=draw(st.integers(0, 1)),
        max_total=draw(st.integers(adults, adults + children)),
        size_sqm=1,
        beds="",
        beds_he="",
    )
    base = draw(st.integers(1, 999))
    extras = draw(st.tuples(*[st.integers(0, 99)] * 6))
    plan = RatePlan(
        code="P",
        name="",
        name_he="",
        board="BB",
        refundable=False,
        nrf_bp=draw(st.sampled_from([9000, 10000])),
        rates_of="P",
    )
    rate = NightRate(base, draw(st.integers(0, base)), *extras)
    return Product(room=room, plan=plan, nights=(rate,), free=draw(st.integers(1, 3)), cancel_until=None)


markets = st.tuples(products("A"), products("B"), products("C"))


def splits(rooms: list[Product], party: Guests) -> Iterator[tuple[Guests, ...]]:
    """Every way to seat the party, by trying everything: no sums, no tables."""
    if not rooms:
        if party == (0, 0, 0):
            yield ()
        return
    for adults, children, babies in product(*(range(n + 1) for n in party)):
        guests = Guests(adults, children, babies)
        if holds(rooms[0].room, guests):
            rest = Guests(party[0] - adults, party[1] - children, party[2] - babies)
            yield from ((guests, *others) for others in splits(rooms[1:], rest))


def oracle(on_sale: tuple[Product, ...], count: int, party: Guests) -> dict[tuple[str, ...], int]:
    """The cheapest cost of every set of rooms that holds the party, by room codes."""
    found: dict[tuple[str, ...], int] = {}
    for rooms in combinations_with_replacement(on_sale, count):
        counts = Counter(room.room.code for room in rooms)
        if all(counts[item.room.code] <= item.free for item in rooms):
            costs = [cost_of(rooms, split) for split in splits(list(rooms), party)]
            if costs:
                found[tuple(room.room.code for room in rooms)] = min(costs)
    return found


def cost_of(rooms: tuple[Product, ...], split: tuple[Guests, ...]) -> int:
    """Each room type is rounded once: it is one offer of the combination."""
    plain: Counter[str] = Counter()
    factor = {item.room.code: item.plan.nrf_bp for item in rooms}
    for item, guests in zip(rooms, split, strict=True):
        plain[item.room.code] += room_price(item.nights[0], item.room.base_occ, guests)
    return sum(round_half_up(agorot * factor[code], 10_000) for code, agorot in plain.items())


@settings(max_examples=120, deadline=None)
@given(markets, st.integers(2, 3), parties)
def test_the_cheapest_mixes_are_those_of_the_oracle(on_sale: tuple[Product, ...], count: int, party: Guests) -> None:
    mixed = {codes: cost for codes, cost in oracle(on_sale, count, party).items() if len(set(codes)) > 1}
    mixes = cheapest_mixes(on_sale, count, party, keep=4)
    assert [mix.cost for mix in mixes] == sorted(mixed.values())[:4]
    for mix in mixes:
        codes = tuple(code for code, number in mix.rooms for _ in range(number))
        seated = [guests for part in mix.parts for guests in part.split]
        assert mixed[codes] == mix.cost == sum(part.cost for part in mix.parts)
        assert tuple(map(sum, zip(*seated, strict=True))) == party
        assert all(holds(part.product.room, guests) for part in mix.parts for guests in part.split)


@settings(max_examples=120, deadline=None)
@given(products("A"), st.integers(1, 3), parties)
def test_equal_rooms_are_split_the_cheapest_way(item: Product, count: int, party: Guests) -> None:
    expected = oracle((item,), count, party).get(("A",) * count)
    part = equal_rooms(item, count, party)
    assert (part.cost if part else None) == expected


@settings(max_examples=120, deadline=None)
@given(markets, parties)
def test_fewest_rooms_is_the_smallest_number_that_holds_the_party(on_sale: tuple[Product, ...], party: Guests) -> None:
    counts = [count for count in range(1, min(9, party.adults) + 1) if oracle(on_sale, count, party)]
    rooms = [(item.room, item.free) for item in on_sale]
    assert fewest_rooms(rooms, party, grown=party.adults) == (min(counts) if counts else None)


def test_no_more_rooms_than_adults_who_can_answer_for_them(tiny: Any) -> None:
    rooms = [(tiny.room(), 5)]
    youths = Guests(adults=4)  # one parent with three of thirteen to seventeen
    assert fewest_rooms(rooms, youths, grown=4) == 2
    assert fewest_rooms(rooms, youths, grown=1) is None


def test_a_lone_adult_may_be_cheaper_beside_a_full_room(tiny: Any) -> None:
    """Four adults in two triples: 2+2 costs 200.00, 3+1 costs 100 + 10 + 60."""
    room = tiny.room(max_adults=3)
    rate = NightRate(10_000, 6_000, extra_adult=1_000)
    item = Product(room=room, plan=tiny.plan(), nights=(rate,), free=2, cancel_until=date(2026, 1, 1))
    part = equal_rooms(item, 2, Guests(4))
    assert part is not None
    assert (part.cost, sorted(part.split)) == (17_000, [Guests(1), Guests(3)])


def test_the_cheapest_mix_that_can_be_cancelled_is_always_shown(tiny: Any) -> None:
    """Although two dearer boards of the same rooms cost less than it."""
    double, triple, deluxe = tiny.room("DBL"), tiny.room("TRP"), tiny.room("DLX")

    def mixed(cost: int, other: RoomKind, board: str, until: date | None) -> Mix:
        made = [
            Product(
                room=room,
                plan=tiny.plan(f"{board}-{until}", board=board, refundable=until is not None),
                nights=(NightRate(cost // 2, cost // 2),),
                free=2,
                cancel_until=until,
            )
            for room in (double, other)
        ]
        parts = tuple(OfferPart(each, (Guests(2),), cost // 2) for each in made)
        return Mix(cost, ((double.code, 1), (other.code, 1)), parts)

    until = date(2026, 1, 1)
    mixes = [
        mixed(900_00, triple, "RO", None),
        mixed(990_00, triple, "BB", None),
        mixed(1_000_00, triple, "RO", until),
        mixed(1_050_00, deluxe, "RO", until),
    ]
    shown = varied(mixes)
    assert next(mix.cost for mix in shown if mix.parts[0].product.refundable) == 1_000_00
    assert [mix.cost for mix in shown] == sorted(mix.cost for mix in shown)
