"""Reads import files into rows and collects every problem instead of raising the first."""

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from wavegraph.tools.hotel.currency import MOST_DECIMALS, digits, is_currency
from wavegraph.tools.hotel.property.import_rows import MONEY, ImportRow

RowT = TypeVar("RowT", bound=ImportRow)
Numbered = list[tuple[int, RowT]]
"""Rows with their number in the file; a CSV's header is row 1."""


@dataclass(frozen=True, slots=True)
class ImportProblem:
    """One problem in one file. `row` and `column` are None if it concerns the whole file, or row."""

    file: str
    row: int | None
    column: str | None
    value: str
    expected: str

    def __str__(self) -> str:
        place = [self.file, f"row {self.row}" if self.row else "", f"column {self.column}" if self.column else ""]
        return f"{', '.join(filter(None, place))}: {self.value!r}, expected {self.expected}"


@dataclass
class Folder:
    """The folder of one import, and the problems found so far."""

    path: Path
    problems: list[ImportProblem] = field(default_factory=list)
    currency: str = ""
    """The currency of its amounts, once known; empty = not known."""

    def add_problem(self, file: str, row: int | None, column: str | None, value: object, expected: str) -> None:
        self.problems.append(ImportProblem(file, row, column, str(value), expected))

    def rows(self, file: str, model: type[RowT], *, required: bool = True) -> Numbered[RowT]:
        """The valid rows of a CSV file; everything else becomes a problem."""
        text = self._text(file, required=required)
        lines = list(_csv_lines(text)) if text else []
        if text is not None and not lines:
            self.add_problem(file, None, None, "", "a header line and at least one row")
        if not lines or not self._header_is_good(file, lines[0][1], model):
            return []
        header, body = lines[0][1], lines[1:]
        if not body and required:
            self.add_problem(file, None, None, "", "at least one row below the header")
        return [(n, row) for n, cells in body if (row := self._row(file, n, header, cells, model)) is not None]

    def records(self, file: str, model: type[RowT]) -> Numbered[RowT]:
        """The valid entries of a JSON file: an object, or a list of objects."""
        text = self._text(file, required=True)
        if text is None:
            return []
        try:
            content = json.loads(text)
        except ValueError as error:
            self.add_problem(file, getattr(error, "lineno", None), None, getattr(error, "msg", error), "valid JSON")
            return []
        entries = content if isinstance(content, list) else [content]
        if not entries:
            self.add_problem(file, 1, None, "[]", "at least one entry")
        numbered = [(n if isinstance(content, list) else None, entry) for n, entry in enumerate(entries, start=1)]
        return [(n or 1, row) for n, entry in numbered if (row := self._valid(file, n, entry, model)) is not None]

    def currency_named(self, file: str) -> str:
        """The currency that a JSON file names, though other fields of it may be wrong; empty if it names none that exists."""
        try:
            content = json.loads((self.path / file).read_text(encoding="utf-8-sig"))
        except (OSError, ValueError):
            return ""
        entry = content[0] if isinstance(content, list) and content else content
        named = (
            entry.get("currency", "ILS" if entry.get("country", "IL") == "IL" else "")
            if isinstance(entry, dict)
            else ""
        )
        return named if isinstance(named, str) and is_currency(named) else ""

    def _text(self, file: str, *, required: bool) -> str | None:
        path = self.path / file
        if not path.is_file():
            if required:
                self.add_problem(file, None, None, "", "this file in the folder")
            return None
        try:
            return path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            self.add_problem(file, None, None, "", "UTF-8 text (in Excel: save as 'CSV UTF-8')")
            return None

    def _header_is_good(self, file: str, header: Sequence[str], model: type[ImportRow]) -> bool:
        needed = [name for name, info in model.model_fields.items() if info.is_required()]
        known = ", ".join(model.model_fields)
        unknown = [name for name in header if name not in model.model_fields]
        doubled = [name for n, name in enumerate(header) if name in header[:n]]
        missing = [name for name in needed if name not in header]
        for name in unknown:
            self.add_problem(file, 1, name, name, f"a column of this file: {known}")
        for name in doubled:
            self.add_problem(file, 1, name, name, "each column once")
        for name in missing:
            self.add_problem(file, 1, name, "", "this column in the header")
        return not (unknown or doubled or missing)

    def _row(self, file: str, n: int, header: Sequence[str], cells: Sequence[str], model: type[RowT]) -> RowT | None:
        if len(cells) > len(header):
            extra = ", ".join(cells[len(header) :])
            self.add_problem(
                file, n, None, extra, f"{len(header)} cells as in the header; quote text that contains the separator"
            )
            return None
        return self._valid(file, n, {name: cell for name, cell in zip(header, cells, strict=False) if cell}, model)

    def _valid(self, file: str, n: int | None, entry: Any, model: type[RowT]) -> RowT | None:
        if not isinstance(entry, dict):
            self.add_problem(file, n, None, entry, "an object with the fields of this file")
            return None
        try:
            return model.model_validate(entry, context={"currency": self.currency or MOST_DECIMALS})
        except ValidationError as error:
            for name in dict.fromkeys(str(fault["loc"][0]) for fault in error.errors()):
                self.add_problem(file, n, name, entry.get(name, ""), self._expected(model, name))
            return None

    def _expected(self, model: type[ImportRow], name: str) -> str:
        known = model.model_fields.get(name)
        if known is None:
            return f"a field of this file: {', '.join(model.model_fields)}"
        if known.description != MONEY:
            return str(known.description)
        return _AMOUNTS[digits(self.currency)].format(self.currency) if self.currency else _SOME_AMOUNT


_SOME_AMOUNT = "an amount, e.g. 450 or 450.50"
_AMOUNTS = {
    0: "a whole amount in {}, e.g. 45000",
    2: "an amount in {} with at most two decimals, e.g. 450 or 450.50",
    3: "an amount in {} with at most three decimals, e.g. 45 or 45.500",
}


def _csv_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Lines with their numbers, cells stripped, without blank lines. Excel in Israel separates by semicolons."""
    first_line = text.partition("\n")[0]
    separator = ";" if first_line.count(";") > first_line.count(",") else ","
    reader = csv.reader(text.splitlines(keepends=True), delimiter=separator)
    for cells in reader:
        stripped = [cell.strip() for cell in cells]
        if any(stripped):
            yield reader.line_num, stripped
