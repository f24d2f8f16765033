"""Arguments of the booking tools: texts of bounded length, and never a payment card number."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, StringConstraints, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from wavegraph.graph.guard.cards import mask
from wavegraph.tools.hotel.reading.no_guest import LEAST_DIGITS
from wavegraph.tools.hotel.records import Guest, HotelArguments


def _clean(value: Any) -> Any:
    """Runs before any other validation, whose messages would quote the text."""
    if isinstance(value, str) and mask(value) != value:
        raise _without_quoting(
            "card_number", "looks like a payment card number, which is never asked for; leave it out"
        )
    if isinstance(value, str) and any(unicodedata.category(letter) == "Cc" and letter != "\n" for letter in value):
        raise _without_quoting("control_characters", "contains control characters")
    return value


def _without_quoting(kind: Any, message: Any, *place: str) -> ValidationError:
    """A validation error that does not show the text, as pydantic's own would."""
    finding = InitErrorDetails(type=PydanticCustomError(kind, message), loc=place, input="(not shown)")
    return ValidationError.from_exception_data("text", [finding])


CLEAN = BeforeValidator(_clean)


def up_to(length: int) -> StringConstraints:
    return StringConstraints(strip_whitespace=True, min_length=1, max_length=length)


class PersonalArguments(HotelArguments):
    """Base of arguments that hold a person's own words."""

    @model_validator(mode="before")
    @classmethod
    def _no_card_anywhere(cls, values: Any) -> Any:
        # An error about a missing argument would show all the others.
        for name in cls.model_fields if isinstance(values, Mapping) else ():
            try:
                _clean(values.get(name))
            except ValidationError as error:
                found = error.errors()[0]
                raise _without_quoting(found["type"], found["msg"], name) from None
        return values


class BookingRequest(PersonalArguments):
    """The arguments of `create_booking`."""

    quote_id: Annotated[str, up_to(20), CLEAN] = Field(description="Of the quote to book")
    guest_name: Annotated[str, up_to(120), CLEAN] = Field(description="Full name")
    guest_email: Annotated[str, up_to(254), CLEAN] | None = Field(
        default=None, description="It or a phone number is needed"
    )
    guest_phone: Annotated[str, up_to(40), CLEAN] | None = Field(default=None)
    notes: Annotated[str, up_to(500), CLEAN] | None = Field(
        default=None, description="A wish for the house; never payment details"
    )

    @model_validator(mode="after")
    def _can_be_reached(self) -> Self:
        if self.guest_email is None and self.guest_phone is None:
            raise ValueError("the guest's e-mail address or phone number is needed")
        if self.guest_email is not None and not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", self.guest_email):
            raise ValueError("guest_email is not an e-mail address")
        if self.guest_phone is not None and sum(map(str.isdigit, self.guest_phone)) < LEAST_DIGITS:
            raise ValueError("guest_phone needs at least six digits")
        return self

    @property
    def guest(self) -> Guest:
        return Guest(name=self.guest_name, email=self.guest_email, phone=self.guest_phone, notes=self.notes)


class BookingLookUp(PersonalArguments):
    """The arguments of `get_booking` and `cancel_booking`."""

    reference: Annotated[str, up_to(40), CLEAN] = Field(
        description="`WG-` and eight characters; one of another shape is tried too"
    )
    surname_or_email: Annotated[str, up_to(254), CLEAN] = Field(
        description="As the guest wrote it; of a booking made here, the one they booked under"
    )
