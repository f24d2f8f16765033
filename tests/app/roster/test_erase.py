"""What a roster keeps by conversation goes when the conversation is erased."""

import asyncio
from pathlib import Path

from wavegraph.app.roster.erase import RosterGuestData
from wavegraph.tools.roster.store import RosterStore


def test_a_request_to_stop_goes_with_its_thread_and_no_other(tmp_path: Path) -> None:
    store = RosterStore(tmp_path)
    for thread in ("t1", "t2"):
        store.ask_to_stop(thread)
    kept = RosterGuestData(store)

    found = asyncio.run(kept.find({"t1": [], "t3": []}, None))
    asyncio.run(kept.erase(found))

    assert [item.what for item in found] == ["a request to stop thread t1"]
    assert [store.is_asked_to_stop(thread) for thread in ("t1", "t2")] == [False, True]
