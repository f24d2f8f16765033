"""A ward in a workbook and back: nothing is lost, whatever the names look like."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from openpyxl import load_workbook
from roster_strategies import wards
from roster_wards import DEMO, two

from wavegraph.tools.roster.ward.file import read_ward, ward_of
from wavegraph.tools.roster.ward.plain_data import read_data
from wavegraph.tools.roster.ward.ward import Ward
from wavegraph.tools.roster.ward.workbook.read import read_workbook
from wavegraph.tools.roster.ward.workbook.sheets import OPTIONAL, REQUIRED
from wavegraph.tools.roster.ward.workbook.write import ward_workbook, workbook_bytes

ALL = {
    "id": "two-2",
    "holidays": ["2026-11-26"],
    "time_zone": "Asia/Jerusalem",
    "shifts": [
        {"id": "off", "name": "Office", "start": "07:00", "minutes": 465, "paid_minutes": 437, "not_followed_by": ["N"]},
        {"id": "N", "start": "19:30", "minutes": 1440, "night": True},
        {"id": "+D", "start": "00:00", "minutes": 1, "skill": "RN", "hour_factor": 0.25},
    ],
    "nurses": [
        {"id": "007", "name": "=HYPERLINK(\"http://x\")", "skills": ["RN", "charge"], "fatigue": 0.35,
         "contract": {"max_shifts": {"N": 2, "off": 4}, "target_minutes": 4801, "max_run": 5,
                      "runs": [{"shifts": ["N", "+D"], "least": 2, "weight": 15}, {"off": True, "most": 9}],
                      "ward_runs": False, "split_weekend_weight": 0, "mixed_weekend_weight": 7,
                      "assignments": {"least": 3, "most": 4, "under_weight": 0, "carried": True}},
         "history": {"tail": [None, "off", None], "nights": 3, "minutes": 999, "shifts": {"off": 3}}},
        {"id": "רות", "name": "רות כהן", "skills": ["pediatric"], "contract": {"per_days": 28, "max_nights": 4}},
        {"id": "-3", "name": " two\nlines\x07 _x0041_ ", "grade": "@SUM(1)", "history": {"tail": [None]}},
    ],
    "demand": [
        {"weekdays": ["monday", "tuesday", "wednesday"], "shift": "off", "minimum": 1, "target": 1},
        {"weekdays": ["sunday", "saturday"], "shift": "N", "skill": "RN", "target": 1, "over_weight": 0},
        {"day": "2026-11-23", "shift": "off", "minimum": 0, "target": 2},
    ],
    "leave": [
        {"nurse": "007", "first": "2026-11-20", "last": "2026-11-24", "paid": False},
        {"nurse": "007", "day": "2026-11-30", "shift": "N"},
    ],
    "wishes": [{"nurse": "-3", "day": "2026-11-24", "shift": "N", "wants": True, "weight": 0},
               {"nurse": "-3", "weekdays": ["friday", "saturday"], "wants": False}],
    "locked": [
        {"nurse": "-3", "day": "2026-11-25", "shift": None}, {"nurse": "-3", "day": "2026-11-26", "shift": "off"}
    ],
    "pairs": [{"first": "007", "second": "-3", "together": False}],
    "published": {"weight": 7, "roster": {"007": [None, "off"] * 7, "רות": [None] * 14}},
    "rules": {"max_days_in_a_row": None, "derogated_rest_hours": 9.5, "charge_skill": "charge", "shortage": "linear",
              "runs": [{"shifts": ["off"], "least": 1, "most": 4, "weight": 0}, {"least": 3}],
              "balanced": [{"shifts": ["off", "+D"]}, {"shifts": ["N"], "weight": 3}]},
    "fairness": {"allowed": {"wish": 0, "fatigue_night": None}, "shift_minutes": 100, "points": {"night": 3.25}},
}  # fmt: skip


def again(data: dict[str, Any], folder: Path) -> Ward:
    path = folder / "ward.xlsx"
    path.write_bytes(workbook_bytes(ward_workbook(data)))
    return read_ward(path)


@pytest.mark.parametrize("name", ["willow", "harbour"])
def test_a_file_s_own_way_to_say_it_comes_back(name: str, tmp_path: Path) -> None:
    """Weekdays and contracts for some days too: the workbook serves every period that the file does."""
    path = DEMO / f"{name}.yaml"
    again(read_data(path), tmp_path)
    for days in (None, 9, 28):
        assert read_ward(tmp_path / "ward.xlsx", days=days) == read_ward(path, days=days)


def test_every_field_comes_back(tmp_path: Path) -> None:
    data = two(**ALL)
    assert again(data, tmp_path) == ward_of(data)


def test_a_part_of_a_full_contract_comes_back(tmp_path: Path) -> None:
    data = two(nurses__1__contract={"percent": 62.5}, rules__full_time_hours=38.5)
    assert again(data, tmp_path) == ward_of(data)


@settings(max_examples=6, deadline=None, phases=[Phase.generate])
@given(ward=wards())
def test_any_ward_comes_back(ward: Ward, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Also one that contradicts itself, which no file may."""
    path = tmp_path_factory.mktemp("any") / "ward.xlsx"
    path.write_bytes(workbook_bytes(ward_workbook(ward.model_dump(mode="json", exclude_defaults=True))))
    found = read_workbook(path)
    assert found.faults == []
    assert Ward.model_validate_json(json.dumps(found.data), strict=True) == ward


def test_no_text_is_a_formula_and_hebrew_runs_to_the_left() -> None:
    sheets = load_workbook(BytesIO(workbook_bytes(ward_workbook(two(**ALL)))))
    cells = [cell for sheet in sheets for row in sheet.iter_rows() for cell in row]
    assert [cell.value for cell in cells if cell.data_type == "f"] == []
    name, hebrew = sheets["Nurses"]["B2"], sheets["Nurses"]["B3"]
    assert (name.value, name.quotePrefix) == ('=HYPERLINK("http://x")', True)
    assert (hebrew.value, hebrew.alignment.readingOrder) == ("רות כהן", 2)


def test_an_empty_one_has_every_sheet_and_its_lists() -> None:
    book = ward_workbook(read_data(DEMO / "willow.yaml"), examples=False)
    assert {*REQUIRED, *OPTIONAL} < {sheet.title for sheet in book.worksheets}
    assert book["Nurses"]["A2"].value is None
    lists = {rule.formula1 for sheet in book.worksheets for rule in sheet.data_validations.dataValidation}
    assert {"'Nurses'!$A$2:$A$500", "'Shifts'!$A$2:$A$500", '"yes,no"', "'Contracts'!$A$2:$A$500"} <= lists
