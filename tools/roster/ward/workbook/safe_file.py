"""An Excel workbook from a file that anybody may have sent: its kind and size are looked at before it is parsed."""

import warnings
import zipfile
import zlib
from pathlib import Path
from xml.etree.ElementTree import ParseError

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.workbook import Workbook

from wavegraph.graph.errors import error_text
from wavegraph.tools.roster.ward.faults import FileFault, field_at, wanted
from wavegraph.tools.roster.ward.plain_data import Unreadable

MOST_BYTES = 10_000_000
MOST_UNPACKED = 60_000_000
"""Bytes; a ward of 60 nurses and six weeks has less than a hundredth of it."""
MOST_PARTS = 2_000
MOST_ROWS, MOST_COLUMNS = 20_000, 500
DAMAGED = (
    zipfile.BadZipFile, InvalidFileException, ParseError, zlib.error, KeyError, ValueError, TypeError, AttributeError,
    IndexError, EOFError, NotImplementedError, RuntimeError, OSError,
)  # fmt: skip
"""What openpyxl raises on damaged files: it documents none of it."""
SAVE_AS = wanted("workbook")


def open_workbook(path: Path) -> Workbook:
    """The workbook with its formulas. Raises `Unreadable` for what is not one, or is too large."""
    _look(path)
    return _loaded(path, data_only=False)


def calculated(path: Path) -> Workbook:
    """The workbook with the results that its formulas had when it was saved."""
    return _loaded(path, data_only=True)


def _look(path: Path) -> None:
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(200)
    except OSError as error:
        key = "readable_closed" if isinstance(error, PermissionError) else "readable"
        raise Unreadable(FileFault(field_at(), path.name, wanted(key, why=error.strerror))) from None
    is_zip, start = head.startswith(b"PK"), head.lstrip()
    refused = (
        (size > MOST_BYTES, wanted("bytes", n=size), wanted("at_most_bytes", most=MOST_BYTES)),
        (path.name.startswith("~$"), path.name, wanted("not_a_lock")),
        (
            start.startswith(b"\xd0\xcf\x11\xe0"),
            wanted("old_or_locked"),
            wanted("workbook_open"),
        ),
        (start.startswith(b"<"), wanted("web_page"), SAVE_AS),
        (start.startswith(b"{"), "JSON", wanted("workbook_or_json")),
        (b"application/vnd.oasis.opendocument" in head, wanted("open_document"), SAVE_AS),
        (not head, wanted("empty_file"), SAVE_AS),
        (not is_zip and b"\0" not in head, wanted("text_or_csv"), SAVE_AS),
        (not is_zip, wanted("other_file"), SAVE_AS),
    )
    for is_so, found, expected in refused:
        if is_so:
            raise Unreadable(FileFault(field_at(), found, expected))
    _look_inside(path)


def _look_inside(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
            unpacked = sum(part.file_size for part in parts)
            if unpacked > MOST_UNPACKED or len(parts) > MOST_PARTS:
                most = wanted("at_most_unpacked", most=MOST_UNPACKED, parts=MOST_PARTS)
                raise Unreadable(FileFault(field_at(), wanted("bytes_in_parts", n=unpacked, parts=len(parts)), most))
            if "xl/workbook.xml" not in archive.namelist():
                raise Unreadable(FileFault(field_at(), wanted("other_zip"), SAVE_AS))
            for part in parts:
                if part.filename.endswith((".xml", ".rels")) and b"<!DOCTYPE" in archive.read(part):
                    raise Unreadable(FileFault(field_at(), part.filename, wanted("no_doctype")))
    except DAMAGED as error:
        raise _damaged(error) from None


def _loaded(path: Path, *, data_only: bool) -> Workbook:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # features that are not read, such as pictures
            return load_workbook(path, data_only=data_only)
    except DAMAGED as error:
        raise _damaged(error) from None


def _damaged(error: BaseException) -> Unreadable:
    line = next(iter(error_text(error).splitlines()), type(error).__name__)[:120]
    return Unreadable(FileFault(field_at(), wanted("damaged", why=line), wanted("workbook_again")))
