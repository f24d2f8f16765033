"""A hotel of the properties file on MiniHotel."""

from decimal import Decimal
from pathlib import Path

from wavegraph.tools.hotel.configuration.entry import PropertyEntry
from wavegraph.tools.hotel.minihotel.config import MiniHotelConfig
from wavegraph.tools.hotel.minihotel.property import MiniHotelProperty
from wavegraph.tools.hotel.property.credentials import Secrets
from wavegraph.tools.hotel.property.store import UtcClock
from wavegraph.tools.hotel.records import WEEKDAYS


def connected(
    entry: PropertyEntry, *, secrets: Secrets, data_dir: Path, database: str | None = None, now: UtcClock
) -> MiniHotelProperty:
    return MiniHotelProperty(config_of(entry), secrets=secrets, data_dir=data_dir, database=database, now=now)


def config_of(entry: PropertyEntry) -> MiniHotelConfig:
    same = {"id", "hotel_id", "rate_code", "username_variable", "password_variable", "host", "writes", "currency", "time_zone",
            "country", "child_ages", "check_in", "check_out", "max_nights", "phone", "email", "links"}  # fmt: skip
    record = entry.record()
    return MiniHotelConfig(
        **entry.model_dump(include=same),
        use_sandbox=entry.pms_use_sandbox,
        url_code=entry.pms_url_code,
        name=record.name,
        name_he=record.name_he,
        weekend=tuple(WEEKDAYS[day] for day in record.weekend_nights),
        vat=Decimal(entry.vat) / 100,
    )
