"""What would have to be otherwise for a finding not to be one: the rule, row or bound that it rests on, loosened just so
far. Nothing is made stricter, so that one may be loosened after the other."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from math import ceil, floor
from typing import Any

from wavegraph.tools.roster.checks.findings import Finding, number
from wavegraph.tools.roster.problem.hours import contract_minutes
from wavegraph.tools.roster.problem.runs import in_words, run_limits
from wavegraph.tools.roster.ward.finding_types import FindingType
from wavegraph.tools.roster.ward.ward import Contract, RunLimit, Ward

BOUNDS = ("daily_rest", "weekly_rest", "weekly_hours", "consecutive_days", "rest_after_nights")
"""Rules with one bound for everybody."""
Relaxed = tuple[Ward, str]
"""The ward in which it is not found, and what differs there, in words."""


def loosened(ward: Ward, broken: Sequence[Finding]) -> tuple[Ward, list[str]]:
    """For breaches that compliance finds: the ward without any of them, and each thing that differs there."""
    words: dict[str, str] = {}
    for found in broken:
        ward, differs = RELAXATIONS[found.type](ward, found)
        words[found.type if found.type in BOUNDS else differs] = differs  # of one bound, the loosest is the last
    return ward, list(words.values())


def _rules(ward: Ward, words: str, **rules: Any) -> Relaxed:
    return ward.with_rules(**rules), words


def _contract(ward: Ward, found: Finding, words: str, **bounds: Any) -> Relaxed:
    """Of the nurse whom the finding is about."""
    return ward.with_terms(_whose(found), **bounds), f"{words} for {found.nurse_id}"


def _contract_of(ward: Ward, found: Finding) -> Contract:
    return ward.nurse_by_id[_whose(found)].contract


def _whose(found: Finding) -> str:
    assert found.nurse_id is not None, "a finding about a contract names its nurse"
    return found.nurse_id


def _amount(found: Finding) -> float:
    assert isinstance(found.actual, int | float)
    return found.actual


def _count(found: Finding) -> int:
    return int(_amount(found))


def _many(count: int | None, noun: str, more: str = "") -> str:
    return f"{count} {noun}{'' if count == 1 else 's'} {more}".rstrip()


def _minimum(ward: Ward, found: Finding) -> Relaxed:
    """Fewer at least on that shift; and nobody in charge, where that is what is missing."""
    there = _count(found)
    demand = [
        row.model_copy(update={"minimum": min(row.minimum, there)})
        if (row.day.isoformat(), row.shift, row.skill) == (found.day, found.shift, found.skill)
        else row
        for row in ward.demand
    ]
    fewer = ward.changed(demand=demand)
    if found.skill is not None and found.skill == ward.rules.charge_skill and not there:
        return _rules(fewer, f"a shift without anyone with skill {found.skill} in charge", charge_skill=None)
    of = f" with skill {found.skill}" if found.skill else ""
    return fewer, f"a minimum of {there}{of} on {found.shift} of {found.day}"


def _daily_rest(ward: Ward, found: Finding) -> Relaxed:
    hours = min(ward.rules.daily_rest_hours, _in_quarters(found))
    return _rules(ward, f"a daily rest of {number(hours)} h", daily_rest_hours=hours, derogated_rest_hours=None)


def _weekly_rest(ward: Ward, found: Finding) -> Relaxed:
    return _rules(ward, "no weekly rest", weekly_rest_hours=0.0)


def _rest_after_nights(ward: Ward, found: Finding) -> Relaxed:
    hours = min(ward.rules.rest_after_nights_hours, _in_quarters(found))
    return _rules(ward, f"a rest of {number(hours)} h after nights", rest_after_nights_hours=hours)


def _in_quarters(found: Finding) -> float:
    """Hours that are no more than were found; 0 = not checked."""
    return max(0.0, floor(_amount(found) * 4) / 4)


def _weekly_hours(ward: Ward, found: Finding) -> Relaxed:
    hours = max(ward.rules.weekly_hours, ceil(_amount(found) * 4 + 0.1) / 4)  # what is found is rounded
    return _rules(ward, f"{number(hours)} h a week on average", weekly_hours=hours)


def _days_in_a_row(ward: Ward, found: Finding) -> Relaxed:
    most = _at_least(ward.rules.max_days_in_a_row, _count(found))
    return _rules(ward, _many(most, "day", "in a row"), max_days_in_a_row=most)


def _nights_in_a_row(ward: Ward, found: Finding) -> Relaxed:
    most, own = _count(found), _contract_of(ward, found).max_night_run
    wider, words = _rules(
        ward, _many(most, "night", "in a row"), max_nights_in_a_row=_at_least(ward.rules.max_nights_in_a_row, most)
    )
    return _contract(wider, found, words, max_night_run=_at_least(own, most))


def _at_least(bound: int | None, needed: int) -> int | None:
    return None if bound is None else max(bound, needed)


def _succession(ward: Ward, found: Finding) -> Relaxed:
    before = str(found.expected).rpartition(" ")[2]  # `no E after N`
    if found.shift not in ward.shift_by_id[before].not_followed_by:
        return _rules(ward, "steps back allowed", forward_only=False)
    shifts = [
        shift.model_copy(update={"not_followed_by": [name for name in shift.not_followed_by if name != found.shift]})
        if shift.id == before
        else shift
        for shift in ward.shifts
    ]
    return ward.changed(shifts=shifts), f"{found.shift} on the day after {before}"


def _leave(ward: Ward, found: Finding) -> Relaxed:
    """Without that leave; of a night before it, or before what is left of it, with such nights allowed."""
    rows = [row for row in ward.leave if (row.nurse, row.day.isoformat()) != (found.nurse_id, found.day)]
    without, words = ward.changed(leave=rows), f"no leave of {found.nurse_id} on {found.day}"
    if len(rows) == len(ward.leave):
        return _rules(ward, "nights before leave", night_before_leave=True)
    if not _is_night_before_leave(without, found):
        return without, words
    return _rules(without, f"{words} and nights before leave", night_before_leave=True)


def _is_night_before_leave(ward: Ward, found: Finding) -> bool:
    assert found.day is not None, "a finding about leave names its day"
    next_day = date.fromisoformat(found.day) + timedelta(days=1)
    is_night = found.shift is not None and ward.shift_by_id[found.shift].night
    return is_night and any((row.nurse, row.day, row.shift) == (found.nurse_id, next_day, None) for row in ward.leave)


def _locked(ward: Ward, found: Finding) -> Relaxed:
    rows = [row for row in ward.locked if (row.nurse, row.day.isoformat()) != (found.nurse_id, found.day)]
    return ward.changed(locked=rows), f"{found.nurse_id} not settled on {found.day}"


def _shift_skill(ward: Ward, found: Finding) -> Relaxed:
    skill = str(found.expected)
    nurses = [
        nurse.model_copy(update={"skills": [*nurse.skills, skill]}) if nurse.id == found.nurse_id else nurse
        for nurse in ward.nurses
    ]
    return ward.changed(nurses=nurses), f"{found.nurse_id} with skill {skill}"


def _hours(ward: Ward, found: Finding) -> Relaxed:
    minutes, contract = _count(found), _contract_of(ward, found)
    agreed = contract_minutes(contract)  # else the middle of the bounds, and with it the hours of leave, would move
    if minutes < contract.min_minutes:
        words = f"at least {number(minutes / 60)} h by contract"
        return _contract(ward, found, words, min_minutes=minutes, target_minutes=agreed)
    words = f"at most {number(minutes / 60)} h by contract"
    return _contract(ward, found, words, max_minutes=_at_least(contract.max_minutes, minutes), target_minutes=agreed)


def _shifts(ward: Ward, found: Finding) -> Relaxed:
    most = _count(found)
    if found.shift is None:
        return _contract(ward, found, _many(most, "night", "by contract"), max_nights=most)
    allowed = {**_contract_of(ward, found).max_shifts, found.shift: most}
    return _contract(ward, found, _many(most, "shift", f"{found.shift} by contract"), max_shifts=allowed)


def _limits(ward: Ward, found: Finding) -> Ward:
    """With the hard limits to days in a row that the finding is of loosened, the ward's where they hold for her, and her contract's."""

    def loose(limits: Sequence[RunLimit]) -> list[RunLimit]:
        return [_loose(limit, found) if limit.weight is None else limit for limit in limits]

    contract = _contract_of(ward, found)
    wider = ward.with_rules(runs=loose(ward.rules.runs)) if contract.ward_runs else ward
    return wider.with_terms(_whose(found), runs=loose(contract.runs))


def _loose(limit: RunLimit, found: Finding) -> RunLimit:
    if not _is_about(found, limit):
        return limit
    days = _count(found)
    most = None if limit.most is None else max(limit.most, days)
    return limit.model_copy(update={"least": min(limit.least, days), "most": most})


def _is_about(found: Finding, limit: RunLimit) -> bool:
    """By what it counts, as an earlier finding may have moved the bound."""
    return f" {_count(found)} {in_words(limit)} from " in found.detail


def _run(ward: Ward, found: Finding) -> Relaxed:
    if words := _in_a_row(ward, found):
        return _limits(ward, found), f"{_count(found)} {words}"
    days, contract = _count(found), _contract_of(ward, found)
    assert isinstance(found.expected, int)
    if days < found.expected:
        return _contract(ward, found, f"runs of {_many(days, 'day')}", min_run=min(contract.min_run, days))
    return _contract(ward, found, f"runs of {_many(days, 'day')}", max_run=_at_least(contract.max_run, days))


def _in_a_row(ward: Ward, found: Finding) -> str | None:
    """What the finding's limit counts: `N in a row`; None = the working days of a contract's `min_run` or `max_run`."""
    limits = (limit for nurse in ward.nurses for limit in run_limits(ward, nurse))
    return next((in_words(limit) for limit in limits if _is_about(found, limit)), None)


def _days_off(ward: Ward, found: Finding) -> Relaxed:
    ward = _limits(ward, found)
    least = min(_contract_of(ward, found).min_days_off, _count(found))
    return _contract(ward, found, _many(_count(found), "day", "off in a row"), min_days_off=least)


def _weekends(ward: Ward, found: Finding) -> Relaxed:
    return _contract(ward, found, _many(_count(found), "weekend", "by contract"), max_weekends=_count(found))


RELAXATIONS: Mapping[FindingType, Callable[[Ward, Finding], Relaxed]] = {
    "coverage": _minimum,
    "skill_mix": _minimum,
    "daily_rest": _daily_rest,
    "weekly_rest": _weekly_rest,
    "weekly_hours": _weekly_hours,
    "consecutive_days": _days_in_a_row,
    "consecutive_nights": _nights_in_a_row,
    "rest_after_nights": _rest_after_nights,
    "succession": _succession,
    "leave": _leave,
    "locked": _locked,
    "shift_skill": _shift_skill,
    "contract_hours": _hours,
    "contract_shifts": _shifts,
    "run_length": _run,
    "days_off": _days_off,
    "weekends": _weekends,
}
"""Of each rule that can be in breach."""
