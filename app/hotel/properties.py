"""`wavegraph properties`: the hotels that the properties file lists, and whether their systems answer."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from wavegraph.app.plain_text import plain
from wavegraph.app.terminal.door import Console, print_text
from wavegraph.app.terminal.exit_errors import BAD_USAGE, FAILED, stop, tell
from wavegraph.graph.errors import WavegraphError

if TYPE_CHECKING:
    from wavegraph.tools.hotel.configuration.entry import PropertyEntry
    from wavegraph.tools.hotel.configuration.file import PropertiesFile

CHECK_LIMIT_S = 60.0
"""For one property, whatever its adapter waits for."""

properties = typer.Typer(
    invoke_without_command=True, help="The hotels on property systems of their own, and whether those answer."
)
FileOption = Annotated[
    Path | None,
    typer.Option(
        "--properties",
        metavar="FILE",
        help="The properties file; default: WAVEGRAPH_PROPERTIES, else properties.toml in the data folder.",
    ),
]


@properties.callback()
def list_(context: typer.Context, file: FileOption = None) -> None:
    """List the hotels of the properties file."""
    context.obj = file
    if context.invoked_subcommand:
        return
    listed = _read(file)
    for property_id, entry in listed.entries.items():
        print_text(f"{property_id:<20} {plain(_about(entry))}")
    if not listed.ids and not listed.faults:
        Console(stderr=True).print(Text(f"no property is listed: there is no {listed.path}"), soft_wrap=True)
    _end(faulty=_tell([fault.text for fault in listed.faults]), failed=False)


@properties.command("check")
def check(
    context: typer.Context,
    property_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="Only this property; default: all.", show_default=False)
    ] = None,
    file: FileOption = None,
) -> None:
    """Check the properties file, then ask each property's system something harmless."""
    listed = _read(file or context.obj)
    if property_id is not None:
        listed = _only(listed, property_id)
    elif not listed.ids and not listed.faults:
        stop(Console(stderr=True), f"no property is listed: there is no {listed.path}", BAD_USAGE)
    faulty = _tell([fault.text for fault in listed.faults])
    results = asyncio.run(_check_all([*listed.entries.values()]))
    for entry, (good, text) in zip(listed.entries.values(), results, strict=True):
        print_text(f"{entry.id:<20} {'right' if good else 'wrong'}  {plain(text)}")
    _end(faulty=faulty, failed=not all(good for good, _ in results))


def _read(file: Path | None) -> "PropertiesFile":
    """With what is wrong only in view of the hotels in the data folder."""
    from wavegraph.tools.hotel.configuration.file import configured, read_properties
    from wavegraph.tools.hotel.property.port import default_data_dir, listed_beside

    folder = default_data_dir()
    return listed_beside(read_properties(file) if file else configured(folder), folder)


def _only(listed: "PropertiesFile", property_id: str) -> "PropertiesFile":
    from wavegraph.tools.hotel.configuration.file import PropertiesFile

    if property_id not in listed.ids:
        known = ", ".join(listed.ids) or "none"
        reasons = "; ".join(["", *listed.whole_file_faults()])
        stop(Console(stderr=True), f"{property_id!r} is not in {listed.path}; listed: {known}{reasons}", BAD_USAGE)
    entries = {each: entry for each, entry in listed.entries.items() if each == property_id}
    return PropertiesFile(listed.path, entries, [each for each in listed.faults if each.property_id == property_id])


def _tell(faults: Sequence[str]) -> bool:
    for fault in faults:
        tell(Console(stderr=True), fault)
    return bool(faults)


def _end(*, faulty: bool, failed: bool) -> None:
    if faulty or failed:
        raise typer.Exit(BAD_USAGE if faulty else FAILED)


def _about(entry: "PropertyEntry") -> str:
    record = entry.record()
    host = "the test system" if record.use_sandbox and not entry.host else entry.host or "the vendor's host"
    rights = "may book and cancel" if entry.writes else "read only"
    return f"{entry.pms_type}, hotel {entry.hotel_id} at {host}, {entry.currency}, {entry.time_zone}, {rights}"


async def _check_all(entries: Sequence["PropertyEntry"]) -> list[tuple[bool, str]]:
    return await asyncio.gather(*map(_checked, entries))


async def _checked(entry: "PropertyEntry") -> tuple[bool, str]:
    """Whether it is right, and what was found."""
    from wavegraph.tools.hotel.configuration.diagnosis import diagnosis

    try:
        async with asyncio.timeout(CHECK_LIMIT_S):
            await _ask(entry)
    except TimeoutError:
        return False, f"host: no answer within {CHECK_LIMIT_S:.0f} seconds; look at host"
    except (WavegraphError, OSError, sqlite3.DatabaseError) as error:
        return False, diagnosis(error, entry)
    return True, _right(entry)


async def _ask(entry: "PropertyEntry") -> None:
    from wavegraph.tools.hotel.property.credentials import EnvironmentSecrets
    from wavegraph.tools.hotel.property.port import adapter_of, default_data_dir
    from wavegraph.tools.hotel.property.store import utc_now

    adapter = await asyncio.to_thread(
        adapter_of, entry, secrets=EnvironmentSecrets(), data_dir=default_data_dir(), now=utc_now
    )
    try:
        await adapter.check()
    finally:
        await adapter.close()


def _right(entry: "PropertyEntry") -> str:
    if entry.record().use_sandbox:
        return f"{_about(entry)}: it answers. A test system may take any password: this proves nothing about the credentials"
    return f"{_about(entry)}: it answers, and takes the credentials and the hotel id"
