"""`wavegraph roster who`, `swap`, `why` and `compare`."""

from pathlib import Path

import pytest
from roster_shell import lines, record, refused, roster
from roster_wards import ROWS, rows, ward_of_two

from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.ward.ward import Ward

PLAIN = ward_of_two(demand=[], rules__charge_skill=None)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RosterStore:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return RosterStore()


def keep(store: RosterStore, ward: Ward = PLAIN, **cells: str) -> str:
    return store.keep_roster(StoredRoster(ward_hash=store.keep_ward(ward), roster=rows(**{**ROWS, **cells})))


def published(store: RosterStore, ward: Ward = PLAIN, **cells: str) -> str:
    roster_id = keep(store, ward, **cells)
    lines("publish", roster_id, "--by", "ana", "--with-problems")
    return roster_id


def test_who_may_and_who_may_not(store: RosterStore) -> None:
    roster_id = published(store, ben="-L-LL--LLLLL--")

    assert lines("who", "2026-11-24", "E") == [
        f"E of Tuesday 2026-11-24: Two, roster {roster_id} (V1, 2026-11-23 to 2026-12-06)",
        "On it: ann Ann",
        "",
        "1 of 1 may:",
        "1. ben Ben: moved from L, the same cost, 64 of 80 h, fairness 87 %",
    ]
    assert lines("who", "2026-11-24", "e", "--instead", "AN")[1:3] == [
        "On it: nobody",
        "If nobody takes it: the same cost",
    ]
    assert lines("who", "2026-11-27", "E")[3:] == [
        "None of 1 may.",
        "",
        "Who may not, and why:",
        "- ben Ben: works L that day; daily rest: has 8 h between L of 2026-11-26 and E of 2026-11-27, 11 h needed",
    ]
    found = record("who", "2026-11-24", "E")
    assert (found["roster_id"], found["version"], found["day"], found["shift"]) == (roster_id, 1, "2026-11-24", "E")
    assert [(each["nurse"], each["may"], each["works"]) for each in found["candidates"]] == [("ben", True, "L")]


def test_a_swap_is_told_and_then_published(store: RosterStore) -> None:
    first = published(store)
    week = [f"2026-11-{day}" for day in range(23, 28)]

    told = lines("swap", "ann", "ben", "2026-11-24")
    assert told[1:5] == [
        "- ann Ann, Tuesday 2026-11-24: E → L",
        "- ben Ben, Tuesday 2026-11-24: L → E",
        "No, it breaks:",
        "- daily rest: ben Ben has 8 h between L of 2026-11-23 and E of 2026-11-24, 11 h needed",
    ]
    assert "8 h between L of 2026-11-24" in roster("swap", "ann", "ben", "2026-11-24", "--publish").stderr
    assert "Yes: the same cost, fairness 100 %." in lines("swap", "ann", "ben", *week)
    made = record("swap", "ann", "ben", *week, "--publish", "--by", "ben", "--reason", "a course")
    assert (made["version"], made["replaces"], len(made["cells"])) == (2, first, 10)
    [_, second] = record("wards", "two")
    assert (second["roster_id"], second["by"], second["status"]) == (made["roster_id"], "ben", "published")
    assert second["reason"].startswith("swap of ann Ann and ben Ben on 2026-11-23, ")
    assert any("a course" in line for line in lines("show", made["roster_id"]) if line.startswith("- ann Ann, "))
    told_of = refused("swap", "ann", "ben", *week, "--publish", "--roster", "V1", "--ward", "two")
    assert "was published by ben on" in told_of


def test_why_a_cell_is_as_it_is(store: RosterStore) -> None:
    wanted = [{"day": "2026-11-24", "shift": "E", "minimum": 1, "target": 1}]
    published(store, ward_of_two(demand=wanted, rules__charge_skill=None))

    head, verdict, *holds = lines("why", "ann", "2026-11-24")
    assert head.startswith("ann Ann works E on Tuesday 2026-11-24: Two, roster ")
    assert (verdict, holds[0]) == ("Forced: anything else breaks a rule.", "Rules in the way:")
    assert holds[1] == "- demand, against off, L, N: 0 nurses on E of 2026-11-24, at least 1 needed"
    assert "- off: may not, unless the ward allows a minimum of 0 instead of 1 for E on 2026-11-24" in holds
    assert any(line.startswith("- off: may, the same cost, ") for line in lines("why", "ben", "2026-11-24"))
    assert record("why", "ann", "2026-11-24")["forced"] is True


def test_two_versions_side_by_side(store: RosterStore) -> None:
    first = published(store)
    second = keep(store, ann="ELEEE--EEEEE--")
    lines("publish", second, "--with-problems", "--replaces", first)

    told = lines("compare", "V1", "V2", "--ward", "Two")
    assert told[:4] == [
        f"before: Two, roster {first} (V1, 2026-11-23 to 2026-12-06)",
        f"now: Two, roster {second} (V2, 2026-11-23 to 2026-12-06)",
        "1 cell differs:",
        "- ann Ann, Tue 2026-11-24: E → L",
    ]
    assert [line.split() for line in told if line.startswith("breaches")] == [["breaches", "0", "1", "+1"]]
    found = record("compare", first, second)
    assert {"name": "hours each", "group": "80 h", "before": 80.0, "now": 80.0} in found["measures"]
    assert lines("compare", "V1", "V2") == told
    assert "has no version V7; there are: V1" in refused("compare", "V7", first, "--ward", "two")


def test_the_roster_is_the_one_published_for_the_day(store: RosterStore) -> None:
    assert "no roster is published for Tuesday 2026-11-24; published: none" in refused("why", "ann", "2026-11-24")
    draft = keep(store)
    assert f"roster {draft} (2026-11-23 to 2026-12-06)" in lines("why", "ann", "2026-11-24", "--roster", draft)[0]
    first = published(store)
    assert "no roster is published for Monday 2026-12-07; published: V1" in refused("why", "ann", "2026-12-07")
    published(store, ward_of_two(name="Other", demand=[], rules__charge_skill=None))
    assert "one has to be named: Other, Two" in refused("why", "ann", "2026-11-24")
    assert first in lines("why", "ann", "2026-11-24", "--ward", "TWO")[0]
    assert "no roster of Willow Ward is published for Tuesday" in refused(
        "why", "ann", "2026-11-24", "--ward", "willow"
    )
    assert "There is no ward “Three”; there are: harbour, Other, Two, willow" in refused(
        "why", "ann", "2026-11-24", "--ward", "Three"
    )
    assert "are not among the roster's, 2026-11-23 to 2026-12-06" in refused(
        "why", "ann", "2026-12-07", "--roster", first
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["who", "someday", "E"], "'someday' is no day: write 2026-12-03"),
        (["who", "2026-02-30", "E"], "'2026-02-30' is no day"),
        (["who", "2026-11-24", "X"], "There is no shift “X”; there are: E, L, N"),
        (["who", "2026-11-24", "E", "--instead", "ben"], "ben Ben has L on 2026-11-24, not E; who works E: ann Ann"),
        (["why", "Anne", "2026-11-24"], "nearest to it: Ann."),
        (["swap", "ann", "ann", "2026-11-24"], "Both names are Ann."),
        (["swap", "ann", "ben", "2026-11-28"], "Ann and Ben have the same there"),
        (["compare", "0" * 16, "1" * 16], "nothing is kept under the id"),
    ],
)
def test_what_cannot_be_asked_is_told(words: list[str], told: str, store: RosterStore) -> None:
    published(store)
    assert told in refused(*words)
