"""Which free stays are named in place of a full one, and in which order."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st
from tables import table

from wavegraph.tools.hotel.answers.alternatives import MOST, best_alternatives, every_alternative
from wavegraph.tools.hotel.records import OpenStay, OpenStays
from wavegraph.tools.hotel.results import Ends

HANUKKAH = (date(2026, 12, 4), date(2026, 12, 12))


def days(text: str) -> Ends:
    """`4-6`: days of December 2026."""
    first, last = text.split("-")
    return date(2026, 12, int(first)), date(2026, 12, int(last))


def open_stays(*spans: str) -> OpenStays:
    stays = [
        OpenStay(
            check_in=days(span)[0],
            check_out=days(span)[1],
            nights=1,
            from_agorot=50_000,
            per_night_agorot=50_000,
            room_type="DBL",
            room_name="Double Room",
            room_name_he="חדר זוגי",
            rate_plan="BAR",
            board="BB",
            refundable=False,
            cancel_until=None,
        )
        for span in spans
    ]
    return OpenStays(from_date=HANUKKAH[0], to_date=HANUKKAH[1], nights=1, adults=2, children_ages=[], stays=stays)


def named(found: list[OpenStays], asked: Ends, holiday: Ends | None) -> list[str]:
    every = every_alternative(found, asked, holiday)
    return [f"{each.ends[0].day}-{each.ends[1].day}" for each in best_alternatives(every, asked, holiday)]


CASES = [
    ("the longest inside a holiday first, nothing that one of them holds",
     ("7-10", "8-11", "9-12", "4-6", "7-9", "8-10", "10-12"), HANUKKAH, HANUKKAH, ["7-10", "9-12", "4-6"]),
    ("longer ones that hold the night, then other nights, outside the holiday last",
     ("3-5", "4-6", "7-8", "8-9", "9-10"), days("4-5"), HANUKKAH, ["4-6", "7-8", "8-9", "9-10", "3-5"]),
    ("as many nights elsewhere in the holiday before fewer of those asked for",
     ("4-6", "7-9", "7-12"), days("4-9"), HANUKKAH, ["7-12", "4-6"]),
    ("the part of the stay that is free, though other nights of the holiday overlap it",
     ("6-9", "5-7", "5-8"), days("4-8"), HANUKKAH, ["5-8"]),
    ("a part of the stay beside as many nights that hold most of it",
     ("6-10", "5-8", "5-7"), days("4-8"), HANUKKAH, ["6-10", "5-8"]),
    ("both sides of a full day", ("24-25", "26-27"), days("25-26"), None, ["24-25", "26-27"]),
    ("the part of the stay that is free, though a shifted stay holds it too",
     ("23-25", "24-25"), days("24-26"), None, ["24-25", "23-25"]),
    ("five at most", ("8-9", "9-10", "10-11", "12-13", "13-14", "14-15"), days("11-12"), None,
     ["10-11", "12-13", "9-10", "13-14", "8-9"]),
    ("nothing free", (), days("4-5"), HANUKKAH, []),
]  # fmt: skip


@table(("spans", "asked", "holiday", "expected"), [case[1:] for case in CASES])  # fmt: skip
def test_order(spans: tuple[str, ...], asked: Ends, holiday: Ends | None, expected: list[str]) -> None:
    assert named([open_stays(*spans)], asked, holiday) == expected


@given(st.lists(st.tuples(st.integers(1, 25), st.integers(1, 4)), max_size=12), st.integers(1, 20), st.integers(1, 8))
def test_few_and_none_twice(found: list[tuple[int, int]], first: int, nights: int) -> None:
    asked = (date(2026, 12, first), date(2026, 12, first) + timedelta(days=nights))
    spans = [f"{day}-{day + length}" for day, length in found]
    chosen = named([open_stays(span) for span in spans], asked, None)
    assert len(chosen) == len(set(chosen)) <= MOST
    assert set(chosen) <= set(spans)
    assert bool(chosen) == bool(spans)
