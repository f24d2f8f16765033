"""Where conversations are kept by default, and what an open database provides."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from wavegraph.graph.errors import StorageError
from wavegraph.tools.postgres.databases import DATABASE

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.store.base import BaseStore

MEMORY = ":memory:"

Failed = Callable[[Exception], StorageError]
"""The error of a database that failed, which names it and the way out, for the driver's own."""


@dataclass(frozen=True)
class Storage:
    checkpointer: "BaseCheckpointSaver[Any]"
    store: "BaseStore"


def data_folder() -> Path:
    """This program's folder in the user's data; may not exist yet."""
    return platformdirs.user_data_path("wavegraph")


def default_database() -> str:
    """What WAVEGRAPH_DATABASE names, else the file in the user's data folder."""
    return os.environ.get(DATABASE) or str(default_file())


def default_file() -> Path:
    return data_folder() / "wavegraph.db"
