"""A ward from its file: JSON, YAML, or the text format of the Curtois and Qu benchmark."""

import hashlib
import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from wavegraph.tools.roster.contradictions import contradictions
from wavegraph.tools.roster.curtois import parse_curtois
from wavegraph.tools.roster.expectations import faults_of
from wavegraph.tools.roster.faults import Fault, WardError
from wavegraph.tools.roster.plain_data import Unreadable, read_data, read_text
from wavegraph.tools.roster.ward import Ward


def read_ward(path: str | Path) -> Ward:
    """Read a `.json`, `.yaml` or `.yml` ward file, or a `.txt` benchmark instance.

    Raises `WardError` with every fault of the file that could be seen: first of its form, then, when the form is
    right, of what its rows say about each other. Values are not converted: a number in quotes is a text.
    """
    path = Path(path)
    try:
        if path.suffix.lower() == ".txt":
            return parse_curtois(read_text(path), path.name)
        return ward_of(read_data(path), path.name)
    except Unreadable as error:
        raise WardError(path.name, [error.fault]) from None


def ward_of(data: Any, source: str = "ward") -> Ward:
    """A ward from plain data (what JSON can say). Raises `WardError`, naming `source`."""
    try:
        ward = Ward.model_validate_json(json.dumps(data, allow_nan=False), strict=True)
    except ValidationError as error:
        raise WardError(source, faults_of(error, data)) from None
    except (TypeError, ValueError) as error:
        raise WardError(source, [Fault("file", str(error), "texts, finite numbers, true, false, null")]) from None
    if faults := contradictions(ward):
        raise WardError(source, faults)
    return ward


def ward_hash(ward: Ward) -> str:
    """SHA-256 of what the ward says, in hexadecimal: the same for JSON and YAML, in every process, for a default that is
    written out, and when a later version has more fields."""
    content = json.dumps(
        ward.model_dump(mode="json", exclude_defaults=True), sort_keys=True, separators=(",", ":"), ensure_ascii=True
    )
    return hashlib.sha256(content.encode()).hexdigest()
