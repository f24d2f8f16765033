"""Which ward an argument of a command means, and which there are."""

from datetime import date
from pathlib import Path
from typing import Any

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.wards import ENDINGS, Wards

LONGEST_NAME = 80
"""Characters of a ward's name, as the settings have it."""


def named(ward: str) -> tuple[str, dict[str, Path]]:
    """A ward's name, and its file if `ward` is a path or ends like a ward file."""
    path = Path(ward)
    is_file = path.suffix.lower() in ENDINGS or path.name != ward
    name = path.stem[:LONGEST_NAME]
    return (name, {name: path}) if is_file else (ward, {})


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
