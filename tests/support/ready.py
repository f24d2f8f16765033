"""Processes that start at once: each is forked from one that has imported what `wavegraph` needs of others' packages.

The package itself each imports anew; its streams, signals, exits and the code run at its end are those of any process.
"""

import atexit
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

LIBRARIES = (
    "aiosqlite", "langchain_core.language_models", "langchain_core.output_parsers.openai_tools", "langchain_core.tools",
    "langchain_core.runnables.fallbacks", "langgraph.checkpoint.memory", "langgraph.checkpoint.sqlite.aio",
    "langgraph.graph.state", "langgraph.store.memory", "langgraph.store.sqlite.aio", "langgraph.utils.runnable",
    "langsmith", "platformdirs", "pydantic.json_schema", "rich.live", "rich.table", "typer",
)  # fmt: skip


class Process:
    """`python -c code words`, with what tests use of `subprocess.Popen`."""

    def __init__(
        self, code: str, words: Sequence[str], *, cwd: Path, env: Mapping[str, str],
        stdin: int = subprocess.PIPE, stderr: int = subprocess.PIPE,
    ) -> None:  # fmt: skip
        given, self.stdin = _end(stdin, "w")
        out, self.stdout = _end(subprocess.PIPE, "r")
        errors, self.stderr = _end(stderr, "r")
        theirs, self._told = _end(subprocess.PIPE, "r")
        line = json.dumps([code, *words, str(cwd), dict(env)]).encode()
        _parent().sendall(len(line).to_bytes(8, "big"))
        socket.send_fds(_parent(), [b"+"], [given, out, errors, theirs])
        _parent().sendall(line)
        for end, kept in ((given, self.stdin), (out, self.stdout), (errors, self.stderr), (theirs, self._told)):
            if kept is not None:
                os.close(end)
        assert self._told is not None
        self.pid = int(self._told.readline())
        self.returncode: int | None = None
        self._wait = ThreadPoolExecutor(1)
        self._ended = self._wait.submit(self._told.readline)

    def poll(self) -> int | None:
        if self.returncode is None and self._ended.done():
            self._take()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            try:
                self._ended.result(timeout)
            except TimeoutError:
                raise subprocess.TimeoutExpired("a forked process", timeout or 0) from None
            self._take()
        assert self.returncode is not None
        return self.returncode

    def _take(self) -> None:
        assert self._told is not None
        self.returncode = int(self._ended.result())
        self._told.close()
        self._wait.shutdown()

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def communicate(self, input: str = "", timeout: float | None = None) -> tuple[str, str]:
        with ThreadPoolExecutor(2) as readers:
            texts = [readers.submit(_rest, stream) for stream in (self.stdout, self.stderr)]
            if self.stdin is not None and not self.stdin.closed:
                with suppress(BrokenPipeError):
                    self.stdin.write(input)
                    self.stdin.flush()
                with suppress(BrokenPipeError):
                    self.stdin.close()
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
            out, errors = (text.result() for text in texts)
        return out, errors


def completed(
    code: str, words: Sequence[str], *, cwd: Path, env: Mapping[str, str], typed: str = "", timeout: float
) -> subprocess.CompletedProcess[str]:
    process = Process(code, words, cwd=cwd, env=env)
    out, errors = process.communicate(typed, timeout)
    return subprocess.CompletedProcess([sys.executable, "-c", code, *words], process.wait(), out, errors)


def _end(kind: int, mode: str) -> tuple[int, IO[str] | None]:
    """The process's end of a pipe, and ours; a file that was opened for it is its own."""
    if kind != subprocess.PIPE:
        return kind, None
    read, write = os.pipe()
    theirs, ours = (read, write) if mode == "w" else (write, read)
    return theirs, open(ours, mode, encoding="utf-8")


def _rest(stream: IO[str] | None) -> str:
    if stream is None or stream.closed:
        return ""
    with stream:
        return stream.read()


@cache
def _parent() -> socket.socket:
    """Where the process is told what to fork; it ends with this one."""
    ours, theirs = socket.socketpair()
    line = [sys.executable, __file__, str(theirs.fileno())]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        line, pass_fds=[theirs.fileno()], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


# In the process that forks


def asked(tests: socket.socket) -> tuple[list[Any], list[int]] | None:
    """What is to be started, and its streams; None = the tests are over."""
    length = int.from_bytes(tests.recv(8, socket.MSG_WAITALL), "big")
    if not length:
        return None
    _, streams, _, _ = socket.recv_fds(tests, 1, 4)
    return json.loads(tests.recv(length, socket.MSG_WAITALL)), streams


def forked(streams: list[int]) -> bool:
    """Whether this is the process that was asked for. Its parent tells its number and its end, and is over with it."""
    if os.fork():
        return False
    *_, told = streams
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if not (child := os.fork()):
        return True
    for each in streams[:-1]:
        os.close(each)
    for each in range(3):
        os.close(each)
    os.write(told, f"{child}\n".encode())
    with suppress(BrokenPipeError):
        os.write(told, f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n".encode())
    os._exit(0)


def reap(*_: object) -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def serve(tests: socket.socket) -> list[Any] | None:
    """Fork what is asked for, until the tests end; in the forked process: what is to be run."""
    while told := asked(tests):
        order, streams = told
        if forked(streams):
            tests.close()
            for number, each in enumerate(streams[:3]):
                os.dup2(each, number)
            for each in streams:
                os.close(each)
            return order
        for each in streams:
            os.close(each)
    return None


def renew_streams() -> None:
    """Their objects know what kind of file they were made for."""
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    sys.stdout = sys.__stdout__ = open(1, "w", -1, "utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(2, "w", 1, "utf-8", "backslashreplace", closefd=False)  # type: ignore[misc]  # noqa: SIM115


def run(order: list[Any], interrupts: Any) -> None:
    code, *words, cwd, environment = order
    signal.signal(signal.SIGINT, interrupts)
    renew_streams()
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(cwd)
    known = sys.path[1:]  # without the folder of this file
    further = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:] = ["", *(each for each in further if each not in known), *known]
    sys.argv[:] = ["-c", *words]
    exec(compile(code, "<string>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})  # noqa: S102


if __name__ == "__main__":
    interrupts = signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, reap)
    for name in LIBRARIES:
        importlib.import_module(name)
    order = serve(socket.socket(fileno=int(sys.argv[1])))
    if order is not None:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        run(order, interrupts)
