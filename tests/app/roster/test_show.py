"""`wavegraph roster show`: a kept roster as it stands now, on the terminal and in files."""

import json
from pathlib import Path

import pytest
from pages import Page
from roster_wards import ROWS, rows, ward_of_two
from typer.testing import CliRunner, Result

from wavegraph.app.main import app
from wavegraph.tools.roster.store import PublicationDecision, RosterStore, StoredRoster
from wavegraph.tools.roster.ward.roster_file import read_roster
from wavegraph.tools.roster.ward.ward import Published, Ward

BROKEN = {"ann": "ELEEE--EEEEE--", "ben": ROWS["ben"]}
"""An early shift after a late one: a breach of daily rest."""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RosterStore:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return RosterStore()


def keep(store: RosterStore, ward: Ward | None = None, **cells: str) -> str:
    return store.keep_roster(
        StoredRoster(ward_hash=store.keep_ward(ward or ward_of_two()), roster=rows(**(ROWS | cells)))
    )


def show(roster_id: str, *words: str | Path) -> Result:
    return CliRunner().invoke(app, ["roster", "show", roster_id, *map(str, words)])


def test_head_and_grid(store: RosterStore) -> None:
    roster_id = keep(store)
    done = show(roster_id)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"Roster {roster_id} for Two, 14 days from 2026-11-23",
        "no rule broken, fairness within its limits (100 %)",
        "cost by the ward's own weights 0",
        "Not decided: it passes every check, but is neither published nor a draft.",
        "",
        "            M  T  W  T  F  S  S  M  T  W  T  F  S  S",
        "2026-11-23 23 24 25 26 27 28 29 30  1  2  3  4  5  6",
        "ann Ann     E  E  E  E  E  .  .  E  E  E  E  E  .  .",
        "ben Ben     L  L  L  L  L  .  .  L  L  L  L  L  .  .",
    ]


def test_what_fails_comes_last(store: RosterStore) -> None:
    roster_id = keep(store, **BROKEN)
    done = show(roster_id)
    _, _, failing = done.stdout.partition("\n\nWhat fails:\n")
    assert failing.splitlines() == [f"- {found.detail}" for found in store.report(roster_id).failing]
    assert "\nrules broken, fairness within its limits (100 %)\n" in done.stdout
    assert "\nFindings: 1 (breach 1).\n" in done.stdout


@pytest.mark.parametrize(
    ("as_draft", "cells", "decision", "note"),
    [
        (None, BROKEN, None, "Not published: not decided, or rejected."),
        (True, BROKEN, "draft", "Kept as a draft, with its problems."),
        (False, BROKEN, "published", "Published with its problems."),
        (False, ROWS, "published", "Published."),
    ],
)
def test_the_files_tell_how_it_stands_now(
    as_draft: bool | None, cells: dict[str, str], decision: str | None, note: str, store: RosterStore, tmp_path: Path
) -> None:
    roster_id, out = keep(store, **cells), tmp_path / "out"
    if as_draft is not None:
        store.decide(PublicationDecision(roster_id=roster_id, as_draft=as_draft))
    done = show(roster_id, "--out", out)
    paths = [out / f"two-2026-11-23{ending}" for ending in (".json", ".csv", ".html")]
    written = json.loads(paths[0].read_text())

    assert done.exit_code == 0
    assert note in done.stdout.splitlines()
    assert done.stderr == f"wrote {', '.join(map(str, paths))}\n"
    assert (written["decision"], written["note"]) == (decision, note)
    assert note in Page(paths[2].read_text()).texts
    assert read_roster(paths[1], ward_of_two()) == rows(**cells)


def test_files_of_the_same_roster_are_replaced_under_their_name(store: RosterStore, tmp_path: Path) -> None:
    """The solver's figures stay; files of another roster, and what is no roster, stay as they are."""
    roster_id, kept_as_they_are = keep(store), {"a": "no JSON", "b": "[]", "c": '{"roster_id": "0123456789abcdef"}'}
    for name, text in kept_as_they_are.items():
        (tmp_path / f"{name}-2026-11-23.json").write_text(text)
    stale = {"roster_id": roster_id, "outcome": "awaiting_approval", "note": "It waits.", "cost": 7, "bound": 5}
    (tmp_path / "east-2026-11-23.json").write_text(json.dumps(stale))
    store.decide(PublicationDecision(roster_id=roster_id, as_draft=True))
    show(roster_id, "--out", tmp_path)
    written = json.loads((tmp_path / "east-2026-11-23.json").read_text())

    assert (written["cost"], written["bound"], written["note"]) == (7, 5, "Kept as a draft.")
    assert "outcome" not in written
    assert {name: (tmp_path / f"{name}-2026-11-23.json").read_text() for name in kept_as_they_are} == kept_as_they_are


@pytest.mark.parametrize(
    ("title", "name"), [("../../Ward A/B", "ward-a-b"), ("מחלקה 3", "מחלקה-3"), ("...", "roster"), ("x" * 60, "x" * 40)]
)
def test_a_title_does_not_lead_out_of_the_folder(title: str, name: str, store: RosterStore, tmp_path: Path) -> None:
    show(keep(store, ward_of_two(name=title)), "--out", tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        f"{name}-2026-11-23{ending}" for ending in (".csv", ".html", ".json")
    ]


def test_one_json_object(store: RosterStore) -> None:
    roster_id = keep(store, **BROKEN)
    store.decide(PublicationDecision(roster_id=roster_id, as_draft=False))
    done = show(roster_id, "--json")
    record = json.loads(done.stdout)

    assert (record["roster_id"], record["decision"]) == (roster_id, "published")
    assert record["roster"] == rows(**BROKEN)
    assert record["ward"]["hash"] == store.stored_roster(roster_id).ward_hash
    assert (record["reports"]["compliance"]["status"], record["reports"]["cost"]["total"]) == ("FAIL", 0)


@pytest.mark.parametrize(
    ("roster_id", "told"),
    [
        ("0123456789abcdef", "nothing is kept under the id '0123456789abcdef'"),
        ("../wards/x", "x: file name: got '', expected a roster's id"),
        ("x\x1b[2J", "nothing is kept under the id 'x\\x1b[2J'"),
    ],
)
def test_an_unknown_id_exits_with_2(roster_id: str, told: str, store: RosterStore) -> None:
    done = show(roster_id)
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr


def test_a_folder_that_cannot_be_written_to_exits_with_2(store: RosterStore, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = show(keep(store), "--out", tmp_path / "file")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "cannot write to" in done.stderr


def test_control_characters_do_not_reach_the_terminal(store: RosterStore) -> None:
    ward = ward_of_two(name="Two\x1b[2J", nurses__0__name="A\x1b[31mnn")
    done = show(keep(store, ward, **BROKEN))
    assert "\x1b" not in done.stdout
    assert "for Two[2J, 14 days" in done.stdout


def test_changed_cells_are_listed_on_the_terminal_in_json_in_csv_and_marked_on_the_page(
    store: RosterStore, tmp_path: Path
) -> None:
    ward = ward_of_two(leave=[{"nurse": "ben", "day": "2026-11-24"}])
    published = ward.model_copy(update={"published": Published(roster=rows(**ROWS))})
    roster_id, out = keep(store, published, ben="L-LLL--LLLLL--"), tmp_path / "out"
    done = show(roster_id, "--out", out)
    change = {"nurse_id": "ben", "day": "2026-11-24", "before": "L", "now": None, "kind": "leave", "reason": "leave"}
    page = (out / "two-2026-11-23.html").read_text()

    assert done.stdout.splitlines()[3:5] == [
        "1 cell differs from the published roster",
        "- ben Ben, 2026-11-24: L → off (leave)",
    ]
    assert json.loads((out / "two-2026-11-23.json").read_text())["changes"] == [change]
    assert (out / "two-2026-11-23-changes.csv").read_text().splitlines() == [
        "nurse,name,day,before,now,reason",
        "ben,Ben,2026-11-24,L,,leave",
    ]
    assert str(out / "two-2026-11-23-changes.csv") in done.stderr
    assert "changed, L was published: leave" in page
    assert page.count('class="mark changed"') == 2  # the cell and the legend
    assert read_roster(out / "two-2026-11-23.csv", ward) == rows(**ROWS | {"ben": "L-LLL--LLLLL--"})
