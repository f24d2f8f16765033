"""A ward from its file: JSON, YAML, an Excel workbook, or the text format of the Curtois and Qu benchmark."""

import hashlib
import json
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from wavegraph.graph.secrets.ways_out import error_text
from wavegraph.tools.roster.ward.contradictions import contradictions
from wavegraph.tools.roster.ward.curtois import parse_curtois
from wavegraph.tools.roster.ward.expectations import faults_of
from wavegraph.tools.roster.ward.faults import FileFault, WardError
from wavegraph.tools.roster.ward.period import (
    USUAL_DAYS,
    LaidOut,
    in_file,
    lay_out,
    nothing_needed,
    settle,
    without_rows,
)
from wavegraph.tools.roster.ward.plain_data import Unreadable, ending_fault, read_data, read_text
from wavegraph.tools.roster.ward.ward import Ward

ENDINGS = (".yaml", ".yml", ".json", ".xlsx", ".txt")
"""Of the files of wards."""


def read_ward(
    path: str | Path,
    *,
    start: date | None = None,
    days: int | None = None,
    otherwise: date | None = None,
    usual: int = USUAL_DAYS,
) -> Ward:
    """Read a `.json`, `.yaml` or `.yml` ward file, an `.xlsx` workbook, or a `.txt` benchmark instance, for a period.

    `start`, `days`: the requested period; None = the file's own; where it has none, `otherwise` and `usual` days. Raises
    `WardError` with every fault found: those of form, then contradictions between rows; where more than rows of leave, wishes,
    demand, settled cells or pairs is wrong in form, the latter only once that is right.
    Values are not converted: a number in quotes is text.
    """
    path = Path(path)
    try:
        if fault := ending_fault(path, ENDINGS):
            raise Unreadable(fault)
        if path.suffix.lower() == ".txt":
            return _of_its_own_days(parse_curtois(read_text(path), path.name), path.name, start, days)
        if path.suffix.lower() == ".xlsx":
            return _of_a_workbook(path, start, days, otherwise, usual)
        return ward_of(read_data(path), path.name, start=start, days=days, otherwise=otherwise, usual=usual)
    except Unreadable as error:
        raise WardError(path.name, [error.fault]) from None


def _of_a_workbook(path: Path, start: date | None, days: int | None, otherwise: date | None, usual: int) -> Ward:
    """Cells that cannot be read and contradictions between the others are reported together."""
    from wavegraph.tools.roster.ward.workbook.read import read_workbook  # openpyxl is slow to import

    book = read_workbook(path)
    try:
        ward = ward_of(book.data, path.name, start=start, days=days, otherwise=otherwise, usual=usual)
    except WardError as error:
        raise WardError(path.name, book.all_faults(error.faults)) from None
    if book.faults:
        raise WardError(path.name, book.all_faults([]))
    return ward


def _of_its_own_days(ward: Ward, source: str, start: date | None, days: int | None) -> Ward:
    asked = (("start", start, ward.start), ("days", days, ward.days))
    faults = [
        FileFault(name, str(value), f"{own}, or none asked for: a benchmark instance has its own days")
        for name, value, own in asked
        if value not in (None, own)
    ]
    if faults:
        raise WardError(source, faults)
    return ward


def ward_of(
    data: Any,
    source: str = "ward",
    *,
    start: date | None = None,
    days: int | None = None,
    otherwise: date | None = None,
    usual: int = USUAL_DAYS,
) -> Ward:
    """A ward from plain data (what JSON can say), for a period as in `read_ward`.

    For another period than the data's own, rows outside it are left out; tails are kept if the first day is the data's own
    or the data names none. Raises `WardError`, naming `source`.
    """
    laid = lay_out(data, start, days, otherwise, usual)
    try:
        ward = _validated(laid)
    except ValidationError as error:
        of_form = in_file(faults_of(error, laid.data), laid.rows)
        raise WardError(source, [*laid.faults, *of_form, *_beside([*laid.faults, *of_form], error, laid)]) from None
    except (TypeError, ValueError) as error:
        raise WardError(
            source, [FileFault("file", error_text(error), "texts, finite numbers, true, false, null")]
        ) from None
    if laid.faults:
        raise WardError(source, [*laid.faults, *_contradictions_beside(laid.faults, ward, laid)])
    if faults := contradictions(ward, dated=not laid.moved) or nothing_needed(ward, laid, data):
        raise WardError(source, in_file(faults, laid.rows))
    return settle(ward, laid)


def _validated(laid: LaidOut) -> Ward:
    return Ward.model_validate_json(json.dumps(laid.data, allow_nan=False), strict=True)


def _beside(faults: list[FileFault], error: ValidationError, laid: LaidOut) -> list[FileFault]:
    """The contradictions between what is right in form; none where more than rows of their own is wrong."""
    if not isinstance(laid.data, dict):
        return []
    try:
        rest = without_rows(laid, [detail["loc"] for detail in error.errors()])
        return _contradictions_beside(faults, _validated(rest), rest)
    except ValidationError:
        return []


def _contradictions_beside(faults: list[FileFault], ward: Ward, laid: LaidOut) -> list[FileFault]:
    """Those of rows without one of these faults."""
    told = {fault.place.partition("]")[0] for fault in faults}
    found = in_file(contradictions(ward, dated=laid.is_dated and not laid.moved), laid.rows)
    both = (
        [each.place, each.expected.rpartition("; ")[2]] for each in found
    )  # its row, and the one that it contradicts
    return [
        each for each, rows in zip(found, both, strict=True) if told.isdisjoint(row.partition("]")[0] for row in rows)
    ]


def ward_hash(ward: Ward) -> str:
    """SHA-256 of the ward's content, in hexadecimal: the same for JSON and YAML, in every process, whether or not a default
    is written out, and in a later version with more fields."""
    content = json.dumps(
        ward.model_dump(mode="json", exclude_defaults=True), sort_keys=True, separators=(",", ":"), ensure_ascii=True
    )
    return hashlib.sha256(content.encode()).hexdigest()


def ward_record(ward: Ward, kept_as: str) -> dict[str, Any]:
    """Which ward a JSON record is about. `kept_as`: its hash."""
    return {"name": ward.name, "start": ward.start.isoformat(), "days": ward.days, "hash": kept_as}
