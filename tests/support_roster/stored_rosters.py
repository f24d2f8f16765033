"""Rosters of the small wards, as if they were stored."""

from typing import Any

from roster_wards import ROWS, rows, two, ward_of_two

from wavegraph.tools.roster.advice.rosters import KnownRoster
from wavegraph.tools.roster.store import StoredRoster
from wavegraph.tools.roster.ward.ward import Ward

CARL: dict[str, Any] = {
    "id": "carl", "name": "Carl", "skills": ["RN", "charge"], "contract": {"target_minutes": 2400},
}  # fmt: skip
THREE = [*two()["nurses"], CARL]
"""The nurses of the ward of two, and one more at half of their hours."""


def known(ward: Ward | None = None, **cells: str) -> KnownRoster:
    """`cells`: of the roster `ROWS`, those that are otherwise."""
    stored = StoredRoster(ward_hash="1" * 64, roster=rows(**{**ROWS, **cells}))
    return KnownRoster(roster_id="0" * 16, ward=ward or ward_of_two(), stored=stored)
