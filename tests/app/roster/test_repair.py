"""A published roster by its file or its id: which days it brings, and what is refused."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from roster_wards import ROWS, rows, two

from wavegraph.app.roster.given_rosters import to_repair
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.ward.faults import RosterError
from wavegraph.tools.roster.ward.file import ward_of
from wavegraph.tools.roster.ward.roster_file import roster_csv, roster_json
from wavegraph.tools.roster.ward.ward import Published, Ward
from wavegraph.tools.roster.wards import Wards

TODAY = date(2026, 12, 1)
ANY_WEEK = two(
    nurses=[{"id": "ann", "skills": ["charge"]}, {"id": "ben"}],
    demand=[{"weekdays": ["monday"], "shift": "E", "target": 1}],
)
del ANY_WEEK["start"], ANY_WEEK["days"]
"""The ward of two for any days: by itself, a week from the Monday after today."""


@pytest.fixture
def wards(tmp_path: Path) -> Wards:
    (tmp_path / "ward.json").write_text(json.dumps(ANY_WEEK), encoding="utf-8")
    return Wards(RosterStore(tmp_path), {"two": tmp_path / "ward.json"})


@pytest.fixture(params=["json", "csv"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The roster of two for a fortnight that began before today."""
    ward, path = ward_of(ANY_WEEK, start=date(2026, 11, 23), days=14), tmp_path / f"told.{request.param}"
    write = roster_json if request.param == "json" else roster_csv
    path.write_text(write(ward, rows(**ROWS)), encoding="utf-8")
    return str(path)


def repair(wards: Wards, given: str, weight: int = 30, **asked: Any) -> tuple[Ward, str]:
    return to_repair(given, weight, wards, "two", **{"start": None, "days": None, "today": TODAY, **asked})


def test_the_days_are_the_roster_s_where_none_are_asked_for(wards: Wards, file: str) -> None:
    ward, roster_id = repair(wards, file, 7)
    again, same_id = repair(wards, roster_id, 7)

    assert (ward.start, ward.days) == (date(2026, 11, 23), 14)
    assert ward.published == Published(roster=rows(**ROWS), weight=7, roster_id=roster_id)
    assert (again, same_id) == (ward, roster_id)


def test_other_days_are_refused(wards: Wards, file: str) -> None:
    with pytest.raises(RosterError, match=r"told\."):
        repair(wards, file, start=date(2026, 11, 30))
    _, roster_id = repair(wards, file)
    with pytest.raises(ToolRefusal, match="start: got '2026-11-23', expected 2026-11-30") as refused:
        repair(wards, roster_id, start=date(2026, 11, 30))
    assert refused.value.code == "unfit_roster"
    with pytest.raises(ToolRefusal, match="ann: got '14 days', expected 7 days from 2026-11-23"):
        repair(wards, roster_id, days=7)


def test_who_is_new_has_no_row_and_who_has_left_must_have_none(wards: Wards, file: str, tmp_path: Path) -> None:
    _, roster_id = repair(wards, file)
    text = json.dumps(ANY_WEEK).replace('"ben"', '"cat"')
    (tmp_path / "ward.json").write_text(text, encoding="utf-8")
    with pytest.raises(RosterError, match=r"ben[): ]+got 'ben', expected a nurse of the ward: leave out the row"):
        repair(wards, file)
    of_ann = Published(roster=rows(ann=ROWS["ann"]), roster_id=roster_id)
    assert repair(wards, roster_id)[0].published == of_ann  # no row can be taken out
    only_ann = {"start": "2026-11-23", "roster": rows(ann=ROWS["ann"])}
    Path(file).with_suffix(".json").write_text(json.dumps(only_ann), encoding="utf-8")
    ward, of_file = repair(wards, str(Path(file).with_suffix(".json")), days=14)
    assert ward.published == Published(roster=rows(ann=ROWS["ann"]), roster_id=of_file)


def test_a_stored_roster_of_other_nurses_alone_is_refused(wards: Wards, file: str, tmp_path: Path) -> None:
    _, roster_id = repair(wards, file)
    (tmp_path / "ward.json").write_text(json.dumps(ANY_WEEK).replace('"ben"', '"b"').replace('"ann"', '"a"'))
    with pytest.raises(ToolRefusal, match="nurses: got 'ann, ben', expected one at least who is in the ward"):
        repair(wards, roster_id)


def test_a_file_of_a_kept_roster_is_that_roster_unless_it_was_edited(wards: Wards, file: str, tmp_path: Path) -> None:
    """So that what was asked for of it is known."""
    _, roster_id = repair(wards, file)
    stored = wards.store.stored_roster(roster_id)
    asked = [Change(kind="avoids", nurse="ann", first=date(2026, 11, 24))]
    held = wards.store.keep_ward(wards.store.ward(stored.ward_hash), asked)
    kept = wards.store.keep_roster(StoredRoster(ward_hash=held, roster=stored.roster))
    written = tmp_path / "out.json"
    told = {"roster_id": kept, "start": "2026-11-23", "days": 14, "roster": stored.roster}
    written.write_text(json.dumps(told))
    assert repair(wards, str(written))[1] == kept
    written.write_text(json.dumps(told | {"roster": {**stored.roster, "ben": [None] * 14}}))
    assert repair(wards, str(written), start=date(2026, 11, 23), days=14)[1] != kept


@pytest.mark.parametrize("text", ["", "[]", "{", '{"start": 7, "days": "x", "roster": {}}', '{"start": "soon"}'])
@pytest.mark.parametrize("ending", ["json", "csv"])
def test_a_file_that_says_no_days_is_told_what_is_wrong_with_it(
    text: str, ending: str, wards: Wards, tmp_path: Path
) -> None:
    (tmp_path / f"bad.{ending}").write_text(text, encoding="utf-8")
    with pytest.raises(RosterError, match=rf"^bad\.{ending}: "):
        repair(wards, str(tmp_path / f"bad.{ending}"))


@pytest.mark.parametrize(
    ("until", "settled"),
    [(None, 0), (date(2026, 11, 22), 0), (date(2026, 11, 23), 2), (date(2026, 11, 24), 3), (date(2027, 1, 1), 27)],
)
def test_cells_are_settled_up_to_a_day_but_those_of_new_leave(
    wards: Wards, file: str, tmp_path: Path, until: date | None, settled: int
) -> None:
    (tmp_path / "ward.json").write_text(json.dumps(ANY_WEEK | {"leave": [{"nurse": "ann", "day": "2026-11-24"}]}))
    ward, _ = repair(wards, file, freeze_until=until)

    assert len(ward.locked) == settled
    assert all(row.shift == rows(**ROWS)[row.nurse][ward.index(row.day)] for row in ward.locked)
    assert all(until and row.day <= until for row in ward.locked)
    assert not ward.thawed().locked


def test_what_the_ward_s_file_settles_is_nobody_s_freeze(wards: Wards, file: str, tmp_path: Path) -> None:
    own = {"nurse": "ann", "day": "2026-11-24", "shift": rows(**ROWS)["ann"][1]}
    (tmp_path / "ward.json").write_text(json.dumps(ANY_WEEK | {"locked": [own]}))
    ward, _ = repair(wards, file, freeze_until=date(2026, 11, 25))

    assert len(ward.locked) == 6
    assert [row.model_dump(mode="json", exclude_defaults=True) for row in ward.thawed().locked] == [own]
