"""An e-mail address or a phone number, in the ways that people write them."""

from dataclasses import dataclass

import pytest
from tables import table

from wavegraph.app.run.contact import BadContact, Contact


@dataclass(frozen=True)
class Case:
    contact: str
    text: str
    is_in: bool


CASES = [
    Case("dana@example.com", "Write to Dana@Example.COM, please", True),
    Case("DANA@example.com", "<dana@example.com>", True),
    Case("dana@example.com", "it is dana@example.com.", True),
    Case("dana@example.com", "yordana@example.com", False),
    Case("dana@example.com", "dana@example.com.au", False),
    Case("dana@example.com", "first.dana@example.com", False),
    Case("δανάη@example.gr", "ΔΑΝΆΗ@example.gr", True),
    Case("054-123-4567", "+972 54 123 4567", True),
    Case("+972541234567", "טלפון 054-1234567", True),
    Case("0541234567", "arriving 10 12 2027, call 054 123 45 67", True),
    Case("0541234567", "٠٥٤١٢٣٤٥٦٧", True),
    Case("0541234567", "0541234568", False),
    Case("0541234567", "4567", False),
    Case("+45 12 34 56 78", "12345678", True),
    Case("020 7946 0958", "+44 161 7946 0958", False),
    Case("+1 (212) 555-0142", "212.555.0142", True),
    Case("0541234567", "no number here", False),
]


@table("case", CASES)
def test_a_contact_is_found_however_it_is_written(case: Case) -> None:
    assert Contact.of(case.contact).is_in(case.text) is case.is_in


@table("text", ["", "Dana", "12345", "a@", "@b", "a@b@c", "dana @example.com", "1" * 16, "054x1234567"])
def test_what_is_no_contact_is_refused(text: str) -> None:
    with pytest.raises(BadContact, match="neither an e-mail address nor a phone number"):
        Contact.of(text)
