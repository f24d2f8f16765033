"""Where wards and rosters lie: in a folder, or in PostgreSQL, to which the files of this machine move."""

import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from wavegraph.graph.errors import SettingsError, ToolRefusal, error_text
from wavegraph.tools.postgres.named import shared_database
from wavegraph.tools.roster.keeping.folder import FolderKeeper, written_at

if TYPE_CHECKING:
    from wavegraph.tools.roster.keeping.table import TableKeeper

logger = logging.getLogger("wavegraph")

AT_ONCE = 50
"""Files that move in one transaction."""


def keeper_of(folder: Path, data_dir: Path | None, database: str | None) -> "FolderKeeper | TableKeeper":
    """`folder`: where files lie, or have lain. `data_dir`, `database`: see `shared_database`.

    Raises SettingsError; ToolRefusal where the database cannot be reached.
    """
    shared = shared_database(data_dir, database, of="rosters")
    return FolderKeeper(folder) if shared is None else _table_of(shared, folder)


@cache
def _table_of(database: str, folder: Path) -> "TableKeeper":
    """Once in a process for each pair."""
    try:
        from wavegraph.tools.postgres.server import server_of
        from wavegraph.tools.roster.keeping.table import TableKeeper
    except ImportError as error:
        raise SettingsError(
            f"rosters cannot be kept in PostgreSQL: {error_text(error)}; pip install 'wavegraph[postgres]'"
        ) from None
    table = TableKeeper(server_of(database))
    move(FolderKeeper(folder), table)
    return table


def move(folder: FolderKeeper, table: "TableKeeper") -> None:
    """Each file is removed once the database has its record; what it has already stays as it is there.

    A move that is killed is done again. Files that cannot be moved stay, and the log says so. Raises ToolRefusal where the
    database cannot be reached.
    """
    files, moved = list(folder.files()), 0
    try:
        for first in range(0, len(files), AT_ONCE):
            moved += _move(files[first : first + AT_ONCE], table)
    except (OSError, ToolRefusal) as error:
        if isinstance(error, ToolRefusal) and error.retryable:
            raise
        logger.warning("files of %s do not move to %s: %s", folder.place, table.place, error_text(error))
    if moved:
        logger.info("%d records of %s moved to %s", moved, folder.place, table.place)


def _move(files: Sequence[tuple[str, Path]], table: "TableKeeper") -> int:
    found = []
    for kind, path in files:
        with suppress(FileNotFoundError):  # another process of this machine has moved it
            found.append((kind, path, written_at(path), path.read_bytes()))
    table.add([(kind, path.stem, at, text) for kind, path, at, text in found])
    for _, path, _, _ in found:
        path.unlink(missing_ok=True)
    return len(found)
