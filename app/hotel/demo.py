"""`wavegraph demo minihotel`: the hotel agent at a hotel on MiniHotel, from a request to a cancellation.

The vendor's side is a server of this process over the demo hotel; the rules plan. The login is made up at the start and
reaches the adapter through the environment, as a real one would.
"""

import asyncio
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from wavegraph.app.hotel.minihotel_server.server import MiniHotelServer, WireCall
from wavegraph.app.quitting import INTERRUPTED
from wavegraph.app.run.result import Result
from wavegraph.app.run.runner import run
from wavegraph.app.terminal.door import Console, print_text
from wavegraph.app.terminal.exit_errors import stop
from wavegraph.graph.build import build_graph
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.hotel.minihotel.config import MiniHotelConfig
from wavegraph.tools.hotel.minihotel.property import MiniHotelProperty
from wavegraph.tools.hotel.property import sqlite_property
from wavegraph.tools.hotel.property.credentials import Secrets
from wavegraph.tools.hotel.property.port import Property
from wavegraph.tools.hotel.property.registry import Opener
from wavegraph.tools.hotel.property.seed import demo_property

PROPERTY, HOTEL_ID = "seaside", "H1"
LOGIN = ("SEASIDE_USERNAME", "SEASIDE_PASSWORD")
"""Environment variables, as the property's id has them."""
GUEST = "My name is Dana Levi, dana@example.com"

BEFORE = """The hotel agent at a hotel on MiniHotel. No account, no key: the rules plan, and MiniHotel is a server of this process
at {url}, over the demo hotel. What goes over the wire is marked with |; the login in it is not shown."""
AFTER = """
Your own hotel: see docs/hotel/hotel-systems.md. Built from documents and recordings, and never run against the vendor."""


def minihotel() -> None:
    """A request, its prices over the wire, a full night, a booking, its look-up, its cancellation."""
    try:
        _shown()
    except KeyboardInterrupt:
        stop(Console(stderr=True), "stopped; nothing of the demo is left.", INTERRUPTED)


def _shown() -> None:
    with TemporaryDirectory() as folder:
        hotel = Path(folder) / "hotel.sqlite"
        sqlite_property.build(hotel, date.today())
        with _login() as (user, password), _server(hotel, user, password) as server:
            print_text(BEFORE.format(url=server.url))
            asyncio.run(_conversation(server.url, Path(folder)))
    print_text(AFTER)


@contextmanager
def _login() -> Iterator[tuple[str, str]]:
    """Made up, and in the environment as long as the demo runs."""
    made = (f"desk-{secrets.token_hex(3)}", secrets.token_urlsafe(18))
    before = {name: os.environ.get(name) for name in LOGIN}
    os.environ.update(zip(LOGIN, made, strict=True))
    try:
        yield made
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def _server(hotel: Path, username: str, password: str) -> MiniHotelServer:
    return MiniHotelServer({HOTEL_ID: hotel}, username=username, password=password, on_call=_print_call)


def _print_call(call: WireCall) -> None:
    print_text(" ".join(filter(None, ["  | POST", call.path, call.kind, call.asked, "->", _short(call.told)])))


def _short(text: str) -> str:
    return text if len(text) <= 90 else f"{text[:87]}..."


async def _conversation(url: str, folder: Path) -> None:
    domain = hotel_domain(folder, opener=_opener(url))
    graph = build_graph(domain).compile(checkpointer=InMemorySaver())
    year = date.today().year + 1

    async def say(text: str, thread: str) -> Result:
        print_text(f"\n> {text}")
        result = await run(
            graph, text, thread_id=thread, settings={"planner": "rules", "property_id": PROPERTY, "language": "en"}
        )
        print_text(result.answer)
        return result

    try:
        await say(f"Check availability January 17-19 {year} for two adults", "look")
        await say(f"Check availability December 25 {year}", "full")
        await say(f"Book the cheapest double room January 17-19 {year}. {GUEST}", "book")
        booked = await say("yes", "book")
        reference = _reference(booked.results)
        await say(f"Show me booking {reference}, Levi", "find")
        await say(f"Cancel booking {reference}, Levi", "cancel")
        await say("yes", "cancel")
    finally:
        await domain.close()


def _opener(url: str) -> Opener:
    def opener(property_id: str, *, data_dir: Path | None, secrets: Secrets) -> Property:
        record = demo_property().record
        config = MiniHotelConfig(
            id=PROPERTY,
            hotel_id=HOTEL_ID,
            rate_code="STD",
            username_variable=LOGIN[0],
            password_variable=LOGIN[1],
            host=url,
            writes=True,
            name=record.name,
            name_he=record.name_he,
            phone=record.phone,
            email=record.email,
        )
        assert data_dir is not None, "the demo's own folder"
        return MiniHotelProperty(config, secrets=secrets, data_dir=data_dir)

    return opener


def _reference(results: Mapping[str, Any]) -> str:
    """Of the booking just made."""
    made = [outcome["data"] for outcome in results.values() if outcome["tool"] == "create_booking"]
    return str(made[0]["reference"]) if made and made[0] else ""
