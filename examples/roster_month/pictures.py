"""Draws what a manager and a nurse see: workbooks by LibreOffice, pages by Chromium."""

import subprocess
import tempfile
from pathlib import Path

from openpyxl import load_workbook
from openpyxl.worksheet.properties import PageSetupProperties
from PIL import Image, ImageOps

COLOURS = 200
"""Of a palette: small files, and the grid's few colours stay apart."""
MARGIN = 12
PHONE, DESK = (390, 844), (1440, 1100)
"""Width and height of a screen, in pixels."""


def draw(folder: Path, pictures: Path) -> None:
    pictures.mkdir(exist_ok=True)
    page = next((folder / "december").glob("*.html"))
    nurse = min((folder / "nurses").glob("*.html"))
    _sheet(folder / "maple.xlsx", "Nurses", pictures / "roster-month-workbook.png")
    _sheet(folder / "december.xlsx", "Roster", pictures / "roster-month-export.png")
    _screen(page, DESK, pictures / "roster-month-page.png")
    _screen(page, (PHONE[0], 2 * PHONE[1]), pictures / "roster-month-page-phone.png")
    _screen(nurse, PHONE, pictures / "roster-month-nurse.png")
    _printed(page, pictures / "roster-month-printed.png")


def _ran(*command: str | Path) -> None:
    subprocess.run(command, check=True, capture_output=True)


def _chromium(scratch: Path, *options: str) -> None:
    quiet = ["disable-gpu", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update"]
    _ran(
        "chromium",
        "--headless",
        "--no-sandbox",
        *(f"--{each}" for each in quiet),
        f"--user-data-dir={scratch}",
        *options,
    )


def _screen(page: Path, size: tuple[int, int], picture: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        whole = Path(scratch) / "screen.png"
        window = f"--window-size={size[0]},{size[1]}"
        _chromium(Path(scratch), window, "--hide-scrollbars", f"--screenshot={whole}", page.as_uri())
        _kept(Image.open(whole), picture)


def _printed(page: Path, picture: Path) -> None:
    """The sheets of paper beside each other."""
    with tempfile.TemporaryDirectory() as scratch:
        paper = Path(scratch) / "paper.pdf"
        _chromium(Path(scratch), "--no-pdf-header-footer", f"--print-to-pdf={paper}", page.as_uri())
        _kept(_beside(_pages(paper, Path(scratch))), picture)


def _sheet(book: Path, sheet: str, picture: Path) -> None:
    """The first page that LibreOffice makes of a sheet."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "sheet.xlsx"
        opened = load_workbook(book)
        for each in opened.worksheets:
            each.sheet_state = "visible" if each.title == sheet else "hidden"
            each.page_setup.orientation, each.page_setup.fitToHeight = "landscape", 0
            each.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        opened.active = opened.worksheets.index(opened[sheet])
        opened.save(copy)
        _ran(
            "soffice",
            f"-env:UserInstallation=file://{scratch}/office",
            "--headless",
            "--convert-to",
            "pdf",
            "--outdir",
            scratch,
            copy,
        )
        _kept(_cropped(_pages(copy.with_suffix(".pdf"), Path(scratch))[0]), picture)


def _cropped(page: Image.Image) -> Image.Image:
    """Without the paper's empty rest."""
    left, top, right, bottom = ImageOps.invert(page.convert("L")).getbbox() or (0, 0, *page.size)
    return page.crop((max(0, left - MARGIN), max(0, top - MARGIN), right + MARGIN, bottom + MARGIN))


def _pages(paper: Path, scratch: Path) -> list[Image.Image]:
    _ran("pdftoppm", "-r", "110", "-png", paper, scratch / "sheet")
    return [Image.open(each) for each in sorted(scratch.glob("sheet*.png"))]


def _beside(pages: list[Image.Image]) -> Image.Image:
    whole = Image.new("RGB", (sum(each.width for each in pages), max(each.height for each in pages)), "white")
    at = 0
    for each in pages:
        whole.paste(each, (at, 0))
        at += each.width
    return whole


def _kept(image: Image.Image, picture: Path) -> None:
    image.convert("RGB").quantize(COLOURS).save(picture, optimize=True)
