"""Small wards for the tests of the roster generator."""

from copy import deepcopy
from pathlib import Path
from typing import Any

from wavegraph.tools.roster.ward.ward import Roster, Ward

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "tools/roster/demo"
DATA = ROOT / "tests/data/roster"
CURTOIS = ROOT.parent / "shared/data/nrp/curtois"
"""The benchmark's instances, which are not part of the repository; tests of them are skipped where it is missing."""

TWO: dict[str, Any] = {
    "name": "Two",
    "start": "2026-11-23",
    "days": 14,
    "skills": ["RN", "charge", "pediatric"],
    "shifts": [
        {"id": "E", "start": "07:00", "minutes": 480},
        {"id": "L", "start": "15:00", "minutes": 480},
        {"id": "N", "start": "23:00", "minutes": 480, "night": True},
    ],
    "nurses": [
        {
            "id": "ann",
            "name": "Ann",
            "skills": ["RN", "charge", "pediatric"],
            "contract": {"min_minutes": 2400, "max_minutes": 5760, "target_minutes": 4800},
        },
        {"id": "ben", "name": "Ben", "skills": ["RN", "charge"], "contract": {"target_minutes": 4800}},
    ],
    "demand": [
        {"day": "2026-11-23", "shift": "E", "minimum": 1, "target": 1},
        {"day": "2026-11-23", "shift": "L", "minimum": 1, "target": 1},
        {"day": "2026-11-23", "shift": "E", "skill": "pediatric", "minimum": 1, "target": 1},
    ],
    "rules": {"charge_skill": "charge"},
}
"""Two nurses and two weeks from a Monday, as a ward file has it. `ROWS` is a roster with nothing to find in it."""
ROWS = {"ann": "EEEEE--EEEEE--", "ben": "LLLLL--LLLLL--"}


def two(**changes: Any) -> dict[str, Any]:
    """The data of the ward of two with changes by path: `nurses__0__contract__max_run=4`, steps parted by `__`."""
    data = deepcopy(TWO)
    for path, value in changes.items():
        put(data, path, deepcopy(value))
    return data


def put(data: Any, path: str, value: Any) -> None:
    """Set the value at `a__0__b`, making the records on the way."""
    *steps, last = [int(step) if step.isdigit() else step for step in path.split("__")]
    for step in steps:
        data = data.setdefault(step, {}) if isinstance(data, dict) else data[step]
    data[last] = value


def ward_of_two(**changes: Any) -> Ward:
    return Ward.model_validate(two(**changes))


def rows(**cells: str) -> Roster:
    """A roster from one letter a day, `-` for a day off."""
    return {name: [None if cell == "-" else cell for cell in row] for name, row in cells.items()}
