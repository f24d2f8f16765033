"""A guest's yes, killed at every boundary of the whole graph, and said again or gone on with in a new process."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yes_driver
from booking_driver import small_property
from places import rows_of

from wavegraph.tools.hotel.property.place import Place
from wavegraph.tools.hotel.property.places.property_file import PropertyFile
from wavegraph.tools.hotel.property.places.shared import shared_place
from wavegraph.tools.hotel.property.port import hotel_path
from wavegraph.tools.postgres.server import close_all

pytestmark = [
    pytest.mark.attack,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked"),
]

KILLED = -signal.SIGKILL
POINTS = [f"put:{n}" for n in range(1, 7)] + ["hold", "book"]
"""A checkpoint more than a yes has: there the process lives."""


_numbers = count(1)


class House(NamedTuple):
    place: Place
    database: str | None
    """The database that holds conversations and bookings; None = files."""


@pytest.fixture(params=["file", "postgres"])
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[House]:
    database = None
    if request.param == "postgres":
        database = request.getfixturevalue("postgres").fresh(f"yes{next(_numbers)}")
    path = hotel_path(tmp_path / "wavegraph", "small")
    path.parent.mkdir(parents=True)
    place: Place = shared_place(database, "small") if database else PropertyFile(path)
    small_property(place, rooms=2 * len(POINTS))
    yield House(place, database)
    close_all()


def rows(house: House, sql: str) -> list[tuple[Any, ...]]:
    return rows_of(house.place, house.database, sql)


def driven(house: House, folder: Path, way: str, cases: dict[str, str], *steps: str) -> dict[str, dict[str, int]]:
    """Exit statuses by step and case."""
    job = {"database": house.database or str(folder / "threads.db"), "agent": way, "folder": str(folder), "steps": steps,
           "cases": [{"id": name, "die": die} for name, die in cases.items()]}  # fmt: skip
    done = subprocess.run(
        [sys.executable, yes_driver.__file__], input=json.dumps(job), capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "XDG_DATA_HOME": str(folder), "WAVEGRAPH_DATABASE": house.database or ""},
    )  # fmt: skip
    assert not done.stderr, done.stderr
    ended: dict[str, dict[str, int]] = json.loads(done.stdout)
    return ended


@pytest.mark.parametrize("way", ["yes", "resume"])
def test_a_yes_killed_anywhere_books_once(
    way: str,
    house: House,
    tmp_path: Path,
    figures: Callable[[str], None],
    attempts: Callable[[str, int], None],
) -> None:
    cases = {point.replace(":", "-"): point for point in POINTS}

    ended = driven(house, tmp_path, way, cases, "first", "again")

    killed = [name for name, status in ended["first"].items() if status == KILLED]
    assert {"put-1", "put-2", "put-3", "put-4", "hold", "book"} <= set(killed)
    assert ended["again"] == dict.fromkeys(cases, 0)
    told = {name: json.loads((tmp_path / f"{name}.again.json").read_text())["told"] for name in cases}
    heard = {name: [each for each in of if each] for name, of in told.items()}
    assert all(heard.values())
    references = {name: {each["reference"] for each in of} for name, of in heard.items()}
    assert {len(each) for each in references.values()} == {1}
    booked = [ref for (ref,) in rows(house, "SELECT ref FROM booking WHERE status = 'confirmed'")]
    assert sorted(booked) == sorted(ref for each in references.values() for ref in each)
    assert rows(house, "SELECT held, sold FROM inventory ORDER BY date LIMIT 2") == [(0, len(cases))] * 2
    attempts("yeses killed on their way through the graph", len(killed))
    before = sum(heard[name][0]["repeated"] for name in killed)
    assert 0 < before < len(killed)
    figures(f"a yes killed at {len(killed)} points, then {way}: {before} were found booked, in the end each, once")


THREADS = 14


def test_a_yes_and_a_no_at_once_are_both_told_the_truth(
    house: House, tmp_path: Path, figures: Callable[[str], None]
) -> None:
    ended = driven(house, tmp_path, str(THREADS), {"yes": "", "no": ""}, "ask", "say")

    assert ended == {"ask": {"yes": 0, "no": 0}, "say": {"yes": 0, "no": 0}}
    told = [json.loads((tmp_path / f"{word}.say.json").read_text()) for word in ("yes", "no")]
    found = rows(house, "SELECT guest_json, ref FROM booking WHERE status = 'confirmed'")
    booked = {json.loads(guest)["email"]: ref for guest, ref in found}
    for guest in told[0]:
        answers = [each[guest] for each in told if each[guest] is not None]
        assert answers, "one of the two had the thread"
        if guest in booked:
            assert any(booked[guest] in answer for answer in answers)
            assert not any("othing was booked" in answer for answer in answers)
        else:
            assert any("Nothing was booked" in answer for answer in answers)
            assert not any("WG-" in answer for answer in answers), "a reference"
    busy = sum(each is None for of in told for each in of.values())
    figures(f"yes and no at once on {THREADS} threads: {len(booked)} booked, {busy} told to wait, no two contradict")
