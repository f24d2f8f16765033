"""A published roster to keep to, by file or id."""

from datetime import date
from pathlib import Path

from wavegraph.app.roster.named import id_in, is_file
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.ward.plain_data import Unreadable, read_data
from wavegraph.tools.roster.ward.roster_file import period_in_file, read_roster
from wavegraph.tools.roster.ward.ward import Ward
from wavegraph.tools.roster.wards import Repair, Wards


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
    roster_id, path = given, Path(given)
    if kept := _kept_as(path, wards.store):
        roster_id = kept
    elif is_file(given):
        first, length = period_in_file(path)
        ward = wards.look(name, start or first, length if days is None else days, today=today)
        roster = read_roster(path, ward, published=True)
        roster_id = wards.store.keep_roster(StoredRoster(ward_hash=wards.store.keep_ward(ward), roster=roster))
    return wards.look(name, start, days, today=today, repair=Repair(roster_id, weight, freeze_until)), roster_id


def _kept_as(path: Path, store: RosterStore) -> str | None:
    """The id under which the very roster of a file is kept, with what was asked for of it; None = it is not."""
    try:
        data = read_data(path) if path.suffix.lower() == ".json" else None
        name = id_in(data)
        return name if data and name and store.stored_roster(name).roster == data.get("roster") else None
    except (Unreadable, ToolRefusal):
        return None
