"""`wavegraph hotel …`: the hotels the agent answers for."""

import asyncio
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn
from zoneinfo import ZoneInfo

import typer

from wavegraph.app.plain_text import plain
from wavegraph.app.terminal.door import Console, print_text
from wavegraph.app.terminal.exit_errors import BAD_USAGE, FAILED, stop
from wavegraph.graph.errors import SettingsError, ToolRefusal, error_text

if TYPE_CHECKING:
    from wavegraph.tools.hotel.records import HeldStay, PropertyRecord
    from wavegraph.tools.hotel.settings import HotelSettings

# The hotel itself is imported where it is used: another agent's `ask` should not wait for its calendars.

UNUSABLE = (SettingsError, ToolRefusal, OSError, sqlite3.DatabaseError)
"""What keeps a hotel from being opened."""
HotelsOption = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        help="A PostgreSQL database that holds the hotels; default: $WAVEGRAPH_DATABASE, else files.",
        hidden=True,
    ),
]

hotel = typer.Typer(no_args_is_help=True, help="The hotels the agent answers for.")


@hotel.command("import")
def import_(
    given: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DIR", help="Folder with the hotel's CSV and JSON files. With --move: IDs; default: all.",
            show_default=False,
        ),
    ] = None,
    moves: Annotated[
        bool,
        typer.Option(
            "--move", help="Instead: move hotels from files of this machine into PostgreSQL, with their bookings; or only the "
            "bookings, if it has the hotel.",
        ),
    ] = False,
    database: HotelsOption = None,
) -> None:  # fmt: skip
    """Import a hotel: its rooms, rates, inventory and what guests ask about."""
    if moves:
        _move(given, database)
    elif given and len(given) == 1:
        _import(Path(given[0]), database)
    else:
        _stop("name one folder, the one that holds hotel.json and the CSV files")


def _import(folder: Path, database: str | None) -> None:
    from wavegraph.tools.hotel.property.importer import HotelImportError, import_hotel
    from wavegraph.tools.hotel.property.port import default_data_dir

    if not folder.is_dir():
        _stop(f"{str(folder)!r} is not a folder; give the one that holds hotel.json and the CSV files")
    try:
        report = import_hotel(folder, database=database)
    except HotelImportError as error:
        _stop("\n".join([f"{len(error.problems)} problem(s), nothing was imported:", *map(str, error.problems)]))
    except (OSError, sqlite3.DatabaseError) as error:  # of a file of this machine
        _stop(f"cannot import {str(folder)!r} into {str(default_data_dir())!r}: {error_text(error)}")
    except UNUSABLE as error:
        _stop(f"cannot import {str(folder)!r}: {error_text(error)}")
    done = "replaced; its bookings are kept" if report.replaced else "imported"
    print_text(f"{plain(report.name)} ({report.property_id}): {done}")
    print_text(f"  {report.room_types} room types, {report.rate_plans} rate plans, {report.rates} rates, "
          f"{report.topics} topics")  # fmt: skip
    print_text(f"  nights on sale: {report.first_night} to {report.last_night}")
    for warning in report.warnings:
        print_text(f"  ! {plain(warning)}")
    print_text(f'try it: wavegraph ask --property {report.property_id} "What rooms do you have?"')


@hotel.command("list")
def list_(
    property_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="Only this one.", show_default=False)
    ] = None,
    holds: Annotated[
        bool, typer.Option("--holds", help="Rooms held for an answer, and the holds that lapsed in the last day.")
    ] = False,
    database: HotelsOption = None,
) -> None:
    """List the hotels: the demo hotel, those imported, and those of the properties file."""
    if holds:
        _list_holds(property_id, database)
    else:
        _list(property_id, database)


def _list(property_id: str | None, database: str | None) -> None:
    from wavegraph.tools.hotel.property.port import DEFAULT_PROPERTY

    known, here = ([property_id], ()) if property_id else _known(database)
    for each in known:
        # The demo hotel is built on its first request; listing it should not build it.
        about = "the demo hotel" if each == DEFAULT_PROPERTY else _about(each, database)
        print_text(f"{each:<20} {about}")
    for each in here or ():
        print_text(f"{each:<20} in a file of this machine; wavegraph hotel import --move {each}")


def _known(database: str | None) -> tuple[list[str], list[str] | None]:
    """All hotels, and those of them in files of this machine that are still to move to PostgreSQL; None = no hotel is kept
    there."""
    from wavegraph.tools.hotel.property.places.shared import shared_database, shared_properties
    from wavegraph.tools.hotel.property.port import (
        DEFAULT_PROPERTY,
        default_data_dir,
        hotel_file,
        known_properties,
        local_properties,
    )

    folder = default_data_dir()
    known, local = known_properties(folder), local_properties(folder)
    try:
        shared = shared_database(None, database)
        if shared is None:
            return known, None
        listed = [each for each in known if each not in local]
        here = [each for each in local if hotel_file(folder, each).exists()]
        return list(dict.fromkeys([DEFAULT_PROPERTY, *shared_properties(shared), *listed])), here
    except UNUSABLE as error:
        _stop(error_text(error))


def _move(property_ids: list[str] | None, database: str | None) -> None:
    from wavegraph.tools.hotel.property.places.moving import move
    from wavegraph.tools.hotel.property.places.shared import shared_database, shared_place
    from wavegraph.tools.hotel.property.port import default_data_dir, hotel_file

    _, here = _known(database)
    shared = shared_database(None, database)
    if here is None or shared is None:
        _stop("name the PostgreSQL database that hotels move to: --db postgresql://USER@HOST:PORT/DATABASE")
    for property_id in property_ids or here:
        if property_id not in here:
            _stop(f"no hotel {property_id!r} in a file of this machine; there are: {', '.join(here) or 'none'}")
    for property_id in property_ids or here:
        try:
            moved = move(hotel_file(default_data_dir(), property_id), shared_place(shared, property_id))
        except UNUSABLE as error:
            stop(Console(stderr=True), f"{property_id}: {error_text(error)}", FAILED)
        what = "moved" if moved.whole else "was there already; what this machine had is with it now"
        print_text(f"{property_id}: {what}, {moved.bookings} booking(s) and hold(s)")


def _list_holds(property_id: str | None, database: str | None) -> None:
    known, _ = _known(database)
    for each in [property_id] if property_id else known:
        try:
            lines = asyncio.run(_holds(each, database))
        except UNUSABLE as error:
            if property_id:
                _stop(error_text(error))
            lines = [f"{each:<20} cannot be opened: {error_text(error)}"]
        for line in lines:
            print_text(line)


async def _holds(property_id: str, database: str | None) -> list[str]:
    from wavegraph.tools.hotel.property.port import open_property

    adapter = open_property(property_id, database=database)
    return [_line(held, adapter.record) for held in await adapter.holds()]


def _line(held: "HeldStay", adapter: "PropertyRecord") -> str:
    from wavegraph.tools.hotel.currency import written

    until = held.hold_until.astimezone(ZoneInfo(adapter.time_zone))
    state = "held until" if held.status == "hold" else "lapsed at"
    rooms = ", ".join(f"{room.count} x {plain(room.room_name)}" for room in held.rooms)
    total = written(held.total_agorot, held.currency)
    stay = f"{held.check_in} to {held.check_out}"
    name = plain(held.guest_name)
    return (
        f"{adapter.property_id:<20} {held.quote_id}  {state} {until:%Y-%m-%d %H:%M}  {stay}  {rooms}  {total}  {name}"
    )


def check_property(settings: "HotelSettings", database: str | None = None) -> None:
    """Raise SettingsError for an unknown hotel before a request starts; in one it would only fail a tool call."""
    from wavegraph.tools.hotel.property.port import open_property

    open_property(settings.property_id, database=database)


def _about(property_id: str, database: str | None) -> str:
    try:
        return asyncio.run(_described(property_id, database))
    except UNUSABLE as error:
        return f"cannot be opened: {error_text(error)}"


async def _described(property_id: str, database: str | None) -> str:
    from wavegraph.tools.hotel.property.port import open_property

    adapter = open_property(property_id, database=database)
    await adapter.open()
    try:
        return f"{plain(adapter.record.name)}, {adapter.record.country}, {adapter.record.currency}"
    finally:
        await adapter.close()


def _stop(message: str) -> NoReturn:
    stop(Console(stderr=True), message, BAD_USAGE)
