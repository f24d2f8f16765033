"""Which ward or roster an argument of a command means, and which wards there are."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from wavegraph.app.plain_text import plain
from wavegraph.app.terminal.shell_words import shell_line
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.checks.findings import who
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.versions.called import ward_called as known_ward
from wavegraph.tools.roster.versions.differences import ChangedCell, cells_in_words, changes_between
from wavegraph.tools.roster.versions.log import VersionStore, WardName
from wavegraph.tools.roster.ward.faults import FileFault, RosterError, field_at, wanted
from wavegraph.tools.roster.ward.file import ENDINGS
from wavegraph.tools.roster.ward.plain_data import Unreadable, read_data
from wavegraph.tools.roster.ward.roster_file import read_roster
from wavegraph.tools.roster.ward.ward import Nurse, Ward
from wavegraph.tools.roster.wards import Wards

LONGEST_NAME = 80
"""Characters of a ward's name, as the settings have it."""
MOST_LISTED = 5
OFF = "off"
_VERSION = re.compile(r"[Vv](\d{1,6})")


def named(ward: str) -> tuple[str, dict[str, Path]]:
    """A ward's name, and its file if `ward` is a path, ends like a ward file or is a file that has an ending."""
    path = Path(ward)
    is_file = path.suffix.lower() in ENDINGS or path.name != ward or (path.suffix != "" and path.is_file())
    name = path.stem[:LONGEST_NAME]
    return (name, {name: path}) if is_file else (ward, {})


def ward_file(ward: str) -> Path:
    """The file that is given, or that of a known ward. Raises ToolRefusal `unknown_ward`."""
    name, files = named(ward)
    return Wards(RosterStore(), files).path(name)


def known_wards() -> list[dict[str, Any]]:
    """Every ward that is known by name, as it is listed."""
    known = Wards(RosterStore())
    return [_listed(name, known) for name in known.names]


def _listed(name: str, known: Wards) -> dict[str, Any]:
    """For a file that cannot be read, the reason stands in place of its title."""
    source = known.source(name)
    place = {"name": name, "from": str(source) if source else "demo"}
    try:
        ward = known.look(name, None, None, today=date.today())
    except ToolRefusal as error:
        return {**place, "ward": f"cannot be read: {error.message}", "days": None, "nurses": None, "start": None}
    return {**place, "ward": ward.name, "days": ward.days, "nurses": len(ward.nurses), "start": ward.start.isoformat()}


async def find_ward(given: str, versions: VersionStore) -> WardName:
    """A known ward, that of a ward file, or one whose own name it is. Raises ToolRefusal `unknown_ward` and `bad_ward`."""
    name, files = named(given)
    return await known_ward(name, Wards(versions.kept, files), versions)


async def find_roster_id(given: str, ward: str | None, versions: VersionStore) -> str:
    """The id of a roster that is given by id, `.json` file, or as a version (`V3`) of a ward; None = the one that has it.

    Raises as `find_ward`, `version_id` and `_in_file`, and ToolRefusal `which_ward`.
    """
    if is_version(given) and ward is None:
        return await _version_of_any_ward(given, versions)
    if is_version(given) and ward is not None:
        return await version_id(given, await find_ward(ward, versions), versions)
    return await _in_file(Path(given), versions) if is_file(given) else given


async def find_replaced_id(given: str, by: str, versions: VersionStore) -> str:
    """The id of the roster whose place another one takes, whose ward's versions are meant. Raises as `find_roster_id`."""
    if not is_version(given):
        return await find_roster_id(given, None, versions)
    return await version_id(given, (await versions.made(by))[0], versions)


async def _version_of_any_ward(given: str, versions: VersionStore) -> str:
    number = int(given[1:])
    found = [each for listed in await versions.everywhere() for each in listed if each.number == number]
    if len(found) == 1:
        return found[0].roster_id
    if not found:
        raise ToolRefusal("unknown_version", f"no ward has a version {given}; `wavegraph roster wards WARD` lists them")
    wards = [(await versions.made(each.roster_id))[0].name for each in found]
    listed = "; ".join(sorted(f"{plain(ward)}: {each}" for ward, each in zip(wards, found, strict=True)))
    raise ToolRefusal("which_ward", f"{given} of which ward? Add --ward WARD, or give the id. {listed}")


def is_file(given: str) -> bool:
    """Whether it is a path: an id or a version has neither an ending nor a folder."""
    path = Path(given)
    return bool(path.suffix) or path.name != given


def id_in(data: Any) -> str | None:
    """The id that the record of a roster's file holds; None = it has none."""
    found = data.get("roster_id") if isinstance(data, dict) else None
    return found if isinstance(found, str) else None


async def _in_file(path: Path, versions: VersionStore) -> str:
    """The id of the roster in a `.json`, which has the ward, days and cells of the one that is kept under it.

    Raises RosterError for a file of no kept roster or of another ward or days, ToolRefusal `edited_file` for other cells.
    """
    data = _record_in(path)
    roster_id = id_in(data) or ""
    try:
        ward, stored = await versions.made(roster_id)
    except ToolRefusal as refusal:
        if refusal.code != "unknown_roster":
            raise
        fault = FileFault(field_at("roster_id"), data.get("roster_id"), wanted("kept_roster", taken=_taken(path)))
        raise RosterError(path.name, [fault]) from None
    of = data["ward"].get("name") if isinstance(data.get("ward"), dict) else data.get("ward", ward.name)
    if of != ward.name:
        raise RosterError(
            path.name, [FileFault(field_at("ward"), of, wanted("ward_of_roster", ward=repr(ward.name), id=roster_id))]
        )
    if changes := changes_between(stored.roster, read_roster(path, ward)):
        raise ToolRefusal("edited_file", _edited(path, roster_id, ward, changes))
    return roster_id


def _record_in(path: Path) -> dict[str, Any]:
    if path.suffix.lower() != ".json":
        taken = f"; {_taken(path)}" if path.suffix.lower() in (".csv", ".xlsx") else ""
        raise RosterError(
            path.name, [FileFault(field_at("file name"), path.suffix, wanted("roster_named", hint=taken))]
        )
    try:
        data = read_data(path)
    except Unreadable as error:
        raise RosterError(path.name, [error.fault]) from None
    if not isinstance(data, dict):
        raise RosterError(path.name, [FileFault(field_at(), data, wanted("roster_record"))])
    return data


def _edited(path: Path, roster_id: str, ward: Ward, changes: Sequence[ChangedCell]) -> str:
    first = "; ".join(cell_in_words(ward.nurse_by_id, ward, each) for each in changes[:MOST_LISTED])
    more = f"; and {len(changes) - MOST_LISTED} more" if len(changes) > MOST_LISTED else ""
    return (
        f"{path.name} was edited: {cells_in_words(len(changes))} from roster {roster_id} as it is kept: {first}{more}. "
        f"Give the id for the kept one; {_taken(path, ward.day(ward.days - 1))}"
    )


def _taken(path: Path, last: date | None = None) -> str:
    """How the cells of a file become a roster."""
    until = last.isoformat() if last else "LAST_DAY"
    words = ["wavegraph", "roster", "generate", "WARD", "--repair", str(path), "--freeze-until", until]
    return f"to take the file's cells, make a roster of them: {shell_line(words)}"


def is_version(given: str) -> bool:
    """Whether it reads `V3`."""
    return bool(_VERSION.fullmatch(given))


async def version_id(given: str, ward: WardName, versions: VersionStore) -> str:
    """The id of a ward's version. Raises ToolRefusal `unknown_version`, and `other_ward` as `VersionStore.require_own`."""
    listed = await versions.versions(ward)
    found = next((each for each in listed if each.number == int(given[1:])), None)
    if found is None:
        known = ", ".join(map(str, listed)) or "none"
        raise ToolRefusal("unknown_version", f"{ward.name} has no version {given}; there are: {known}")
    await versions.require_own(ward, found)
    return found.roster_id


def cell_in_words(people: Mapping[str, Nurse], ward: Ward, change: ChangedCell) -> str:
    day = f"{ward.day(change.day):%a %Y-%m-%d}"
    return f"{plain(who(people[change.nurse]))}, {day}: {change.before or OFF} → {change.now or OFF}"
