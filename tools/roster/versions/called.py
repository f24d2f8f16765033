"""Which ward a name means: one that is known, or one about whose rosters something was decided."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import date

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.told import refusal
from wavegraph.tools.roster.versions.log import Called, VersionStore, WardName, key_of
from wavegraph.tools.roster.ward.ward import Ward
from wavegraph.tools.roster.wards import Wards

LOOKED_AT = 100
"""Newest rosters whose wards are known by their own names too."""


async def ward_called(given: str, wards: Wards, versions: VersionStore) -> WardName:
    """The ward that `wards` knows as `given`, else the one whose id or own name it is, however the name is written.

    Raises ToolRefusal `unknown_ward`, naming those there are, `which_ward` where several are called so, and as `Wards.look`.
    """
    if given in wards.names:
        return await asyncio.to_thread(wards.look, given, None, None, today=date.today())
    decided = await versions.wards()
    files = await asyncio.to_thread(_of_files, wards)
    found = _alike(given, decided) or _alike(given, [*files, *await asyncio.to_thread(_made, wards)])
    if not found:
        elsewhere = {each.name for each in decided if key_of(each) not in {key_of(own) for own in files}}
        listed = ", ".join(sorted({*wards.names, *elsewhere}, key=str.casefold))
        raise refusal("unknown_ward", name=given[:80], wards=listed)
    if len(found) > 1:
        ids = " and ".join(sorted(f"the id {each.id!r}" if each.id else "no id" for each in found))
        raise ToolRefusal(
            "which_ward", f"{len(found)} wards are called {given!r}, with {ids}: give an id, or the ward's file"
        )
    return Called(found[0].name, found[0].id)


def _alike(given: str, known: Sequence[Ward]) -> list[Ward]:
    """Each ward of this id or name once."""
    called = key_of(Called(given))
    return list(
        {key_of(each): each for each in known if given == each.id or key_of(Called(each.name)) == called}.values()
    )


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
