"""`wavegraph roster wards --out` and `show --out`: files for people, which can be read back where they hold a roster."""

from pathlib import Path

import pytest
from openpyxl import load_workbook
from roster_wards import ROWS, rows, ward_of_two
from typer.testing import CliRunner, Result

from wavegraph.app.main import app
from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.ward.file import read_ward, ward_of
from wavegraph.tools.roster.ward.roster_file import period_in_file, read_roster
from wavegraph.tools.roster.ward.ward import Ward

NAMED = ward_of_two(nurses__0__name='=cmd|"x"', nurses__1__name="רות; כהן, 2", nurses__1__id="../b", leave=[
    {"nurse": "ann", "day": "2026-11-28"}])  # fmt: skip
CELLS = rows(**{"ann": ROWS["ann"], "../b": "NNLLL--LLLLL--"})


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RosterStore:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return RosterStore()


def keep(store: RosterStore, ward: Ward = NAMED) -> str:
    return store.keep_roster(StoredRoster(ward_hash=store.keep_ward(ward), roster=CELLS))


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["roster", *map(str, words)])


def for_nurses(target: str | Path) -> list[str]:
    return [] if str(target).endswith(".xlsx") else ["--for-nurses"]


def exported(store: RosterStore, target: Path) -> Path:
    done = run("show", keep(store), *for_nurses(target), "--out", target, "--db", ":memory:")
    assert (done.exit_code, done.stdout) == (0, ""), done.stderr
    return target


def test_a_workbook_holds_ward_and_roster_and_both_come_back(store: RosterStore, tmp_path: Path) -> None:
    path = exported(store, tmp_path / "out" / "december.xlsx")
    ward = read_ward(path)
    assert ward == NAMED
    assert read_roster(path, ward) == CELLS
    assert period_in_file(path) == (NAMED.start, NAMED.days)


def test_the_grid_is_coloured_and_the_findings_are_there(store: RosterStore, tmp_path: Path) -> None:
    book = load_workbook(exported(store, tmp_path / "r.xlsx"))
    grid = book["Roster"]
    assert (grid["A2"].value, grid["B2"].value, grid["B2"].data_type) == ("ann", '=cmd|"x"', "s")
    assert (grid["C2"].value, grid["C2"].fill.fgColor.rgb[-6:]) == ("E", "FDE7A9")
    assert grid["H2"].fill.fgColor.rgb[-6:] == "DDDDDD"  # leave
    assert [cell.value for cell in book["Cover"]["C"][1:3]] == ["1/1", "1/1"]
    details = [row[5].value for row in book["Findings"].iter_rows(min_row=4)]
    report = store.report(keep(store))
    expected = {found.detail for found in (*report.compliance.findings, *report.empathy.findings)}
    assert expected <= set(details)
    assert expected


def test_every_sheet_can_be_read_and_printed(store: RosterStore, tmp_path: Path) -> None:
    book = load_workbook(exported(store, tmp_path / "r.xlsx"))
    for title in ("Roster", "Cover"):
        assert book[title]["C1"].alignment.textRotation == 90  # lying, a narrow column shows a date as ###
        header = book[title].oddHeader
        assert header is not None
        assert header.left.text == "Two · 23 Nov to 6 Dec 2026"
    for sheet in book.worksheets:
        printed = sheet.sheet_properties.pageSetUpPr
        assert printed is not None
        assert (printed.fitToPage, sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (True, 1, 0)
    hours = book["Roster"].cell(2, 3 + NAMED.days)
    assert (hours.value, hours.number_format) == (80, "General")  # "0.#" shows "80."
    bold = {cell.font.name for sheet in book for row in sheet.iter_rows() for cell in row if cell.font.bold}
    assert bold == {"Calibri"}


def test_each_nurse_gets_a_calendar_and_a_page(store: RosterStore, tmp_path: Path) -> None:
    folder = exported(store, tmp_path / "nurses")
    assert sorted(path.name for path in folder.iterdir()) == ["___b.html", "___b.ics", "ann.html", "ann.ics"]
    calendar = (folder / "___b.ics").read_bytes()
    assert calendar.count(b"BEGIN:VEVENT") == 10
    assert "X-WR-CALNAME:Two: רות\\; כהן\\, 2 (Not ".encode() in calendar
    assert b"DTSTART:20261123T230000Z\r\nDTEND:20261124T070000Z" in calendar  # London, in winter
    assert max(map(len, calendar.split(b"\r\n"))) <= 75
    page = (folder / "ann.html").read_text(encoding="utf-8")
    assert "10 shifts · 80 h" in page
    assert page.count("<li") == NAMED.days
    assert ">leave<" in page


FAIR = ward_of_two()
IDLE = {**ROWS, "ben": "-" * 14}


@pytest.mark.parametrize(
    ("ward", "cells", "decided", "mark"),
    [
        (FAIR, ROWS, ["--reason", "agreed"], ""),
        (FAIR, ROWS, ["--as", "draft"], "Kept as a draft."),
        (FAIR, ROWS, [], "Not decided: it passes every check, but is neither published nor a draft."),
        (FAIR, IDLE, ["--with-problems"], "Published with its problems."),
        (FAIR, IDLE, ["--as", "draft"], "Kept as a draft, with its problems."),
        (FAIR, IDLE, [], "Not published: not decided, or rejected."),
    ],
    ids=["published", "a draft", "open", "published, failing", "a draft, failing", "failing"],
)
def test_each_export_says_what_to_know_of_the_roster(
    store: RosterStore, tmp_path: Path, ward: Ward, cells: dict[str, str], decided: list[str], mark: str
) -> None:
    """In the format's own place, and only where it is not published or does not pass."""
    database = ("--db", tmp_path / "talk.db")
    made = store.keep_roster(StoredRoster(ward_hash=store.keep_ward(ward), roster=rows(**cells)))
    if decided:
        assert run("publish", made, *decided, *database).exit_code == 0
    for target in ("r.xlsx", "nurses"):
        assert run("show", made, *for_nurses(target), "--out", tmp_path / target, *database).exit_code == 0

    is_published = decided != [] and "--as" not in decided
    calendar = (tmp_path / "nurses" / "ann.ics").read_bytes().replace(b"\r\n ", b"").decode()
    escaped = mark.replace(",", "\\,")
    assert f"X-WR-CALNAME:Two: Ann{f' ({escaped})' if mark else ''}\r\n" in calendar
    assert calendar.count(f"\nDESCRIPTION:{escaped}\r\n") == (10 if mark else 0)
    assert calendar.count("STATUS:CONFIRMED") == (10 if is_published else 0)
    assert calendar.count("STATUS:TENTATIVE") == (0 if is_published else 10)
    book = load_workbook(tmp_path / "r.xlsx")
    assert (book["Roster"]["B5"].value or "") == mark
    assert {(sheet.oddHeader.right.text or "") if sheet.oddHeader else "" for sheet in book} == {mark}
    assert read_roster(tmp_path / "r.xlsx", ward) == rows(**cells)
    assert f"<strong>{mark or 'Published.'}</strong>" in (tmp_path / "nurses" / "ann.html").read_text()


NAMES = ["\x1b[31mAnn", "A\x00nn", "A\x9bnn", "A\uffffnn", "A\r\nnn\t"]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize("target", ["r.xlsx", "nurses"])
def test_a_name_that_cannot_be_printed_spoils_no_file(
    name: str, target: str, store: RosterStore, tmp_path: Path
) -> None:
    ward = NAMED.model_dump(mode="json", exclude_defaults=True)
    ward["name"] = ward["nurses"][0]["name"] = ward["nurses"][0]["grade"] = ward["shifts"][0]["name"] = name
    done = run("show", keep(store, ward_of(ward)), *for_nurses(target), "--out", tmp_path / target, "--db", ":memory:")
    assert done.exit_code == 0, done.exception
    if target == "r.xlsx":
        read = read_ward(tmp_path / target)
        assert read == ward_of(ward)
        assert read.name == read.nurses[0].name
        assert {read.name} <= {"[31mAnn", "Ann", "A\nnn\t"}


def test_another_ending_names_those_there_are(store: RosterStore, tmp_path: Path) -> None:
    done = run("show", keep(store), "--out", tmp_path / "r.png", "--db", ":memory:")
    assert done.exit_code == 2
    assert "end it in .xlsx, or name a folder; the page in it prints" in done.stderr


def test_a_workbook_to_fill_in_is_a_ward_and_is_not_replaced(store: RosterStore, tmp_path: Path) -> None:
    path = tmp_path / "ward.xlsx"
    assert run("wards", "--out", path).exit_code == 0
    assert len(read_ward(path).nurses) == 12
    assert "is there already" in run("wards", "--out", path).stderr
    path.unlink()
    assert run("wards", "--out", path, "--empty").exit_code == 0
    assert load_workbook(path)["Nurses"].max_row < 60
