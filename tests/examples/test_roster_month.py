"""The ward of the document is filled in as a manager would, and read without a fault."""

from collections import Counter
from pathlib import Path

from examples.roster_month.__main__ import CONTINUED, DOCUMENT, FIRST_OF_CONTINUED, HEAD, HEAD_CONTINUED
from examples.roster_month.figures import joined_check, nights_table
from examples.roster_month.workbook import CONTRACTS, DAYS, MONTHS, NURSES, add_leave, fill

from wavegraph.app.roster.exports.template import write_template
from wavegraph.tools.roster.ward.file import read_ward


def filled(folder: Path) -> Path:
    path = folder / "maple.xlsx"
    write_template(path, "willow", empty=True)
    fill(path)
    return path


def test_the_empty_workbook_can_be_filled_in_and_read_for_each_month(tmp_path: Path) -> None:
    path = filled(tmp_path)
    add_leave(path, "bela", MONTHS[1], MONTHS[1])
    wards = [read_ward(path, start=month) for month in MONTHS]
    assert [(len(ward.nurses), ward.days, len(ward.leave), len(ward.holidays)) for ward in wards] == [
        (24, DAYS, 24, 2),  # with the day after it, before which no night is worked
        (24, DAYS, 1, 1),
        (24, DAYS, 0, 0),
    ]
    assert sum("charge" in nurse.skills for nurse in wards[0].nurses) == 8


def test_nights_are_counted_by_group_and_month(tmp_path: Path) -> None:
    """One night each in the first month, and none later."""
    path = filled(tmp_path)
    rosters = [
        {name: ["N" if month == day == 0 else None for day in range(DAYS)] for name, *_ in NURSES} for month in range(3)
    ]
    staff = Counter(group for _, _, group, _ in NURSES)
    rows = [line for line in nights_table(path, rosters, list(CONTRACTS)) if "%" in line and line.startswith("|")]
    assert [row.split(" | ")[-1] for row in rows] == [f"{staff[group]} |" for group in CONTRACTS]
    assert [row.split(" | ")[3] for row in rows] == ["0.67", "0.89", "1.33"]
    assert "breaches" in joined_check(path, rosters)


def test_the_document_shows_what_the_pictures_are_of() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in (DOCUMENT, CONTINUED))
    shown = [line.split("](")[1].rstrip(")") for line in text.splitlines() if line.startswith("![")]
    assert len(shown) == 6
    assert [name for name in shown if not 0 < (DOCUMENT.parent / name).stat().st_size <= 150_000] == []


def test_both_pages_begin_as_they_are_written() -> None:
    assert DOCUMENT.read_text(encoding="utf-8").startswith(HEAD)
    assert CONTINUED.read_text(encoding="utf-8").startswith(f"{HEAD_CONTINUED}\n\n{FIRST_OF_CONTINUED}\n\n")
