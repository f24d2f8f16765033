"""LangGraph's store in SQLite, without what it imports for searches by meaning, which nothing here makes."""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _LoadedWhenUsed(ModuleType):
    """Stands in for a module until something of it is used. Python's LazyLoader would load it at the next `import`."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # looked at by those who go through all modules
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


sys.modules.setdefault("sqlite_vec", _LoadedWhenUsed("sqlite_vec"))  # it imports numpy, the slowest part of the store

from langgraph.store.sqlite.aio import AsyncSqliteStore

__all__ = ["AsyncSqliteStore"]
