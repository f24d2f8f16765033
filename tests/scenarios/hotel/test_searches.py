"""Searches over a period, held against every stay of the property's calendar looked at one by one.

    request => first arrival, last departure, nights, cheapest or nearest, then what else was asked for

Today is Friday 20 November 2026; the weekend of the demo hotel is the nights of Thursday and Friday.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from desk_views import TODAY, plan_of
from runs import wait

from wavegraph.tools.hotel.property.port import Property, open_property
from wavegraph.tools.hotel.records import WEEKDAYS, OpenStaysQuery, StayQuery

TABLE = Path(__file__).parents[2] / "data" / "hotel_searches.txt"
LINES = TABLE.read_text(encoding="utf-8").splitlines()
SHOWN = 3


@pytest.fixture(scope="module")
def lowest() -> Any:
    """The lowest total of one stay, as `get_availability` gives it; of the room for disabled guests only if nothing else is free."""

    @cache
    def of(adapter: Property, check_in: date, nights: int, party: tuple[tuple[str, Any], ...]) -> int | None:
        guests = {name: list(value) if isinstance(value, tuple) else value for name, value in party}
        query = StayQuery(check_in=check_in, check_out=check_in + timedelta(days=nights), **guests)
        ways = wait(adapter.availability(query, today=TODAY)).ways
        usual = [way for way in ways if all(part.room_type != "ACC" for part in way.parts)]
        return min((way.total_agorot for way in usual or ways), default=None)

    return of


@pytest.fixture(scope="module")
def hotel(data_dir: Path) -> Property:
    return open_property("sandbox", data_dir=data_dir)


def expected(line: str) -> dict[str, Any]:
    first, last, nights, order, *more = line.split()
    asked = {name: value.split(",") for name, value in (each.split("=") for each in more)}
    party: dict[str, Any] = {"adults": int(asked.get("adults", ["2"])[0])}
    party |= {"children_ages": [int(age) for age in asked["children"]]} if "children" in asked else {}
    party |= {"rooms": int(asked["rooms"][0])} if "rooms" in asked else {}
    party |= {name: asked[name][0] for name in ("room_type", "board") if name in asked}
    return {
        "window": (date.fromisoformat(first), date.fromisoformat(last)),
        "nights": int(nights),
        "cheapest": order == "cheapest",
        "arrive": asked.get("arrive", list(WEEKDAYS)),
        "without": asked.get("without", []),
        "party": party,
    }


def arrivals(want: dict[str, Any]) -> Iterator[date]:
    (first, last), nights = want["window"], want["nights"]
    for n in range((last - first).days - nights + 1):
        slept = [WEEKDAYS[(first + timedelta(days=n + k)).weekday()] for k in range(nights)]
        if slept[0] in want["arrive"] and not set(slept) & set(want["without"]):
            yield first + timedelta(days=n)


@pytest.mark.parametrize("line", LINES)
def test_a_search_finds_what_the_calendar_has(line: str, hotel: Property, lowest: Any) -> None:
    text, _, wanted = line.partition(" => ")
    want = expected(wanted)
    party = tuple((name, tuple(v) if isinstance(v, list) else v) for name, v in want["party"].items())
    every = [(day, price) for day in arrivals(want) if (price := lowest(hotel, day, want["nights"], party))]
    by_price = sorted(every, key=lambda row: (row[1], row[0]))
    right = (by_price if want["cheapest"] else every)[:SHOWN]

    (call,) = plan_of(text)["tools"]
    assert call["tool"] == "find_open_stays"
    assert {name: call["args"].get(name) for name in want["party"]} == want["party"]
    found = wait(hotel.open_stays(OpenStaysQuery(**call["args"]), today=TODAY))

    assert [(stay.check_in, stay.from_agorot) for stay in found.stays] == right
    assert {stay.nights for stay in found.stays} <= {want["nights"]}
    assert found.searched == len(list(arrivals(want))) or not want["cheapest"]
