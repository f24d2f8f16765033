"""A ward as a workbook to fill in."""

from datetime import date
from pathlib import Path
from typing import Any

from wavegraph.app.roster.named import named
from wavegraph.graph.errors import SettingsError
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.ward.plain_data import read_data
from wavegraph.tools.roster.ward.whole_files import replace_file
from wavegraph.tools.roster.ward.workbook.write import ward_workbook, workbook_bytes
from wavegraph.tools.roster.wards import Wards

AS_WRITTEN = (".yaml", ".yml", ".json")
"""Files whose own way to say it is kept: weekdays, spans of leave, contracts for some days."""


def write_template(file: Path, ward: str, *, empty: bool) -> None:
    """Raises SettingsError where the file cannot be written, and ToolRefusal for an unknown or faulty ward."""
    if file.suffix.lower() != ".xlsx":
        raise SettingsError(f"cannot write {file.name!r}: end it in .xlsx")
    if file.exists():
        raise SettingsError(f"{str(file)!r} is there already: what was filled in there would be lost")
    content = workbook_bytes(ward_workbook(_data(ward), examples=not empty))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, content)
    except OSError as error:
        raise SettingsError(
            f"cannot write {str(file)!r}: {error.strerror or type(error).__name__}; close it in other programs, or choose "
            "another place"
        ) from None


def _data(ward: str) -> dict[str, Any]:
    name, given = named(ward)
    wards = Wards(RosterStore(), given)
    found = wards.look(name, None, None, today=date.today())  # refuses what no workbook could hold
    path = wards.path(name)
    if path.suffix.lower() in AS_WRITTEN:
        data: dict[str, Any] = read_data(path)
        return data
    return found.model_dump(mode="json", exclude_defaults=True)
