"""A roster as an Excel workbook: the coloured grid, cover, each nurse's share and the findings, and the ward's own sheets.

So one file holds ward and roster, and both can be read back from it.
"""

from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.workbook import Workbook
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from wavegraph.app.roster.exports.colours import BELOW, BREACH, HOLIDAY, LEAVE, MET, OVER, SHORT, WEEKEND, shift_fills
from wavegraph.app.roster.page.anchors import Sheet, cell_anchor
from wavegraph.app.roster.page.words import LEVELS, period, type_name
from wavegraph.tools.roster.checks.findings import is_weekend
from wavegraph.tools.roster.reports import RosterReport
from wavegraph.tools.roster.ward.ward import Roster, Ward
from wavegraph.tools.roster.ward.workbook.write import FONT, WIDEST, add_ward_sheets, head, put, widths, workbook_bytes

STATES = {"short": SHORT, "below": BELOW, "met": MET, "over": OVER}
RED = Side(style="medium", color=BREACH)
FAILING = ("breach", "failed")
FIRST_DAY = 3
"""The column after id and name."""


def roster_workbook(ward: Ward, roster: Roster, report: RosterReport, note: str, mark: str) -> bytes:
    """`report` is of this roster, which must fit the ward. `note`: its status, at the top of the findings; `mark`: what to
    know of it, below the grid and at the head of each printed sheet."""
    book, sheet = Workbook(), Sheet(ward, roster, report)
    book.remove(book.worksheets[0])
    _grid(book.create_sheet("Roster"), sheet)
    put(book["Roster"], len(ward.nurses) + 3, 2, mark or None).font = Font(
        name=FONT, size=11, bold=True, color=BREACH.upper()
    )
    _cover(book.create_sheet("Cover"), sheet)
    _shares(book.create_sheet("Shares"), sheet)
    _findings(book.create_sheet("Findings"), sheet, note)
    add_ward_sheets(book, ward.model_dump(mode="json", exclude_defaults=True))
    for each in book.worksheets:
        _printed_on_one_width(each, mark)
    return workbook_bytes(book)


def _days(sheet: Worksheet, ward: Ward, first: int) -> None:
    for day in range(ward.days):
        cell = sheet.cell(1, first + day)
        cell.number_format = "ddd d mmm"
        cell.alignment = Alignment(horizontal="center", vertical="bottom", text_rotation=90)  # lying, it would be ###
        sheet.column_dimensions[get_column_letter(first + day)].width = 6.5
    sheet.row_dimensions[1].height = 90
    sheet.freeze_panes = sheet.cell(2, first).coordinate
    sheet.print_title_rows, sheet.print_title_cols = "1:1", "A:B"
    assert sheet.oddHeader is not None
    sheet.oddHeader.left.text = f"{ward.name} · {period(ward)}".replace("&", "&&")


def _printed_on_one_width(sheet: Worksheet, mark: str) -> None:
    assert sheet.oddHeader is not None
    sheet.oddHeader.right.text = mark
    sheet.page_setup.orientation, sheet.page_setup.paperSize = "landscape", 9  # A4
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)


def _fill(colour: str) -> PatternFill:
    return PatternFill("solid", fgColor=colour.upper())


def _background(ward: Ward, day: int) -> str | None:
    on = ward.day(day)
    return HOLIDAY if on in ward.holidays else WEEKEND if is_weekend(on) else None


def _grid(sheet: Worksheet, view: Sheet) -> None:
    ward, fills = view.ward, shift_fills(view.ward)
    head(sheet, ["Nurse", "Name", *(ward.day(day) for day in range(ward.days)), "Hours", "Of", "Nights", "Weekends"])
    away = {(row.nurse, ward.index(row.day)) for row in ward.leave if row.shift is None}
    shares = {share.nurse_id: share for share in view.report.empathy.shares}
    for n, nurse in enumerate(ward.nurses):
        row, share = n + 2, shares[nurse.id]
        put(sheet, row, 1, nurse.id, "@")
        put(sheet, row, 2, nurse.name)
        for day, shift in enumerate(view.roster[nurse.id]):
            cell = put(sheet, row, FIRST_DAY + day, shift, "@")
            cell.alignment = Alignment(horizontal="center")
            colour = LEAVE if (nurse.id, day) in away else _background(ward, day)
            if shift is not None:
                colour, ink = fills[shift]
                cell.font = Font(name=FONT, size=11, bold=True, color=ink.upper())
            if colour:
                cell.fill = _fill(colour)
            if any(found.level in FAILING for found in view.at(cell_anchor(n, day))):
                cell.border = Border(left=RED, right=RED, top=RED, bottom=RED)
        target = None if share.target_minutes is None else share.target_minutes / 60
        figures = (share.credited_minutes / 60, target, share.nights, share.weekends)
        for place, figure in enumerate(figures, start=FIRST_DAY + ward.days):
            put(sheet, row, place, figure)
    _days(sheet, ward, FIRST_DAY)
    longest = max(len(nurse.name) for nurse in ward.nurses)
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 14, min(max(20, longest + 2), WIDEST)


def _cover(sheet: Worksheet, view: Sheet) -> None:
    ward = view.ward
    head(sheet, ["Shift", "Skill", *(ward.day(day) for day in range(ward.days))])
    for place, (shift, skill) in enumerate(view.cover_rows):
        put(sheet, place + 2, 1, shift, "@")
        put(sheet, place + 2, 2, skill or "any nurse")
        for day in range(ward.days):
            for cover in view.covers.get((place, day), ())[:1]:
                cell = put(sheet, place + 2, FIRST_DAY + day, f"{cover.present}/{cover.demand.target}", "@")
                cell.fill, cell.alignment = _fill(STATES[cover.state]), Alignment(horizontal="center")
    below = len(view.cover_rows) + 3
    for name, meaning in (("short", "below the minimum"), ("below", "below the target"), ("met", "as wanted"),
                          ("over", "more than wanted")):  # fmt: skip
        put(sheet, below, 2, meaning).fill = _fill(STATES[name])
        below += 1
    _days(sheet, ward, FIRST_DAY)
    sheet.column_dimensions["B"].width = 18


def _shares(sheet: Worksheet, view: Sheet) -> None:
    titles = ("Nurse", "Name", "Hours", "Of them leave", "By contract", "Nights", "Fair share of nights", "Weekends",
              "Fair share of weekends", "Holidays", "Wishes granted", "Of weight", "Score")  # fmt: skip
    head(sheet, titles)
    for row, share in enumerate(view.report.empathy.shares, start=2):
        target = None if share.target_minutes is None else share.target_minutes / 60
        figures = (
            share.nurse_id, view.ward.nurse_by_id[share.nurse_id].name, share.credited_minutes / 60,
            share.leave_minutes / 60, target, share.nights, share.nights_due, share.weekends, share.weekends_due,
            share.holidays, share.wish_granted, share.wish_weight, view.report.empathy.scores[share.nurse_id],
        )  # fmt: skip
        for place, figure in enumerate(figures, start=1):
            put(sheet, row, place, figure, "@" if place == 1 else "General")
    sheet.freeze_panes = "C2"
    widths(sheet)


def _findings(sheet: Worksheet, view: Sheet, note: str) -> None:
    report = view.report
    verdict = f"Compliance {report.compliance.status}, empathy {report.empathy.status}. {note}".strip()
    put(sheet, 1, 1, verdict).font = Font(name=FONT, size=11, bold=True)
    head(sheet, ["Level", "Rule", "Nurse", "Day", "Shift", "What"], 3)
    for row, placed in enumerate(view.placed, start=4):
        found = placed.finding
        put(sheet, row, 1, LEVELS[placed.level])
        put(sheet, row, 2, type_name(found.type))
        put(sheet, row, 3, found.nurse_id)
        put(sheet, row, 4, view.ward.day(view.day(found.day)) if found.day else None, "yyyy-mm-dd")
        put(sheet, row, 5, found.shift)
        put(sheet, row, 6, found.detail)
        if placed.level in FAILING:
            sheet.cell(row, 1).fill = _fill(SHORT)
    for letter, width in zip("ABCDEF", (12, 28, 16, 12, 8, 90), strict=True):
        sheet.column_dimensions[letter].width = width
    sheet.freeze_panes = "A4"
