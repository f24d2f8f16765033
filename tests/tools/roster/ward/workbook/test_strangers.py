"""Workbooks as strangers fill and save them: what is meant is read, what is not is named with its cell and remedy."""

import zipfile
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from openpyxl.workbook import Workbook
from roster_wards import DEMO, two

from wavegraph.tools.roster.ward.faults import WardError
from wavegraph.tools.roster.ward.file import read_ward
from wavegraph.tools.roster.ward.plain_data import read_data
from wavegraph.tools.roster.ward.ward import Ward
from wavegraph.tools.roster.ward.workbook.safe_file import MOST_UNPACKED
from wavegraph.tools.roster.ward.workbook.sheets import OPTIONAL, REQUIRED
from wavegraph.tools.roster.ward.workbook.write import ward_workbook, workbook_bytes


def read(folder: Path, change: Callable[[Workbook], None], data: dict[str, Any] | None = None) -> Ward:
    book = ward_workbook(data or read_data(DEMO / "willow.yaml"))
    change(book)
    (folder / "ward.xlsx").write_bytes(workbook_bytes(book))
    return read_ward(folder / "ward.xlsx")


def faults(folder: Path, change: Callable[[Workbook], None]) -> list[str]:
    with pytest.raises(WardError) as raised:
        read(folder, change)
    return [str(fault) for fault in raised.value.faults]


def setting(**cells: Any) -> Callable[[Workbook], None]:
    """`Leave__B2=…` sets a cell."""

    def change(book: Workbook) -> None:
        for place, value in cells.items():
            sheet, cell = place.split("__")
            book[sheet][cell] = value

    return change


@pytest.mark.parametrize(
    "value",
    [datetime(2026, 11, 27), 46353, "46353", "2026-11-27", "27.11.2026", "27/11/2026", "11/27/2026", "27-11-26", "2026/11/27"],
    ids=str,
)  # fmt: skip
def test_a_date_however_it_is_kept(value: Any, tmp_path: Path) -> None:
    assert read(tmp_path, setting(Leave__B2=value)).leave[0].day == date(2026, 11, 27)


def test_a_limit_is_not_explained_by_a_field_of_the_same_name() -> None:
    sheet = ward_workbook(read_data(DEMO / "willow.yaml"))["Fairness limits"]
    about = {sheet.cell(row, 1).value: sheet.cell(row, 3).value for row in range(2, sheet.max_row + 1)}
    assert {about["Points: night"], about["Points: fatigue"]} == {None}


def test_the_days_of_an_empty_sheet_need_not_be_those_of_the_period(tmp_path: Path) -> None:
    """Who gives an empty workbook its start alone has nothing to correct; a shift below no day is not lost."""
    book = ward_workbook(read_data(DEMO / "willow.yaml"), examples=False)
    setting(Ward__B2="Surgery", Ward__B4=datetime(2027, 2, 1))(book)
    book["Published"]["A2"], book["Published"]["C2"] = "ann", "E"
    (tmp_path / "ward.xlsx").write_bytes(workbook_bytes(book))
    with pytest.raises(WardError) as raised:
        read_ward(tmp_path / "ward.xlsx")
    about = [str(fault) for fault in raised.value.faults if "Published" in str(fault) or "Days before" in str(fault)]
    assert about == [
        "sheet Published, cell C1: nothing there, expected one of the 14 days from 2027-02-01",
    ]


def test_day_and_month_are_told_apart_by_the_period(tmp_path: Path) -> None:
    assert read(tmp_path, setting(Wishes__B6="01/12/2026")).wishes[4].day == date(2026, 12, 1)
    (fault,) = faults(tmp_path, setting(Holidays__A2="03/04/2026"))
    assert fault == (
        "sheet Holidays, cell A2: got '03/04/2026', expected a date that can be read in one way only: 2026-04-03 or "
        "2026-03-04"
    )


@pytest.mark.parametrize("value", [time(7, 30), 0.3125, "7:30", "07.30", timedelta(hours=7.5), "07:30:00"], ids=str)
def test_a_clock_time_however_it_is_kept(value: Any, tmp_path: Path) -> None:
    assert read(tmp_path, setting(Shifts__C2=value)).shifts[0].start == time(7, 30)


@pytest.mark.parametrize("value", [80.5, "80.5", "80,5", "80:30", " 80.5 h "], ids=str)
def test_hours_however_they_are_kept(value: Any, tmp_path: Path) -> None:
    column = next(cell.coordinate for cell in ward_workbook(two())["Contracts"][1] if cell.value == "Agreed hours")
    ward = read(tmp_path, setting(**{f"Contracts__{column[0]}2": value}))
    assert ward.nurses[0].contract.target_minutes == 4830


def test_merged_cells_empty_rows_other_orders_and_cases_are_read(tmp_path: Path) -> None:
    def change(book: Workbook) -> None:
        leave = book["Leave"]
        leave["A3"] = leave["A4"] = None
        leave.merge_cells("A2:A4")
        leave["B900"] = "   "
        book["Pairs"].insert_rows(1)
        book["Pairs"]["A1"] = "Our pairs"
        book.move_sheet("Nurses", -4)
        book["Wishes"].title = "for now"
        book["for now"].title = "WISHES "
        book.create_sheet("Notes of mine")["A1"] = "x"

    assert read(tmp_path, change) == read_ward(DEMO / "willow.yaml")


def test_all_cells_that_cannot_be_read_are_named_at_once_then_what_they_say(tmp_path: Path) -> None:
    unread = setting(Leave__B2="soon", Shifts__C3="late", Wishes__D2="maybe", Demand__D2="=1/0")
    strangers = setting(Leave__A5="nobody", Wishes__A3="noone")
    contract = setting(Nurses__F4="half")

    found = faults(tmp_path, lambda book: [change(book) for change in (unread, strangers, contract)])
    assert found[0] == "sheet Shifts, cell C3: got 'late', expected a clock time such as 07:00"
    assert found[1].startswith("sheet Demand, cell D2: got '=1/0', expected a value: open the file")
    assert found[2:] == [
        "sheet Leave, cell B2: got 'soon', expected a date such as 2026-11-23",
        "sheet Wishes, cell D2: got 'maybe', expected one of work, not work",
    ]
    (of_contract,) = faults(tmp_path, lambda book: [change(book) for change in (strangers, contract)])
    assert of_contract.startswith("sheet Nurses, cell F4 (nurse_003): got 'half', expected a contract of")
    nobody, no_one = faults(tmp_path, strangers)
    assert nobody.startswith("sheet Leave, cell A5: got 'nobody', expected one of the ward's nurses")
    assert no_one.startswith("sheet Wishes, cell A3: got 'noone', expected one of the ward's nurses")


def test_what_contradicts_another_row_names_both(tmp_path: Path) -> None:
    def change(book: Workbook) -> None:
        for column in "ABC":
            book["Wishes"][f"{column}3"] = book["Wishes"][f"{column}2"].value

    (fault,) = faults(tmp_path, change)
    assert fault.startswith("sheet Wishes, row 3: got ")
    assert fault.endswith("one row a nurse, day, shift; row 2 of Wishes says the same")


def test_an_empty_one_is_filled_for_any_first_day(tmp_path: Path) -> None:
    book = ward_workbook(read_data(DEMO / "willow.yaml"), examples=False)
    titles = {book[sheet][f"A{row}"].value: (sheet, row) for sheet in ("Ward", "Rules") for row in range(2, 21)}
    filled: dict[str, Any] = {"Name": "Хирургия", "Start": "01.03.2027", "Days": 28}
    for title, value in filled.items():
        sheet, row = titles[title]
        book[sheet][f"B{row}"] = value
    setting(
        Shifts__A2="Д", Shifts__C2="07:00", Shifts__D2="19:00", Nurses__A2=101, Nurses__B2="Мария",
        Demand__A2="every day", Demand__B2="Д", Demand__E2=1,
    )(book)  # fmt: skip
    (tmp_path / "ward.xlsx").write_bytes(workbook_bytes(book))
    ward = read_ward(tmp_path / "ward.xlsx")
    assert (ward.name, ward.start, ward.days, ward.skills) == ("Хирургия", date(2027, 3, 1), 28, [])


def test_days_of_another_period_are_no_fault_in_a_sheet_without_rows(tmp_path: Path) -> None:
    data = {**read_data(DEMO / "willow.yaml"), "published": None}
    assert read(tmp_path, setting(Published__B1=date(2020, 1, 1)), data).published is None
    found = faults(tmp_path, setting(Published__B1=date(2020, 1, 1), Published__A2="nurse_001", Published__B2="E"))
    assert found == ["sheet Published, cell B1: got '2020-01-01 00:00:00', expected one of the 14 days from 2026-11-23"]


def test_a_sheet_renamed_or_gone_is_no_silent_loss(tmp_path: Path) -> None:
    def rename(book: Workbook) -> None:
        book["Leave"].title = "Leave 2026"
        del book["Shifts"]

    found = faults(tmp_path, rename)
    assert found[0].startswith("sheet Shifts: nothing there, expected a sheet of this name; there are ")
    assert found[1] == renamed("Leave", "Leave 2026")


def renamed(sheet: str, name: str) -> str:
    words = f"sheet {sheet}: nothing there, expected a sheet of this name: is {name!r} the one? Call it {sheet}"
    return words if sheet in REQUIRED else f"{words}, or add an empty sheet {sheet}"


GRIDS = ("Days before", "Published")


@pytest.mark.parametrize("sheet", [name for name in (*REQUIRED, *OPTIONAL) if name not in GRIDS])
@pytest.mark.parametrize("name", ["Urlaub", "חופשות", "Holidays 2026"])
def test_a_sheet_is_known_by_its_titles_whatever_it_is_called(sheet: str, name: str, tmp_path: Path) -> None:
    found = faults(tmp_path, lambda book: setattr(book[sheet], "title", name))
    assert found[0] == renamed(sheet, name)


def test_where_a_sheet_is_missing_a_table_of_another_name_is_asked_about(tmp_path: Path) -> None:
    def change(book: Workbook) -> None:
        book["Published"].append(["nurse_001", "E"])
        book["Published"].title = "Dienstplan"
        leave = book["Leave"]
        leave.title = "Urlaub"
        for place, title in enumerate(("Wer", "Von", "Bis", "Dienst", "Bezahlt"), start=1):
            leave.cell(1, place).value = title

    found = faults(tmp_path, change)
    missing = (
        "expected the name of a sheet that is missing: Leave, Published; if it is a sheet of your own, add those empty"
    )
    assert found[0] == f"sheet Urlaub: got 'Wer, Von, Bis, Dienst, Bezahlt', {missing}"
    assert found[1].startswith("sheet Dienstplan: got 'Nurse, 2026-11-23, 2026-11-24, ")
    assert len(found) == 2

    def add_empty(book: Workbook) -> None:
        change(book)
        book.create_sheet("Leave")
        book.create_sheet("Published")

    assert read(tmp_path, add_empty).leave == []


def test_a_second_sheet_with_the_titles_of_one_that_is_read_is_no_silent_loss(tmp_path: Path) -> None:
    def change(book: Workbook) -> None:
        book.copy_worksheet(book["Leave"]).title = "LEAVE of December"
        book.copy_worksheet(book["Rules"]).title = "rules "

    found = faults(tmp_path, change)
    assert found[0] == (
        "sheet LEAVE of December: got 'Nurse *, First day *, Last day, Shift, Paid', expected its rows in the sheet Leave, whose "
        "titles it has and which alone is read; or titles of your own"
    )
    assert found[1].startswith("sheet rules : got 'Field, Value")


def test_sheets_of_one_s_own_are_passed_over(tmp_path: Path) -> None:
    """A list of telephones, notes, and an empty sheet; where a sheet is missing, all but the list."""

    def add(book: Workbook) -> None:
        book.create_sheet("Sheet1")
        book.create_sheet("Notes")["A1"] = "Call the agency"
        for row in (("Id", "Name", "Phone"), ("nurse_001", "Alice", "050 123")):
            book.create_sheet("Phones").append(row) if "Phones" not in book else book["Phones"].append(row)

    assert read(tmp_path, add) == read_ward(DEMO / "willow.yaml")

    def less(book: Workbook) -> None:
        del book["Pairs"]
        add(book)

    (fault,) = faults(tmp_path, less)
    assert fault == (
        "sheet Phones: got 'Id, Name, Phone', expected the name of a sheet that is missing: Pairs; if it is a sheet of your "
        "own, add those empty"
    )


def test_a_column_of_one_s_own_is_told_with_the_way_out(tmp_path: Path) -> None:
    def change(book: Workbook) -> None:
        sheet = book["Nurses"]
        sheet.cell(1, sheet.max_column + 1).value = "Phone"
        sheet.cell(2, sheet.max_column).value = "050 123"

    (fault,) = faults(tmp_path, change)
    assert "got 'Phone', expected a title of this sheet, once: Id, Name, Grade, Skills, " in fault
    assert fault.endswith("; one of your own: delete it, or move it to a sheet of your own")


def test_blanks_at_the_ends_of_ids_do_not_count(tmp_path: Path) -> None:
    change = setting(
        Nurses__A2="nurse_001  ",
        Shifts__A2="E ",
        Demand__C2=" charge ",
        Ward__B6=" Europe/London\u00a0",
        Leave__A2=" nurse_002",
    )
    assert read(tmp_path, setting(Demand__C2="charge")) == read(tmp_path, change)


def test_what_follows_from_a_bad_or_doubled_id_is_not_told(tmp_path: Path) -> None:
    published = two(published__roster={"ann": ["E"] * 14, "ben": ["E"] * 14})

    def found(**cells: Any) -> list[str]:
        with pytest.raises(WardError) as raised:
            read(tmp_path, setting(**cells), published)
        return [str(fault) for fault in raised.value.faults]

    (twice,) = found(Nurses__A3="ann", Leave__A2="ben", Leave__B2="2026-11-24")
    assert twice == "sheet Nurses, row 3: got 'ann', expected each nurse id once; row 2 of Nurses says the same"
    (blank,) = found(Nurses__A3="ben two", Leave__A2="ben", Leave__B2="2026-11-24")
    assert blank.startswith("sheet Nurses, cell A3 (ben two): got 'ben two', expected an id without spaces")
    (shift,) = found(Shifts__A3="E")
    assert shift.startswith("sheet Shifts, row 3: got 'E', expected each shift id once")
    (contract,) = found(Contracts__D2="much")
    assert contract.startswith("sheet Contracts, cell D2: got 'much'")


def test_a_title_that_slipped_is_asked_about(tmp_path: Path) -> None:
    found = faults(tmp_path, setting(Nurses__D1="Skils"))
    assert found[0].startswith(
        "sheet Nurses, cell D1: got 'Skils', expected a title of this sheet, once; did you mean Skills?"
    )


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "an old .xls file, or one with a password"),
        (b"nurse;2026-11-23\r\nann;E\r\n", "text or CSV"),
        (b"", "an empty file"),
        (b"PK\x03\x04" + b"\0" * 26 + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "OpenDocument"),
        (b"PK\x03\x04 torn", "a damaged workbook"),
        (b"<html><table>", "a web page"),
    ],
    ids=["xls", "csv", "empty", "ods", "torn", "html"],
)
def test_another_kind_of_file_is_named(content: bytes, kind: str, tmp_path: Path) -> None:
    (tmp_path / "ward.xlsx").write_bytes(content)
    with pytest.raises(WardError, match=kind):
        read_ward(tmp_path / "ward.xlsx")


def test_a_small_file_that_unpacks_to_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ward.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", bytes(MOST_UNPACKED + 1))
    with pytest.raises(WardError, match="when unpacked"):
        read_ward(path)


def test_sixty_nurses_for_six_weeks(tmp_path: Path) -> None:
    nurse = two()["nurses"][1]
    data = two(
        days=42,
        demand=[],
        rules={},
        nurses=[{**nurse, "id": f"n{n}"} for n in range(60)],
        published__roster={f"n{n}": ["E"] * 42 for n in range(60)},
    )
    ward = read(tmp_path, lambda book: None, data)
    assert (len(ward.nurses), ward.days) == (60, 42)
    assert ward.published is not None
    assert ward.published.roster["n59"] == ["E"] * 42
