"""`wavegraph roster publish`, `wards WARD` and `compare --cells`."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from roster_shell import lines, record, refused
from roster_wards import ROWS, rows, two, ward_of_two

from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.ward.roster_file import roster_json
from wavegraph.tools.roster.ward.ward import Published

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
    [version] = record("wards", "two")  # however the name is written
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
    assert told.rstrip().endswith("or name it as the one to replace: --replaces V1")
    assert f"--replaces V1, not {second}" in refused("publish", second, "--with-problems", "--replaces", second)
    assert "Two has no version V7" in refused("publish", second, "--with-problems", "--replaces", "V7")
    assert lines("publish", second, "--with-problems", "--replaces", "V1")[1] == (
        f"It takes the place of V1 ({first}): 1 cell differs."
    )
    assert [each["status"] for each in record("wards", "Two")] == ["replaced", "published"]


def test_a_published_roster_is_withdrawn(store: RosterStore) -> None:
    roster_id = keep(store)
    lines("publish", roster_id)

    assert (
        lines("publish", roster_id, "--as", "discarded", "--reason", "ward closed")[1]
        == "Nothing is published for these days now."
    )
    assert record("show", roster_id)["note"] == "Discarded."
    assert lines("publish", roster_id, "--as", "draft") == [
        f"V1 ({roster_id}, 2026-11-23 to 2026-12-06) of Two is kept as a draft."
    ]
    [version] = record("wards", "Two")
    assert [(each["action"], each["reason"]) for each in version["decisions"]] == [
        ("publish", ""), ("discard", "ward closed"), ("draft", ""),
    ]  # fmt: skip


def test_undo_says_what_it_took_back_and_what_stands_now(store: RosterStore) -> None:
    first, second = keep(store), keep(store, **BROKEN)
    lines("publish", first)
    lines("publish", second, "--with-problems", "--replaces", first)

    head, stands = lines("publish", "--undo", "Two")
    assert head.startswith(f"Taken back: publish of V2 ({second}, 2026-11-23 to 2026-12-06)")
    assert stands == f"V1 ({first}, 2026-11-23 to 2026-12-06) is published for these days now."
    assert lines("publish", "--undo", "Two")[1] == "Nothing is published for these days now."
    assert "no decision about a roster of 'Two' stands" in refused("publish", "--undo", "Two")


FILE_COMMANDS = [
    ["publish", "FILE"],
    ["publish", "FILE", "--as", "draft"],
    ["show", "FILE"],
    ["show", "FILE", "--out", "two.xlsx"],
    ["compare", "ID", "FILE", "--cells"],
    ["compare", "FILE", "ID"],
    ["publish", "ID", "--replaces", "FILE"],
    ["who", "2026-11-24", "E", "--roster", "FILE"],
    ["swap", "ann", "ben", "2026-11-24", "--roster", "FILE"],
    ["why", "ann", "2026-11-24", "--roster", "FILE"],
]
"""Every command that takes a roster's `.json` for the roster that is kept."""


@pytest.mark.parametrize("words", FILE_COMMANDS, ids=" ".join)
def test_a_file_whose_cells_were_edited_is_not_taken_for_the_roster_that_is_kept(
    words: list[str], store: RosterStore, tmp_path: Path
) -> None:
    roster_id, path = keep(store), tmp_path / "two.json"
    given = [{"FILE": str(path), "ID": roster_id}.get(word, word) for word in words]
    edited = rows(ann="-EEEE--EEEEE--", ben="LLLLL--LLLLL-E")
    path.write_text(roster_json(ward_of_two(), edited, {"roster_id": roster_id}))

    told = refused(*given)
    assert f"2 cells differ from roster {roster_id}" in told
    assert "ann Ann, Mon 2026-11-23: E → off; ben Ben, Sun 2026-12-06: off → E" in told
    assert f"wavegraph roster generate WARD --repair {path} --freeze-until 2026-12-06" in told
    assert "nothing was decided" in refused("wards", "Two")


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("start", "2026-11-30", "start: got '2026-11-30', expected 2026-11-23"),
        ("days", 7, "days: got 7, expected 14"),
        ("ward", "Three", "ward: got 'Three', expected 'Two'"),
        ("roster", None, "roster: nothing there"),
        ("roster", {"ann": [None] * 14}, "ben: nothing there, expected a row"),
        ("roster_id", "0" * 16, "roster_id: got '0000000000000000', expected the id of a roster that is kept here"),
        ("roster_id", None, "roster_id: nothing there, expected the id of a roster that is kept here"),
    ],
)
def test_a_file_of_another_roster_is_refused_with_what_is_other(
    field: str, value: Any, told: str, store: RosterStore, tmp_path: Path
) -> None:
    path = tmp_path / "two.json"
    data = json.loads(roster_json(ward_of_two(), rows(**ROWS), {"roster_id": keep(store)}))
    path.write_text(json.dumps({**data, field: value}))

    assert f"two.json: {told}" in refused("publish", str(path))


def test_a_roster_is_named_by_its_file_too(store: RosterStore, tmp_path: Path) -> None:
    roster_id, path = keep(store), tmp_path / "two.json"
    path.write_text(roster_json(ward_of_two(), rows(**ROWS), {"roster_id": roster_id}))

    assert "is published" in lines("publish", str(path))[0]
    assert lines("show", str(path)) == lines("show", roster_id)
    path.write_text("\n".join(lines("show", roster_id, "--json")))
    assert "So it was already" in lines("publish", str(path))[1]
    path.rename(tmp_path / "two.csv")
    assert "two.csv: file name: got '.csv', expected a roster's id, a version" in refused(
        "publish", str(tmp_path / "two.csv")
    )


def test_the_cells_in_which_two_rosters_differ(store: RosterStore) -> None:
    first, second = keep(store), keep(store, **BROKEN)

    assert lines("compare", "--cells", first, second) == [
        f"{first} and {second}, Two, 14 days from 2026-11-23: 1 cell differs",
        "ann Ann, Tue 2026-11-24: E → L",
    ]
    assert record("compare", "--cells", second, first) == [
        {"nurse": "ann", "day": "2026-11-24", "before": "L", "now": "E"}
    ]
    assert lines("compare", "--cells", first, first)[0].endswith(": no cell differs")


def test_versions_are_named_by_their_numbers(store: RosterStore) -> None:
    first, second = keep(store), keep(store, **BROKEN)
    lines("publish", first)
    lines("publish", second, "--replaces", first, "--with-problems")
    assert lines("compare", "--cells", "V1", "V2", "--ward", "two") == lines("compare", "--cells", first, second)
    assert lines("compare", "--cells", "V1", "v02") == lines(
        "compare", "--cells", first, second
    )  # no other ward has versions
    assert lines("show", "V1") == lines("show", first)
    for how in (["--as", "draft"], ["--as", "discarded"], ["--replaces", "V2"]):
        assert lines("publish", "V1", "--ward", "two", *how)[0].startswith(f"V1 ({first}, ")
    assert "Two has no version V9; there are: V1" in refused("compare", "--cells", "V1", "V9", "--ward", "Two")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["publish", "0" * 16], "nothing is kept under the id"),
        (["publish", "none.json"], "none.json"),
        (["wards", "willow"], "nothing was decided about a roster of 'Willow Ward'"),
        (["wards", "Willow ward"], "nothing was decided about a roster of 'Willow Ward'"),
        (["compare", "--cells", "0" * 16, "1" * 16], "nothing is kept under the id"),
    ],
)
def test_what_is_not_there_is_told(words: list[str], told: str, store: RosterStore) -> None:
    assert told in refused(*words)


@pytest.mark.parametrize(
    "words",
    [
        ["wards"],
        ["publish", "--undo"],
        ["compare", "V1", "V2", "--ward"],
        ["who", "2026-11-24", "E", "--ward"],
        ["swap", "ann", "ben", "2026-11-24", "--ward"],
        ["why", "ann", "2026-11-24", "--ward"],
    ],
    ids=lambda words: words[0],
)
def test_a_ward_that_nobody_knows_is_told_with_those_there_are(words: list[str], store: RosterStore) -> None:
    lines("publish", keep(store))
    assert "There is no ward “nosuch”; there are: harbour, Two, willow" in refused(*words, "nosuch")


def test_a_ward_is_known_by_its_own_name_before_anything_is_decided_and_by_it_where_it_has_an_id(
    store: RosterStore,
) -> None:
    ward = ward_of_two(id="ward-2")
    roster_id = store.keep_roster(StoredRoster(ward_hash=store.keep_ward(ward), roster=rows(**ROWS)))
    assert "nothing was decided about a roster of 'Two'" in refused("wards", "two")
    lines("publish", roster_id)
    assert [each["roster_id"] for each in record("wards", "TWO")] == [roster_id]


def ward_file(folder: Path, name: str, **changes: Any) -> str:
    path = folder / name
    path.write_text(json.dumps(two(**changes)))
    return str(path)


def other_nurses() -> dict[str, Any]:
    return {"nurses": [{**nurse, "id": f"{nurse['id']}-2"} for nurse in two()["nurses"]]}


@pytest.mark.parametrize(
    "words",
    [
        ["publish", "WARD", "--undo"],
        ["wards", "WARD"],
        ["show", "V1", "--ward", "WARD"],
        ["publish", "V1", "--as", "discarded", "--ward", "WARD"],
        ["compare", "V1", "V1", "--cells", "--ward", "WARD"],
        ["who", "2026-11-24", "E", "--ward", "WARD"],
        ["generate", "WARD", "--after", "V1"],
        ["generate", "WARD", "--repair", "V1"],
    ],
    ids=" ".join,
)
def test_the_versions_of_another_ward_of_the_same_name_are_not_this_one_s(
    words: list[str], store: RosterStore, tmp_path: Path
) -> None:
    roster_id = keep(store)
    lines("publish", roster_id)
    path = ward_file(tmp_path, "other.json", **other_nurses())

    told = refused(*(path if word == "WARD" else word for word in words))
    assert f"V1 ({roster_id}, 2026-11-23 to 2026-12-06) is of another ward named 'Two', with other nurses" in told
    assert record("show", roster_id)["decision"] == "published"
    assert "Taken back" in lines("publish", "--undo", ward_file(tmp_path, "two.json"))[0]


def test_of_several_wards_it_is_asked_which_one_is_meant(store: RosterStore) -> None:
    first = keep(store)
    lines("publish", first)
    ids = []
    for number in ("2", "3"):
        ward = ward_of_two(id=f"ward-{number}")
        ids.append(store.keep_roster(StoredRoster(ward_hash=store.keep_ward(ward), roster=rows(**ROWS))))
        lines("publish", ids[-1])

    told = refused("publish", "V1", "--as", "discarded")
    assert "V1 of which ward? Add --ward WARD, or give the id. " in told
    assert all(f"Two: V1 ({each}, 2026-11-23 to 2026-12-06)" in told for each in (first, *ids))
    assert "3 wards are called 'Two', with no id and the id 'ward-2' and the id 'ward-3'" in refused(
        "publish", "--undo", "Two"
    )
    assert ids[0] in lines("publish", "V1", "--as", "discarded", "--ward", "ward-2")[0]


@pytest.mark.parametrize("given", [[], ["--db"]], ids=["own", "named"])
def test_the_command_that_undo_prints_does_it_again(given: list[str], store: RosterStore, tmp_path: Path) -> None:
    database = [*given, str(tmp_path / "o t.db")] if given else []
    first, second = keep(store), keep(store, **BROKEN)
    decided = [
        ["publish", first],
        ["publish", "V1", "--as", "discarded"],
        ["publish", "V1", "--as", "draft"],
        ["publish", "V1"],
        ["publish", second, "--with-problems", "--replaces", "V1"],
    ]
    for words in decided:
        lines(*words, *database)
        before = record("wards", "Two", *database)

        command = lines("publish", "--undo", "Two", *database)[0].partition(" To do it again: wavegraph roster ")[2]
        lines(*shlex.split(command))
        after = record("wards", "Two", *database)
        assert [each["status"] for each in after] == [each["status"] for each in before]


def test_each_database_has_its_own_versions(
    store: RosterStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roster_id = keep(store)
    lines("publish", roster_id, "--db", str(tmp_path / "other.db"))

    assert record("show", roster_id)["decision"] is None
    monkeypatch.setenv("WAVEGRAPH_DATABASE", str(tmp_path / "other.db"))
    assert record("show", roster_id)["decision"] == "published"


def test_a_repaired_version_shows_which_one_it_differs_from(store: RosterStore) -> None:
    first = keep(store)
    kept_to = ward_of_two().model_copy(update={"published": Published(roster=rows(**ROWS), roster_id=first)})
    second = store.keep_roster(
        StoredRoster(ward_hash=store.keep_ward(kept_to), roster=rows(**ROWS | {"ben": "L-LLL--LLLLL--"}))
    )
    assert "1 cell differs from the published roster" in lines("show", second)
    lines("publish", first)
    lines("publish", second, "--with-problems")

    shown = lines("show", "V2")

    assert "1 cell differs from V1" in shown
    assert any(line.startswith("Published") for line in shown)
