"""Rosters in files: written and read back, and every fault told with its place."""

import csv
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.workbook import Workbook
from roster_wards import ROWS, rows, ward_of_two

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.checks.cost import roster_cost
from wavegraph.tools.roster.checks.empathy import check_empathy
from wavegraph.tools.roster.ward.faults import RosterError, Spot
from wavegraph.tools.roster.ward.roster_file import period_in_file, read_roster, roster_csv, roster_json
from wavegraph.tools.roster.ward.ward import Roster
from wavegraph.tools.roster.ward.workbook.grid import period_of, read_grid

WARD = ward_of_two(days=3, demand=[])
GOOD = rows(ann="E-N", ben="-LL")
HEADER = "nurse,2026-11-23,2026-11-24,2026-11-25\n"
CELL = st.sampled_from([None, "E", "L", "N"])
WRITERS = {"json": roster_json, "csv": roster_csv}


@pytest.mark.parametrize("name", ["roster.json", "roster.csv", "ROSTER.CSV"])
def test_a_roster_comes_back_as_it_was(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(WRITERS[name[-4:].strip(".").lower()](WARD, GOOD))
    assert read_roster(tmp_path / name, WARD) == GOOD


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=2, max_size=2), st.sampled_from(["json", "csv"]))
def test_any_roster_comes_back(cells: list[tuple[str | None, ...]], ending: str) -> None:
    roster = {nurse.id: list(row) for nurse, row in zip(WARD.nurses, cells, strict=True)}
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"roster.{ending}"
        path.write_text(WRITERS[ending](WARD, roster))
        assert read_roster(path, WARD) == roster


def test_the_csv_is_a_row_a_nurse() -> None:
    assert roster_csv(WARD, GOOD) == f"{HEADER}ann,E,,N\nben,,L,L\n"


def test_the_json_may_say_more_and_is_read_all_the_same(tmp_path: Path) -> None:
    text = roster_json(WARD, GOOD, {"note": 'Kept as a "draft".', "cost": 7})
    (tmp_path / "roster.json").write_text(text)
    record = json.loads(text)
    assert (record["start"], record["note"], record["cost"]) == ("2026-11-23", 'Kept as a "draft".', 7)
    assert read_roster(tmp_path / "roster.json", WARD) == GOOD


def test_a_spreadsheet_s_csv_is_read(tmp_path: Path) -> None:
    """A byte order mark, Windows line ends, quotes, spaces in empty cells, an empty line at the end."""
    text = "\ufeff" + f'{HEADER}"ann",E, ,N\nben,,L,L\n\n'.replace("\n", "\r\n")
    (tmp_path / "roster.csv").write_bytes(text.encode())
    assert read_roster(tmp_path / "roster.csv", WARD) == GOOD


def test_the_roster_of_a_longer_record_is_read(tmp_path: Path) -> None:
    record = {"outcome": "answered", "start": "2026-11-23", "roster": GOOD, "cost": 7}
    (tmp_path / "out.json").write_text(json.dumps(record))
    assert read_roster(tmp_path / "out.json", WARD) == GOOD


BEN = "ben,,L,L\n"
JSON_BEN = '"ben": [null, "L", "L"]'
"""Written @ below."""
BAD = [
    ("r.csv", "", "file: nothing there, expected a line that begins with nurse and goes on with the days"),
    ("r.csv", "sick list\nann,E\n", "line 1: nothing there, expected a row that begins with Nurse"),
    ("r.csv", "nurse,2026-11-23,2026-11-24\n", "line 1: nothing there, expected a column for 2026-11-25"),
    ("r.csv", f"{HEADER.replace('-24', '-26')}{BEN}", "line 1, column 3: got '2026-11-26', expected one of the 3 days from"),
    ("r.csv", f"{HEADER.replace('2026-11-23', '24/11/2026')}{BEN}", "line 1, column 3: got '2026-11-24', expected each day once"),
    ("r.csv", f"{HEADER[:-1]},25.11.2026\nann,E,,,L\n{BEN}", "line 1, column 5: got '25.11.2026', expected each day once"),
    ("r.csv", "Name;23.11.2026;24.11.2026;25.11.2026\nAnn;E;;\n", "line 1, column 1: got 'Name', expected nurse: the title of"),
    ("r.csv", f"{HEADER}ann,E,,\n", "ben: nothing there, expected a row for this nurse"),
    ("r.csv", f"{HEADER}ann,E,\n{BEN}", "line 2 (ann): got '3 cells', expected 4 cells"),
    ("r.csv", f"{HEADER}ann,E,,,L\n{BEN}", "line 1, column 5: nothing there, expected one of the 3 days from 2026-11-23"),
    ("r.csv", f"{HEADER},E,,\n{BEN}", "line 2, column 1: nothing there, expected the id of the nurse of this row"),
    ("r.csv", f"{HEADER}\nann,E,,X\n{BEN}", "line 3, column 4 (ann): got 'X', expected empty or one of the shifts E, L, N"),
    ("r.csv", f"{HEADER}ann,E,,e\n{BEN}", "line 2, column 4 (ann): got 'e'"),
    ("r.csv", f"{HEADER}ann,E,,\nann,E,,\n{BEN}", "line 3, column 1: got 'ann', expected one row a nurse"),
    ("r.csv", f"{HEADER}ann,E,,\nBEN,,,\n", "line 3 (BEN): got 'BEN', expected a nurse of the ward; did you mean ben?"),
    ("r.csv", f"{HEADER}ann,E,,\n{BEN}Total,1,2,2\n", "r.csv: line 4 (Total): got 'Total', expected a nurse of the ward"),
    ("r.csv", f'{HEADER}ann,"E,,\n{BEN}', "expected comma-separated values"),
    ("r.json", "[]", "file: got [], expected a record of fields and values"),
    ("r.json", "{}", "roster: nothing there, expected a value: the field is required"),
    ("r.json", '{"roster": []}', "roster: got [], expected a record of fields and values"),
    ("r.json", '{"roster": {"ann": "E-N", @}}', "roster.ann: got 'E-N', expected a list"),
    ("r.json", '{"roster": {"ann": ["E", 0, null], @}}', "roster.ann[1]: got 0, expected a text"),
    ("r.json", '{"roster": {"ann": ["E", "", null], @}}', "ann, 2026-11-24: got '', expected empty"),
    ("r.json", '{"roster": {"ann": ["E"], @}}', "ann: got '1 days', expected 3 days from 2026-11-23"),
    ("r.json", '{"start": "2026-11-30", "roster": {"ann": [null, null, null], @}}',
     "start: got '2026-11-30', expected 2026-11-23, as the ward has it"),
    ("r.json", '{"days": 7, "roster": {"ann": [null, null, null], @}}', "days: got 7, expected 3"),
    ("r.ods", "", "file name: got '.ods', expected one of .json, .csv, .xlsx: open it and save it as .xlsx"),
    ("r.json", "{", "line 1, column 2"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "words"), BAD, ids=range(len(BAD)))
def test_a_fault_names_its_place(name: str, text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text.replace("@", JSON_BEN))
    with pytest.raises(RosterError) as caught:
        read_roster(tmp_path / name, WARD)
    assert f"{name}: {words}" in str(caught.value) or words in str(caught.value)
    assert str(caught.value).startswith(f"{name}: ")


@pytest.mark.parametrize("roster", [rows(ann=ROWS["ann"]), rows(ann="E", ben="L"), rows(**ROWS) | {"zoe": [None] * 14}])
def test_no_check_judges_a_roster_of_another_ward(roster: Roster) -> None:
    for check in (check_compliance, check_empathy, roster_cost):
        with pytest.raises(RosterError, match="roster: "):
            check(ward_of_two(), roster)


@pytest.mark.parametrize(
    "header",
    [
        "nurse;23.11.2026;24.11.2026;25.11.2026",
        "Nurse;23/11/2026;24/11/2026;25/11/2026",
        "nurse\t11/23/2026\t11/24/2026\t11/25/2026",
    ],
)
def test_a_national_spreadsheet_s_csv_is_read(header: str, tmp_path: Path) -> None:
    mark = "\t" if "\t" in header else ";"
    path = tmp_path / "roster.csv"
    path.write_text(f"{header}\nann,E,,N\nben,,L,L\n,,,\n".replace(",", mark))
    assert read_roster(path, WARD) == GOOD
    assert period_in_file(path) == (WARD.start, 3)


OFFICE = """\
Two by day;;;;;
;;;;;
25.11.2026 ;24.11.2026;Hours;23.11.2026;Nurse;
N;off;16;E;ann ;
;;;;;

L ; L;16;;ben;
"""
"""A heading, blanks at the ends of cells, empty rows, a semicolon at the end, columns in another order and one beside."""


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_an_office_s_table_is_read_the_same_from_either_file(ending: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / f"roster.{ending}"
    if ending == "csv":
        path.write_bytes(OFFICE.encode(encoding))
    else:
        book = Workbook()
        book.worksheets[0].title = "Roster"
        for line in OFFICE.splitlines():
            book.worksheets[0].append([cell or None for cell in line.split(";")])
        book.save(path)
    assert read_roster(path, WARD) == GOOD
    assert period_in_file(path) == (WARD.start, 3)


def test_day_and_month_are_read_in_one_order_throughout() -> None:
    """Of the first two months of a year, 02/01 is one day or another by itself."""
    ward = ward_of_two(start="2027-01-01", days=59, demand=[], published=None, leave=[], wishes=[], locked=[])
    roster = rows(ann="E" + "-" * 58, ben="-" * 31 + "L" + "-" * 27)
    text = roster_csv(ward, roster)
    for written in ("%m/%d/%Y", "%d/%m/%Y"):
        days = ",".join(ward.day(day).strftime(written) for day in range(59))
        grid = list(csv.reader(f"nurse,{days}\n{text.partition(chr(10))[2]}".splitlines()))
        found = read_grid(
            [[cell or None for cell in row] for row in grid],
            lambda row, column: Spot(None, row, column),
            ward.start,
            59,
        )
        assert found.columns == {day: day + 1 for day in range(59)}
        assert period_of(grid) == (ward.start, 59)


def test_one_day_that_may_be_two_names_no_period() -> None:
    assert period_of([["nurse", "03/04/2026"]]) == (None, None)


@pytest.mark.parametrize("text", ["nurse;Zoë".encode("cp1252"), "nurse;Zoë".encode("utf-16-le")])
def test_another_encoding_is_told_with_the_way_out(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_bytes(text)
    with pytest.raises(RosterError, match=r"line 1.*: save the file with this encoding.*CSV UTF-8"):
        read_roster(tmp_path / "roster.csv", WARD)
