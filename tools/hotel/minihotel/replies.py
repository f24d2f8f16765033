"""What MiniHotel says of prices, nights and rooms, as records. Each reader raises `Unreadable` for a reply that cannot be one to the question."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, get_args
from xml.etree.ElementTree import Element

from wavegraph.tools.hotel.currency import is_currency
from wavegraph.tools.hotel.inventory.pricing import Guests
from wavegraph.tools.hotel.minihotel.documents import amount, attributes, content, day, first, flag, whole
from wavegraph.tools.hotel.minihotel.faults import Unreadable
from wavegraph.tools.hotel.records import Board, RefusalCode

_OLD_CODES = {"NIS": "ILS"}
_BOARDS: Mapping[str, Board] = {name: name for name in get_args(Board)}


class Price(NamedTuple):
    """What one room costs for the whole stay, in smallest units."""

    board: Board
    refundable: bool
    total: int


@dataclass(frozen=True, slots=True)
class RoomPrices:
    """One room type that the stay is sold in."""

    code: str
    name: str
    name_he: str
    free: int
    minimum_nights: int
    prices: Sequence[Price]


@dataclass(frozen=True, slots=True)
class StayPrices:
    """The answer to an Immediate ARI request."""

    currency: str
    rooms: Sequence[RoomPrices]
    refused: RefusalCode | None = None
    """The rule by which the whole stay is refused, if MiniHotel names one."""


def stay_prices(root: Element, hotel_id: str, check_in: date, check_out: date, usual: str) -> StayPrices:
    """`usual`: the currency where the reply names none."""
    hotel = _own_hotel(root, hotel_id)
    dates = first(hotel, "daterange")
    said = day(dates.get("from")), day(dates.get("to"))
    if any(mine not in (None, asked) for mine, asked in zip(said, (check_in, check_out), strict=True)):
        raise Unreadable("an answer for other dates than asked for")
    currency = _currency(hotel, usual)
    listed = {code: each for each in reversed(list(hotel.iter("roomtype"))) if (code := each.get("id"))}
    found = [_room_prices(each, currency) for each in reversed(listed.values())]
    boards = {each.get("board", "").upper() for each in hotel.iter("price")}
    if boards and boards.isdisjoint(_BOARDS):
        raise Unreadable("prices for none of the boards that guests know")
    return StayPrices(currency, [room for room in found if room.prices and room.free > 0])


def _own_hotel(roots: Element, hotel_id: str) -> Element:
    """The root that is about this hotel: an area's hotels come one after the other. All of them, where none names one."""
    named = {name.casefold(): each for each in reversed(roots) for name in attributes(each.iter("hotel"), "id")}
    if named and hotel_id.casefold() not in named:
        raise Unreadable("an answer for another hotel")
    return named.get(hotel_id.casefold(), roots)


def _currency(root: Element, usual: str) -> str:
    code = code_of(first(root, "hotel").get("currency", "")) or usual
    if not is_currency(code):
        raise Unreadable("prices in an unknown currency")
    return code


def code_of(named: str) -> str:
    """A currency's code as ISO 4217 has it."""
    return _OLD_CODES.get(named.upper(), named.upper())


def _room_prices(room: Element, currency: str) -> RoomPrices:
    code = room.get("id", "")
    name = room.get("name_e", "") or room.get("name_h", "") or code
    prices: dict[tuple[Board, bool], int] = {}
    for price in _prices(room, currency):
        key = (price.board, price.refundable)
        prices[key] = min(price.total, prices.get(key, price.total))
    return RoomPrices(
        code=code,
        name=name,
        name_he=room.get("name_h", "") or name,
        free=whole(first(room, "inventory").get("allocation"), 1),  # a type with a price and no count has one room
        minimum_nights=whole(room.get("minimumnights")),
        prices=[Price(board, refundable, total) for (board, refundable), total in prices.items()],
    )


def _prices(room: Element, currency: str) -> Iterator[Price]:
    """Prices above zero for the boards that guests know; the non-refundable one only if it is another."""
    for each in room.iter("price"):
        if board := _BOARDS.get(each.get("board", "").upper()):
            usual, final = (amount(each.get(name, ""), currency) for name in ("value", "value_nrf"))
            if usual:
                yield Price(board, True, usual)
            if final and final != usual:
                yield Price(board, False, final)


class Night(NamedTuple):
    """One room type on one night; the price is None where there is none."""

    room_type: str
    date: date
    free: int
    price: int | None
    minimum_nights: int
    closed: bool
    closed_arrival: bool
    closed_departure: bool
    extra_adult: int
    extra_child: int
    extra_baby: int
    single_use: int | None


class MealNight(NamedTuple):
    """What a meal (B, L, D) costs on one night."""

    meal: str
    date: date
    adult: int
    child: int
    baby: int


@dataclass(frozen=True, slots=True)
class Nights:
    """The answer to a Bulk ARI request."""

    currency: str
    names: dict[str, str]
    basic_occupancy: dict[str, int]
    """Guests in the base rate, for the types that say so."""
    nights: Sequence[Night]
    meals: Sequence[MealNight]


def nights(root: Element, hotel_id: str, usual: str) -> Nights:
    hotel = _own_hotel(root, hotel_id)
    currency, types = _currency(hotel, usual), [each for each in hotel.iter("roomtype") if each.get("id")]
    return Nights(
        currency=currency,
        names={each.get("id", ""): each.get("roomname", "") or each.get("id", "") for each in types},
        basic_occupancy={each.get("id", ""): most for each in types if (most := whole(each.get("basicoccupancy")))},
        nights=[night for each in types for night in _nights_of(each, currency)],
        meals=[meal for each in hotel.iter("meal") for meal in _meals_of(each, currency)],
    )


def _nights_of(room: Element, currency: str) -> Iterator[Night]:
    for each in room.iter("day"):
        if (on := day(each.get("mdate"))) is None:
            raise Unreadable("a night without a date")
        money = {name: amount(each.get(name, ""), currency) for name in ("mprice", "extraadultfee", "extrachildfee",
                 "extrababyfee", "singleuse")}  # fmt: skip
        yield Night(
            room_type=room.get("id", ""),
            date=on,
            free=whole(each.get("mavailability")),
            price=money["mprice"] or None,
            minimum_nights=whole(each.get("minngt")),
            closed=flag(each.get("mclose")),
            closed_arrival=flag(each.get("mclosearr")),
            closed_departure=flag(each.get("mclosedep")),
            extra_adult=money["extraadultfee"],
            extra_child=money["extrachildfee"],
            extra_baby=money["extrababyfee"],
            single_use=money["singleuse"] or None,
        )


def _meals_of(meal: Element, currency: str) -> Iterator[MealNight]:
    for each in meal.iter("day"):
        if on := day(each.get("mdate")):
            costs = (amount(each.get(name, ""), currency) for name in ("mealadult", "mealchild", "mealbaby"))
            yield MealNight(meal.get("mealid", "").upper()[:1], on, *costs)


class TypeName(NamedTuple):
    code: str
    name: str


def type_names(root: Element) -> list[TypeName]:
    """The answer to getRoomTypes."""
    found = [(content(each, "type"), content(each, "description")) for each in root.iter("roomtypes")]
    return [TypeName(code, name or code) for code, name in found if code]


class Room(NamedTuple):
    """One room of the house. A maximum of 0 is unknown."""

    room_type: str
    most: Guests
    features: tuple[str, ...]


def house_rooms(root: Element) -> list[Room]:
    """The answer to getRooms."""
    return [_room(each) for each in root.iter("rnm_struct_room") if content(each, "rm_type")]


def _room(room: Element) -> Room:
    most = {
        content(each, "rgm_gst_type").upper(): whole(content(each, "rgm_max"))
        for each in room.iter("rec_rooms_gst_max")
    }
    most |= {each.get("rgm_gst_type", "").upper(): whole(each.get("rgm_max")) for each in room.iter("rec_rooms_gst_max")
             if each.get("rgm_gst_type")}  # fmt: skip
    features = attributes(room.iter("rnm_attribute"), "description")
    guests = Guests(most.get("A", 0), most.get("C", 0), most.get("B", 0))
    return Room(content(room, "rm_type"), guests, tuple(dict.fromkeys(features)))
