"""What a cluster of `deploy/aegra` takes: processor time of its processes, and what PostgreSQL counted and stored."""

import os
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

TICKS = os.sysconf("SC_CLK_TCK")
PARTS = ("workers", "APIs", "PostgreSQL", "Redis", "client")
KINDS: Mapping[str, str] = {
    "checkpoints": "relname LIKE 'checkpoint%'",
    "store": "relname LIKE 'store%'",
    "threads": "relname IN ('runs', 'thread')",
    "bookings": r"schemaname LIKE '%\_hotel\_%'",
}
"""What is stored, and in which tables; other tables do not grow by conversations."""
COUNTED_AFTER_S = 11
"""A process of PostgreSQL tells its transactions ten seconds after its last one at the latest."""
LOOKS_EVERY_S = 0.3


def stat_of(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name, `state` first."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()


def tree_s(pid: int) -> float:
    """Processor seconds of a process, of its children, and of those that have ended."""
    total = sum(map(int, stat_of(pid)[11:15]))
    for other in Path("/proc").glob("[0-9]*"):
        try:
            fields = stat_of(int(other.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == pid:
            total += sum(map(int, fields[11:15]))
    return total / TICKS


def busy_s() -> float:
    """Processor seconds of all that runs on this machine."""
    user, nice, system, _idle, _waits, *interrupts = Path("/proc/stat").read_text(encoding="utf-8").split()[1:9]
    return sum(map(int, (user, nice, system, *interrupts))) / TICKS


@dataclass(frozen=True)
class Counts:
    """What was taken since the start; the difference of two is a rate or a cost."""

    processor_s: Mapping[str, float]
    """By part of the cluster."""
    machine_s: float
    """All programs."""
    clock_s: float

    def since(self, before: "Counts") -> "Counts":
        took = {part: now - before.processor_s[part] for part, now in self.processor_s.items()}
        return Counts(took, self.machine_s - before.machine_s, self.clock_s - before.clock_s)


@dataclass(frozen=True)
class Kept:
    """What PostgreSQL holds and has done."""

    commits: int
    """Transactions, those that only read included."""
    log_bytes: int
    """Of the write-ahead log."""
    stored_bytes: Mapping[str, int]
    """By `KINDS`, indexes included."""
    clock_s: float

    def since(self, before: "Kept") -> "Kept":
        stored = {kind: size - before.stored_bytes[kind] for kind, size in self.stored_bytes.items()}
        return Kept(
            self.commits - before.commits, self.log_bytes - before.log_bytes, stored, self.clock_s - before.clock_s
        )


class Watch:
    """On a running cluster."""

    def __init__(self, cluster: Any) -> None:
        self._cluster = cluster
        pid_file = cluster.folder / "postgres" / "postmaster.pid"
        self._postgres = int(pid_file.read_text(encoding="utf-8").splitlines()[0])

    def counts(self) -> Counts:
        made = self._cluster
        spent = {
            "workers": sum(tree_s(each.running.pid) for each in made.workers),
            "APIs": sum(tree_s(each.running.pid) for each in made.apis),
            "PostgreSQL": tree_s(self._postgres),
            "Redis": tree_s(made.redis.running.pid),
            "client": time.process_time(),
        }
        return Counts(spent, busy_s(), time.monotonic())

    def kept(self) -> Kept:
        """Once everything is counted."""
        time.sleep(COUNTED_AFTER_S)
        with psycopg.connect(self._cluster.database, autocommit=True) as connection:
            commits, log = one(
                connection,
                "SELECT xact_commit, pg_current_wal_lsn() - '0/0' FROM pg_stat_database WHERE datname = current_database()",
            )
            stored = {kind: one(connection, SIZE.format(tables))[0] for kind, tables in KINDS.items()}
        return Kept(int(commits), int(log), {kind: int(size or 0) for kind, size in stored.items()}, time.monotonic())

    @contextmanager
    def connections(self) -> Iterator[list[int]]:
        """Counts them again and again in a thread; our own is not among them."""
        seen: list[int] = []
        ended = threading.Event()
        other_database = re.sub(r"/\w+$", "/postgres", self._cluster.database)

        def look() -> None:
            with psycopg.connect(other_database, autocommit=True) as connection:
                while not ended.wait(LOOKS_EVERY_S):
                    seen.append(one(connection, CONNECTIONS)[0])

        thread = threading.Thread(target=look)
        thread.start()
        try:
            yield seen
        finally:
            ended.set()
            thread.join()


SIZE = "SELECT sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables WHERE {}"
CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"


def one(connection: psycopg.Connection[Any], statement: str) -> Any:
    found = connection.execute(statement.encode()).fetchone()
    assert found is not None
    return found
