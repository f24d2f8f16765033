"""`wavegraph roster publish`, `draft`, `discard`, `undo`, `versions` and `diff`."""

from pathlib import Path

import pytest
from roster_shell import lines, record, refused
from roster_wards import ROWS, rows, ward_of_two

from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.ward.roster_file import roster_json

BROKEN = {"ann": "ELEEE--EEEEE--", "ben": ROWS["ben"]}
"""An early shift after a late one: a breach of daily rest."""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RosterStore:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return RosterStore()


def keep(store: RosterStore, **cells: str) -> str:
    return store.keep_roster(StoredRoster(ward_hash=store.keep_ward(ward_of_two()), roster=rows(**(cells or ROWS))))


def test_a_roster_that_passes_is_published(store: RosterStore) -> None:
    roster_id = keep(store)

    assert lines("publish", roster_id, "--by", "ana", "--reason", "agreed") == [
        f"V1 ({roster_id}, 2026-11-23 to 2026-12-06) of Two is published."
    ]
    [version] = record("versions", "two")  # however the name is written
    assert version | {"at": "", "decisions": [], "rounds": []} == {
        "version": 1, "roster_id": roster_id, "status": "published", "start": "2026-11-23", "days": 14,
        "end": "2026-12-06", "by": "ana", "at": "", "reason": "agreed", "decisions": [], "rounds": [],
    }  # fmt: skip
    assert record("show", roster_id)["decision"] == "published"
    assert lines("show", roster_id)[4].startswith("Version 1, published by ana on ")
    assert "So it was already, by ana on" in lines("publish", roster_id, "--by", "ben")[1]


def test_one_that_fails_its_checks_needs_a_word_about_that(store: RosterStore) -> None:
    roster_id = keep(store, **BROKEN)

    told = refused("publish", roster_id)
    assert "ann Ann has 8 h between L of 2026-11-24 and E of 2026-11-25" in told
    assert "--with-problems" in told
    assert "is published" in lines("publish", roster_id, "--with-problems")[0]


def test_the_second_of_two_who_publish_the_same_days_is_told_of_the_first(store: RosterStore) -> None:
    first, second = keep(store), keep(store, **BROKEN)
    lines("publish", first, "--by", "ana")

    told = refused("publish", second, "--with-problems")
    assert f"V1 ({first}, 2026-11-23 to 2026-12-06) was published by ana on" in told
    assert lines("publish", second, "--with-problems", "--replaces", first)[1] == (
        f"It takes the place of V1 ({first}): 1 cell differs."
    )
    assert [each["status"] for each in record("versions", "Two")] == ["replaced", "published"]


def test_a_published_roster_is_withdrawn(store: RosterStore) -> None:
    roster_id = keep(store)
    lines("publish", roster_id)

    assert lines("discard", roster_id, "--reason", "ward closed")[1] == "Nothing is published for these days now."
    assert record("show", roster_id)["note"] == "Discarded."
    assert lines("draft", roster_id) == [f"V1 ({roster_id}, 2026-11-23 to 2026-12-06) of Two is kept as a draft."]
    [version] = record("versions", "Two")
    assert [(each["action"], each["reason"]) for each in version["decisions"]] == [
        ("publish", ""), ("discard", "ward closed"), ("draft", ""),
    ]  # fmt: skip


def test_undo_says_what_it_took_back_and_what_stands_now(store: RosterStore) -> None:
    first, second = keep(store), keep(store, **BROKEN)
    lines("publish", first)
    lines("publish", second, "--with-problems", "--replaces", first)

    head, stands = lines("undo", "Two")
    assert head.startswith(f"Taken back: publish of V2 ({second}, 2026-11-23 to 2026-12-06)")
    assert stands == f"V1 ({first}, 2026-11-23 to 2026-12-06) is published for these days now."
    assert lines("undo", "Two")[1] == "Nothing is published for these days now."
    assert "no decision about a roster of 'Two' stands" in refused("undo", "Two")


def test_a_roster_is_named_by_its_file_too(store: RosterStore, tmp_path: Path) -> None:
    roster_id, path = keep(store), tmp_path / "two.json"
    path.write_text(roster_json(ward_of_two(), rows(**ROWS), {"roster_id": roster_id}))

    assert "is published" in lines("publish", str(path))[0]
    path.write_text(roster_json(ward_of_two(), rows(**ROWS)))
    assert "two.json: roster_id: nothing there" in refused("publish", str(path))


def test_the_cells_in_which_two_rosters_differ(store: RosterStore) -> None:
    first, second = keep(store), keep(store, **BROKEN)

    assert lines("diff", first, second) == [
        f"{first} and {second}, Two, 14 days from 2026-11-23: 1 cell differs",
        "ann Ann, Tue 2026-11-24: E → L",
    ]
    assert record("diff", second, first) == [{"nurse": "ann", "day": "2026-11-24", "before": "L", "now": "E"}]
    assert lines("diff", first, first)[0].endswith(": no cell differs")


def test_versions_are_named_by_their_numbers(store: RosterStore) -> None:
    first, second = keep(store), keep(store, **BROKEN)
    lines("publish", first)
    lines("publish", second, "--replaces", first, "--with-problems")
    assert lines("diff", "V1", "V2", "--ward", "two") == lines("diff", first, second)
    assert "V1 of which ward? Add --ward WARD" in refused("diff", "V1", first)
    assert "Two has no version V9; there are: V1" in refused("diff", "V1", "V9", "--ward", "Two")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["publish", "0" * 16], "nothing is kept under the id"),
        (["publish", "none.json"], "none.json"),
        (["versions", "willow"], "nothing was decided about a roster of 'Willow Ward'"),
        (["versions", "Willow ward"], "nothing was decided about a roster of 'Willow Ward'"),
        (["diff", "0" * 16, "1" * 16], "nothing is kept under the id"),
    ],
)
def test_what_is_not_there_is_told(words: list[str], told: str, store: RosterStore) -> None:
    assert told in refused(*words)


@pytest.mark.parametrize(
    "words",
    [
        ["versions"],
        ["undo"],
        ["diff", "V1", "V2", "--ward"],
        ["compare", "V1", "V2", "--ward"],
        ["who", "2026-11-24", "E", "--ward"],
        ["swap", "ann", "ben", "2026-11-24", "--ward"],
        ["why", "ann", "2026-11-24", "--ward"],
    ],
    ids=lambda words: words[0],
)
def test_a_ward_that_nobody_knows_is_told_with_those_there_are(words: list[str], store: RosterStore) -> None:
    lines("publish", keep(store))
    assert "there is no ward 'nosuch'; there are: harbour, Two, willow" in refused(*words, "nosuch")


def test_a_ward_is_known_by_its_own_name_before_anything_is_decided_and_by_it_where_it_has_an_id(
    store: RosterStore,
) -> None:
    ward = ward_of_two(id="ward-2")
    roster_id = store.keep_roster(StoredRoster(ward_hash=store.keep_ward(ward), roster=rows(**ROWS)))
    assert "nothing was decided about a roster of 'Two'" in refused("versions", "two")
    lines("publish", roster_id)
    assert [each["roster_id"] for each in record("versions", "TWO")] == [roster_id]


def test_each_database_has_its_own_versions(
    store: RosterStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roster_id = keep(store)
    lines("publish", roster_id, "--db", str(tmp_path / "other.db"))

    assert record("show", roster_id)["decision"] is None
    monkeypatch.setenv("WAVEGRAPH_DATABASE", str(tmp_path / "other.db"))
    assert record("show", roster_id)["decision"] == "published"
