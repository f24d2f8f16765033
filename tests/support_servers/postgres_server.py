"""A PostgreSQL server of the tests' own, from installed binaries: in a temporary folder, on a free port, gone at the end."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from patience import HANGS_S

USER, PASSWORD = "desk", "Zq7#s3cr@t/9"
QUOTED = "Zq7%23s3cr%40t%2F9"
STARTS_WITHIN_S = HANGS_S


@dataclass(frozen=True)
class Server:
    port: int

    def url(self, database: str = "postgres", *, password: str = QUOTED) -> str:
        return f"postgresql://{USER}:{password}@127.0.0.1:{self.port}/{database}"

    def fresh(self, name: str) -> str:
        """The address of a new, empty database."""
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return self.url(name)


def binaries() -> Path | None:
    """Where `initdb` and `postgres` are, the newest version first; None where they are not installed."""
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True
    )
    on_path = [Path(found).resolve().parent for name in ("initdb", "pg_ctl") if (found := shutil.which(name))]
    folders = [*installed, *_configured(), *on_path]
    return next((f for f in folders if (f / "initdb").exists() and (f / "postgres").exists()), None)


def _configured() -> list[Path]:
    try:
        told = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    return [Path(told.stdout.strip())]


def reason_to_skip() -> str | None:
    """Why there can be no server here; None = there can."""
    if binaries() is None:
        return "PostgreSQL's server (initdb, postgres) is not installed; on Debian: apt-get install postgresql"
    if os.geteuid() == 0 and _other_user() is None:
        return "PostgreSQL does not run as root, and there is no user postgres or nobody to run it as"
    return None


def _other_user() -> pwd.struct_passwd | None:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None


@contextmanager
def server() -> Iterator[Server]:
    """A running server; only over 127.0.0.1, only with the password."""
    folder = binaries()
    assert folder is not None
    root = Path(tempfile.mkdtemp(prefix="wavegraph-pg-"))
    user = _other_user() if os.geteuid() == 0 else None
    identity: dict[str, Any] = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
    if user:
        os.chown(root, user.pw_uid, user.pw_gid)
    options: dict[str, Any] = {"cwd": root, "env": {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}, **identity}
    process = None
    try:
        (root / "password").write_text(PASSWORD, encoding="utf-8")
        (root / "password").chmod(0o644)
        subprocess.run(
            [folder / "initdb", "-D", root / "data", "-U", USER, "--pwfile", root / "password", "-A", "scram-sha-256",
             "-E", "UTF8", "--no-sync"],
            check=True, capture_output=True, **options,
        )  # fmt: skip
        port = _free_port()
        settings = {"port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": root, "fsync": "off",
                    "max_connections": 60, "shared_buffers": "32MB"}  # fmt: skip
        with (root / "log").open("wb") as log:
            process = subprocess.Popen(
                [folder / "postgres", "-D", root / "data", *(f"--{name}={value}" for name, value in settings.items())],
                stdout=log, stderr=log, **options,
            )  # fmt: skip
        _wait(process, folder, port, root / "log")
        yield Server(port)
    finally:
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGINT)  # at once: SIGTERM would wait for clients
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(root, ignore_errors=True)


def _wait(process: "subprocess.Popen[bytes]", folder: Path, port: int, log: Path) -> None:
    deadline = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < deadline and process.poll() is None:
        ready = subprocess.run([folder / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)], check=False)
        if ready.returncode == 0:
            return
        time.sleep(0.1)
    raise RuntimeError(f"PostgreSQL did not start: {log.read_text(encoding='utf-8', errors='replace')}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
