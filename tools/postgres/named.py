"""Which PostgreSQL database an agent's records lie in, if they lie in one."""

import os
from pathlib import Path

from wavegraph.graph.errors import SettingsError
from wavegraph.tools.postgres.databases import DATABASE, is_no_file, is_postgres


def shared_database(data_dir: Path | None, database: str | None, *, of: str) -> str | None:
    """`database`, or the one that WAVEGRAPH_DATABASE names, unless a folder is named; None = they lie in files.

    `of`: what is kept, for messages. Raises SettingsError for another kind of connection string.
    """
    for named in (database, os.environ.get(DATABASE) if data_dir is None else None):
        if named and is_no_file(named):
            raise SettingsError(f"{of} are kept in files or in PostgreSQL; write postgresql://USER@HOST:PORT/DATABASE")
        if named and is_postgres(named):
            return named
    return None
