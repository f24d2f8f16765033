"""Where tests keep a hotel: a file, or a schema of PostgreSQL; and SQL that looks behind the adapter's back."""

import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from wavegraph.tools.hotel.property.place import Place
from wavegraph.tools.hotel.property.places.property_file import PropertyFile
from wavegraph.tools.hotel.property.places.property_schema import PropertySchema, schema_name
from wavegraph.tools.postgres.server import server_of

_numbers = count(1)


def new_place(database: str | None, folder: Path) -> Any:
    """An empty place; `database`: in PostgreSQL."""
    if database is None:
        return PropertyFile(folder / "tiny.sqlite")
    return PropertySchema(server_of(database), f"tiny{next(_numbers)}")


def rows_of(place: Place, database: str | None, text: str, *values: object) -> list[Any]:
    """What a statement finds, committed if it writes."""
    if isinstance(place, PropertyFile):
        with closing(sqlite3.connect(place.path, timeout=10)) as file, file:
            return file.execute(text, values).fetchall()
    assert isinstance(place, PropertySchema)
    with psycopg.connect(str(database)) as connection:
        connection.execute(f'SET search_path TO "{schema_name("public", place.property_id)}"')
        done = connection.execute(text.replace("?", "%s"), values or None)
        return done.fetchall() if done.description else []
