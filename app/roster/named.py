"""Which ward an argument of a command means."""

from pathlib import Path

from wavegraph.tools.roster.wards import ENDINGS

LONGEST_NAME = 80
"""Characters of a ward's name, as the settings have it."""


def named(ward: str) -> tuple[str, dict[str, Path]]:
    """A ward's name, and its file if `ward` is a path or ends like a ward file."""
    path = Path(ward)
    is_file = path.suffix.lower() in ENDINGS or path.name != ward
    name = path.stem[:LONGEST_NAME]
    return (name, {name: path}) if is_file else (ward, {})
