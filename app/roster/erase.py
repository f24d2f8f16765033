"""What the roster generator keeps by conversation: requests to stop a solve. Wards and rosters belong to no guest."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from wavegraph.app.run.contact import Contact
from wavegraph.app.run.erase import Item, Left
from wavegraph.app.storage.traces import Needle
from wavegraph.tools.roster.store import RosterStore


def guest_data(database: str | None = None) -> "RosterGuestData":
    return RosterGuestData(RosterStore(database=database))


class RosterGuestData:
    """`app.run.erase.GuestData` of the rosters in the user's data folder, or in the database that machines share."""

    def __init__(self, store: RosterStore) -> None:
        self._store = store

    async def find(self, threads: Mapping[str, Sequence[Any]], contact: Contact | None) -> Sequence[Item]:
        waiting = [name for name in threads if await asyncio.to_thread(self._store.is_asked_to_stop, name)]
        return [Item(what=f"a request to stop thread {name}", becomes="erased", key=name) for name in waiting]

    async def erase(self, items: Sequence[Item]) -> None:
        for item in items:
            await asyncio.to_thread(self._store.take_stop, item.key)

    async def left(self, needles: Sequence[Needle], items: Sequence[Item]) -> Sequence[Left]:
        """Nothing more is searched: no record of a roster holds what a guest said; those of a database are searched with it."""
        return []
