"""What was asked for is kept with its ward, and found with no other."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

from roster_wards import ward_of_two

from wavegraph.tools.roster.dialogue.amending import amended
from wavegraph.tools.roster.records import Change
from wavegraph.tools.roster.store import RosterStore

Opened = Callable[[], RosterStore]
OFF = Change(kind="avoids", nurse="Ann", first=date(2026, 11, 24), weight=7)
APART = Change(kind="apart", nurse="Ann", other="Ben")


def test_what_was_asked_for_is_read_back_by_another_process(opened: Opened) -> None:
    ward, _ = amended(ward_of_two(), [OFF, APART])
    name = opened().keep_ward(ward, [OFF, APART])

    other = opened()
    assert other.asked(name) == [OFF, APART]
    assert other.ward(name) == ward


def test_a_ward_that_holds_it_already_is_kept_apart_from_the_one_it_was_asked_of(opened: Opened) -> None:
    store = opened()
    held, _ = amended(ward_of_two(), [OFF])
    plain, wanted = store.keep_ward(held), store.keep_ward(held, [OFF])

    assert plain != wanted
    assert (store.asked(plain), store.asked(wanted)) == ([], [OFF])
    assert store.keep_ward(store.ward(wanted), [OFF]) == wanted
    assert store.keep_ward(store.ward(wanted)) == plain


def test_a_ward_of_an_earlier_version_has_nothing_that_was_asked_for(tmp_path: Path) -> None:
    name = RosterStore(tmp_path).keep_ward(ward_of_two())

    assert [path.parent.name for path in (tmp_path / "rosters").rglob("*.json")] == ["wards"]
    assert RosterStore(tmp_path).asked(name) == []
