"""Immediate ARI, one stay; and Bulk ARI, every night of a period (`ResponseType="05"`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from minihotel_server.house import BoardPrice, House, PricedRoom, holds_for_all, minimum
from minihotel_server.messages import WireError, amount, count_of, day_of, needed, yes_no
from wavegraph.tools.hotel.inventory.pricing import Guests, meal_prices
from wavegraph.tools.hotel.inventory.products import plans_on_sale
from wavegraph.tools.hotel.inventory.property_data import MealPrice, PropertyData, RoomKind, Window
from wavegraph.tools.hotel.records import Board, every_date

ALL, CHEAPEST = "*ALL*", "*MIN*"
BULK = "05"
LONGEST_STAY = 20
"""Nights of an Immediate request."""
LONGEST_PERIOD = timedelta(days=548)
"""Of a Bulk request: a year and a half, the shorter of the two that are documented."""
FULL_AT, ONE_NIGHT_AT = 2, 7
"""What an area's answer adds, as it was recorded."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An ARI request, read."""

    first: date
    end: date
    guests: Guests
    room_types: frozenset[str]
    rate_code: str
    board: str
    with_minimum: bool


def is_bulk(root: Element) -> bool:
    authentication = root.find("Authentication")
    return authentication is not None and authentication.get("ResponseType") == BULK


def immediate(root: Element, houses: Sequence[House]) -> list[Element]:
    """One `<AvailRaters>` for each hotel."""
    asked = _asked(root, with_guests=True)
    if asked.guests.adults < 1:
        raise WireError("004")
    if (asked.end - asked.first).days > LONGEST_STAY:
        raise WireError("107")
    by_area = root.find("Hotel") is None
    return [_stay(house, asked, by_area=by_area) for house in houses]


def bulk(root: Element, house: House) -> Element:
    asked = _asked(root, with_guests=False)
    if asked.end - asked.first > LONGEST_PERIOD:
        raise WireError("103")
    if asked.rate_code != house.rate_code:
        raise WireError("308")
    return _period(house, asked)


def _asked(root: Element, *, with_guests: bool) -> Asked:
    period = needed(root, "DateRange", "003")
    first, end = day_of(period.get("from"), "101"), day_of(period.get("to"), "102")
    if end < first:
        raise WireError("103")
    if end == first:
        raise WireError("108")
    prices = needed(root, "Prices", "006")
    needed(root, "RoomTypes/RoomType", "005")
    board = prices.find("Price")
    return Asked(
        first,
        end,
        _guests(needed(root, "Guests", "004")) if with_guests else Guests(0),
        frozenset(each.get("id", "") for each in root.iterfind("RoomTypes/RoomType")),
        prices.get("rateCode", ""),
        ALL if board is None else board.get("boardCode", ALL),
        needed(root, "Authentication", "501").get("MinimumNights", "").upper() == "YES",
    )


def _guests(given: Element) -> Guests:
    return Guests(*(count_of(given, name, "004") for name in ("adults", "child", "babies")))


# One stay


def _stay(house: House, asked: Asked, *, by_area: bool) -> Element:
    data = house.data()
    if asked.first < house.today(data):
        raise WireError("106")
    root = _head(house, data, asked)
    party = asked.guests
    ET.SubElement(root, "Guests", adults=str(party.adults), child=str(party.children), babies=str(party.babies))
    if asked.rate_code == house.rate_code:  # a wrong one looks like a full hotel
        _rooms(root, house, data, asked)
    if by_area:
        ET.SubElement(root, "CancellPol", Full=f"{FULL_AT:04}", OneNight=f"{ONE_NIGHT_AT:04}")
    return root


def _head(house: House, data: PropertyData, asked: Asked) -> Element:
    record, root = data.record, Element("AvailRaters")
    names = {"Name_h": record.name_he, "Name_e": record.name}
    ET.SubElement(root, "Hotel", {"id": house.hotel_id, **names, "Currency": record.currency})
    ET.SubElement(root, "DateRange", {"from": asked.first.isoformat(), "to": asked.end.isoformat()})
    return root


def _rooms(root: Element, house: House, data: PropertyData, asked: Asked) -> None:
    totals = house.totals()
    for room in _wanted(house.priced_rooms(asked.first, asked.end, asked.guests), asked.room_types):
        names = {"Name_h": room.kind.name_he, "Name_e": room.kind.name}
        element = ET.SubElement(root, "RoomType", {"id": room.kind.code, **names})
        if asked.with_minimum:
            element.set("MinimumNights", str(room.minimum_nights))
        ET.SubElement(element, "Inventory", Allocation=str(room.free), maxavail=str(totals.get(room.kind.code, 0)))
        for price in _boards(room.prices, asked.board):
            _price(element, price, data.record.currency)


def _wanted(rooms: Sequence[PricedRoom], codes: frozenset[str]) -> Sequence[PricedRoom]:
    """`*MIN*`: the cheapest alone."""
    if codes & {ALL, CHEAPEST}:
        return rooms if ALL in codes else rooms[:1]
    return [room for room in rooms if room.kind.code in codes]


def _boards(prices: Sequence[BoardPrice], code: str) -> Sequence[BoardPrice]:
    if code in (ALL, CHEAPEST):
        return prices if code == ALL else [min(prices, key=lambda price: price.value)]
    return [price for price in prices if price.board == code]


def _price(room: Element, price: BoardPrice, currency: str) -> None:
    told = ET.SubElement(room, "price", board=price.board, boardDesc=price.board, value=amount(price.value, currency))
    if price.value_nrf is not None:
        told.set("value_nrf", amount(price.value_nrf, currency))


# Every night of a period


def _period(house: House, asked: Asked) -> Element:
    data = house.data()
    last = asked.end - timedelta(days=1)
    window, root = house.window(asked.first, last), _head(house, data, asked)
    rooms = ET.SubElement(root, "RoomTypes")
    for kind in data.rooms:
        if asked.room_types & {ALL, CHEAPEST, kind.code}:
            names = {"RoomName": kind.name, "BasicOccupancy": f"{kind.base_occ:03}"}
            room = ET.SubElement(rooms, "RoomType", {"id": kind.code, **names})
            for night in every_date(asked.first, last):
                ET.SubElement(room, "Day", _night(data, window, kind, night, with_minimum=asked.with_minimum))
    root.append(_meals(data, every_date(asked.first, last)))
    return root


def _night(data: PropertyData, window: Window, kind: RoomKind, night: date, *, with_minimum: bool) -> dict[str, str]:
    currency, inventory = data.record.currency, window.inventory.get((kind.code, night))
    rules = [rule for rule in window.restrictions.get(night, []) if holds_for_all(rule, data, kind)]
    base_plan = plans_on_sale(data, None)[0].rates_of
    rate = window.rates.get((base_plan, kind.code, night))
    prices = (0, 0, 0, 0, 0) if rate is None else rate[3:8]
    base, adult, child, baby, alone = (amount(price or 0, currency) for price in prices)
    closed = inventory is None or rate is None or inventory.stop_sell
    return {
        "Mdate": f"{night:%Y%m%d}",
        "Mavailability": str(inventory.free if inventory else 0),
        "Mprice": base,
        "Minngt": str(minimum(rules, data, kind) if with_minimum else 0),
        "Mclose": yes_no(closed),
        "McloseArr": yes_no(any(rule.cta for rule in rules)),
        "McloseDep": yes_no(any(rule.ctd for rule in rules)),
        "ExtraAdultFee": adult,
        "ExtraChildFee": child,
        "ExtraBabyFee": baby,
        "SingleUse": alone,
    }


MEALS: Mapping[Literal["B", "L", "D"], tuple[Board, Board]] = {"B": ("RO", "BB"), "D": ("BB", "HB"), "L": ("HB", "FB")}
"""Each meal is what one board costs more than another."""


def _meals(data: PropertyData, nights: Sequence[date]) -> Element:
    root = Element("Meals")
    sold = {plan.board for plan in data.plans} | {"RO"}
    for name, (without, board) in MEALS.items():
        if board in sold:
            meal = ET.SubElement(root, "Meal", MealId=name)
            for night in nights:
                ET.SubElement(meal, "Day", {"Mdate": f"{night:%Y%m%d}", **_meal(data, without, board, night)})
    return root


def _meal(data: PropertyData, without: Board, board: Board, night: date) -> dict[str, str]:
    meals: Sequence[MealPrice] = data.meals
    both = zip(meal_prices(meals, board, night), meal_prices(meals, without, night), strict=True)
    adult, child, baby = (amount(more - less, data.record.currency) for more, less in both)
    return {"MealAdult": adult, "MealChild": child, "MealBaby": baby}
