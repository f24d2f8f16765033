"""The same hotel behind every adapter, and beside each a file of its own that says what is right."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hotels_abroad import EUR, JPY, KWD, imported
from property_adapters import ADAPTERS, Peer, in_one_file

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.hotel.property import sqlite_property
from wavegraph.tools.hotel.property.capabilities import Capabilities

T = TypeVar("T")
Hotels = Mapping[str, Path]


class Asked:
    """An adapter, asked from one event loop."""

    def __init__(self, peer: Peer, runner: asyncio.Runner) -> None:
        self.peer, self._runner = peer, runner

    @property
    def adapter(self) -> Any:
        return self.peer.adapter

    @property
    def can(self) -> Capabilities:
        return self.peer.adapter.capabilities

    def __call__(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)

    def refused(self, work: Coroutine[Any, Any, Any]) -> str:
        """The code it is refused with."""
        with pytest.raises(ToolRefusal) as refusal:
            self(work)
        return str(refusal.value.code)


@pytest.fixture(scope="session")
def hotels(tmp_path_factory: pytest.TempPathFactory) -> Hotels:
    """The demo hotel, and hotels abroad, by name."""
    folder = tmp_path_factory.mktemp("hotels")
    sqlite_property.build(folder / "demo.sqlite", date(2026, 11, 20))
    for each in (EUR, JPY, KWD):
        imported(each, folder)
    abroad = {each.id: folder / "hotels" / f"hotel-{each.id}.sqlite" for each in (EUR, JPY, KWD)}
    return {"demo": folder / "demo.sqlite", **abroad}


Opens = Callable[[str, str], Asked]


@pytest.fixture(scope="module")
def opens(hotels: Hotels, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opens]:
    """The adapter of a name for the hotel of a name, for tests that only read; the file itself by `reference`."""
    opened = dict[tuple[str, str], Asked]()
    closing = []

    with asyncio.Runner() as runner:

        def opens(name: str, hotel: str) -> Asked:
            if (name, hotel) not in opened:
                joins = in_one_file if name == "reference" else ADAPTERS[name]
                manager = joins(hotels[hotel], tmp_path_factory.mktemp(f"{name}-{hotel}"))
                asked = Asked(manager.__enter__(), runner)
                closing.append((asked, manager))
                asked(asked.adapter.open())
                opened[name, hotel] = asked
            return opened[name, hotel]

        try:
            yield opens
        finally:
            for asked, manager in closing:
                asked(asked.adapter.close())
                manager.__exit__(None, None, None)


@pytest.fixture
def asked_of() -> type[Asked]:
    return Asked


@pytest.fixture(params=ADAPTERS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def desk(name: str, hotels: Hotels, tmp_path: Path) -> Iterator[Asked]:
    """The demo hotel behind each adapter, for tests that book in it."""
    with asyncio.Runner() as runner, ADAPTERS[name](hotels["demo"], tmp_path) as peer:
        asked = Asked(peer, runner)
        asked(asked.adapter.open())
        yield asked
        asked(asked.adapter.close())
