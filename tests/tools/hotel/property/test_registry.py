"""What the readers, the answers and the clock know of a hotel, opened or not."""

import asyncio
import json
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hotels_abroad import EUR, JPY, USD, Abroad, files_of, imported

from wavegraph.tools.hotel.offline import HotelOffline
from wavegraph.tools.hotel.property import registry as module
from wavegraph.tools.hotel.property.importer import import_hotel
from wavegraph.tools.hotel.property.registry import Properties, profile_for
from wavegraph.tools.hotel.settings import HotelSettings

LATE = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
"""The 21st in Jerusalem and Tokyo; still the 20th in New York."""


class _Late(datetime):
    @classmethod
    def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
        assert isinstance(tz, ZoneInfo)
        return LATE.astimezone(tz)


@pytest.mark.parametrize(
    ("case", "today"), [(EUR, 21), (JPY, 21), (USD, 20)], ids=lambda value: getattr(value, "id", value)
)
def test_today_is_read_where_the_hotel_stands_also_before_it_was_asked(
    case: Abroad, today: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported(case, tmp_path)
    monkeypatch.setattr(module, "datetime", _Late)
    settings = HotelSettings(property_id=f"hotel-{case.id}")

    async def asked() -> date:
        return Properties(tmp_path).today(settings)  # inside a loop, as the engine asks

    assert asyncio.run(asked()) == date(2026, 11, today)


def test_a_new_import_is_known_to_who_has_the_hotel_open(tmp_path: Path) -> None:
    imported(EUR, tmp_path)
    properties = Properties(tmp_path)
    asyncio.run(properties.open("hotel-eur"))
    assert properties.profile("hotel-eur").currency == "EUR"

    again = tmp_path / "again"
    again.mkdir()
    for name, text in files_of(EUR).items():
        (again / name).write_text(text.replace("120.50", "120").replace('"EUR"', '"CHF"'), encoding="utf-8")
    import_hotel(again, tmp_path)
    assert properties.profile("hotel-eur").currency == "CHF"


def test_a_hotel_that_is_not_there_has_no_rooms_and_fails_nothing(tmp_path: Path) -> None:
    assert Properties(tmp_path).profile("nowhere").rooms == ()


def test_the_guest_s_country_moves_neither_weekend_nor_church(tmp_path: Path) -> None:
    imported(EUR, tmp_path)
    properties = Properties(tmp_path)
    own = profile_for(HotelSettings(property_id="hotel-eur"), properties.profile).customs
    american = profile_for(HotelSettings(property_id="hotel-eur", country="US"), properties.profile).customs

    assert (own["country"], american["country"]) == ("GR", "US")
    assert {**own, "country": ""} == {**american, "country": ""}


def test_the_grammar_knows_no_hotel_by_its_id() -> None:
    """What it says of the demo hotel it says of any: nothing is asked but the profile."""
    source = Path(HotelOffline.plan.__code__.co_filename).read_text(encoding="utf-8")
    assert "property_id" not in source
    assert json.dumps("sandbox") not in source
