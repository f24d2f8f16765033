"""The command line: neither its output nor its database holds a secret, whatever becomes of the request."""

import os
import signal
import subprocess
from pathlib import Path

import postgres_server
import ready
from shell import COMMAND, ENDS_WITHIN_S, HERE, read_until

from wavegraph.testing import Canaries, Collected, assert_no_leak

AGENT = ("--domain", "canary_vault:graph")


class Desk:
    """Runs `wavegraph` with the vault, and collects what it prints."""

    def __init__(self, home: Path, left: Collected, database: str) -> None:
        self._left = left
        self._database = database
        self._environment = {**os.environ, "XDG_DATA_HOME": str(home), "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"}

    def __call__(self, *words: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
        line = [*words, "--db", self._database]
        done = ready.completed(COMMAND[2], line, typed=typed, cwd=HERE, env=self._environment, timeout=ENDS_WITHIN_S)
        self._left.add("terminal", [done.stdout, done.stderr])
        return done

    def stopped(self, *words: str) -> int | None:
        """Stopped by Ctrl-C when its first call has ended: the exit status."""
        process = ready.Process(COMMAND[2], [*words, "--db", self._database], cwd=HERE, env=self._environment)
        try:
            shown = read_until(process, "✓ look_1")
            process.send_signal(signal.SIGINT)
            self._left.add("terminal", [shown, *process.communicate(timeout=ENDS_WITHIN_S)])
        finally:
            process.kill()
        return process.returncode


def test_no_command_leaves_a_secret(planted: Canaries, tmp_path: Path) -> None:
    left = Collected()
    desk = Desk(tmp_path, left, str(tmp_path / "threads.db"))

    assert desk("ask", "look:tea crash drop deep refuse fault odd", *AGENT, "--debug", "--json").returncode == 0
    assert any(b"RuntimeError" in piece for _, piece in left.pieces())
    typed = "look:tea\ncrash book\nask\n/resume\n/quit\n"
    assert desk("chat", *AGENT, typed=typed).returncode == 0
    assert desk.stopped("ask", "look:tea nap:30", *AGENT) == 130
    left.database(tmp_path / "threads.db")

    assert_no_leak(planted, left, channels=["terminal", "database"])


def test_no_command_on_postgresql_tells_its_password(
    postgres: postgres_server.Server, planted: Canaries, tmp_path: Path
) -> None:
    planted.watch("the database's password", postgres_server.PASSWORD)
    left = Collected()
    url = postgres.fresh("canary_commands")
    desk = Desk(tmp_path, left, url)

    assert desk("ask", "look:tea ask", *AGENT, "--thread", "t1", "--debug").returncode == 0
    left.database(url)

    assert_no_leak(planted, left, channels=["terminal", "database"])
