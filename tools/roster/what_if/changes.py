"""Changes of a ward as a person types them, and the wards that they make.

    add-nurse LIKE[, SKILL …]          with the contract of a nurse, by id or name, or of so many hours (`32h`) or percent
    drop-nurse NURSE                   and everything that is about her
    demand SHIFT [SKILL] [DAYS] N      N: `+1`, `-1`, or `2`; DAYS: `saturday`, `weekends`, `2026-12-07`, or `A..B`
    leave NURSE DAYS                   `no-leave` gives it up
    rules.FIELD=VALUE                  as the ward's file writes it; `NURSE.FIELD=VALUE` of a contract
    ward NAME                          another ward as a whole

Several of them, parted by `;`, are one change.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from pydantic import ValidationError

from wavegraph.graph.errors import ToolRefusal, error_text, explain
from wavegraph.tools.roster.told import english
from wavegraph.tools.roster.ward.contradictions import contradictions
from wavegraph.tools.roster.ward.expectations import did_you_mean
from wavegraph.tools.roster.ward.in_file import WEEKDAYS
from wavegraph.tools.roster.ward.names import nurse_named
from wavegraph.tools.roster.ward.ward import Contract, Demand, Leave, Nurse, Rules, Ward
from wavegraph.tools.roster.ward.workbook.kinds import BadCell, one_date

WEEK = 7
WEEKEND = ("saturday", "sunday")
MOST_CHANGES = 6
LONGEST = 200
"""Characters of a change."""
OtherWard = Callable[[str], Ward]
"""A known ward, or one of a file, for the same days."""

_COUNT = re.compile(r"[+-]?\d{1,3}")
_HOURS = re.compile(r"(\d{1,4}(?:\.\d{1,2})?)(h|%)")
_ASSIGNED = re.compile(r"([^\s=]{1,80})\s?=\s?(.{1,100})")


class NoChange(ToolRefusal):
    """A change that cannot be read, or does not fit the ward: told to whoever typed it."""

    def __init__(self, text: str, expected: str, *, outside: Sequence[date] = ()) -> None:
        """`outside`: the days of the ward, where it names others."""
        about = {"first": outside[0].isoformat(), "last": outside[-1].isoformat()} if outside else None
        code = "outside_period" if outside else "bad_change"
        super().__init__(code, f"cannot make the change {text[:LONGEST]!r}: {expected}", about=about)


def changed(ward: Ward, text: str, other: OtherWard) -> Ward:
    """The ward with a change. Raises ToolRefusal `bad_change`, naming what is expected."""
    parts = [part.strip() for part in text.split(";")]
    if len(text) > LONGEST or not all(parts):
        raise NoChange(text, f"expected 1 to {LONGEST} characters, several changes parted by `;`")
    for part in parts:
        ward = _one(ward, part, other)
    if faults := contradictions(ward):
        raise NoChange(text, str(faults[0]))
    return ward


def _one(ward: Ward, text: str, other: OtherWard) -> Ward:
    word, _, rest = text.partition(" ")
    if word in WORDS:
        return WORDS[word](ward, rest.strip(), text)
    if word == "ward":
        return other(rest.strip())
    if (found := _ASSIGNED.fullmatch(text)) and "." in found[1]:
        return _assigned(ward, found[1], found[2].strip(), text)
    known = ", ".join([*WORDS, "ward", "rules.FIELD=VALUE", "NURSE.FIELD=VALUE"])
    raise NoChange(text, f"expected one of {known}{english(did_you_mean(word, WORDS))}")


def _nurse(ward: Ward, name: str, text: str) -> Nurse:
    """By id, else by a name or a part of it that only one has."""
    try:
        return nurse_named(ward, name)
    except ToolRefusal as error:
        raise NoChange(text, error.message) from None


def _add_nurse(ward: Ward, rest: str, text: str) -> Ward:
    like, *skills = (part.strip() for part in rest.split(","))
    if not like or not all(skills):
        raise NoChange(text, "expected `add-nurse LIKE, SKILL, …`; LIKE is a nurse, `32h` or `75%`")
    taken = {nurse.id for nurse in ward.nurses}
    name = next(name for name in (f"new_{number}" for number in range(1, len(taken) + 2)) if name not in taken)
    if (hours := _HOURS.fullmatch(like)) is not None:
        new = Nurse(id=name, skills=skills, contract=_contract(ward, float(hours[1]), hours[2], text))
    else:
        model = _nurse(ward, like, text)
        new = Nurse(id=name, grade=model.grade, skills=skills or model.skills, contract=model.contract)
    return ward.changed(nurses=[*ward.nurses, new])


def _contract(ward: Ward, amount: float, unit: str, text: str) -> Contract:
    """So many hours a week, agreed and at most."""
    full = ward.rules.full_time_hours
    if unit == "%" and full is None:
        raise NoChange(
            text, "a percentage is of `rules.full_time_hours`, which the ward does not have: name hours (`32h`)"
        )
    hours = amount if unit == "h" else amount * (full or 0) / 100
    minutes = round(60 * hours * ward.days / WEEK)
    return Contract(target_minutes=minutes, max_minutes=minutes)


def _drop_nurse(ward: Ward, rest: str, text: str) -> Ward:
    gone = _nurse(ward, rest, text).id
    if len(ward.nurses) == 1:
        raise NoChange(text, "expected at least one nurse to stay")
    published = ward.published and ward.published.model_copy(
        update={"roster": {name: row for name, row in ward.published.roster.items() if name != gone}}
    )
    return ward.changed(
        nurses=[nurse for nurse in ward.nurses if nurse.id != gone],
        leave=[row for row in ward.leave if row.nurse != gone],
        wishes=[row for row in ward.wishes if row.nurse != gone],
        locked=[row for row in ward.locked if row.nurse != gone],
        pairs=[row for row in ward.pairs if gone not in (row.first, row.second)],
        published=published,
    )


def _demand(ward: Ward, rest: str, text: str) -> Ward:
    shift, *between, count = rest.split() if len(rest.split()) > 1 else ("", "")
    if shift not in {each.id for each in ward.shifts} or not _COUNT.fullmatch(count):
        known = ", ".join(each.id for each in ward.shifts)
        raise NoChange(text, f"expected `demand SHIFT [SKILL] [DAYS] N` with a shift of {known} and N such as -1 or 2")
    skill = between.pop(0) if between and between[0] in ward.skills else None
    days = _days(ward, " ".join(between), text)
    rows = [_with_count(row, count) if _is_of(row, shift, skill, days) else row for row in ward.demand]
    present = {row.day for row in ward.demand if _is_of(row, shift, skill, days)}
    new = [] if count.startswith("-") else [
        Demand(day=day, shift=shift, skill=skill, target=int(count)) for day in days if day not in present
    ]  # fmt: skip
    if not present and not new:
        raise NoChange(text, "nobody is wanted there, so nobody can be taken off")
    return ward.changed(demand=[*rows, *new])


def _is_of(row: Demand, shift: str, skill: str | None, days: Sequence[date]) -> bool:
    return (row.shift, row.skill) == (shift, skill) and row.day in days


def _with_count(row: Demand, count: str) -> Demand:
    """Minimum and target move together; to a number, the minimum only down."""
    if count[0] in "+-":
        minimum = row.minimum + int(count) if row.minimum else 0
        return row.model_copy(update={"minimum": max(0, minimum), "target": max(0, row.target + int(count))})
    return row.model_copy(update={"minimum": min(row.minimum, int(count)), "target": int(count)})


def _days(ward: Ward, words: str, text: str) -> list[date]:
    """Empty words = all days of the period."""
    whole = [ward.day(index) for index in range(ward.days)]
    if not words:
        return whole
    names = WEEKEND if words in ("weekend", "weekends") else tuple(words.replace(",", " ").split())
    if all(name in WEEKDAYS for name in names):
        found = [day for day in whole if WEEKDAYS[day.weekday()] in names]
    else:
        first, last = _span(ward, words, text)
        found = [day for day in whole if first <= day <= last]
    if not found:
        raise NoChange(text, f"expected days from {whole[0]} to {whole[-1]}; got {words!r}", outside=whole)
    return found


def _span(ward: Ward, words: str, text: str) -> tuple[date, date]:
    first, dots, last = words.partition("..")
    try:
        ends = [one_date(end.strip(), ward.start, ward.days) for end in (first, last if dots else first)]
    except BadCell as error:
        named = "`monday`, `weekends`, `2026-12-07` or `2026-12-07..2026-12-13`"
        raise NoChange(text, f"expected {named}; got {words!r}, expected {error_text(error)}") from None
    return date.fromisoformat(ends[0]), date.fromisoformat(ends[1])


def _leave(ward: Ward, rest: str, text: str) -> Ward:
    name, _, words = rest.rpartition(" ")
    nurse, days = _nurse(ward, name, text).id, _days(ward, words, text)
    cleared = _no_leave(ward, rest, text)
    wanted = [row for row in ward.wishes if not (row.nurse == nurse and row.day in days and row.wants)]
    locked = [row for row in ward.locked if not (row.nurse == nurse and row.day in days and row.shift)]
    rows = [Leave(nurse=nurse, day=day) for day in days]
    return ward.changed(leave=[*cleared.leave, *rows], wishes=wanted, locked=locked)


def _no_leave(ward: Ward, rest: str, text: str) -> Ward:
    name, _, words = rest.rpartition(" ")
    nurse, days = _nurse(ward, name, text).id, _days(ward, words, text)
    return ward.changed(leave=[row for row in ward.leave if not (row.nurse == nurse and row.day in days)])


def _assigned(ward: Ward, path: str, written: str, text: str) -> Ward:
    owner, _, field = path.rpartition(".")
    if owner == "rules":
        return ward.changed(rules=_with_field(Rules, ward.rules, field, written, text))
    nurse = _nurse(ward, owner.removesuffix(".contract"), text)
    contract = _with_field(Contract, nurse.contract, field, written, text)
    other = nurse.model_copy(update={"contract": contract})
    return ward.changed(nurses=[other if each.id == nurse.id else each for each in ward.nurses])


def _with_field(kind: Any, record: Any, field: str, written: str, text: str) -> Any:
    if field not in kind.model_fields:
        listed = ", ".join(kind.model_fields)
        raise NoChange(
            text, f"expected one of the fields {listed}{english(did_you_mean(field, kind.model_fields))}; got {field!r}"
        )
    try:
        return kind.model_validate({**record.model_dump(), field: _value(written)})
    except ValidationError as error:
        raise NoChange(text, explain(error)) from None


def _value(written: str) -> Any:
    """As JSON says it; any other text is itself."""
    try:
        return json.loads(written)
    except ValueError:
        return written


WORDS: Mapping[str, Callable[[Ward, str, str], Ward]] = {
    "add-nurse": _add_nurse,
    "drop-nurse": _drop_nurse,
    "demand": _demand,
    "leave": _leave,
    "no-leave": _no_leave,
}


def same_days(ward: Ward, other: Ward) -> Ward:
    """Raises ToolRefusal `bad_change` where the other ward is of other days."""
    if (other.start, other.days) != (ward.start, ward.days):
        raise NoChange(
            f"ward {other.name}", f"expected {ward.days} days from {ward.start}; it has {other.days} from {other.start}"
        )
    return other
