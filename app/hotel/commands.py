"""`wavegraph hotel …`: the hotels the agent answers for."""

import asyncio
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn
from zoneinfo import ZoneInfo

import typer

from wavegraph.app.plain_text import plain
from wavegraph.app.terminal.door import Console, print_text
from wavegraph.app.terminal.exit_errors import BAD_USAGE, stop
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.secrets.ways_out import error_text

if TYPE_CHECKING:
    from wavegraph.tools.hotel.records import HeldStay, PropertyRecord
    from wavegraph.tools.hotel.settings import HotelSettings

# The hotel itself is imported where it is used: another agent's `ask` should not wait for its calendars.

hotel = typer.Typer(no_args_is_help=True, help="The hotels the agent answers for.")


@hotel.command("import")
def import_(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with the hotel's CSV and JSON files.")],
) -> None:
    """Import a hotel: its rooms, rates, inventory and what guests ask about."""
    from wavegraph.tools.hotel.property.importer import HotelImportError, import_hotel
    from wavegraph.tools.hotel.property.port import default_data_dir

    if not folder.is_dir():
        _stop(f"{str(folder)!r} is not a folder; give the one that holds hotel.json and the CSV files")
    try:
        report = import_hotel(folder, default_data_dir())
    except HotelImportError as error:
        _stop("\n".join([f"{len(error.problems)} problem(s), nothing was imported:", *map(str, error.problems)]))
    except (OSError, sqlite3.DatabaseError) as error:
        _stop(f"cannot import {str(folder)!r} into {str(default_data_dir())!r}: {error_text(error)}")
    done = "replaced; its bookings are kept" if report.replaced else "imported"
    print_text(f"{plain(report.name)} ({report.property_id}): {done}")
    print_text(f"  {report.room_types} room types, {report.rate_plans} rate plans, {report.rates} rates, "
          f"{report.topics} topics")  # fmt: skip
    print_text(f"  nights on sale: {report.first_night} to {report.last_night}")
    for warning in report.warnings:
        print_text(f"  ! {plain(warning)}")
    print_text(f'try it: wavegraph ask --property {report.property_id} "What rooms do you have?"')


@hotel.command("list")
def list_() -> None:
    """List the hotels: the demo hotel, those imported, and those of the properties file."""
    from wavegraph.tools.hotel.property.port import DEFAULT_PROPERTY, default_data_dir, known_properties

    for property_id in known_properties(default_data_dir()):
        # The demo hotel is built on its first request; listing it should not build it.
        about = "the demo hotel" if property_id == DEFAULT_PROPERTY else _about(property_id)
        print_text(f"{property_id:<20} {about}")


@hotel.command("holds")
def holds(
    property_id: Annotated[str | None, typer.Option("--property", help="Only this hotel; default: all hotels.")] = None,
) -> None:
    """List the rooms held for an answer, and the holds that lapsed in the last day."""
    from wavegraph.tools.hotel.property.port import default_data_dir, known_properties

    for each in [property_id] if property_id else known_properties(default_data_dir()):
        try:
            lines = asyncio.run(_holds(each))
        except (SettingsError, OSError, sqlite3.DatabaseError) as error:
            if property_id:
                _stop(error_text(error))
            lines = [f"{each:<20} cannot be opened: {error_text(error)}"]
        for line in lines:
            print_text(line)


async def _holds(property_id: str) -> list[str]:
    from wavegraph.tools.hotel.property.port import open_property

    adapter = open_property(property_id)
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


def check_property(settings: "HotelSettings") -> None:
    """Raise SettingsError for an unknown hotel before a request starts; in one it would only fail a tool call."""
    from wavegraph.tools.hotel.property.port import open_property

    open_property(settings.property_id)


def _about(property_id: str) -> str:
    try:
        return asyncio.run(_described(property_id))
    except (SettingsError, OSError, sqlite3.DatabaseError) as error:
        return f"cannot be opened: {error_text(error)}"


async def _described(property_id: str) -> str:
    from wavegraph.tools.hotel.property.port import open_property

    adapter = open_property(property_id)
    await adapter.open()
    try:
        return f"{plain(adapter.record.name)}, {adapter.record.country}, {adapter.record.currency}"
    finally:
        await adapter.close()


def _stop(message: str) -> NoReturn:
    stop(Console(stderr=True), message, BAD_USAGE)
