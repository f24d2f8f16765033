"""Which ward a name means: one that is known, or one about whose rosters something was decided."""

import asyncio
from contextlib import suppress
from datetime import date

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.versions.log import Called, VersionStore, WardName, key_of
from wavegraph.tools.roster.ward.ward import Ward
from wavegraph.tools.roster.wards import Wards

LOOKED_AT = 100
"""Newest rosters whose wards are known by their own names too."""


async def ward_called(given: str, wards: Wards, versions: VersionStore) -> WardName:
    """The ward that `wards` knows as `given`, else the one whose own name it is, however it is written.

    Raises ToolRefusal `unknown_ward`, naming those there are, and as `Wards.look`.
    """
    if given in wards.names:
        return await asyncio.to_thread(wards.look, given, None, None, today=date.today())
    if await versions.decisions(named := Called(given)):
        return named
    files, decided = await asyncio.to_thread(_of_files, wards), await versions.wards()
    others = [*files, *decided, *await asyncio.to_thread(_made, wards)]
    found = next((each for each in others if key_of(Called(each.name)) == key_of(named)), None)
    if found is None:
        elsewhere = {each.name for each in decided if key_of(each) not in {key_of(own) for own in files}}
        listed = ", ".join(sorted({*wards.names, *elsewhere}, key=str.casefold))
        raise ToolRefusal("unknown_ward", f"there is no ward {given[:80]!r}; there are: {listed}")
    return found


def _of_files(wards: Wards) -> list[Ward]:
    """Those that can be read."""
    found = []
    for name in wards.names:
        with suppress(ToolRefusal):
            found.append(wards.look(name, None, None, today=date.today()))
    return found


def _made(wards: Wards) -> list[Ward]:
    """Those of the newest rosters."""
    found = []
    for roster_id, _ in wards.store.newest(LOOKED_AT):
        with suppress(ToolRefusal):
            found.append(wards.store.ward(wards.store.stored_roster(roster_id).ward_hash))
    return found
