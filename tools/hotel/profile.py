"""What a house is read and answered by: its currency, its calendar, its rooms' words. All of it from its own record."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from wavegraph.tools.hotel.dates import Customs
from wavegraph.tools.hotel.inventory.property_data import RoomKind
from wavegraph.tools.hotel.records import PropertyRecord


@dataclass(frozen=True, slots=True)
class HouseProfile:
    """One house as its readers, its answers and its checks see it."""

    record: PropertyRecord
    rooms: Sequence[RoomKind] = ()
    guests_country: str | None = None
    """Whose holidays and date order the guest means, where it is not the house's."""

    @property
    def currency(self) -> str:
        return self.record.currency

    @property
    def customs(self) -> Customs:
        """The keywords dates are read with. Weekend and church are the house's, whoever asks."""
        house = self.record
        return {
            "country": self.guests_country or house.country,
            "home": house.country,
            "weekend_nights": house.weekend_nights,
            "church": house.church,
        }

    def asked_from(self, country: str | None) -> "HouseProfile":
        """The house as a guest of this country means it; None = the house's own."""
        return replace(self, guests_country=country)

    def room(self, code: str) -> RoomKind | None:
        return next((room for room in self.rooms if room.code == code), None)
