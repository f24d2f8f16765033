"""Whole requests at the ends of the calendar, and on clocks at the ends of the world: always an answer."""

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hotel_runs import asked, said
from hotels_abroad import ILS, imported
from runs import compiled, run

from wavegraph import SettingsError
from wavegraph.graph.settings import FIRST_DAY, LAST_DAY
from wavegraph.tools.hotel.domain import hotel_domain

PHRASES = (
    "tonight", "next weekend", "mid January", "29 February", "christmas", "Passover 9999", "in 9999 weeks", "in 400 months",
    "from 31 December 9999 for 3 nights", "for 5000000 nights", "thanksgiving weekend", "last weekend of December",
    "הלילה", "סוף השבוע הבא", "מ-31 בדצמבר 9999 ל-3 לילות", "סוף השנה",
)  # fmt: skip


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hotel")


@pytest.mark.parametrize("today", [FIRST_DAY, date(2028, 2, 29), LAST_DAY], ids=str)
def test_every_request_ends_in_an_answer(today: date, data_dir: Path) -> None:
    graph = compiled(hotel_domain(data_dir))

    for phrase in PHRASES:
        ended = run(graph, said(f"a room for two, {phrase}"), context={"today": today.isoformat()})
        assert ended["answer"], phrase
        assert ended["outcome"] in ("answered", "partial", "clarify", "refused"), phrase


@pytest.mark.parametrize("text", ["a room for two from 31 December 9999 for 3 nights", "a room for two in 9999 weeks"])
def test_a_stay_outside_the_calendar_is_told_to_be(text: str, data_dir: Path) -> None:
    ended = asked(data_dir, text)

    assert (ended["outcome"], "out of range" in ended["answer"]) == ("refused", True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a room for two from 3 December for 99999 nights", "longer than I can offer"),
        ("a room for two from 3 December, 9999999 nights", "longer than I can offer"),
        ("a room for two from 3 December, 999999999999999999999999-night stay", "longer than I can offer"),
        ("a room for two in 40000 days", "out of range"),
        ("a room for two in 99999999999999 weeks", "out of range"),
        ("a room for two 90000 days ago", "in the past"),
        ("חדר לשניים בעוד 9999999999 ימים", "מחוץ לטווח"),
        ("חדר לשניים מ-3 בדצמבר ל-70000 לילות", "ארוך ממה שאפשר להציע"),
    ],
)
def test_a_number_of_any_length_counts_what_follows_it(text: str, told: str, data_dir: Path) -> None:
    ended = asked(data_dir, text)

    assert (ended["outcome"], told in ended["answer"]) == ("refused", True), ended["answer"]


@pytest.mark.parametrize("aside", ["call 0501234567", "call 0501234567 or 12345, please", "my budget is 123456"])
def test_and_another_long_number_counts_nothing(aside: str, data_dir: Path) -> None:
    ended = asked(data_dir, f"a room for two from 3 December, {aside}, 2 nights")

    assert "3 December – Saturday 5 December 2026, 2 nights" in ended["answer"]


def test_and_in_hebrew(data_dir: Path) -> None:
    assert "מחוץ לטווח" in asked(data_dir, "חדר לשני מבוגרים מ-31 בדצמבר 9999 ל-3 לילות")["answer"]


@pytest.mark.parametrize("today", ["0001-01-01", "9999-12-31"])
def test_a_today_outside_the_calendar_is_refused_before_anything_runs(today: str, data_dir: Path) -> None:
    with pytest.raises(
        SettingsError, match=f"setting 'today' = '{today}': Input should be (greater|less) than or equal to (1900|2199)"
    ):
        asked(data_dir, "a room for two tonight", today=today)


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12"])
def test_the_hotels_own_clock_says_which_day_it_is(zone: str, tmp_path: Path) -> None:
    hotel = replace(ILS, hotel={**ILS.hotel, "time_zone": zone})
    imported(hotel, tmp_path)
    graph = compiled(hotel_domain(tmp_path))

    ended = run(graph, said("a room for two tonight"), context={"property_id": "hotel-ils"})

    [call] = [call for call in ended["ledger"]["calls"].values() if call["tool"] == "get_availability"][:1]
    days_off = (date.fromisoformat(call["args"]["check_in"]) - datetime.now(UTC).date()).days
    assert days_off in ((0, 1) if zone.startswith("Pacific") else (-1, 0))
