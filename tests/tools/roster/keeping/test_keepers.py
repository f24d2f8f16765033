"""What one process keeps, another finds: in the files of one machine, and from another machine in PostgreSQL."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from roster_wards import ROWS, rows, ward_of_two

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.problem.result import Point
from wavegraph.tools.roster.records import Round
from wavegraph.tools.roster.store import PublicationDecision, RosterStore, StoredRoster

Opened = Callable[[], RosterStore]
ROUND = Round(
    iteration=1, status="passed", issues=[], penalty_multipliers={}, roster_id=None, solver="optimal", breaches=0,
    failed=[], cost=0, bound=0, seconds=1,
)  # fmt: skip
COLUMNS: dict[str, Any] = {"ann": [["E", None, "N"]] * 3000, "בן": [[None, "\u2028", "é"]]}


def keep(store: RosterStore, **cells: str) -> str:
    name = store.keep_ward(ward_of_two())
    return store.keep_roster(StoredRoster(ward_hash=name, roster=rows(**cells), trace=[Point(0.5, 9.0, 7.5)]))


def test_a_roster_and_its_ward_are_whole_elsewhere(opened: Opened) -> None:
    roster_id = keep(opened(), **ROWS)

    there = opened()
    stored = there.stored_roster(roster_id)
    assert (stored.roster, stored.trace) == (rows(**ROWS), [Point(0.5, 9.0, 7.5)])
    assert there.ward(stored.ward_hash) == ward_of_two()
    assert there.report(roster_id) == opened().report(roster_id)
    assert [there.holds(each) for each in (roster_id, "0" * 16, "../made/x")] == [True, False, False]


@pytest.mark.parametrize("name", ["0" * 16, "", "../made/1", "a\0b", "%" * 16, "Ω" * 16])
def test_what_is_not_kept_is_refused(opened: Opened, name: str) -> None:
    for look, code in ((opened().stored_roster, "unknown_roster"), (opened().ward, "unknown_ward")):
        with pytest.raises(ToolRefusal, match="nothing is kept") as refused:
            look(name)
        assert refused.value.code == code
    assert (opened().remarks("grounds", name), opened().rounds(name)) == ([], [])


def test_the_newest_comes_first_and_one_that_is_kept_again_is_as_old_as_before(opened: Opened) -> None:
    first = keep(opened(), **ROWS)
    second = keep(opened(), ann=ROWS["ben"], ben=ROWS["ann"])
    [*_, (_, before)] = opened().newest(2)
    keep(opened(), **ROWS)

    listed = opened().newest(2)
    assert [name for name, _ in listed] == [second, first]
    assert listed[1][1] == before
    assert listed[0][1] > before
    assert opened().newest(1) == listed[:1]


def test_of_what_is_kept_again_the_last_stays(opened: Opened) -> None:
    roster_id = "ab" * 8
    for sentences in (["before"], ["it's Ben's", "ענת\0"]):
        opened().keep_remarks("grounds", roster_id, "empathy", sentences)
    opened().keep_remarks("grounds", roster_id, "compliance", ["nobody can"])
    opened().keep_remarks("remarks", roster_id, "empathy", ["another kind"])
    opened().keep_remarks("grounds", "ab" * 9, "empathy", ["another roster"])
    for rounds in ([], [ROUND, ROUND]):
        opened().keep_rounds(roster_id, rounds)

    assert opened().remarks("grounds", roster_id) == ["nobody can", "it's Ben's", "ענת\0"]
    assert opened().rounds(roster_id) == [ROUND, ROUND]


def test_a_solve_is_gone_on_with_elsewhere_and_leaves_nothing(opened: Opened) -> None:
    for best in (rows(**ROWS), {"ann": [None]}):
        opened().keep_best("solve", best)
    opened().keep_columns("solve", COLUMNS)

    assert (opened().best("solve"), opened().columns("solve")) == ({"ann": [None]}, COLUMNS)
    assert (opened().best("other"), opened().columns("other")) == (None, {})
    for _ in range(2):
        opened().drop_running("solve")
    assert (opened().best("solve"), opened().columns("solve")) == (None, {})


def test_decisions_come_the_oldest_first(opened: Opened) -> None:
    made = [PublicationDecision(roster_id=each * 16, as_draft=each == "c") for each in "cab"]
    for each in made:
        opened().decide(each)

    found = opened().decided()
    assert [decision for _, decision in found] == made
    assert [at.microsecond for at, _ in found] == [0, 0, 0]
    assert (opened().decision("a" * 16), opened().decision("d" * 16)) == (made[1], None)


def test_a_stop_is_taken_once_by_one_of_many(opened: Opened) -> None:
    for _ in range(2):
        opened().ask_to_stop("t \ud83d")
    assert [opened().is_asked_to_stop(each) for each in ("t \ud83d", "t")] == [True, False]

    stores = [opened() for _ in range(6)]
    with ThreadPoolExecutor(len(stores)) as pool:
        taken = list(pool.map(lambda store: store.take_stop("t \ud83d"), stores))
    assert sorted(taken) == [False] * 5 + [True]


def test_many_keep_the_same_at_once(opened: Opened) -> None:
    """The first ones make the table."""
    stores = [opened() for _ in range(8)]
    with ThreadPoolExecutor(len(stores)) as pool:
        made = set(pool.map(lambda store: keep(store, **ROWS), stores))

    [roster_id] = made
    assert [name for name, _ in opened().newest(9)] == [roster_id]


def test_a_graph_is_put_together_where_the_database_is_of_another_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wavegraph.graph.roster import build

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("WAVEGRAPH_DATABASE", "mysql://desk:Zq7@db/rosters")
    assert build().nodes
    with pytest.raises(Exception, match="rosters are kept in files or in PostgreSQL") as refused:
        RosterStore().newest(1)
    assert "Zq7" not in str(refused.value)
    assert RosterStore(tmp_path).newest(1) == []
