"""The roster that a new one follows or repairs, by file, id or version."""

import asyncio
from datetime import date, timedelta
from pathlib import Path

from wavegraph.app.roster.named import id_in, is_file, is_version, version_id
from wavegraph.app.storage.open import open_storage
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.tools import FILE_S_OWN
from wavegraph.tools.roster.versions.log import VersionStore
from wavegraph.tools.roster.ward.plain_data import Unreadable, read_data
from wavegraph.tools.roster.ward.roster_file import period_in_file, read_roster
from wavegraph.tools.roster.ward.ward import Ward
from wavegraph.tools.roster.wards import Repair, Wards


def to_follow(given: str, wards: Wards, name: str, database: str | None, *, today: date) -> tuple[str, date | None]:
    """The setting `after`, and the day after the roster's last one; None = the ward file's own history.

    `given`: a roster's file or id, a version of the ward (`V3`), or `none`. Raises RosterError for a file that cannot be
    read, ToolRefusal for an id or version that is not known.
    """
    if given == FILE_S_OWN:
        return FILE_S_OWN, None
    roster_id = _in_file(Path(given), wards, name, None, None, today) if is_file(given) else given
    ward, roster_id = asyncio.run(kept_roster(roster_id, wards, name, database, today))
    return roster_id, ward.start + timedelta(days=ward.days)


def to_repair(
    given: str,
    weight: int,
    wards: Wards,
    name: str,
    *,
    start: date | None,
    days: int | None,
    today: date,
    freeze_until: date | None = None,
) -> tuple[Ward, str]:
    """The ward with the published roster `given`, and the id it is stored under.

    `given`: its file, or an id. `start`, `days`: None = as the roster has them. Raises RosterError for a file that cannot
    be read or is not of these days, ToolRefusal for what `Wards.look` refuses.
    """
    roster_id = _in_file(Path(given), wards, name, start, days, today) if is_file(given) else given
    return wards.look(name, start, days, today=today, repair=Repair(roster_id, weight, freeze_until)), roster_id


def _in_file(path: Path, wards: Wards, name: str, start: date | None, days: int | None, today: date) -> str:
    """The id of a file's roster. `start`, `days`: None = as the file has them."""
    if (known := _known(path, wards.store)) is not None:
        return known
    first, length = period_in_file(path)
    ward = wards.look(name, start or first, length if days is None else days, today=today)
    roster = read_roster(path, ward, published=True)
    return wards.store.keep_roster(StoredRoster(ward_hash=wards.store.keep_ward(ward), roster=roster))


def _known(path: Path, store: RosterStore) -> str | None:
    """The id in a file of `--out`, whose roster is kept with the ward and the nurses it had."""
    try:
        data = read_data(path)
        if (roster_id := id_in(data)) is None:
            return None
        stored = store.stored_roster(roster_id)
        begins = store.ward(stored.ward_hash).start.isoformat()
    except (Unreadable, ToolRefusal):
        return None
    return roster_id if (data.get("roster"), data.get("start", begins)) == (stored.roster, begins) else None


async def kept_roster(given: str, wards: Wards, name: str, database: str | None, today: date) -> tuple[Ward, str]:
    """A roster with its ward, by id or as a version (`V3`) of the ward of that name.

    Raises ToolRefusal `unknown_roster`, and as `version_id`.
    """
    async with open_storage(database) as storage:
        versions = VersionStore(storage.store, wards.store)
        roster_id = given
        if is_version(given):
            ward = await asyncio.to_thread(wards.look, name, None, None, today=today)
            roster_id = await version_id(given, ward, versions)
        return (await versions.made(roster_id))[0], roster_id
