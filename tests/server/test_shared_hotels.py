"""Two servers, each with a folder of its own, that share the hotels of one PostgreSQL database."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dev_server import serving
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from wavegraph.tools.hotel.property.importer import import_hotel
from wavegraph.tools.postgres.server import close_all

pytestmark = pytest.mark.attack
EXAMPLE = Path(__file__).parents[2] / "examples" / "own_hotel"
WISH = "book the garden room for two adults from 1 to 3 December 2026, Dana Levi, dana@example.com"
CONTEXT = {"today": "2026-11-20", "property_id": "beit-haerez"}


@pytest.fixture
def database(postgres: Any, tmp_path: Path) -> Iterator[str]:
    url: str = postgres.fresh("two_servers")
    import_hotel(EXAMPLE, tmp_path, database=url)
    yield url
    close_all()


def say(client: SyncLangGraphClient, thread: str, text: str) -> dict[str, Any]:
    given = {"messages": [{"role": "user", "content": text}]}
    return dict(client.runs.wait(thread, "hotel", input=given, context=CONTEXT))  # type: ignore[arg-type]


def test_what_one_server_booked_the_other_cancels(database: str, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    environment = {"WAVEGRAPH_DATABASE": database}
    logs = [folder / "server.log" for folder in folders]
    with (
        serving(folders[0], {}, environment, logs[0]) as first,
        serving(folders[1], {}, environment, logs[1]) as second,
        get_sync_client(url=first, timeout=60) as one,
        get_sync_client(url=second, timeout=60) as two,
    ):
        thread = one.threads.create()["thread_id"]
        assert say(one, thread, WISH)["__interrupt__"]
        booked = say(one, thread, "yes")["results"]["create_booking"]["data"]

        thread = two.threads.create()["thread_id"]
        assert say(two, thread, f"cancel booking {booked['reference']}, Levi")["__interrupt__"]
        cancelled = say(two, thread, "yes")["results"]["cancel_booking"]["data"]

    assert (cancelled["reference"], cancelled["status"]) == (booked["reference"], "cancelled")
    for log in logs:
        assert "Blocking call" not in log.read_text(encoding="utf-8")
    assert [path for folder in folders for path in folder.rglob("*.sqlite")] == []
