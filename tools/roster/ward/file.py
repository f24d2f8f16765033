"""A ward from its file: JSON, YAML, or an Excel workbook."""

import hashlib
import json
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from wavegraph.graph.errors import error_text
from wavegraph.tools.roster.ward.contradictions import contradictions
from wavegraph.tools.roster.ward.expectations import faults_of
from wavegraph.tools.roster.ward.faults import FileFault, WardError, field_at, wanted
from wavegraph.tools.roster.ward.in_file import NO_DAY, WardInFile
from wavegraph.tools.roster.ward.period import USUAL_DAYS, in_file, lay_out, nothing_needed, settle
from wavegraph.tools.roster.ward.plain_data import Unreadable, read_data, require_ending
from wavegraph.tools.roster.ward.ward import Ward

ENDINGS = (".yaml", ".yml", ".json", ".xlsx")
"""Of the files of wards."""


def read_ward(
    path: str | Path,
    *,
    start: date | None = None,
    days: int | None = None,
    otherwise: date | None = None,
    usual: int = USUAL_DAYS,
) -> Ward:
    """Read a `.json`, `.yaml` or `.yml` ward file, or an `.xlsx` workbook, for a period.

    `start`, `days`: the requested period; None = the file's own; where it has none, `otherwise` and `usual` days. Raises
    `WardError` with every fault of form; once there is none, with every contradiction between rows.
    Values are not converted: a number in quotes is text.
    """
    path = Path(path)
    made = partial(ward_of, source=path.name, start=start, days=days, otherwise=otherwise, usual=usual)
    try:
        require_ending(path, ENDINGS)
        return _of_a_workbook(path, made) if path.suffix.lower() == ".xlsx" else made(read_data(path))
    except Unreadable as error:
        raise WardError(path.name, [error.fault]) from None


def _of_a_workbook(path: Path, made: Callable[[Any], Ward]) -> Ward:
    from wavegraph.tools.roster.ward.workbook.read import read_workbook  # openpyxl is slow to import

    book = read_workbook(path)
    if book.faults:
        raise WardError(path.name, book.faults)
    try:
        ward = made(book.data)
    except WardError as error:
        raise WardError(path.name, book.placed(error.faults)) from None
    if book.strangers:
        raise WardError(path.name, book.strangers)
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
    own = data if isinstance(data, dict) else {}
    own_start, own_days = own.get("start"), USUAL_DAYS if own.get("days") is None else own["days"]
    asked = start or (otherwise if own_start is None else None)
    first = asked.isoformat() if asked else own_start
    length = days if days is not None else usual if own.get("days") is None else own_days
    undated = [FileFault(field_at("start"), None, wanted("first_day"))] if first is None and own else []
    whole = {**own, "start": first or NO_DAY.isoformat(), "days": length} if isinstance(data, dict) else data
    try:
        file = WardInFile.model_validate_json(json.dumps(whole, allow_nan=False), strict=True)
    except ValidationError as error:
        raise WardError(source, [*undated, *faults_of(error, whole)]) from None
    except (TypeError, ValueError) as error:
        raise WardError(source, [FileFault(field_at(), error_text(error), wanted("plain_values"))]) from None
    if undated:
        raise WardError(source, undated)
    laid = lay_out(file, own_start, own_days)
    found = laid.faults or contradictions(laid.ward, dated=not laid.moved) or nothing_needed(laid)
    if found:
        raise WardError(source, in_file(found, {} if laid.faults else laid.rows))
    return settle(laid)


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
