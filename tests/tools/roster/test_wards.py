"""The wards an agent knows: a file is parsed once for a period, until it changes."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from roster_wards import two

from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.ward.ward import Ward
from wavegraph.tools.roster.wards import Wards

TODAY = date(2026, 11, 20)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return put(tmp_path / "two.json")


@pytest.fixture
def wards(file: Path, tmp_path: Path) -> Wards:
    return Wards(RosterStore(tmp_path), {"two": file})


def put(file: Path, **changes: Any) -> Path:
    file.write_text(json.dumps(two(**changes)), encoding="utf-8")
    return file


def look(wards: Wards, start: date | None = None, days: int | None = None, today: date = TODAY) -> Ward:
    return wards.look("two", start, days, today=today)


@pytest.mark.parametrize(
    ("start", "days", "today"),
    [
        (date.min, 7, TODAY),
        (date(1899, 12, 31), 7, TODAY),
        (date(2199, 12, 28), 7, TODAY),
        (date.max, 7, TODAY),
        (None, None, date(2199, 12, 31)),
    ],
    ids=str,
)
def test_days_outside_the_calendar_are_out_of_range(
    file: Path, wards: Wards, start: date | None, days: int | None, today: date
) -> None:
    put(file, start=None, days=None, leave=[], published=None)

    with pytest.raises(ToolRefusal, match="days within 1900-01-01 to 2199-12-31: this is out of range") as refused:
        look(wards, start, days, today=today)

    assert refused.value.code == "bad_ward"


def test_reads_side_by_side_share_one_ward(wards: Wards) -> None:
    with ThreadPoolExecutor(5) as threads:
        found = list(threads.map(lambda _: look(wards), range(5)))

    assert len({id(ward) for ward in found}) == 1


def test_each_period_is_read_for_itself(wards: Wards, file: Path) -> None:
    any_week = {
        **two(rules={}, nurses=[{"id": "ann"}], demand=[{"weekdays": ["tuesday"], "shift": "E", "target": 1}]),
        "start": None,
        "days": None,
    }
    file.write_text(json.dumps({name: value for name, value in any_week.items() if value}), encoding="utf-8")
    found = [
        look(wards),
        look(wards, today=date(2026, 11, 27)),
        look(wards, days=14),
        look(wards, start=date(2026, 12, 1)),
    ]

    assert [(ward.start.isoformat(), ward.days) for ward in found] == [
        ("2026-11-23", 7),
        ("2026-11-30", 7),
        ("2026-11-23", 14),
        ("2026-12-01", 7),
    ]


def test_a_changed_file_is_read_again(wards: Wards, file: Path) -> None:
    names = [look(wards).name]
    put(file, name="Longer")
    names.append(look(wards).name)
    put(file, name="Longed")
    os.utime(file, ns=(0, 1))  # of the same size, and touched at another time
    names.append(look(wards).name)

    assert names == ["Two", "Longer", "Longed"]


def test_a_file_that_is_gone_or_broken_is_told_each_time(wards: Wards, file: Path) -> None:
    look(wards)
    file.write_text("{", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(ToolRefusal, match=r"two\.json"):
            look(wards)
    file.unlink()
    with pytest.raises(ToolRefusal, match=r"two\.json"):
        look(wards)
    put(file)

    assert look(wards).name == "Two"


def test_where_no_ward_is_named_the_demo_wards_are_not_meant_beside_others(wards: Wards, file: Path) -> None:
    alone = Wards(wards.store)

    assert (wards.meant, alone.meant) == (["two"], ["harbour"])


def test_a_ward_is_called_by_its_name_and_its_title(wards: Wards, file: Path) -> None:
    put(file, name="Second Floor")
    spoken = wards.spoken(date(2026, 11, 20))

    assert (spoken["two"], spoken["Second Floor"], spoken["Harbour Ward"]) == ("two", "two", "harbour")
