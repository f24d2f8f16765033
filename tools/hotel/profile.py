"""How a property reads and answers its guests: its currency, its calendar, its rooms' names, from its record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wavegraph.tools.hotel.dates import Customs
from wavegraph.tools.hotel.inventory.property_data import RoomKind, Topic
from wavegraph.tools.hotel.records import PropertyRecord


@dataclass(frozen=True, slots=True, eq=False)
class PropertyProfile:
    """One property as its readers, its answers and its checks see it. Equal to itself alone: what is read with it is kept for it."""

    record: PropertyRecord
    rooms: Sequence[RoomKind] = ()
    topics: Sequence[Topic] = ()
    """What it tells its guests, with the words they have for it."""
    terms: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What its rate plans stand for, by their codes in small letters: `board` and `refundable`."""
    guests_country: str | None = None
    """Whose holidays and date order the guest means, if not the property's."""

    @property
    def currency(self) -> str:
        return self.record.currency

    @property
    def customs(self) -> Customs:
        """How dates are read. Weekend and church are the property's, whoever asks."""
        record = self.record
        return {
            "country": self.guests_country or record.country,
            "home": record.country,
            "weekend_nights": record.weekend_nights,
            "church": record.church,
        }

    def asked_from(self, country: str | None) -> "PropertyProfile":
        """The profile for a guest from this country; None = the property's own."""
        return replace(self, guests_country=country)

    def room(self, code: str) -> RoomKind | None:
        return next((room for room in self.rooms if room.code == code), None)
