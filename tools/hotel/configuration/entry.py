"""One property of the properties file: who it is, where its system is reached, and what it says of itself."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from wavegraph.tools.hotel.configuration import values
from wavegraph.tools.hotel.dates.records import Church
from wavegraph.tools.hotel.dates.resolution import weekend_of_country
from wavegraph.tools.hotel.records import PropertyRecord

System = Literal["minihotel", "ezgo"]
SYSTEMS: tuple[System, ...] = ("minihotel", "ezgo")
OF_SYSTEM: dict[str, System] = {
    "pms_use_sandbox": "minihotel",
    "pms_url_code": "minihotel",
    "rate_code": "minihotel",
    "writes": "minihotel",
    "pms_agency_channel_id": "ezgo",
    "room_names": "ezgo",
}
"""Keys of one system alone."""
NEEDED: dict[System, tuple[str, ...]] = {"minihotel": ("rate_code",), "ezgo": ("pms_agency_channel_id",)}
EZGO_CURRENCIES = ("ILS", "USD")
LONGEST: dict[System, int] = {"minihotel": 20, "ezgo": 365}
"""Nights of a stay."""
EXAMPLES = {
    "id": "'haifa'", "pms_type": "'minihotel'", "hotel_id": "'1234'", "rate_code": "'WEB'",
    "username_variable": "'MINI_HAIFA_USERNAME'", "password_variable": "'MINI_HAIFA_PASSWORD'", "pms_agency_channel_id": "42",
    "currency": "'EUR'", "time_zone": "'Europe/Athens'",
}  # fmt: skip
"""What is written for a key that is missing."""


def _system(value: Any) -> str:
    text = str(value).strip().casefold()
    if text not in SYSTEMS:
        like = values.nearest(text, SYSTEMS, 0.7)
        way_out = f"write {like!r}" if like else f"known: {', '.join(map(repr, SYSTEMS))}"
        raise ValueError(f"not a property system that has an adapter; {way_out}")
    return text


def _country(value: Any) -> str:
    if not isinstance(value, str) or len(value.strip()) != 2 or not value.strip().isascii():
        raise ValueError("a country's two letters (ISO 3166-1), such as 'IL'")
    return value.strip().upper()


Text = Annotated[str, Field(max_length=200)]


class PropertyEntry(BaseModel):
    """The keys of one table `[[property]]`. Names and amounts are read as people write them where that is beyond doubt.

    Raises nothing but pydantic's ValidationError, whose messages say what to write instead.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    id: Annotated[str, BeforeValidator(values.property_id)]
    pms_type: Annotated[System, BeforeValidator(_system)]
    hotel_id: Annotated[str, BeforeValidator(values.hotel_id)]
    username_variable: Annotated[str, BeforeValidator(values.variable)] | None = None
    password_variable: Annotated[str, BeforeValidator(values.variable)] | None = None
    """The environment variables that hold the login; None = the resolver of secrets is asked by the id."""
    name: Text = ""
    """Empty = the id."""
    name_he: Text = ""
    """Empty = `name`."""
    host: Annotated[str, BeforeValidator(values.host)] | None = None
    """None = the vendor's."""
    pms_use_sandbox: bool = True
    """Whether the vendor's test host is meant."""
    pms_url_code: Annotated[str, BeforeValidator(values.url_code)] | None = None
    """None = offers come without a booking link."""
    rate_code: Text | None = None
    pms_agency_channel_id: Annotated[int, BeforeValidator(values.number), Field(ge=1)] | None = None
    writes: bool = False
    """Whether the agent may book and cancel in the system."""
    country: Annotated[str, BeforeValidator(_country)] = "IL"
    currency: Annotated[str, BeforeValidator(values.currency)] = "ILS"
    time_zone: Annotated[str, BeforeValidator(values.time_zone)] = "Asia/Jerusalem"
    weekend: Annotated[list[int], BeforeValidator(values.weekend)] = Field(default_factory=list)
    """Weekdays (Monday = 0) whose nights make the weekend; empty = the country's."""
    church: Church | None = None
    child_ages: Annotated[tuple[int, int], BeforeValidator(values.child_ages)] = (2, 12)
    """First and last age of a child."""
    check_in: Annotated[str, BeforeValidator(values.clock)] = "15:00"
    check_out: Annotated[str, BeforeValidator(values.clock)] = "11:00"
    max_nights: Annotated[int, BeforeValidator(values.number), Field(ge=1, le=365)] = 20
    vat: Annotated[int, BeforeValidator(values.vat_bp)] = 0
    """Basis points of the VAT inside the prices, given in per cent."""
    phone: Text = ""
    email: Text = ""
    room_names: Annotated[dict[str, str], BeforeValidator(values.room_names)] = Field(default_factory=dict)
    """What guests call the room types, by their codes, where the system names none."""
    links: Annotated[dict[str, str], BeforeValidator(values.links)] = Field(default_factory=dict)
    """Addresses of the hotel's own pages, by what they are about."""

    @model_validator(mode="before")
    @classmethod
    def _of_its_country(cls, given: Any) -> Any:
        """Israel's currency, zone and VAT are no other country's."""
        if not isinstance(given, dict) or str(given.get("country", "IL")).strip().upper() != "IL":
            return given
        return {"currency": "ILS", "time_zone": "Asia/Jerusalem", "vat": 18, **given}

    @model_validator(mode="after")
    def _as_its_system_wants(self) -> Self:
        for key in ("currency", "time_zone"):
            if key not in self.model_fields_set:
                raise KeyFault(key, f"missing, and {self.country!r} gives no default; write {key} = {EXAMPLES[key]}")
        for key in NEEDED[self.pms_type]:
            if getattr(self, key) in (None, ""):
                raise KeyFault(key, f"missing, and {self.pms_type} needs it; write {key} = {EXAMPLES[key]}")
        for key, system in OF_SYSTEM.items():
            if key in self.model_fields_set and getattr(self, key) and system != self.pms_type:
                raise KeyFault(key, f"a setting of {system}, and this property is on {self.pms_type}; take it out")
        if (self.username_variable is None) != (self.password_variable is None):
            key = "username_variable" if self.username_variable is None else "password_variable"
            raise KeyFault(key, f"missing beside the other variable; write {key} = {EXAMPLES[key]}")
        if self.max_nights > LONGEST[self.pms_type]:
            raise KeyFault(
                "max_nights", f"{self.pms_type} takes at most {LONGEST[self.pms_type]} nights; write that or less"
            )
        if self.pms_type == "ezgo" and self.currency not in EZGO_CURRENCIES:
            raise KeyFault("currency", f"EzGo has prices in {' and '.join(EZGO_CURRENCIES)} alone; write one of them")
        if self.pms_type == "ezgo" and not (self.hotel_id.isascii() and self.hotel_id.isdigit()):
            raise KeyFault("hotel_id", "EzGo's hotels have a number; write it, such as 1234")
        return self

    def record(self) -> PropertyRecord:
        first, last = self.child_ages
        return PropertyRecord(
            property_id=self.id,
            name=self.name or self.id,
            name_he=self.name_he or self.name or self.id,
            pms_type=self.pms_type,
            hotel_id=self.hotel_id,
            use_sandbox=self.pms_use_sandbox and self.pms_type == "minihotel",
            url_code=self.pms_url_code,
            booking_url=self.links.get("booking") if self.pms_type == "ezgo" else None,
            agency_channel_id=self.pms_agency_channel_id,
            currency=self.currency,
            time_zone=self.time_zone,
            country=self.country,
            weekend_nights=self.weekend or [*weekend_of_country(self.country)],
            church=self.church,
            child_max_age=last,
            baby_max_age=first - 1,
            max_nights=self.max_nights,
            vat_bp=self.vat,
            phone=self.phone,
            email=self.email,
            credentials_source=self.id,
        )


class KeyFault(ValueError):
    """What is wrong with one key in view of the others."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key
