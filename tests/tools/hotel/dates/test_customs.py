"""What the same words mean in hotels of other countries: weekends, churches, weeks, the order of figures."""

from dataclasses import dataclass, field
from datetime import date

import pytest
from tables import table

from wavegraph.tools.hotel.dates import Customs, find_dates, holiday, resolve
from wavegraph.tools.hotel.dates.records import Church

FRIDAY = date(2026, 11, 20)


@dataclass(frozen=True)
class Case:
    hint: str
    stay: str
    customs: Customs = field(default_factory=Customs)


GREEK: Customs = {"country": "GR"}
CASES = [
    Case("Easter", "2027-04-30 2027-05-03", GREEK),
    Case("Easter", "2027-03-26 2027-03-29", {"country": "DE"}),
    Case("Easter", "2027-04-30 2027-05-03", {"country": "LB", "church": "orthodox"}),
    Case("Easter", "2027-03-26 2027-03-29", {"country": "GR", "church": "western"}),
    Case("Easter", "2027-04-30 2027-05-03", {"country": "US", "home": "CY"}),
    Case("Catholic Easter", "2027-03-26 2027-03-29", GREEK),
    Case("Western Easter", "2027-03-26 2027-03-29", {"country": "RO"}),
    Case("Orthodox Easter", "2027-04-30 2027-05-03", {"country": "DE"}),
    Case("פסחא", "2027-04-30 2027-05-03", GREEK),
    Case("הפסחא הקתולית", "2027-03-26 2027-03-29", GREEK),
    Case("Good Friday", "2027-04-30 2027-05-01", GREEK),
    Case("Catholic Good Friday", "2027-03-26 2027-03-27", GREEK),
    Case("Easter Sunday", "2027-05-02 2027-05-03", GREEK),
    Case("Easter Monday", "2027-05-03 2027-05-04", GREEK),
    Case("Palm Sunday", "2027-04-25 2027-04-26", GREEK),
    Case("Holy Week", "2027-04-25 2027-05-02", GREEK),
    Case("Pentecost", "2027-06-20 2027-06-21", GREEK),
    Case("Whit Monday", "2027-06-21 2027-06-22", GREEK),
    Case("Clean Monday", "2027-03-15 2027-03-16", GREEK),
    Case("next weekend", "2026-11-27 2026-11-29", GREEK),
    Case("next weekend", "2026-11-26 2026-11-28", {"country": "KW"}),
    Case("next weekend", "2026-11-26 2026-11-28", {"country": "US", "home": "IL"}),
    Case("next weekend", "2026-11-27 2026-11-30", {"country": "US", "weekend_nights": [4, 5, 6]}),
    Case("first weekend of March", "2027-03-06 2027-03-08", {"country": "US", "weekend_nights": [5, 6]}),
    Case("first weekend of March", "2027-03-05 2027-03-07", GREEK),
    Case("Labor Day weekend", "2027-09-03 2027-09-06", {"country": "US", "home": "IL", "weekend_nights": [3, 4]}),
    Case("Passover 2027", "2027-04-21 2027-04-29", GREEK),
    Case("Passover 2027", "2027-04-21 2027-04-28", {"country": "IL"}),
    Case("Independence Day", "2027-03-25 2027-03-26", GREEK),
    Case("2/7 - 2/9", "2027-02-07 2027-02-09", {"country": "JP"}),
    Case("7/2 - 9/2", "2027-02-07 2027-02-09", GREEK),
]


@table("case", CASES)
def test_words_for_dates(case: Case) -> None:
    for stays in (
        resolve(case.hint, today=FRIDAY, **case.customs).stays,
        find_dates(f"a room for {case.hint}", today=FRIDAY, **case.customs)[0].resolution.stays,
    ):
        (stay,) = stays
        assert f"{stay.check_in} {stay.check_out}" == case.stay


def test_a_holiday_looked_up_by_name_is_the_same() -> None:
    for name in ("Easter", "Orthodox Easter"):
        (stay,) = holiday(name, today=FRIDAY, country="US", home="GR").stays
        assert stay.check_in == date(2027, 4, 30)


CHURCHES = [
    ("Catholic Pentecost 2027", "2027-05-16"), ("Western Ascension 2027", "2027-05-06"), ("Greek Whit Monday 2027", "2027-06-21"),
    ("Orthodox Ascension Day 2027", "2027-06-10"), ("Greek Clean Monday 2027", "2027-03-15"), ("Catholic Clean Monday 2027", "2027-02-08"),
    ("Easter 2027 (Catholic)", "2027-03-26"), ("Easter 2027, the catholic one", "2027-03-26"), ("Easter, the orthodox one", "2027-04-30"),
    ("Easter (Orthodox) 2027", "2027-04-30"), ("Pentecost 2027 (Greek)", "2027-06-20"), ("Easter Monday, the Western one", "2027-03-29"),
    ("פסחא הקתולי", "2027-03-26"), ("פסחא הקתולית 2027", "2027-03-26"), ("פסחא המערבי", "2027-03-26"), ("חג הפסחא האורתודוקסי", "2027-04-30"),
]  # fmt: skip


@table(("text", "arrival"), CHURCHES)
def test_a_church_named_with_a_feast_is_the_one_meant(text: str, arrival: str) -> None:
    churches: tuple[Church, ...] = ("western", "orthodox")
    for church in churches:
        (found,) = find_dates(f"a room for {text}", today=date(2026, 11, 22), country="DE", home="DE", church=church)
        assert (found.text, str(found.resolution.stays[0].check_in)) == (text, arrival)


@pytest.mark.parametrize(
    ("text", "western", "orthodox"),
    [
        ("בחג הפסחא", "2027-03-26", "2027-04-30"),
        ("הפסחא", "2027-03-26", "2027-04-30"),
        ("בחג הפסח", "2027-04-21", "2027-04-21"),
        ("Easter 2027, Roman suite", "2027-03-26", "2027-04-30"),
    ],
)
def test_a_feast_without_a_church_is_the_hotel_s(text: str, western: str, orthodox: str) -> None:
    churches: tuple[tuple[Church, str], ...] = (("western", western), ("orthodox", orthodox))
    for church, arrival in churches:
        (found,) = find_dates(text, today=date(2026, 11, 22), country="DE", home="DE", church=church)
        assert str(found.resolution.stays[0].check_in) == arrival
