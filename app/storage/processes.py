"""Which process this is, and whether another one has ended."""

import os
import platform
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_NUMBERS = Path("/proc/self/ns/pid")
_STATE, _STARTED = 0, 19
"""Fields of `/proc/PID/stat` after the name, which may hold anything."""


@dataclass(frozen=True)
class Process:
    host: str
    """For messages."""
    machine: str
    """The boot and the namespace in which `pid` is unique; empty = not known on this system."""
    pid: int
    started: str
    """Tells it from a later process with the same number."""

    def is_gone(self) -> bool:
        """Whether it has certainly ended. Of another machine's, or another container's, nothing is known."""
        if not self.machine or self.machine != _machine():
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:  # another user's
            pass
        found = _stat(self.pid)
        return bool(found) and (found[_STATE] in ("Z", "X") or found[_STARTED] != self.started)


def this_process() -> Process:
    return process_of(os.getpid())


def process_of(pid: int) -> Process:
    found = _stat(pid)
    return Process(platform.node(), _machine() if found else "", pid, found[_STARTED] if found else "")


def _machine() -> str:
    with suppress(OSError):
        return f"{_BOOT.read_text(encoding='ascii').strip()} {os.readlink(_NUMBERS)}"
    return ""


def _stat(pid: int) -> list[str]:
    """Empty if the system does not say."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    return []
