"""A hotel on MiniHotel, whose adapter logs in with every call: its login is left nowhere, whatever the vendor does."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from canary_traces import traced
from endpoint import Endpoint
from hotel_plans import plan, stay
from minihotel_server.faults import Fault, FaultKind
from minihotel_server.server import MiniHotelServer
from property_adapters import NOW, minihotel_config
from runs import wait

from wavegraph import Domain, build_graph
from wavegraph.app.storage.open import open_storage
from wavegraph.testing import Canaries, Collected, assert_no_leak, collecting
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.hotel.minihotel.property import FOLDER, MiniHotelProperty
from wavegraph.tools.hotel.property import sqlite_property
from wavegraph.tools.hotel.property.credentials import Secrets
from wavegraph.tools.hotel.property.port import Property

SPECIALS = "\"'\\/+%&<é"
KEPT = ("answer", "events", "state", "store", "database", "log", "terminal", "hotel")
SETTINGS = {"planner": "rules", "today": "2026-11-20", "property_id": "wire"}
GUEST = "My name is Dana Levi, dana@example.com"
WORST: list[FaultKind] = ["echo", "truncated", "drop_before"]
MANY = 30


@dataclass(frozen=True)
class Vendor:
    server: MiniHotelServer
    domain: Domain
    folder: Path
    secrets: Canaries

    @property
    def database(self) -> Path:
        return self.folder / "threads.db"

    def left_in_the_house(self, left: Collected) -> None:
        """What the adapter writes down, beside the conversations."""
        left.database(self.database)
        left.files("hotel", self.folder / FOLDER)


@pytest.fixture
def vendor(tmp_path: Path, bare_environment: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vendor]:
    secrets = Canaries()
    login = secrets.plant("user"), secrets.plant("password", specials=SPECIALS)
    for name, value in zip(("WIRE_USERNAME", "WIRE_PASSWORD"), login, strict=True):
        monkeypatch.setenv(name, value)
    path = tmp_path / "vendor" / "hotel.sqlite"
    sqlite_property.build(path, date(2026, 11, 20))
    with MiniHotelServer({"H1": path}, username=login[0], password=login[1], now=lambda: NOW) as server:
        config = minihotel_config(path, server.url)

        def opener(property_id: str, *, data_dir: Path | None, secrets: Secrets) -> Property:
            return MiniHotelProperty(config, secrets=secrets, data_dir=data_dir or tmp_path, now=lambda: NOW)

        yield Vendor(server, hotel_domain(tmp_path, opener=opener), tmp_path, secrets)


async def every_kind(left: Collected, vendor: Vendor, storage: Any, **settings: Any) -> list[str | None]:
    """Requests that go well, and each with a vendor that misbehaves; a booking and its cancellation among them."""
    graph = build_graph(vendor.domain).compile(checkpointer=storage.checkpointer, store=storage.store)
    faults, ended = vendor.server.faults, []

    async def said(text: str, thread: str) -> Any:
        result = await left.run(graph, text, thread_id=thread, settings={**SETTINGS, **settings})
        ended.append(result.outcome if result else None)
        return result

    await said("Check availability January 17-19 2027", "look")
    await said("Check availability December 25 2026", "full")
    for kind in WORST:
        with faults.only(Fault(kind, code="863", times=MANY)):
            await said("Check availability January 18-20 2027", kind)
    await said(f"Book a double room January 17-19 2027. {GUEST}", "book")
    with faults.only(Fault("drop_after", on="book")):
        await said("yes", "book")
    await said(f"Book a double room January 18-20 2027. {GUEST}", "again")
    with faults.only(Fault("drop_after", on="book"), Fault("echo", on="reservation_key", after="book", times=MANY)):
        await said("yes", "again")
    await vendor.domain.close()
    return ended


def test_no_request_leaves_the_login(vendor: Vendor, capfd: pytest.CaptureFixture[str]) -> None:
    async def all_of_it(left: Collected) -> list[str | None]:
        async with open_storage(str(vendor.database)) as storage:
            return await every_kind(left, vendor, storage)

    with collecting() as left, traced(left, vendor.secrets.plant("LANGSMITH_API_KEY")):
        outcomes = wait(all_of_it(left))
    vendor.left_in_the_house(left)
    left.add("terminal", [*capfd.readouterr(), "looked at"])

    assert outcomes == ["answered"] * 2 + ["failed"] * len(WORST) + [
        "awaiting_approval", "answered", "awaiting_approval", "partial",
    ]  # fmt: skip
    assert [call.kind for call in vendor.server.calls].count("book") == 2
    assert_no_leak(vendor.secrets, left, channels=(*KEPT, "traces"))


def test_no_prompt_holds_the_login(vendor: Vendor, endpoint: Endpoint) -> None:
    """Of a model that is asked again after the vendor quoted the login."""
    endpoint.plays(plan(stay("stay", "2027-01-17", "2027-01-19")), plan(reply=[{"say": "greeting", "kind": "help"}]))
    vendor.server.faults.plan(Fault("echo", times=MANY))

    async def all_of_it(left: Collected) -> None:
        graph = build_graph(vendor.domain).compile()
        given = {**SETTINGS, "planner": "llm", "answer_check": "rules"}
        await left.run(graph, "January 17-19 2027 for two adults", thread_id="asked", settings=given)
        await vendor.domain.close()

    with collecting() as left:
        wait(all_of_it(left))
    left.add("prompt", [request.body for request in endpoint.received])
    assert {call.fault for call in vendor.server.calls} == {"echo"}
    assert_no_leak(vendor.secrets, left, channels=["answer", "prompt"])
