"""A line to a server that can go dead: what is sent over it waits, and nobody hangs up."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Line:
    def __init__(self, port: int) -> None:
        self._server = port
        self._works = threading.Event()
        self._works.set()
        self._open: list[socket.socket] = []
        self._entry = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._entry.getsockname()[1]
        self._threads = [threading.Thread(target=self._answer)]
        self._threads[0].start()

    def cut(self) -> None:
        self._works.clear()

    def mend(self) -> None:
        self._works.set()

    def close(self) -> None:
        self.mend()
        accepting, *_ = self._threads
        for ends, threads in (([self._entry], [accepting]), (self._open, self._threads)):
            for each in ends:  # the lines once nobody can call any more
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            for thread in threads:
                thread.join()
        for each in (self._entry, *self._open):
            each.close()

    def _answer(self) -> None:
        with suppress(OSError):  # closed
            while True:
                caller = self._entry.accept()[0]
                called = socket.create_connection(("127.0.0.1", self._server))
                self._open += [caller, called]
                for way in ((caller, called), (called, caller)):
                    self._threads.append(threading.Thread(target=self._carry, args=way))
                    self._threads[-1].start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while sent := one.recv(1 << 16):
                self._works.wait()
                other.sendall(sent)
            other.shutdown(socket.SHUT_WR)


@contextmanager
def line_to(port: int) -> Iterator[Line]:
    line = Line(port)
    try:
        yield line
    finally:
        line.close()
