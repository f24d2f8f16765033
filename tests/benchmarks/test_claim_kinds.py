"""The table of invented sentences: what is caught, and that the answers they stand behind are true."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from benchmarks import claim_kinds

KINDS = [
    {
        "kind": "a price",
        "sentences": [
            {"text": "It is 650 NIS.", "slots": "It is {{s1.o1.night}} each."},
            {"text": "החדר עולה 650 ש״ח.", "slots": None},
        ],
    },
    {"kind": "nothing false", "sentences": [{"text": "Hello!", "slots": "{{s1.o1.line}}"}]},
]


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, claim_kinds.Desk]:
    folder = tmp_path_factory.mktemp("house")
    return claim_kinds.hotel_desks(folder)


@pytest.mark.parametrize("language", ["en", "he"])
def test_the_answers_behind_which_they_stand_are_let_through_whole(
    desks: Mapping[str, claim_kinds.Desk], language: str
) -> None:
    gate = desks[language].gate()
    said = gate.feed(claim_kinds.TRUE[language]) + gate.rest()
    assert gate.refused == []
    assert len(said.splitlines()) >= 3


def test_a_rosters_answers_are_counted_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kinds.json"
    sentences = [
        {"text": "Karl works 72 hours.", "slots": "Karl: {{n.nurse_003.hours}}."},
        {"text": "שלום!", "slots": None},
    ]
    file.write_text(json.dumps({"kinds": [{"kind": "hours", "sentences": sentences}]}), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["claim_kinds.py", "--domain", "roster", "--kinds", str(file)])
    claim_kinds.main()
    assert capsys.readouterr().out.splitlines()[:2] == [f"{'hours':40} 1/2  traced 0/2", "    שלום!"]


def test_each_kind_is_counted_and_what_stands_is_shown(desks: Mapping[str, claim_kinds.Desk]) -> None:
    price, nothing = claim_kinds.rows(KINDS, desks)
    assert (price["sentences"], price["caught"], price["traced"], price["missed"]) == (2, 2, 2, [])
    assert (nothing["sentences"], nothing["caught"], nothing["traced"]) == (1, 0, 0)
    assert nothing["missed"] == ["Hello!", "{{s1.o1.line}}"]


def test_other_names_for_ids_are_ours() -> None:
    assert (
        claim_kinds.with_our_ids("{{s1.arrive}} {{s1.o7.total}} {{parking.1}}")
        == "{{s1}} {{s1.o7.price}} {{parking.1}}"
    )


def test_without_the_file_it_says_what_is_missing(tmp_path: Path) -> None:
    command = [sys.executable, str(Path(claim_kinds.__file__)), "--kinds", str(tmp_path / "none.json")]
    done = subprocess.run(command, check=False, capture_output=True, encoding="utf-8")
    assert (done.returncode, "no file" in done.stderr) == (1, True)


def test_the_table_ends_in_its_sums(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kinds.json"
    file.write_text(json.dumps({"kinds": KINDS}), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["claim_kinds.py", "--kinds", str(file)])
    claim_kinds.main()
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "caught: 1 of 2 kinds, 2 of 3 sentences",
        "traced: 1 of 2 kinds, 2 of 3 sentences",
    ]
