"""Which roster a new one follows: by file, id or version."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from roster_wards import ROWS, rows, two
from typer.testing import CliRunner

from wavegraph.app.main import app
from wavegraph.app.roster.given_rosters import to_follow
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.ward.faults import RosterError
from wavegraph.tools.roster.ward.file import ward_of
from wavegraph.tools.roster.ward.roster_file import roster_csv, roster_json
from wavegraph.tools.roster.wards import Wards

TODAY, BEGINS = date(2026, 12, 1), date(2026, 12, 7)


@pytest.fixture
def wards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wards:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "two.json").write_text(json.dumps(two()), encoding="utf-8")
    return Wards(RosterStore(), {"two": tmp_path / "two.json"})


def followed(wards: Wards, given: str) -> Any:
    return to_follow(given, wards, "two", None, today=TODAY)


def test_by_id_by_version_and_by_file(wards: Wards, tmp_path: Path) -> None:
    ward = ward_of(two())
    roster_id = wards.store.keep_roster(StoredRoster(ward_hash=wards.store.keep_ward(ward), roster=rows(**ROWS)))
    (tmp_path / "made.json").write_text(roster_json(ward, rows(**ROWS), {"roster_id": roster_id}))
    (tmp_path / "other.csv").write_text(roster_csv(ward, rows(**ROWS)))
    CliRunner().invoke(app, ["roster", "publish", roster_id])

    for given in (roster_id, "V1", "v1", str(tmp_path / "made.json"), str(tmp_path / "other.csv")):
        assert followed(wards, given) == (roster_id, BEGINS)
    assert followed(wards, "none") == ("none", None)


def test_a_file_that_was_changed_by_hand_is_another_roster(wards: Wards, tmp_path: Path) -> None:
    ward = ward_of(two())
    roster_id = wards.store.keep_roster(StoredRoster(ward_hash=wards.store.keep_ward(ward), roster=rows(**ROWS)))
    cells = rows(**ROWS | {"ann": "LLLLL--LLLLL--"})
    (tmp_path / "made.json").write_text(roster_json(ward, cells, {"roster_id": roster_id}))
    found, _ = followed(wards, str(tmp_path / "made.json"))

    assert found != roster_id
    assert wards.store.stored_roster(found).roster == cells


def test_what_is_not_known_is_told(wards: Wards) -> None:
    with pytest.raises(ToolRefusal, match="Two has no version V7; there are: none"):
        followed(wards, "V7")
    with pytest.raises(ToolRefusal, match="nothing is kept under the id"):
        followed(wards, "0" * 16)
    with pytest.raises(RosterError, match=r"nowhere\.csv"):
        followed(wards, "nowhere.csv")
