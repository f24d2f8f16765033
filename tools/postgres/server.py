"""Connections to a PostgreSQL database that agents keep records in: opened when needed, kept for the next call, few at most.

They are used in worker threads, and a thread that finds the server down hears why at once; psycopg's own pool connects in
the background, and its caller would wait for the whole time-out to hear nothing but that.
"""

import atexit
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import BoundedSemaphore, Lock
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.rows import TupleRow

from wavegraph.graph.errors import SettingsError, ToolRefusal, error_text
from wavegraph.graph.secrets.known import passwords_in
from wavegraph.graph.secrets.scrubber import process
from wavegraph.tools.postgres.databases import libpq_settings, printable

CONNECTIONS = 10
"""Most connections that one process holds to a database for what its agents keep."""
WAIT_S = 10.0
"""How long a call waits for one of them."""
_DEFAULTS: Mapping[str, Any] = {
    "client_encoding": "UTF8",
    # A server that vanished is noticed in half a minute, not in the system's two hours.
    "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 25_000,
}  # fmt: skip
"""Where the connection string says nothing else."""

Raw = psycopg.Connection[TupleRow]


class Server:
    """One database, for all agents and all threads of this process."""

    def __init__(self, database: str) -> None:
        """Raises SettingsError for a connection string that cannot be read."""
        try:
            self._settings = {**_DEFAULTS, **libpq_settings(database)}
        except ValueError as error:
            raise SettingsError(error_text(error)) from None
        self.name = printable(database)
        self._idle: list[Raw] = []
        self._parents: list[Raw] = []
        self._places = BoundedSemaphore(CONNECTIONS)

    @contextmanager
    def connection(self) -> Iterator[Raw]:
        """One that no other thread uses, outside of a transaction. Raises psycopg's errors, ToolRefusal."""
        if not self._places.acquire(timeout=WAIT_S):
            raise ToolRefusal("timeout", f"the database is busy; waited {WAIT_S:g} s", retryable=True)
        try:
            raw = self._kept() or psycopg.connect(**self._settings, autocommit=True, prepare_threshold=None)
            try:
                yield raw
            finally:
                self._keep(raw)
        finally:
            self._places.release()

    def _kept(self) -> Raw | None:
        """One that is still good: the server may have been started again since, and nothing is lost by asking."""
        while self._idle:
            with suppress(IndexError):  # another thread was first
                raw = self._idle.pop()
                with suppress(psycopg.Error):
                    raw.execute("")
                    return raw
                raw.close()
        return None

    def _keep(self, raw: Raw) -> None:
        if raw.info.transaction_status == TransactionStatus.IDLE:
            self._idle.append(raw)
        else:
            raw.close()

    def forget(self) -> None:
        """In a forked process: what was open is its parent's, not to be used and not to be closed."""
        self._parents += self._idle
        self._idle, self._places = [], BoundedSemaphore(CONNECTIONS)

    def close(self) -> None:
        """Close what is idle. A later call connects again."""
        while self._idle:
            with suppress(IndexError):
                self._idle.pop().close()


_servers: dict[str, Server] = {}
_lock = Lock()


def server_of(database: str) -> Server:
    """This process's connections to the database. Raises SettingsError."""
    process.learn(*passwords_in(database))
    with _lock:
        if (server := _servers.get(database)) is None:
            server = _servers[database] = Server(database)
        return server


@atexit.register
def close_all() -> None:
    """Close what this process has idle."""
    for server in list(_servers.values()):
        server.close()


def _after_fork() -> None:
    global _lock
    _lock = Lock()
    for server in _servers.values():
        server.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
