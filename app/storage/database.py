"""The name of a database, as a user gives it, and what an open one provides."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.store.base import BaseStore

from wavegraph.graph.errors import StorageError

MEMORY = ":memory:"
_POSTGRES = re.compile(r"postgres(?:ql)?://", re.IGNORECASE)

Failed = Callable[[Exception], StorageError]
"""The error of a database that failed, which names it and the way out, for the driver's own."""


@dataclass(frozen=True)
class Storage:
    checkpointer: BaseCheckpointSaver[Any]
    store: BaseStore


def data_folder() -> Path:
    """This program's folder in the user's data; may not exist yet."""
    return platformdirs.user_data_path("wavegraph")


def default_database() -> Path:
    return data_folder() / "wavegraph.db"


def is_postgres(database: str) -> bool:
    return _POSTGRES.match(database) is not None


def printable(database: str) -> str:
    """The database's name for messages: a connection string without user, password and parameters."""
    if not is_postgres(database):
        return database
    address = re.split(r"[?#\s]", database.rpartition("@")[2] if "@" in database else _POSTGRES.sub("", database))[0]
    return f"postgresql://{address}"
