"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from wavegraph.tools.roster.store import PublicationDecision, RosterStore
from wavegraph.tools.roster.ward.whole_files import FOR_ALL, FOR_ITS_OWNER, replace_file


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize(("mode", "permissions"), [(FOR_ALL, 0o644), (FOR_ITS_OWNER, 0o600)])
def test_a_file_is_replaced_by_the_text_as_it_is(mode: int, permissions: int, tmp_path: Path) -> None:
    path = tmp_path / "ward.json"
    for text in ("the first, which is longer", "Zoë\r\nענת\n"):
        replace_file(path, text, mode=mode)

    assert path.read_bytes() == "Zoë\r\nענת\n".encode()
    assert path.stat().st_mode & 0o777 == permissions
    assert list(tmp_path.iterdir()) == [path]


def test_a_text_that_cannot_be_written_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "ward.json"
    replace_file(path, "before")
    with pytest.raises(UnicodeEncodeError):
        replace_file(path, "half a character: \ud83d")

    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_taken_has_nothing_left_beside_it(tmp_path: Path) -> None:
    store, roster_id = RosterStore(tmp_path), "1" * 16
    taken = tmp_path / "rosters" / "decided" / f"{roster_id}.json"
    taken.mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        store.decide(PublicationDecision(roster_id=roster_id, as_draft=True))

    assert list(taken.parent.iterdir()) == [taken]
