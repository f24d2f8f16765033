"""Amounts of every kind of currency: how they are written in files, by guests and to guests."""

from decimal import Decimal

import pytest

from wavegraph.tools.hotel import currency
from wavegraph.tools.hotel.answers.money import amount
from wavegraph.tools.hotel.reading.money import Budget, read_budget

WRITTEN = [
    (130_000, "ILS", "en", "1,300 NIS"), (130_050, "ILS", "he", "1,300.50 ש״ח"), (45_905, "EUR", "en", "459.05 EUR"),
    (123_450, "USD", "he", "1,234.50 USD"), (15_000, "JPY", "en", "15,000 JPY"), (45_500, "KWD", "en", "45.500 KWD"),
    (45_000, "KWD", "en", "45 KWD"), (0, "EUR", "en", "0 EUR"), (1_250_000, "VND", "en", "1,250,000 VND"),
]  # fmt: skip


@pytest.mark.parametrize(("minor_units", "code", "language", "text"), WRITTEN)
def test_an_amount_as_a_guest_reads_it(minor_units: int, code: str, language: str, text: str) -> None:
    assert amount(minor_units, code, language) == text


EXACT = [
    ("450", "EUR", 45_000), ("450.5", "EUR", 45_050), ("1,450.55", "EUR", 145_055), ("45000", "JPY", 45_000),
    ("45,000", "JPY", 45_000), ("45.505", "KWD", 45_505), ("45.5", "KWD", 45_500), ("0", "ILS", 0),
]  # fmt: skip
REFUSED = [
    ("12.345", "EUR"), ("1.200", "EUR"), ("450,50", "EUR"), ("1.200,50", "EUR"), ("100.5", "JPY"), ("100.0", "JPY"), ("45.5055", "KWD"),
    ("-5", "EUR"), ("€450", "EUR"), ("450.", "EUR"), ("4,50,000", "INR"), ("", "EUR"), ("NaN", "EUR"), ("1e3", "EUR"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "minor_units"), EXACT)
def test_an_amount_of_a_file(text: str, code: str, minor_units: int) -> None:
    assert currency.exact(text, code) == minor_units


@pytest.mark.parametrize(("text", "code"), REFUSED)
def test_an_amount_of_a_file_that_may_mean_something_else(text: str, code: str) -> None:
    with pytest.raises(ValueError, match="is no amount in"):
        currency.exact(text, code)


NUMBERS = [
    ("1,234.50", "EUR", "1234.50"), ("1.234,50", "EUR", "1234.50"), ("1.234", "EUR", "1234"), ("1,234", "KWD", "1234"), ("45.505", "KWD", "45.505"),
    ("1.234,505", "KWD", "1234.505"), ("1 234", "EUR", "1234"), ("1’234.50", "CHF", "1234.50"), ("20.000", "JPY", "20000"), ("45,5", "EUR", "45.5"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "value"), NUMBERS)
def test_a_number_as_models_and_guests_write_it(text: str, code: str, value: str) -> None:
    assert currency.number(text, code) == Decimal(value)


BUDGETS = [
    ("under 200 euros", "EUR", Budget(20_000, "stay", "EUR")), ("€200", "EUR", Budget(20_000, "stay", "EUR")),
    ("200 eur max", "EUR", Budget(20_000, "stay", "EUR")), ("$150 a night", "USD", Budget(15_000, "night", "USD")),
    ("$150 a night", "CAD", Budget(15_000, "night", "CAD")), ("$150 a night", "EUR", Budget(15_000, "night", "USD")),
    ("¥20000", "JPY", Budget(20_000, "stay", "JPY")), ("¥200", "CNY", Budget(20_000, "stay", "CNY")),
    ("under 500 shekels", "EUR", Budget(50_000, "stay", "ILS")), ("up to 45.5 dinars", "KWD", Budget(45_500, "stay", "KWD")),
    ("up to 45.5 dinars", "JOD", Budget(45_500, "stay", "JOD")), ("under 90 a night", "EUR", Budget(9_000, "night", "EUR")),
    ("under 50", "KWD", Budget(50_000, "stay", "KWD")), ("under 50", "EUR", None), ("under €1.200", "EUR", Budget(120_000, "stay", "EUR")),
    ("עד 300 אירו", "EUR", Budget(30_000, "stay", "EUR")), ("עד 1000 ש\"ח", "EUR", Budget(100_000, "stay", "ILS")),
    ("chf 250 max", "EUR", Budget(25_000, "stay", "CHF")), ("up to 2k", "USD", Budget(200_000, "stay", "USD")),
    ("we try 5 nights", "TRY", None), ("all 3 rooms", "ALL", None), ("500 lira", "TRY", Budget(50_000, "stay", "TRY")),
    ("around 12 of us", "KWD", None), ("bags of 12 kgs", "EUR", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "own", "budget"), BUDGETS)
def test_a_budget_is_in_the_currency_named_or_in_the_house_s(text: str, own: str, budget: Budget | None) -> None:
    assert read_budget(text, own)[0] == budget
