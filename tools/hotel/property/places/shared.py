"""The hotels of a PostgreSQL database that many machines share, and those of this machine that are still to move there."""

import logging
from functools import cache
from pathlib import Path

from wavegraph.graph.errors import SettingsError, error_text
from wavegraph.tools.hotel.property.place import Place
from wavegraph.tools.hotel.property.places import moving
from wavegraph.tools.postgres import named as postgres

logger = logging.getLogger("wavegraph")


def shared_database(data_dir: Path | None, database: str | None) -> str | None:
    """The PostgreSQL database that holds the hotels: `database`, or the one that WAVEGRAPH_DATABASE names, unless a folder is
    named; None = they lie in files. Raises SettingsError for another kind of connection string."""
    return postgres.shared_database(data_dir, database, of="hotels")


def shared_place(database: str, property_id: str) -> Place:
    """The place of a hotel in the database, whether it is there or not. Raises SettingsError."""
    try:
        from wavegraph.tools.hotel.property.places.property_schema import PropertySchema
        from wavegraph.tools.postgres.server import server_of
    except ImportError as error:
        raise SettingsError(
            f"hotels cannot be kept in PostgreSQL: {error_text(error)}; pip install 'wavegraph[postgres]'"
        ) from None
    return PropertySchema(server_of(database), property_id)


def shared_properties(database: str) -> list[str]:
    """The ids of the hotels in the database. Raises SettingsError, ToolRefusal."""
    shared_place(database, "any")  # or it tells what is missing
    from wavegraph.tools.hotel.property.places.property_schema import properties_in
    from wavegraph.tools.postgres.server import server_of

    return properties_in(server_of(database))


def move_in(place: Place, file: Path) -> bool:
    """Whether the hotel is in its place: moved there from the file, if it was not yet. Raises as `moving.move` does."""
    if not file.exists():
        return place.exists()
    if place.exists():
        _warn(file, place.name)
        return True
    moved = moving.move(file, place)
    logger.info("%s moved from %s, with %d bookings", place.name, file.name, moved.bookings)
    return True


@cache
def _warn(file: Path, name: str) -> None:
    logger.warning(
        "%s lies in %s of this machine as well, whose bookings no other machine sees: wavegraph hotel import --move",
        name,
        file,
    )
