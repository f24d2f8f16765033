"""Imports a hotel: a folder of CSV and JSON files becomes a property. The format is in docs/hotel/own-hotel.md.

All or nothing: every problem of every file is reported, and nothing is written if there is one.
A second import replaces rooms, rates and inventory in one transaction and never touches bookings.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Literal, NamedTuple

from wavegraph.graph.errors import WavegraphError
from wavegraph.tools.hotel.configuration.file import configured
from wavegraph.tools.hotel.inventory.property_data import (
    ANY,
    Calendar,
    InventoryDay,
    MealPrice,
    PropertyData,
    RateDay,
    RatePlan,
    RestrictionDay,
    RoomKind,
    Topic,
)
from wavegraph.tools.hotel.property import booking_rows, store
from wavegraph.tools.hotel.property.import_files import Folder, ImportProblem, Numbered
from wavegraph.tools.hotel.property.import_rows import (
    HotelRow,
    InventoryRow,
    MealRow,
    PlanRow,
    RateRow,
    RestrictionRow,
    RoomRow,
    TopicRow,
)
from wavegraph.tools.hotel.property.import_warnings import warnings
from wavegraph.tools.hotel.property.place import Connection, Place
from wavegraph.tools.hotel.property.places.property_file import PropertyFile
from wavegraph.tools.hotel.property.places.shared import move_in, shared_database, shared_place
from wavegraph.tools.hotel.property.port import default_data_dir, hotel_path
from wavegraph.tools.hotel.records import HotelRecord, PropertyRecord

MOST_PROBLEMS_LISTED = 20


class HotelImportError(WavegraphError):
    """Files that cannot be imported. `problems` holds all problems; the message shows the first ones."""

    def __init__(self, problems: Sequence[ImportProblem]) -> None:
        self.problems = list(problems)
        lines = [
            f"{len(self.problems)} problem(s), nothing was imported:",
            *map(str, self.problems[:MOST_PROBLEMS_LISTED]),
        ]
        more = len(self.problems) - MOST_PROBLEMS_LISTED
        super().__init__("\n".join([*lines, *([f"... and {more} more"] if more > 0 else [])]))


class ImportReport(HotelRecord):
    """What was written. Dates: the first and the last night on sale."""

    property_id: str
    name: str
    path: Path | None
    """None = into PostgreSQL."""
    room_types: int
    rate_plans: int
    first_night: date
    last_night: date
    rates: int
    topics: int
    replaced: bool
    """Whether the hotel existed before; its bookings were kept."""
    warnings: tuple[str, ...] = ()
    """What was imported and is hardly meant so."""


class Tables(NamedTuple):
    """The valid rows of all files."""

    hotel: Numbered[HotelRow]
    rooms: Numbered[RoomRow]
    plans: Numbered[PlanRow]
    rates: Numbered[RateRow]
    inventory: Numbered[InventoryRow]
    restrictions: Numbered[RestrictionRow]
    meals: Numbered[MealRow]
    topics: Numbered[TopicRow]


def import_hotel(folder: Path, data_dir: Path | None = None, *, database: str | None = None) -> ImportReport:
    """Read, check and write a hotel to `<data_dir>/hotels/<property_id>.sqlite`, or to a PostgreSQL database (see
    `open_property`).

    Raises `HotelImportError` with all problems; an existing hotel is then unchanged.
    """
    source = Folder(folder)
    tables = read_tables(source)
    check_references(source, tables)
    _refuse_listed_id(source, tables, data_dir or default_data_dir())
    if source.problems:
        raise HotelImportError(source.problems)
    property_data, calendar = property_data_of(tables), calendar_of(tables)
    place = _place(property_data.record.property_id, data_dir, database)
    replaced = place.exists()
    _write(source, tables, place, property_data, calendar)
    return _report(property_data, calendar, place, replaced)


def _place(property_id: str, data_dir: Path | None, database: str | None) -> Place:
    file = hotel_path(data_dir or default_data_dir(), property_id)
    if shared := shared_database(data_dir, database):
        place = shared_place(shared, property_id)
        move_in(place, file)
        return place
    return PropertyFile(file)


def read_tables(source: Folder) -> Tables:
    as_json = (source.path / "info.json").is_file()
    hotel = source.records("hotel.json", HotelRow)
    source.currency = source.currency_named("hotel.json")
    return Tables(
        hotel=hotel,
        rooms=source.rows("rooms.csv", RoomRow),
        plans=source.rows("rate_plans.csv", PlanRow),
        rates=source.rows("rates.csv", RateRow),
        inventory=source.rows("inventory.csv", InventoryRow),
        restrictions=source.rows("restrictions.csv", RestrictionRow, required=False),
        meals=source.rows("meals.csv", MealRow, required=False),
        topics=source.records("info.json", TopicRow) if as_json else source.rows("info.csv", TopicRow, required=False),
    )


def _refuse_listed_id(source: Folder, tables: Tables, data_dir: Path) -> None:
    listed = configured(data_dir)
    for n, hotel in tables.hotel:
        if hotel.property_id in listed.ids:
            expected = f"an id that {listed.path} does not list"
            source.add_problem("hotel.json", n, "property_id", hotel.property_id, expected)


def check_references(source: Folder, tables: Tables) -> None:
    """Codes are unique, and every code used is defined. Skipped if the defining file itself has problems."""
    broken = {problem.file for problem in source.problems}
    for file, rows in (("rooms.csv", tables.rooms), ("rate_plans.csv", tables.plans)):
        _unique(source, file, "code", [(n, row.code) for n, row in rows])
    _unique(source, "info.csv", "topic", [(n, row.topic) for n, row in tables.topics])
    if "rooms.csv" not in broken:
        _check_rooms(source, tables, broken)
    if "rate_plans.csv" not in broken:
        _check_plans(source, tables, broken)


def _unique(source: Folder, file: str, column: str, codes: Iterable[tuple[int, str]]) -> None:
    first: dict[str, int] = {}
    for n, code in codes:
        if first.setdefault(code.casefold(), n) != n:
            source.add_problem(file, n, column, code, f"each {column} once; row {first[code.casefold()]} has it too")


def _check_rooms(source: Folder, tables: Tables, broken: set[str]) -> None:
    rooms = [row.code for _, row in tables.rooms]
    for file, rows in (("rates.csv", tables.rates), ("inventory.csv", tables.inventory)):
        _known(source, file, "room_type", [(n, row.room_type) for n, row in rows], rooms)
    _known(source, "restrictions.csv", "room_type", [(n, r.room_type) for n, r in tables.restrictions], [*rooms, ANY])
    of_topics = [(n, code) for n, row in tables.topics for code in row.rooms]
    _known(source, "info.csv", "rooms", of_topics, rooms)
    priced, kept = {row.room_type for _, row in tables.rates}, {row.room_type for _, row in tables.inventory}
    for n, room in tables.rooms:
        if room.code not in priced and "rates.csv" not in broken:
            source.add_problem("rooms.csv", n, "code", room.code, "at least one row in rates.csv")
        if room.code not in kept and "inventory.csv" not in broken:
            source.add_problem("rooms.csv", n, "code", room.code, "at least one row in inventory.csv")


def _check_plans(source: Folder, tables: Tables, broken: set[str]) -> None:
    plans = [row.code for _, row in tables.plans]
    own = [row.code for _, row in tables.plans if row.rates_of in (None, row.code)]
    _known(source, "rates.csv", "rate_plan", [(n, row.rate_plan) for n, row in tables.rates], own)
    _known(source, "rate_plans.csv", "rates_of", [(n, r.rates_of) for n, r in tables.plans if r.rates_of], own)
    _known(source, "restrictions.csv", "rate_plan", [(n, r.rate_plan) for n, r in tables.restrictions], [*plans, ANY])
    priced = {row.rate_plan for _, row in tables.rates}
    for n, plan in tables.plans:
        if plan.code in own and plan.code not in priced and "rates.csv" not in broken:
            source.add_problem("rate_plans.csv", n, "code", plan.code, "rows in rates.csv, or another plan in rates_of")


def _known(source: Folder, file: str, column: str, used: Iterable[tuple[int, str]], known: Sequence[str]) -> None:
    for n, code in used:
        if code not in known:
            source.add_problem(file, n, column, code, f"one of {', '.join(known)}")


def property_data_of(tables: Tables) -> PropertyData:
    (_, hotel), *_ = tables.hotel
    own = hotel.model_dump(exclude={"check_in_time", "check_out_time", "weekend_nights"})
    return PropertyData(
        record=PropertyRecord(**own, hotel_id=hotel.property_id, weekend_nights=sorted(hotel.weekend_nights)),
        check_in_time=hotel.check_in_time,
        check_out_time=hotel.check_out_time,
        rooms=[RoomKind(**row.model_dump()) for _, row in tables.rooms],
        plans=[_plan(row) for _, row in tables.plans],
        meals=[_meal(row) for _, row in tables.meals],
        topics=[_topic(row) for _, row in tables.topics],
    )


def _topic(row: TopicRow) -> Topic:
    return Topic(row.topic, row.title, row.title_he, row.text, row.text_he, row.aliases, row.policy)


def _plan(row: PlanRow) -> RatePlan:
    values = row.model_dump(exclude={"price_percent", "rates_of"})
    return RatePlan(**values, nrf_bp=row.price_percent * 100, rates_of=row.rates_of or row.code)


def _meal(row: MealRow) -> MealPrice:
    guests: dict[str, Literal["A", "C", "B"]] = {"adult": "A", "child": "C", "baby": "B"}
    return MealPrice(row.board, guests[row.guest], row.date_from, row.date_to, row.price)


def calendar_of(tables: Tables) -> Calendar:
    """Ranges expanded to nights. Rates and inventory: a later row wins. Restrictions: all rows apply."""
    rates = {day[:3]: day for _, row in tables.rates for day in _rate_days(row)}
    restrictions: dict[tuple[str, str, date], RestrictionDay] = {}
    for _, row in tables.restrictions:
        for day in _restriction_days(row):
            known = restrictions.get(day[:3])
            restrictions[day[:3]] = _both(known, day) if known else day
    return Calendar(
        inventory=[day for _, day in inventory_days(tables).values()],
        rates=list(rates.values()),
        restrictions=list(restrictions.values()),
    )


def inventory_days(tables: Tables) -> dict[tuple[str, date], tuple[int, InventoryDay]]:
    """Each night of each type, with the number of the row it comes from."""
    return {
        (row.room_type, night): (n, InventoryDay(row.room_type, night, row.rooms, row.sold, 0, row.stop_sell))
        for n, row in tables.inventory
        for night in row.dates()
    }


def _rate_days(row: RateRow) -> list[RateDay]:
    extras = (row.extra_adult, row.extra_child, row.extra_baby)
    return [RateDay(row.rate_plan, row.room_type, night, row.price, *extras, row.single_use) for night in row.dates()]


def _restriction_days(row: RestrictionRow) -> list[RestrictionDay]:
    rules = (row.min_stay, row.min_stay_arrival, row.max_stay, row.closed_to_arrival, row.closed_to_departure)
    return [RestrictionDay(row.room_type, row.rate_plan, day, *rules) for day in row.dates()]


def _both(one: RestrictionDay, other: RestrictionDay) -> RestrictionDay:
    """Two rows for the same date, type and plan as one: the stricter of each rule."""
    return RestrictionDay(
        *one[:3],
        min_stay=max(one.min_stay or 0, other.min_stay or 0) or None,
        min_stay_arrival=max(one.min_stay_arrival or 0, other.min_stay_arrival or 0) or None,
        max_stay=min(filter(None, (one.max_stay, other.max_stay)), default=None),
        cta=one.cta or other.cta,
        ctd=one.ctd or other.ctd,
    )


def _write(source: Folder, tables: Tables, place: Place, property_data: PropertyData, calendar: Calendar) -> None:
    """Raises `HotelImportError` if the new inventory is smaller than what is booked."""
    if not place.exists():
        place.create(lambda connection: store.write_property(connection, property_data, calendar, store.SCHEMA_VERSION))
        return
    place.upgrade()
    with place.writing() as connection:
        connection.renew(())
        booking_rows.release_lapsed(connection, connection.now())
        _check_booked(source, tables, connection)
        if source.problems:
            raise HotelImportError(source.problems)
        store.write_property(connection, property_data, calendar, store.SCHEMA_VERSION)


def _check_booked(source: Folder, tables: Tables, connection: Connection) -> None:
    days = inventory_days(tables)
    for (room_type, night), (sold, held) in sorted(store.booked_rooms(connection).items()):
        row, day = days.get((room_type, date.fromisoformat(night)), (0, None))
        if day is not None and day.total < sold + held:
            expected = f"at least {sold + held} rooms of {room_type} on {night}: they are booked or held"
            source.add_problem("inventory.csv", row, "rooms", day.total, expected)


def _report(property_data: PropertyData, calendar: Calendar, place: Place, replaced: bool) -> ImportReport:
    nights = sorted({day.date for day in calendar.inventory})
    return ImportReport(
        property_id=property_data.record.property_id,
        name=property_data.record.name,
        path=place.path if isinstance(place, PropertyFile) else None,
        room_types=len(property_data.rooms),
        rate_plans=len(property_data.plans),
        first_night=nights[0],
        last_night=nights[-1],
        rates=len(list(calendar.rates)),
        topics=len(property_data.topics),
        replaced=replaced,
        warnings=tuple(warnings(property_data, calendar)),
    )
