"""Amounts of every kind of currency: how they are written in files, by guests and to guests."""

from datetime import date
from decimal import Decimal

import pytest
from tables import table

from wavegraph.tools.hotel import currency
from wavegraph.tools.hotel.answers.amounts import amount
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.property.seed import demo_property
from wavegraph.tools.hotel.reading.message import read
from wavegraph.tools.hotel.reading.money import Budget, read_money
from wavegraph.tools.hotel.reading.normalise import fold

WRITTEN = [
    (130_000, "ILS", "en", "1,300 NIS"), (130_050, "ILS", "he", "1,300.50 ש״ח"), (45_905, "EUR", "en", "459.05 EUR"),
    (123_450, "USD", "he", "1,234.50 USD"), (15_000, "JPY", "en", "15,000 JPY"), (45_500, "KWD", "en", "45.500 KWD"),
    (45_000, "KWD", "en", "45 KWD"), (0, "EUR", "en", "0 EUR"), (1_250_000, "VND", "en", "1,250,000 VND"),
]  # fmt: skip


@table(("minor_units", "code", "language", "text"), WRITTEN)
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


@table(("text", "code", "minor_units"), EXACT)
def test_an_amount_of_a_file(text: str, code: str, minor_units: int) -> None:
    assert currency.exact(text, code) == minor_units


@table(("text", "code"), REFUSED)
def test_an_amount_of_a_file_that_may_mean_something_else(text: str, code: str) -> None:
    with pytest.raises(ValueError, match="is not an amount in"):
        currency.exact(text, code)


NUMBERS = [
    ("1,234.50", "EUR", "1234.50"), ("1.234,50", "EUR", "1234.50"), ("1.234", "EUR", "1234"), ("1,234", "KWD", "1234"), ("45.505", "KWD", "45.505"),
    ("1.234,505", "KWD", "1234.505"), ("1 234", "EUR", "1234"), ("1’234.50", "CHF", "1234.50"), ("20.000", "JPY", "20000"), ("45,5", "EUR", "45.5"),
]  # fmt: skip


@table(("text", "code", "value"), NUMBERS)
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


@table(("text", "own", "budget"), BUDGETS)
def test_a_budget_is_in_the_currency_named_or_in_the_hotel_s(text: str, own: str, budget: Budget | None) -> None:
    found = read_money(text, own).budget
    assert (found and found[:3]) == (budget and budget[:3])


FOREIGN = [
    ("under 3000 rand", "EUR", "ZAR"), ("under 900 won", "USD", "KRW"), ("up to 800 ringgit", "SGD", "MYR"), ("under 300 lei", "EUR", "RON"),
    ("max 900000 rupiah", "AUD", "IDR"), ("3000 baht a night", "EUR", "THB"), ("עד 3000 באט", "EUR", "THB"), ("עד 200 לירות שטרלינג", "ILS", "GBP"),
    ("עד 300 דולר קנדי", "USD", "CAD"), ("עד 300 דולרים קנדיים", "CAD", "CAD"), ("עד 70 דינר ירדני", "KWD", "JOD"), ("עד 900 לירות מצריות", "GBP", "EGP"),
    ("under 300 Canadian dollars", "USD", "CAD"), ("under 300 canadian dollars", "CAD", "CAD"), ("300 US dollars", "CAD", "USD"),
    ("under 200 Egyptian pounds", "GBP", "EGP"), ("under 200 egyptian pounds", "EGP", "EGP"), ("up to 90 Jordanian dinars", "KWD", "JOD"),
    ("under 9000 Pakistani rupees", "INR", "PKR"), ("under 900 French francs", "CHF", "XXX"), ("under 200 Swiss francs", "CHF", "CHF"),
    ("200 New Zealand dollars", "AUD", "NZD"), ("300 Ruritanian dollars", "USD", "XXX"), ("200 new israeli shekels", "ILS", "ILS"),
    ("under S$300", "USD", "SGD"), ("under s$ 300", "SGD", "SGD"), ("HK$ 900", "USD", "HKD"), ("NZ$200 max", "AUD", "NZD"), ("Q$200", "USD", "XXX"),
    ("under 200 pounds sterling", "EGP", "EGP"), ("under 3000 rands", "ZAR", "ZAR"), ("up to 500 dollars", "SGD", "SGD"),
    ("up to 500 dollars a night", "USD", "USD"), ("500 more dollars", "USD", None), ("we won 2 nights", "EUR", None),
]  # fmt: skip


@table(("text", "own", "code"), FOREIGN)
def test_a_foreign_currency_is_distinguished_from_the_hotel_s(text: str, own: str, code: str | None) -> None:
    found = read_money(fold(text), own).budget
    assert (found and found.currency) == code


SPELT = [
    ("up to 1 200 euros", "EUR", 120_000), ("up to 1\u202f200,50 €", "EUR", 120_050), ("1\u2009200 euros", "EUR", 120_000), ("1\xa0200 € max", "EUR", 120_000),
    ("under CHF 1'200.-", "CHF", 120_000), ("chf 1’200.50", "CHF", 120_050), ("Rs 1,00,000", "INR", 10_000_000), ("under rs. 12,50,000 a night", "INR", 125_000_000),
    ("we can pay 1 200 euros", "EUR", 120_000), ("may 14 200 euros", "EUR", 20_000), ("for 2 200 euros", "EUR", 20_000), ("up to 250,- €", "EUR", 25_000),
]  # fmt: skip


@table(("text", "own", "amount"), SPELT)
def test_an_amount_is_grouped_as_its_country_does(text: str, own: str, amount: int) -> None:
    found = read_money(fold(text), own).budget
    assert (found and found.amount_agorot) == amount


FLOORS = [
    ("at least 200 euros a night", None, "at least 200 euros"), ("more than 200 euros", None, "more than 200 euros"), ("from €200 a night", None, "from €200"),
    ("200 euros or more", None, "200 euros or more"), ("לפחות 200 אירו ללילה", None, "לפחות 200 אירו"), ("not more than 200 euros", 20_000, ""),
    ("between 150 and 200", 20_000, "150"), ("between 150 and 200 euros a night", 20_000, "150"), ("150-200 euros", 20_000, "150"),
    ("budget 150 to 200", 20_000, "150"), ("בין 150 ל-200 אירו", 20_000, "150"), ("at least 150, at most 200 euros", 20_000, "at least 150"),
    ("100-150 a night", 15_000, "100"), ("room 200 or more", None, ""), ("from 2027 on", None, ""), ("within 200 meters of the sea", None, ""),
    ("at least 2 nights", None, ""), ("from 200 people", None, ""), ("February 9-11 2027, under 130 euros", 13_000, ""), ("2027 - 200 euros", 20_000, ""),
]  # fmt: skip


@table(("text", "most", "floor"), FLOORS)
def test_the_least_a_guest_would_pay_is_no_maximum(text: str, most: int | None, floor: str) -> None:
    found = read_money(fold(text), "EUR", text)
    assert (found.budget and found.budget.amount_agorot, found.floor) == (most, floor)


NIGHTLY = [
    ("February 9-11 2027, under 130 euros a night", "EUR"), ("under 130 euros a night, February 9-11 2027", "EUR"),
    ("9-11 בפברואר 2027, עד 130 אירו ללילה", "EUR"), ("February 9-11 2027, under 40.950 KWD a night", "KWD"),
    ("February 9-11 2027 under £90 per night", "GBP"), ("February 9-11 2027, $150/night", "CAD"), ("February 9-11 2027, at least 90 euros a night", "EUR"),
    ("February 9-11 2027, 150 to 200 euros each night", "EUR"), ("February 9-11 2027, 3000 rand nightly", "EUR"),
]  # fmt: skip


@table(("text", "own"), NIGHTLY)
def test_what_a_night_may_cost_is_no_length_of_the_stay(text: str, own: str) -> None:
    profile = PropertyProfile(demo_property().record.model_copy(update={"currency": own}))
    found = read(text, today=date(2026, 11, 22), profile=profile)
    stays = [(stay.check_in, stay.check_out) for phrase in found.dates for stay in phrase.resolution.stays]
    assert stays == [(date(2027, 2, 9), date(2027, 2, 11))]
    assert found.budget is None or found.budget.per == "night"
    assert found.budget or found.floor


def test_a_foreign_amount_is_kept_as_the_guest_wrote_it() -> None:
    found = read_money("under 300 canadian dollars a night", "USD", "Under 300 Canadian dollars a night")
    assert found.budget == Budget(30_000, "night", "CAD", "300 Canadian dollars")
