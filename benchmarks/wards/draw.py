"""Draw an ordinary ward: its people, leave, demand, rules and what was before. A ward follows from its number alone."""

import json
import math
import random
import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

Ward = dict[str, Any]
Row = dict[str, Any]

# Fewest and most nurses of a band, and how many wards it has.
BANDS = [(10, 14, 12), (15, 22, 16), (23, 32, 12), (33, 45, 10), (46, 60, 10)]
NAMES = re.findall(
    r"\w+",
    "Ada Ben Cleo Dan Eva Finn Gita Hugo Ines Jack Kira Liam Mona Nils Olga Paul Rosa Sami Tess Uri Vera Will Xenia "
    "Yara Zoe Alma Boris Clara David Elsa",
)
EVERY_DAY = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAYS, WEEKEND = EVERY_DAY[:5], EVERY_DAY[5:]
HOLIDAYS = {1: [1], 5: [1], 12: [25, 26]}

EARLY = {"id": "E", "name": "Early", "start": "07:00", "minutes": 480, "paid_minutes": 450}
LATE = {"id": "L", "name": "Late", "start": "14:30", "minutes": 480, "paid_minutes": 450}
NIGHT = {"id": "N", "name": "Night", "start": "22:00", "minutes": 570, "paid_minutes": 540, "night": True}
SHORT_DAY = {"id": "S", "name": "Short day", "start": "09:00", "minutes": 360}
MIDDLE = {"id": "M", "name": "Middle", "start": "10:00", "minutes": 480, "paid_minutes": 450}
LONG_DAY = {"id": "D", "name": "Long day", "start": "07:00", "minutes": 750, "paid_minutes": 690}
LONG_NIGHT = {"id": "N", "name": "Long night", "start": "19:00", "minutes": 750, "paid_minutes": 690, "night": True}
# The shifts of a ward, and what part of its heads a weekday wants on each; the short and middle ones rest at weekends.
SYSTEMS: dict[str, list[tuple[Row, float]]] = {
    "three": [(EARLY, 0.4), (LATE, 0.35), (NIGHT, 0.25)],
    "four": [(EARLY, 0.35), (SHORT_DAY, 0.1), (LATE, 0.32), (NIGHT, 0.23)],
    "five": [(EARLY, 0.32), (SHORT_DAY, 0.1), (MIDDLE, 0.1), (LATE, 0.28), (NIGHT, 0.2)],
    "twelve": [(LONG_DAY, 0.58), (LONG_NIGHT, 0.42)],
    "twelve and short": [(LONG_DAY, 0.5), (SHORT_DAY, 0.15), (LONG_NIGHT, 0.35)],
    "two": [(EARLY, 0.55), (LATE, 0.45)],
}
TURNS = ["three", "four", "twelve", "five", "three", "twelve and short", "four", "three", "two", "five"]


def flow(value: Any) -> str:
    """A value as YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(one) for one in value) + "]"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z][\w /-]*", value):
        return value
    return json.dumps(value)


def text(ward: Ward) -> str:
    """The ward as its file: a line for each row."""
    lines = [f"# {ward['note']}"] if "note" in ward else []
    for field, value in ward.items():
        if field == "note":
            continue
        rows = isinstance(value, list) and value and isinstance(value[0], dict)
        lines += [f"{field}:", *(f"  - {flow(row)}" for row in value)] if rows else [f"{field}: {flow(value)}"]
    return "\n".join(lines) + "\n"


def kept_size(number: int) -> int:
    for least, most, wards in BANDS:
        if number <= wards:
            return least + (most - least) * (number - 1) // (wards - 1)
        number -= wards
    raise ValueError(f"ward {number} is beyond the last band")


def kept(number: int) -> Ward:
    """The ward of this number, 1 to 60, of those that can be kept."""
    year, month = 2025 + number // 12 % 4, number * 5 % 12 + 1
    return draw(f"Ward {number:02}", kept_size(number), date(year, month, 1), TURNS[number % 10], number)


def draw(name: str, size: int, start: date, system: str, number: int) -> Ward:
    dice = random.Random(name)
    days = ((start + timedelta(days=31)).replace(day=1) - start).days
    shifts = [shift for shift, _ in SYSTEMS[system]]
    skills = ["RN"] + ["charge"] * (number % 7 != 3) + [["dialysis", "stoma", "chemo"][number % 3]] * (number % 4 == 1)
    ward: Ward = {"name": name, "start": start, "days": days, "time_zone": "Europe/London", "skills": skills}
    ward["shifts"] = [forbidding_days_after(shift, shifts) for shift in shifts]
    ward["nurses"] = [nurse(at, dice, system, number, days) for at in range(size)]
    ward["leave"] = leave(ward, dice)
    ward["demand"] = demand(ward, system, dice)
    share_skills(ward, number)
    share_nights(ward, number)
    share_weekends(ward)
    never(ward, number, dice)
    if number % 4 == 2 or number % 4 == 0:
        tails(ward, dice, 14 if number % 4 == 2 else 7)
    if number % 4 == 2:
        break_a_rule_before(ward, dice)
        count_what_was(ward, dice)
    ward["wishes"] = wishes(ward, dice)
    ward["locked"] = locked(ward, dice) if number % 3 == 0 else []
    ward["pairs"] = [{"first": "n02", "second": "n05", "together": number % 2 == 0, "weight": 3}] * (number % 5 == 0)
    ward["holidays"] = [start.replace(day=day) for day in HOLIDAYS.get(start.month, [])]
    ward["rules"] = rules(ward, system, number)
    return ward


def forbidding_days_after(shift: Row, shifts: list[Row]) -> Row:
    by_day = [other["id"] for other in shifts if "night" not in other]
    return shift | {"not_followed_by": by_day} if "night" in shift else shift


def nurse(at: int, dice: random.Random, system: str, number: int, days: int) -> Row:
    whole = [40, 37.5, 36][number % 3]
    hours = whole if at % 2 == 0 else dice.choice([32, 30, 28, 24, 24, 20, 16, 12])
    period = 28 if number % 2 else days
    target = round(hours * 60 * period / 7)
    slack = max(720 if "twelve" in system else 480, round(target * 0.06))
    contract = {"per_days": 28} if number % 2 else {}
    contract |= {"min_minutes": target - slack, "max_minutes": target + slack, "target_minutes": target}
    contract["max_run"] = 4 if "twelve" in system else 5
    if number % 20 == 3:
        contract["min_days_off"] = 2
    if number % 20 == 9:
        contract["leave_minutes"] = round(hours * 60 / 5)
    name = NAMES[at % len(NAMES)] + (" B" if at >= len(NAMES) else "")
    grade = "senior" if at % 4 == 0 else "bank" if at % 9 == 7 else "staff"
    return {"id": f"n{at + 1:02}", "name": name, "grade": grade, "skills": ["RN"], "contract": contract}


def span(first: date, last: date) -> list[date]:
    return [first + timedelta(days=i) for i in range((last - first).days + 1)]


def period(ward: Ward) -> list[date]:
    return span(ward["start"], ward["start"] + timedelta(days=ward["days"] - 1))


def away(ward: Ward) -> set[tuple[str, date]]:
    """Who has a whole day of leave, and when."""
    rows = [row for row in ward["leave"] if "shift" not in row]
    return {
        (row["nurse"], day)
        for row in rows
        for day in span(row.get("first", row.get("day")), row.get("last", row.get("day")))
    }


def leave(ward: Ward, dice: random.Random) -> list[Row]:
    """10 to 20 % of the nurse-days, in blocks, never more than a quarter of the nurses on one day."""
    days, nurses = period(ward), [one["id"] for one in ward["nurses"]]
    wanted, rows = dice.uniform(0.105, 0.19) * len(days) * len(nurses), []
    gone = dict.fromkeys(days, 0)
    waiting = dice.sample(nurses, len(nurses))
    while sum(gone.values()) < wanted and waiting:
        length = dice.choice([3, 5, 7, 7, 9, 14])
        first = dice.randrange(len(days) - length + 1)
        block = days[first : first + length]
        if all(gone[day] < math.ceil(len(nurses) / 4) for day in block):
            rows.append({"nurse": waiting.pop(), "first": block[0], "last": block[-1]})
            gone |= {day: gone[day] + 1 for day in block}
    return sorted(rows, key=lambda row: row["nurse"])


def hours_given(ward: Ward, one: Row) -> float:
    """Paid minutes of the period by contract, less those of paid leave."""
    weekdays = [day for day in period(ward) if day.weekday() < 5]
    hers = away({"leave": [row for row in ward["leave"] if row["nurse"] == one["id"]]})
    gone = [day for day in weekdays if (one["id"], day) in hers]
    return whole_minutes(ward, one) * (1 - len(gone) / len(weekdays))


def whole_minutes(ward: Ward, one: Row) -> float:
    """Paid minutes of the period by contract."""
    contract = one["contract"]
    return float(contract["target_minutes"] * ward["days"] / contract.get("per_days", ward["days"]))


def paid(shift: Row) -> int:
    return int(shift["paid_minutes"] if "paid_minutes" in shift else shift["minutes"])


def lengths(ward: Ward) -> dict[str, int]:
    """Paid minutes of each shift."""
    return {shift["id"]: paid(shift) for shift in ward["shifts"]}


def needs(ward: Ward) -> Iterator[tuple[Row, int]]:
    """Each demand without a skill, and on how many days of the period it stands."""
    for row in ward["demand"]:
        if "skill" not in row:
            yield row, sum(EVERY_DAY[day.weekday()] in row["weekdays"] for day in period(ward))


def minutes_asked(ward: Ward) -> int:
    by_id = lengths(ward)
    return sum(row["minimum"] * days * by_id[row["shift"]] for row, days in needs(ward))


def demand(ward: Ward, system: str, dice: random.Random) -> list[Row]:
    """Minimum cover that takes 80 to 95 % of what the contracts give; a target of one more on weekdays by day."""
    given = sum(hours_given(ward, one) for one in ward["nurses"])
    share = dice.uniform(0.82, 0.92)
    heads = share * given / sum(part * paid(shift) for shift, part in SYSTEMS[system]) / ward["days"]
    rows = []
    for shift, part in SYSTEMS[system]:
        least = max(1, round(heads * part * 1.07))
        rows.append({"weekdays": WEEKDAYS, "shift": shift["id"], "minimum": least, "target": least})
        if shift["id"] not in "SM":
            fewer = least if "night" in shift else max(1, round(heads * part * 0.8))
            rows.append({"weekdays": WEEKEND, "shift": shift["id"], "minimum": fewer, "target": fewer})
    ward["demand"] = rows
    fit(ward, rows, given * share)
    if minutes_asked(ward) < 0.8 * given:
        fit_finely(ward, rows, 0.95 * given)
    for row in rows:
        row["target"] = row["minimum"] + (row["weekdays"] == WEEKDAYS and row["shift"] in "ED" and dice.random() < 0.6)
    return rows


def fit(ward: Ward, rows: list[Row], wanted: float) -> None:
    """Take from the fullest or give to the emptiest row until no step comes nearer to the minutes wanted."""
    while True:
        error = minutes_asked(ward) - wanted
        step = 1 if error < 0 else -1
        tries = [row for row in rows if ordinary(rows, row, row["minimum"] + step)]
        row = (min if error < 0 else max)(tries, key=lambda one: one["minimum"], default=None)
        if row is None:
            return
        row["minimum"] += step
        if abs(minutes_asked(ward) - wanted) >= abs(error):
            row["minimum"] -= step
            return


def fit_finely(ward: Ward, rows: list[Row], most: float) -> None:
    """Give one more to the row that takes the least, if that is not too much."""
    tries = [need for need in needs(ward) if ordinary(rows, need[0], need[0]["minimum"] + 1)]
    row, _ = min(tries, key=lambda need: need[1])
    row["minimum"] += 1
    row["minimum"] -= minutes_asked(ward) > most


def ordinary(rows: list[Row], row: Row, least: int) -> bool:
    """Whether a row can ask for so many: some, and not more at weekends than on weekdays."""
    other = [one["minimum"] for one in rows if one["shift"] == row["shift"] and one is not row]
    return least > 0 and all(least <= one if row["weekdays"] == WEEKEND else least >= one for one in other)


def share_skills(ward: Ward, number: int) -> None:
    """Name those in charge and those with the ward's own skill: half as many hours more than are asked of them."""
    daily = {row["shift"] for row, _ in needs(ward)}
    by_id = lengths(ward)
    asked = sum(by_id[row["shift"]] * days for row, days in needs(ward))
    order = sorted(ward["nurses"], key=lambda one: -hours_given(ward, one))
    if "charge" in ward["skills"] and not give(ward, order, "charge", asked * 1.6):
        for one in ward["nurses"]:
            one["skills"].remove("charge")
        ward["skills"].remove("charge")
    for skill in ward["skills"]:
        if skill not in ("RN", "charge"):
            shift = ward["shifts"][0]["id"]
            give(ward, order[1:] + order[:1], skill, by_id[shift] * ward["days"] * 2)
            ward["demand"].append(
                {"weekdays": EVERY_DAY, "shift": shift, "skill": skill, "minimum": 1, "target": 1, "over_weight": 0}
            )
    if len(ward["nurses"]) >= 18 and number % 2:
        assistants(ward, daily)


def give(ward: Ward, order: list[Row], skill: str, wanted: float) -> bool:
    for one in order:
        if wanted <= 0:
            break
        one["skills"].append(skill)
        wanted -= hours_given(ward, one)
    return wanted <= 0


def assistants(ward: Ward, shifts: set[str]) -> None:
    """Every fifth nurse, without another skill, is an assistant; half of each shift has to be RN."""
    plain = [one for one in ward["nurses"] if one["skills"] == ["RN"]]
    for one in plain[: len(ward["nurses"]) // 5]:
        one |= {"grade": "assistant", "skills": []}
    for row, _ in list(needs(ward)):
        least = math.ceil(row["minimum"] / 2)
        ward["demand"].append(row | {"skill": "RN", "minimum": least, "target": least, "over_weight": 0})


def share_nights(ward: Ward, number: int) -> None:
    """Bound the nights of a nurse by six tenths more than a fair share; some wards have nurses for nights alone."""
    nights = sum(row["minimum"] * days for row, days in needs(ward) if row["shift"] == "N")
    night = next((shift for shift in ward["shifts"] if shift["id"] == "N"), None)
    if night is None:
        return
    if number % 3 == 1:
        nights -= permanent_nights(ward, night, nights)
    others = [one for one in ward["nurses"] if "max_shifts" not in one["contract"]]
    given = sum(hours_given(ward, one) for one in others)
    for one in others:
        one["contract"]["max_nights"] = max(2, math.ceil(1.6 * nights * whole_minutes(ward, one) / given))


def permanent_nights(ward: Ward, night: Row, nights: int) -> int:
    """Give one nurse in ten, up to half of the nights, to nights alone; return how many they work."""
    taken = 0.0
    by_day = {shift["id"]: 0 for shift in ward["shifts"] if "night" not in shift}
    for one in ward["nurses"][3 :: max(5, len(ward["nurses"]) // 4)]:
        works = hours_given(ward, one) / paid(night)
        if one["contract"]["target_minutes"] <= 32 * 60 * 31 / 7 and taken + works <= nights / 2:
            one["contract"]["max_shifts"] = by_day
            taken += works
    return int(taken)


def share_weekends(ward: Ward) -> None:
    """Half of the weekends, or three in five where that is too few."""
    heads = sum(row["minimum"] for row, _ in needs(ward) if row["weekdays"] == WEEKEND)
    for one in ward["nurses"]:
        one["contract"]["max_weekends"] = 2 if heads < 0.27 * len(ward["nurses"]) else 3


def never(ward: Ward, number: int, dice: random.Random) -> None:
    """What a nurse cannot do: Saturdays, lates, weekends, or lates on Wednesdays."""
    free = [one for one in ward["nurses"][5:] if "charge" not in one["skills"] and "max_shifts" not in one["contract"]]
    if not free:
        return
    one, gone = dice.choice(free), away(ward)
    days = [day for day in period(ward) if (one["id"], day) not in gone]
    if number % 6 == 0:
        ward["leave"] += [{"nurse": one["id"], "day": day, "paid": False} for day in days if day.weekday() == 5]
    elif number % 6 == 1 and any(shift["id"] == "L" for shift in ward["shifts"]):
        one["contract"]["max_shifts"] = {"L": 0}
    elif number % 6 == 2:
        one["contract"]["max_weekends"] = 0
    elif number % 6 == 3 and any(shift["id"] == "L" for shift in ward["shifts"]):
        ward["leave"] += [{"nurse": one["id"], "day": day, "shift": "L"} for day in days if day.weekday() == 2]


def works_nights(one: Row, ward: Ward) -> bool:
    return any(shift["id"] == "N" for shift in ward["shifts"]) and one["contract"].get("max_nights", 1) > 0


def tails(ward: Ward, dice: random.Random, length: int) -> None:
    """The last days before: runs of a shift and two or three days off. Who is on leave at once has had two days off."""
    gone, start = away(ward), ward["start"]
    for one in ward["nurses"]:
        row: list[str | None] = []
        while len(row) < length + 5:
            row += block(one, ward, dice)
        row = row[3 : length + 3]
        if (one["id"], start) in gone:
            row[-2:] = [None, None]
        one["history"] = {"tail": row}


def block(one: Row, ward: Ward, dice: random.Random) -> list[str | None]:
    allowed = [shift["id"] for shift in ward["shifts"] if one["contract"].get("max_shifts", {}).get(shift["id"], 1)]
    shift = dice.choice(allowed)
    longest = 3 if shift == "N" or "D" in allowed else 4
    return [shift] * dice.randint(2, longest) + [None] * (3 if shift == "N" else 2)


def break_a_rule_before(ward: Ward, dice: random.Random) -> None:
    """Two nurses of the published month worked eight days or four nights in a row, up to its last day."""
    gone = {name for name, day in away(ward) if day < ward["start"] + timedelta(days=2)}
    by_day = [one for one in ward["nurses"] if one["id"] not in gone and "max_shifts" not in one["contract"]]
    tired = dice.sample(by_day, 2)
    first = ward["shifts"][0]["id"]
    tired[0]["history"]["tail"][-9:] = [None, *[first] * 8]
    if any(shift["id"] == "N" for shift in ward["shifts"]):
        tired[1]["history"]["tail"][-6:] = [None, None, "N", "N", "N", "N"]


def count_what_was(ward: Ward, dice: random.Random) -> None:
    by_id = lengths(ward)
    for one in ward["nurses"]:
        history, target = one["history"], round(hours_given(ward, one) / ward["days"] * 30)
        nights = dice.randint(3, 6) if works_nights(one, ward) else 0
        minutes = target + dice.choice([-450, -90, 0, 60, 240])
        history |= {"nights": nights, "weekends": dice.randint(1, 3), "minutes": max(0, minutes)}
        history |= {"target_minutes": target, "days": 30, "assignments": max(0, minutes) // max(by_id.values())}


def wishes(ward: Ward, dice: random.Random) -> list[Row]:
    gone, rows = away(ward), []
    for one in ward["nurses"]:
        days = [day for day in period(ward) if (one["id"], day) not in gone]
        for day in sorted(dice.sample(days, min(len(days), dice.randint(0, 3 if len(ward["nurses"]) <= 45 else 1)))):
            wish: Row = {"nurse": one["id"], "day": day}
            if dice.random() < 0.4:
                wish["shift"] = dice.choice(ward["shifts"])["id"]
            rows.append(wish | {"wants": "shift" in wish and dice.random() < 0.6, "weight": dice.randint(1, 8)})
        if dice.random() < 0.08:
            rows.append({"nurse": one["id"], "weekdays": [dice.choice(WEEKDAYS)], "wants": False, "weight": 3})
    return rows


def locked(ward: Ward, dice: random.Random) -> list[Row]:
    """Up to three settled cells by day, of different nurses, in the middle of the month."""
    gone, shift = away(ward), ward["shifts"][0]["id"]
    rows = []
    for one in dice.sample(ward["nurses"], 3):
        day = ward["start"] + timedelta(days=dice.randint(9, 18))
        near = [(one["id"], day + timedelta(days=step)) for step in (-1, 0, 1)]
        if day.weekday() < 5 and not gone & set(near) and "max_shifts" not in one["contract"]:
            rows.append({"nurse": one["id"], "day": day, "shift": shift})
    return rows


def rules(ward: Ward, system: str, number: int) -> Row:
    chosen: Row = {"charge_skill": "charge"} if "charge" in ward["skills"] else {}
    chosen |= {"max_days_in_a_row": 4 if "twelve" in system else 6, "max_nights_in_a_row": 3 + (number % 8 == 0)}
    chosen |= {"rest_after_nights_hours": 46, "weekly_rest_hours": 35 if number % 5 else 36}
    if number % 5 == 2:
        chosen["runs"] = (
            [{"shifts": ["N"], "least": 2}] if system != "two" else [{"off": True, "least": 2, "weight": 5}]
        )
    if number % 6 == 4:
        chosen["forward_only"] = True
    if number % 8 == 5:
        chosen["leave_credit"] = "calendar"
    if number % 4 == 3:
        chosen["balanced"] = [{"shifts": [ward["shifts"][-1]["id"]], "weight": 5}]
    return chosen
