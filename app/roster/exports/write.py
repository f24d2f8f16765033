"""A stored roster in files: its own three, a workbook, or a calendar and a page for each nurse."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from wavegraph.app.roster.exports.calendar import nurse_calendar
from wavegraph.app.roster.exports.my_shifts import my_shifts
from wavegraph.app.roster.show import KeptRoster, write
from wavegraph.graph.errors import SettingsError
from wavegraph.tools.roster.ward.ward import Nurse
from wavegraph.tools.roster.ward.whole_files import replace_file

WORKBOOK = ".xlsx"


def export(found: KeptRoster, target: Path, *, for_nurses: bool = False) -> list[Path]:
    """Write it to a workbook, or to a folder; the paths written. Raises SettingsError."""
    ending = target.suffix.lower()
    if ending not in ("", WORKBOOK) and not target.is_dir():
        raise SettingsError(
            f"cannot write {target.name!r}: end it in {WORKBOOK}, or name a folder; the page in it prints"
        )
    if ending != WORKBOOK and not for_nurses:
        return write(found, target)
    contents = {target: workbook(found)} if ending == WORKBOOK else dict(_each_nurse(found, target))
    try:
        next(iter(contents)).parent.mkdir(parents=True, exist_ok=True)
        for path, content in contents.items():
            replace_file(path, content)
    except OSError as error:
        raise SettingsError(
            f"cannot write {str(error.filename or target)!r}: {error.strerror or type(error).__name__}; close it in other "
            "programs, or choose another place"
        ) from None
    return list(contents)


def _each_nurse(found: KeptRoster, folder: Path) -> Iterator[tuple[Path, str | bytes]]:
    taken: set[str] = set()
    for nurse in found.ward.nurses:
        name = _file_name(nurse.id, taken)
        taken.add(name.casefold())
        yield folder / f"{name}.ics", calendar(found, nurse)
        yield folder / f"{name}.html", own_page(found, nurse)


# what each kind of file says of the roster, also where a server gives it


def workbook(found: KeptRoster) -> bytes:
    from wavegraph.app.roster.exports.workbook import roster_workbook  # openpyxl is slow to import

    return roster_workbook(found.ward, found.roster, found.report, found.note, found.mark)


def calendar(found: KeptRoster, nurse: Nurse) -> bytes:
    is_published = found.decision == "published"
    return nurse_calendar(found.ward, found.roster, nurse, datetime.now(UTC), found.mark, is_published=is_published)


def own_page(found: KeptRoster, nurse: Nurse) -> str:
    return my_shifts(found.ward, found.roster, nurse, found.note)


def _file_name(nurse: str, taken: set[str]) -> str:
    """The id, without what leads out of the folder; another one where two would be the same file."""
    plain = "".join(each if each.isalnum() or each in "-_" else "_" for each in nurse)
    names = (plain, *(f"{plain}-{n}" for n in range(2, len(taken) + 3)))
    return next(name for name in names if name.casefold() not in taken)
