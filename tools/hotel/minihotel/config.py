"""How one hotel is reached in MiniHotel, and what its system does not say about it. Holds no credential."""

from decimal import Decimal
from ipaddress import ip_address
from typing import Annotated, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from wavegraph.tools.hotel.currency import is_currency
from wavegraph.tools.hotel.records import WEEKDAYS, PropertyRecord, Weekday

SANDBOX = "https://sandbox.minihotel.cloud"
ARI, CONTENT, BOOKING_PAGES = (
    "https://api.minihotel.cloud",
    "https://api2.minihotel.cloud",
    "https://frame1.hotelpms.io",
)
MOST_NIGHTS = 20
"""Longer stays MiniHotel refuses (ERR 107)."""


def _is_loopback(name: str) -> bool:
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


def _host(given: str) -> str:
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise ValueError("expected a host such as https://api.minihotel.cloud, without user, password or query")
    if parts.scheme == "http" and not _is_loopback(parts.hostname):
        raise ValueError("http would send the password in the open: use https (http is for 127.0.0.1 and localhost)")
    return given.rstrip("/")


def _known_currency(code: str) -> str:
    if not is_currency(code):
        raise ValueError(f"{code!r} is no currency of ISO 4217, such as ILS")
    return code


def _known_zone(name: str) -> str:
    try:
        return ZoneInfo(name).key
    except (LookupError, ValueError, OSError):
        raise ValueError(f"{name!r} is no time zone, such as Asia/Jerusalem") from None


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
TimeOfDay = Annotated[str, StringConstraints(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
VariableName = Annotated[str, StringConstraints(pattern="^[A-Za-z_][A-Za-z0-9_]*$")]
HttpsLink = Annotated[str, StringConstraints(pattern=r"^https://[^\s<>\"]+$", max_length=500)]


class MiniHotelConfig(BaseModel):
    """One hotel on MiniHotel."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    id: Annotated[str, StringConstraints(pattern="^[a-z0-9][a-z0-9_-]{0,62}$")]
    """The `property_id` of this hotel."""
    hotel_id: Text
    """Its id inside MiniHotel."""
    rate_code: Text
    """The price list that is sold, by the hotel's own name for it."""
    username_variable: VariableName | None = None
    password_variable: VariableName | None = None
    """Environment variables with the login, for the resolver of secrets; None = named after the property's id."""
    host: Annotated[str, AfterValidator(_host)] | None = None
    """In place of all of MiniHotel's hosts."""
    use_sandbox: bool = True
    """MiniHotel's test host, and not the hosts of real hotels."""
    url_code: Annotated[str, StringConstraints(pattern=r"^[0-9A-Fa-f]{32}/[0-9A-Fa-f-]{36}$")] | None = None
    """The hotel's part of its booking link: `{HotelID}/{InstanceID}`."""
    writes: bool = False
    """Whether bookings are made and cancelled here; else guests get the booking link."""

    name: Text | None = None
    """What guests call the hotel; None = its id in MiniHotel."""
    name_he: Text | None = None
    currency: Annotated[str, AfterValidator(_known_currency)] = "ILS"
    """Its usual currency. Prices have the one that comes with them."""
    time_zone: Annotated[str, AfterValidator(_known_zone)] = "Asia/Jerusalem"
    country: Annotated[str, StringConstraints(pattern="^[A-Z]{2}$")] = "IL"
    weekend: tuple[Weekday, ...] = ("thu", "fri")
    """The nights that make the weekend."""
    child_ages: tuple[Annotated[int, Field(ge=0, le=17)], Annotated[int, Field(ge=0, le=17)]] = (2, 12)
    """Youngest and oldest child, in years: who is younger is a baby, who is older pays as an adult."""
    check_in: TimeOfDay = "15:00"
    check_out: TimeOfDay = "11:00"
    vat: Annotated[Decimal, Field(ge=0, le=100, decimal_places=2)] = Decimal(18)
    """Value added tax inside the prices, in per cent."""
    max_nights: Annotated[int, Field(ge=1, le=MOST_NIGHTS)] = MOST_NIGHTS
    phone: str = ""
    email: str = ""
    links: dict[Text, HttpsLink] = {}
    """Pages that guests are referred to, by topic: `parking`, `spa`."""

    @model_validator(mode="after")
    def _children_in_order(self) -> Self:
        if self.child_ages[0] > self.child_ages[1]:
            raise ValueError(f"child_ages {list(self.child_ages)}: the youngest comes first")
        return self

    @property
    def ari_url(self) -> str:
        """Prices, restrictions, and reservations in."""
        return f"{self.host or (SANDBOX if self.use_sandbox else ARI)}/gds"

    @property
    def content_host(self) -> str:
        """Rooms, and look-up of reservations."""
        return self.host or (SANDBOX if self.use_sandbox else CONTENT)

    @property
    def on_loopback(self) -> bool:
        return self.host is not None and _is_loopback(urlsplit(self.host).hostname or "")

    @property
    def booking_page(self) -> str | None:
        """The hotel's own page to book on, without a stay."""
        if self.url_code is None:
            return None
        base = self.host or (SANDBOX if self.use_sandbox else BOOKING_PAGES)
        return f"{base}/BookingFrameClient/hotel/{self.url_code}/book/rooms"

    @property
    def record(self) -> PropertyRecord:
        return PropertyRecord(
            property_id=self.id,
            name=self.name or self.hotel_id,
            name_he=self.name_he or self.name or self.hotel_id,
            pms_type="minihotel",
            hotel_id=self.hotel_id,
            use_sandbox=self.use_sandbox,
            url_code=self.url_code,
            booking_url=self.booking_page,
            currency=self.currency,
            time_zone=self.time_zone,
            country=self.country,
            weekend_nights=sorted(WEEKDAYS.index(day) for day in self.weekend),
            child_max_age=self.child_ages[1],
            baby_max_age=self.child_ages[0] - 1,
            max_nights=self.max_nights,
            vat_bp=int(self.vat * 100),
            phone=self.phone,
            email=self.email,
            credentials_source=self.id,
        )
