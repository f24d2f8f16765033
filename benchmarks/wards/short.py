"""Twelve wards that cannot be kept: ordinary ones, each with one thing that somebody has overlooked.

Each function changes a ward that can be kept, and returns why it cannot be any more.
"""

from collections.abc import Callable
from datetime import date, timedelta

from benchmarks.wards.draw import WEEKEND, Row, Ward, away, draw, hours_given, minutes_asked, needs, period


def holders(ward: Ward, skill: str) -> list[Row]:
    return [one for one in ward["nurses"] if skill in one["skills"]]


def first_day(ward: Ward, weekday: int, nth: int) -> date:
    """The nth such weekday of the period; 0 is a Monday."""
    days: list[date] = [day for day in period(ward) if day.weekday() == weekday]
    return days[nth - 1]


def send_away(ward: Ward, nurses: list[Row], first: date, days: int, paid: bool = True) -> None:
    """Leave for these nurses; what they wished for or had settled on these days is gone."""
    names = {one["id"] for one in nurses}
    block = [first + timedelta(days=i) for i in range(days)]
    gone = away(ward)
    for name in sorted(names):
        ward["leave"] += [
            {"nurse": name, "day": day} | ({} if paid else {"paid": False}) for day in block if (name, day) not in gone
        ]
    for field in ("wishes", "locked"):
        ward[field] = [row for row in ward[field] if row["nurse"] not in names or row.get("day") not in block]
    parts = [row for row in ward["leave"] if "shift" in row and row["nurse"] in names and row["day"] in block]
    ward["leave"] = [row for row in ward["leave"] if row not in parts]


def charge_nurses_at_a_course(ward: Ward) -> str:
    saturday = first_day(ward, 5, 2)
    send_away(ward, holders(ward, "charge")[2:], saturday, 2)
    return f"On the weekend of {saturday} two are left who can be in charge, of six shifts"


def everybody_with_a_skill_away(ward: Ward) -> str:
    skill, monday = ward["skills"][-1], first_day(ward, 0, 3)
    send_away(ward, holders(ward, skill), monday, 3)
    return f"All who can do {skill} are on leave from {monday} for three days, and each early shift needs one"


def two_for_all_nights(ward: Ward) -> str:
    first, second, *_ = holders(ward, "charge")
    for one in ward["nurses"]:
        by_nights = one in (first, second)
        one["contract"].pop("max_nights", None)
        one["contract"] |= {"max_shifts": {"E": 0, "L": 0}, "min_minutes": 0} if by_nights else {"max_nights": 0}
    for row, _ in needs(ward):
        if row["shift"] == "N":
            row |= {"minimum": 1, "target": 1}
    send_away(ward, [second], first_day(ward, 0, 2), 7)
    return f"Two nurses work all nights, and {second['id']} is away for a week"


def hours_that_cannot_be_worked_off(ward: Ward) -> str:
    one = ward["nurses"][2]
    send_away(ward, [one], ward["start"], 24, paid=False)
    least = one["contract"]["min_minutes"] // 60
    return f"{one['id']} comes back from unpaid leave for the last week, and {least} h are the least of her contract"


def some_have_left(ward: Ward) -> str:
    left = []
    while minutes_asked(ward) < sum(most_minutes(ward, one) for one in ward["nurses"]) + 1200:
        left.append(ward["nurses"].pop(5)["id"])
    for field in ("leave", "wishes", "locked"):
        ward[field] = [row for row in ward[field] if row["nurse"] not in left]
    ward["pairs"] = [row for row in ward["pairs"] if not {row["first"], row["second"]} & set(left)]
    return f"{' and '.join(left)} have left, and the hours of the others do not cover the shifts"


def most_minutes(ward: Ward, one: Row) -> float:
    """The most minutes that she can work by contract, with her leave taken off."""
    contract = one["contract"]
    return hours_given(ward, one) + float(contract["max_minutes"] - contract["target_minutes"])


def two_in_charge_by_night(ward: Ward) -> str:
    return f"{left_to_two_in_charge(ward, 'max_nights', 12)} alone work nights, twelve each"


def two_in_charge_at_weekends(ward: Ward) -> str:
    return f"{left_to_two_in_charge(ward, 'max_weekends', 2)} alone work at weekends, two each"


def left_to_two_in_charge(ward: Ward, field: str, most: int) -> str:
    """Let two of those in charge work this at most so often, and the others never; say which two."""
    charge = holders(ward, "charge")
    for at, one in enumerate(charge):
        one["contract"][field] = most if at < 2 else 0
    return f"Of those in charge {charge[0]['id']} and {charge[1]['id']}"


def christmas_for_all(ward: Ward) -> str:
    send_away(ward, ward["nurses"][7:], ward["start"].replace(day=24), 3)
    return "All but seven nurses have been granted leave from 24 to 26 December"


def course_on_the_same_days(ward: Ward) -> str:
    skill, wednesday = ward["skills"][-1], first_day(ward, 2, 2)
    days, gone = [wednesday, wednesday + timedelta(days=7)], away(ward)
    ward["locked"] = [
        {"nurse": one["id"], "day": day, "shift": "L"}
        for one in holders(ward, skill)
        for day in days
        if (one["id"], day) not in gone
    ]
    return f"On two Wednesdays all who can do {skill} are settled on the late shift, and the early one needs one"


def saturday_clinic(ward: Ward) -> str:
    skill = ward["skills"][-1]
    first, second, *others = holders(ward, skill)
    for one in others:
        one["skills"].remove(skill)
    ward["demand"] = [row for row in ward["demand"] if row.get("skill") != skill]
    clinic = {"weekdays": ["saturday"], "shift": "S", "minimum": 1, "target": 1}
    ward["demand"] += [clinic, clinic | {"skill": skill, "over_weight": 0}]
    for day in period(ward):
        if day.weekday() == 5:
            send_away(ward, [first], day, 1, paid=False)
    second["contract"]["max_weekends"] = 2
    return (
        f"The clinic of Saturdays needs {skill}: {first['id']} never works on Saturdays, {second['id']} on two weekends"
    )


def tired_from_the_month_before(ward: Ward) -> str:
    gone = away(ward)
    here = [one for one in holders(ward, "charge") if (one["id"], ward["start"]) not in gone]
    for one in here[1:]:
        one["history"]["tail"][-7:] = [None, *["E"] * 6]
    return f"All in charge but {here[0]['id']} have worked six days up to the last one before, and six are the most"


def clocks_go_forward(ward: Ward) -> str:
    sunday = first_day(ward, 6, 5)
    saturday, gone = sunday - timedelta(days=1), away(ward)
    heads = {row["shift"]: row["minimum"] for row, _ in needs(ward) if row["weekdays"] == WEEKEND}
    here = [one for one in ward["nurses"] if not gone & {(one["id"], saturday), (one["id"], sunday)}]
    send_away(ward, here[2 * heads["D"] + heads["N"] - 1 :], saturday, 2)
    return f"In the night to {sunday} the clocks go forward: who works the long day before cannot work the next one"


# What is overlooked, and the ward before it: size, first day, shifts, and the number that the ward's habits follow from.
SHORT: list[tuple[Callable[[Ward], str], int, date, str, int]] = [
    (charge_nurses_at_a_course, 16, date(2026, 5, 1), "three", 11),
    (everybody_with_a_skill_away, 22, date(2026, 9, 1), "four", 9),
    (two_for_all_nights, 13, date(2027, 1, 1), "three", 20),
    (hours_that_cannot_be_worked_off, 18, date(2026, 6, 1), "three", 23),
    (some_have_left, 12, date(2026, 10, 1), "two", 15),
    (two_in_charge_by_night, 13, date(2027, 4, 1), "three", 8),
    (two_in_charge_at_weekends, 20, date(2026, 7, 1), "two", 20),
    (christmas_for_all, 18, date(2026, 12, 1), "three", 11),
    (course_on_the_same_days, 18, date(2027, 2, 1), "three", 29),
    (saturday_clinic, 24, date(2026, 8, 1), "four", 9),
    (tired_from_the_month_before, 17, date(2027, 7, 1), "three", 20),
    (clocks_go_forward, 21, date(2025, 3, 1), "twelve", 11),
]


def short(number: int) -> Ward:
    """The ward of this number, 1 to 12, of those that cannot be kept; its `note` says why."""
    ward, overlook = before(number), SHORT[number - 1][0]
    return {"note": f"Cannot be kept: {overlook(ward)}."} | ward


def before(number: int) -> Ward:
    """The ward before something was overlooked. Its contracts are for the month itself: no bound has to be scaled."""
    _, size, start, system, habits = SHORT[number - 1]
    ward = draw(f"Short {number:02}", size, start, system, habits)
    for contract in (one["contract"] for one in ward["nurses"]):
        period = contract.pop("per_days", ward["days"])
        for field in ("min_minutes", "max_minutes", "target_minutes"):
            contract[field] = round(contract[field] * ward["days"] / period)
    return ward
