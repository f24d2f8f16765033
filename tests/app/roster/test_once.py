"""A run reads its ward's file, hashes it and builds its tables once, however many rounds and tools ask for it."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from roster_loop import NEVER, night
from typer.testing import CliRunner

from wavegraph.app.main import app
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.ward.file import read_ward, ward_hash
from wavegraph.tools.roster.ward.ward import Ward


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each kind of work is done from here on."""
    done: Counter[str] = Counter()

    def counted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **given: Any) -> Any:
            done[name] += 1
            return real(*args, **given)

        return call

    monkeypatch.setattr("wavegraph.tools.roster.wards.read_ward", counted("read", read_ward))
    monkeypatch.setattr("wavegraph.tools.roster.store.ward_hash", counted("hashed", ward_hash))
    validate = counted("validated", BaseModel.model_validate_json.__func__)  # type: ignore[attr-defined]  # of any class
    monkeypatch.setattr(Ward, "model_validate_json", classmethod(validate))
    monkeypatch.setattr(Instance, "__init__", counted("built", Instance.__init__))
    return done


def generated(folder: Path, ward: dict[str, Any], *words: str) -> dict[str, Any]:
    file = folder / "ward.json"
    file.write_text(json.dumps(ward), encoding="utf-8")
    command = ["roster", "generate", str(file), "--time-limit", "900", "--json", "--decide", "draft"]
    done = CliRunner().invoke(app, [*command, *words, "--db", str(folder / "test.db")])
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("WAVEGRAPH_WARDS", raising=False)


def test_three_rounds_take_one_ward(tmp_path: Path, work: Counter[str]) -> None:
    record = generated(tmp_path, night(NEVER))

    assert len(record["rounds"]) == 3
    assert work == {"read": 1, "validated": 1, "hashed": 1, "built": 1}


def test_a_file_of_any_days_is_read_once_for_those_that_it_is_given(tmp_path: Path, work: Counter[str]) -> None:
    without = {name: value for name, value in night(wishes=[]).items() if name not in ("start", "days")}
    need = {"weekdays": ["monday", "tuesday"], "shift": "N", "minimum": 1, "target": 1}
    record = generated(tmp_path, {**without, "demand": [need]})

    assert record["ward"]["days"] == 7
    assert work == {"read": 1, "validated": 1, "hashed": 1, "built": 1}


def test_a_repair_takes_the_ward_and_the_one_with_the_published_roster(tmp_path: Path, work: Counter[str]) -> None:
    published = generated(tmp_path, night(NEVER))["roster_id"]
    work.clear()
    generated(tmp_path, night(NEVER), "--repair", published)

    assert work["read"] == work["built"] == 1
    assert work["hashed"] == 1
    assert work["validated"] == 2  # the file, and the ward as the published roster's store has it


def test_what_a_store_hands_out_is_what_another_reads_from_its_files(tmp_path: Path) -> None:
    record = generated(tmp_path, night(NEVER))
    here, other = RosterStore(), RosterStore()
    kept = here.ward(record["ward"]["hash"])

    assert here.keep_ward(kept) == record["ward"]["hash"]
    assert other.ward(record["ward"]["hash"]) == here.ward(record["ward"]["hash"])
    assert here.ward(record["ward"]["hash"]) is kept


def test_a_ward_whose_file_is_gone_is_written_again(tmp_path: Path) -> None:
    kept_in = RosterStore(tmp_path)
    ward = Ward.model_validate(night(NEVER))
    [name, file] = kept_in.keep_ward(ward), next((tmp_path / "rosters" / "wards").iterdir())
    file.unlink()

    assert kept_in.keep_ward(ward) == name
    assert RosterStore(tmp_path).ward(name) == ward
