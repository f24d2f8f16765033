"""Fills the empty workbook as a ward manager does by hand: Maple Ward, 24 nurses in three contract groups."""

from datetime import date
from pathlib import Path
from typing import Any

from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

MONTHS = (date(2026, 11, 30), date(2026, 12, 28), date(2027, 1, 25))
"""The first days of three periods of four weeks."""
DAYS = 28
FULL_TIME_HOURS = 37.5
CONTRACTS = {"full": 100, "most": 75, "half": 50}
"""Percent by name."""

CHARGE, NURSE = "RN, charge", "RN"
NURSES = [
    ("anna", "Anna Berger", "full", CHARGE), ("bela", "Béla Novák", "full", CHARGE),
    ("carla", "Carla Ruiz", "full", CHARGE), ("dario", "Dario Conti", "full", CHARGE),
    ("edith", "Edith Lang", "full", NURSE), ("farid", "Farid Azizi", "full", NURSE),
    ("greta", "Greta Holm", "full", NURSE), ("hugo", "Hugo Martin", "full", NURSE),
    ("ines", "Inês Duarte", "full", NURSE), ("jonas", "Jonas Weber", "full", NURSE),
    ("kaja", "Kaja Lund", "full", NURSE), ("lior", "Lior Katz", "full", NURSE),
    ("mira", "Mira Popović", "most", CHARGE), ("noor", "Noor Haddad", "most", CHARGE),
    ("olga", "Olga Petrova", "most", NURSE), ("piotr", "Piotr Zając", "most", NURSE),
    ("quinn", "Quinn Doyle", "most", NURSE), ("rosa", "Rosa Marino", "most", NURSE),
    ("selma", "Selma Yıldız", "half", CHARGE), ("tomas", "Tomáš Horák", "half", CHARGE),
    ("uma", "Uma Patel", "half", NURSE), ("vera", "Vera Kovács", "half", NURSE),
    ("willem", "Willem Bakker", "half", NURSE), ("xenia", "Xenia Laskari", "half", NURSE),
]  # fmt: skip
LEAVE = [
    ("edith", date(2026, 12, 7), date(2026, 12, 13)),
    ("mira", date(2026, 12, 14), date(2026, 12, 18)),
    ("carla", date(2026, 12, 21), date(2026, 12, 27)),
    ("vera", date(2026, 12, 21), date(2026, 12, 24)),
]
WISHES = [
    ("anna", date(2026, 12, 24), None, "not work", 5),
    ("farid", date(2026, 12, 11), None, "not work", 3),
    ("hugo", date(2026, 12, 5), "N", "work", 2),
    ("kaja", date(2026, 12, 25), "E", "work", 3),
    ("olga", date(2026, 12, 20), "N", "not work", 4),
    ("xenia", date(2026, 12, 16), "L", "not work", 2),
]
HOLIDAYS = [date(2026, 12, 25), date(2026, 12, 26), date(2027, 1, 1)]
DEMAND = [
    ("Mon-Fri", "E", 4, 6), ("Sat, Sun", "E", 3, 4),
    ("Mon-Fri", "L", 3, 4), ("Sat, Sun", "L", 2, 3),
    ("every day", "N", 2, 2),
]  # fmt: skip


def fill(path: Path) -> None:
    """Fill the workbook that `wavegraph roster wards --empty` wrote."""
    book = load_workbook(path)
    _values(book["Ward"], {"Name": "Maple Ward", "Start": None, "Days": DAYS, "Skills": CHARGE})
    _values(book["Rules"], {"Charge skill": "charge", "Full time hours": FULL_TIME_HOURS})
    _rows(book["Shifts"], [
        {"Id": "E", "Name": "Early", "Start": "07:00", "End": "15:00", "Paid hours": 7.5, "Night": "no"},
        {"Id": "L", "Name": "Late", "Start": "14:00", "End": "22:00", "Paid hours": 7.5, "Night": "no", "Not followed by": "E"},
        {"Id": "N", "Name": "Night", "Start": "21:30", "End": "07:30", "Paid hours": 9.5, "Night": "yes"},
    ])  # fmt: skip
    _rows(book["Contracts"], [{"Contract": name, "Percent": percent} for name, percent in CONTRACTS.items()])
    _rows(book["Nurses"], [dict(zip(("Id", "Name", "Contract", "Skills"), nurse, strict=True)) for nurse in NURSES])
    _rows(book["Demand"], [dict(zip(("Day", "Shift", "Minimum", "Target"), row, strict=True)) for row in DEMAND])
    _rows(book["Leave"], [dict(zip(("Nurse", "First day", "Last day"), row, strict=True)) for row in LEAVE])
    _rows(book["Wishes"], [dict(zip(("Nurse", "Day", "Shift", "Wants", "Weight"), w, strict=True)) for w in WISHES])
    _rows(book["Holidays"], [{"Day": day} for day in HOLIDAYS])
    book.save(path)


def add_leave(path: Path, nurse: str, first: date, last: date) -> None:
    """A line more on the sheet for leave."""
    book = load_workbook(path)
    _rows(book["Leave"], [{"Nurse": nurse, "First day": first, "Last day": last}])
    book.save(path)


def _values(sheet: Worksheet, values: dict[str, Any]) -> None:
    for line in range(2, sheet.max_row + 1):
        if (field := sheet.cell(line, 1).value) in values:
            sheet.cell(line, 2).value = values[str(field)]


def _rows(sheet: Worksheet, rows: list[dict[str, Any]]) -> None:
    """Each on the next line that is free."""
    columns = {str(cell.value).removesuffix(" *"): place for place, cell in enumerate(sheet[1], start=1)}
    free = next(line for line in range(2, sheet.max_row + 2) if sheet.cell(line, 1).value is None)
    for line, row in enumerate(rows, start=free):
        for title, value in row.items():
            sheet.cell(line, columns[title], value)
