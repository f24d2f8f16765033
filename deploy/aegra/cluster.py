"""A cluster on this machine, from installed packages: PostgreSQL, Redis, two APIs and two workers.

    python deploy/aegra/cluster.py [--lease 30] [--workers 2] [-- COMMAND …]

It runs COMMAND with CLUSTER_APIS (addresses, comma-separated) set, or else waits for Ctrl-C; then everything is stopped and
its folder removed. Everything listens on 127.0.0.1 alone. PostgreSQL's server and redis-server have to be installed.
"""

import argparse
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
STARTS_WITHIN_S = 180
DATABASE = "wavegraph"


@dataclass
class Process:
    """One API or worker: an Aegra process of its own, as a service manager would keep it."""

    name: str
    port: int
    environment: Mapping[str, str]
    folder: Path
    python: str = sys.executable
    """Of the environment in which Aegra is installed."""
    running: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    def start(self) -> None:
        """Returns once it answers. Raises RuntimeError with the end of its log."""
        self.launch()
        self.wait_until_ready()

    def launch(self) -> None:
        # Not by `aegra serve`, which leaves its server running after SIGTERM.
        command = [
            self.python,
            "-m",
            "uvicorn",
            "aegra_api.main:app",
            "--host",
            "127.0.0.1",
            "--port",
            str(self.port),
        ]
        with self.log.open("ab") as log:
            self.running = subprocess.Popen(
                command, cwd=HERE, env={**os.environ, **self.environment}, stdout=log, stderr=log
            )

    def wait_until_ready(self) -> None:
        assert self.running is not None
        _wait_for(self.is_ready, self.name, self.log, self.running)

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/health", timeout=2) as reply:
                return bool(reply.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def kill(self) -> None:
        """At once, as a machine that loses power."""
        assert self.running is not None
        self.running.kill()
        self.running.wait()

    def terminate(self) -> None:
        if self.running is not None and self.running.poll() is None:
            self.running.terminate()

    def stop(self) -> None:
        """As a service manager does: it may finish what it works on."""
        if self.running is None:
            return
        self.terminate()
        try:
            self.running.wait(60)
        except subprocess.TimeoutExpired:
            self.kill()


@dataclass
class Redis:
    server: str
    port: int
    folder: Path
    running: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Returns once it answers; what it had written to its file it has again."""
        data, log = self.folder / "redis", self.folder / "redis.log"
        data.mkdir(exist_ok=True)
        address = ["--port", str(self.port), "--bind", "127.0.0.1"]
        with log.open("ab") as out:
            self.running = subprocess.Popen(
                [self.server, *address, "--dir", str(data), "--appendonly", "yes"], stdout=out, stderr=out
            )
        _wait_for(lambda: _listens(self.port), "Redis", log, self.running)

    def kill(self) -> None:
        if self.running is not None:
            self.running.kill()
            self.running.wait()


@dataclass
class Cluster:
    folder: Path
    database: str
    redis: Redis
    python: str = sys.executable
    apis: list[Process] = field(default_factory=list)
    workers: list[Process] = field(default_factory=list)

    def add(self, kind: str, count: int, environment: Mapping[str, str]) -> list[Process]:
        """Processes that are not started yet, each with a data folder of its own: no file is shared."""
        made = []
        for number in range(1, count + 1):
            name = f"{kind}-{number}"
            own = {"XDG_DATA_HOME": str(self.folder / name), **environment}
            made.append(Process(name, _free_port(), own, self.folder, self.python))
        return made


@contextmanager
def cluster(
    apis: int = 2,
    workers: int = 2,
    slots: int = 20,
    lease_s: int = 30,
    environment: Mapping[str, str] | None = None,
    python: str = sys.executable,
) -> Iterator[Cluster]:
    """A running cluster. `lease_s`: how long a worker may be silent before its runs are given to another."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wavegraph-cluster-")))
        folder.chmod(0o755)
        made = Cluster(folder, stack.enter_context(_postgres(folder)), stack.enter_context(_redis(folder)), python)
        common = {
            "AEGRA_CONFIG": "aegra.json", "DATABASE_URL": made.database, "REDIS_BROKER_ENABLED": "true",
            "REDIS_URL": made.redis.url, "LOG_LEVEL": "WARNING", "RUN_MIGRATIONS_ON_STARTUP": "false",
            "LEASE_DURATION_SECONDS": str(lease_s), "HEARTBEAT_INTERVAL_SECONDS": str(max(1, lease_s // 3)),
            "REAPER_INTERVAL_SECONDS": str(max(1, lease_s // 2)), "N_JOBS_PER_WORKER": str(slots),
            "WAVEGRAPH_DATABASE": made.database, "LANGSMITH_TRACING": "false", "ENV_MODE": "PRODUCTION",
            "LANGGRAPH_STRICT_MSGPACK": "true",
            **(environment or {}),
        }  # fmt: skip
        made.apis = made.add("api", apis, {**common, "WORKER_COUNT": "0"})
        made.workers = made.add("worker", workers, {**common, "WORKER_COUNT": "1"})
        _migrate(made, common)
        every = [*made.apis, *made.workers]
        stack.callback(_stop_all, every)
        print(f"starting {apis} APIs and {workers} workers; their logs: {folder}", file=sys.stderr, flush=True)
        every[0].start()  # alone: it enters the graphs, which two at once would do twice
        for process in every[1:]:
            process.launch()
        for process in every[1:]:
            process.wait_until_ready()
        yield made


def _stop_all(processes: Sequence[Process]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        process.stop()


def _migrate(made: Cluster, environment: Mapping[str, str]) -> None:
    """Raises RuntimeError with what it said."""
    command, told = [made.python, "migrate.py"], {**os.environ, **environment}
    done = subprocess.run(command, cwd=HERE, env=told, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the tables could not be made:\n{done.stderr[-3000:]}")


@contextmanager
def _postgres(folder: Path) -> Iterator[str]:
    binaries = _postgres_binaries()
    data, port = folder / "postgres", _free_port()
    data.mkdir()
    owner = _unprivileged() if os.geteuid() == 0 else None
    as_owner = {} if owner is None else {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
    if owner is not None:
        os.chown(data, owner.pw_uid, owner.pw_gid)
    settings = {"port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": data, "max_connections": 300}
    flags = [f"--{name}={value}" for name, value in settings.items()]
    subprocess.run(
        [binaries / "initdb", "-D", data, "-U", DATABASE, "-A", "trust", "-E", "UTF8"],
        check=True, capture_output=True, cwd=data, **as_owner,
    )  # fmt: skip
    with (
        (folder / "postgres.log").open("wb") as log,
        _stopped_at_the_end(
            subprocess.Popen([binaries / "postgres", "-D", data, *flags], stdout=log, stderr=log, cwd=data, **as_owner),
            signal.SIGINT,
        ) as process,
    ):
        probe = [binaries / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]
        _wait_for(
            lambda: subprocess.run(probe, check=False).returncode == 0, "PostgreSQL", folder / "postgres.log", process
        )
        subprocess.run(
            [binaries / "createdb", "-h", "127.0.0.1", "-p", str(port), "-U", DATABASE, DATABASE], check=True
        )
        yield f"postgresql://{DATABASE}@127.0.0.1:{port}/{DATABASE}"


@contextmanager
def _redis(folder: Path) -> Iterator[Redis]:
    server = shutil.which("redis-server")
    if server is None:
        raise RuntimeError("redis-server is not installed (Debian, Ubuntu: apt install redis-server)")
    made = Redis(server, _free_port(), folder)
    try:
        made.start()
        yield made
    finally:
        made.kill()


@contextmanager
def _stopped_at_the_end(process: "subprocess.Popen[bytes]", by: signal.Signals) -> Iterator["subprocess.Popen[bytes]"]:
    try:
        yield process
    finally:
        process.send_signal(by)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _postgres_binaries() -> Path:
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True
    )
    on_path = [Path(found).resolve().parent for name in ("initdb", "postgres") if (found := shutil.which(name))]
    for folder in (*installed, *on_path):
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise RuntimeError("PostgreSQL's server is not installed (Debian, Ubuntu: apt install postgresql)")


def _unprivileged() -> pwd.struct_passwd:
    """PostgreSQL does not run as root."""
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as")


def _wait_for(is_ready: Callable[[], bool], name: str, log: Path, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < until and process.poll() is None:
        if is_ready():
            return
        time.sleep(0.1)
    end = log.read_text(encoding="utf-8", errors="replace")[-3000:]
    raise RuntimeError(f"{name} did not start within {STARTS_WITHIN_S} seconds:\n{end}")


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--apis", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--slots", type=int, default=20, help="runs that a worker takes at once")
    parser.add_argument(
        "--lease", type=int, default=30, metavar="SECONDS", help="silence after which a worker's runs go to another"
    )
    parser.add_argument("command", nargs="*", help="run with CLUSTER_APIS set; without one it waits for Ctrl-C")
    options = parser.parse_args(arguments)
    try:
        with cluster(options.apis, options.workers, options.slots, options.lease) as made:
            addresses = [each.url for each in made.apis]
            print(
                json.dumps(
                    {"apis": addresses, "workers": [each.url for each in made.workers], "folder": str(made.folder)}
                ),
                flush=True,
            )
            if options.command:
                told = {**os.environ, "CLUSTER_APIS": ",".join(addresses)}
                return subprocess.run(options.command, env=told, check=False).returncode
            signal.pause()
    except KeyboardInterrupt:
        return 0
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
