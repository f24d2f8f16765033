"""A file that is read again when it has changed, so that keys and tokens change without a restart."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

_T = TypeVar("_T")
_Stamp = tuple[int, int, int]


class Reread(Generic[_T]):
    """`read` makes something of the file's bytes and raises SettingsError where it cannot."""

    def __init__(self, path: Path, read: Callable[[Path, bytes], _T]) -> None:
        self._path, self._read, self._lock = path, read, threading.Lock()
        self._stamp: _Stamp | None = None
        self._found: _T

    def get(self) -> _T:
        """Raises SettingsError, and OSError for a file that cannot be read."""
        with self._lock:
            found = os.stat(self._path)
            stamp = (found.st_mtime_ns, found.st_size, found.st_ino)
            if stamp != self._stamp:
                self._found = self._read(self._path, self._path.read_bytes())
                self._stamp = stamp
            return self._found
