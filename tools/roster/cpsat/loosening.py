"""How far each rule of a ward can be loosened: the numbers and rows of the ward that its grounds rest on.

A rule that is missing here is taken to hold whatever happens: it is named in a contradiction, but never offered to give.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from math import floor, gcd
from typing import Any, Literal

from wavegraph.graph.decimals import decimal
from wavegraph.tools.roster.cpsat.grounds import Ground
from wavegraph.tools.roster.problem.ids import RuleId, RunId
from wavegraph.tools.roster.problem.instance import Instance, smallest
from wavegraph.tools.roster.problem.rules.words import name_of
from wavegraph.tools.roster.problem.runs import days_in_a_row
from wavegraph.tools.roster.ward.ward import Nurse, RunLimit, Ward

WISH_LIKE, BY_CONTRACT, FOR_REST, BY_MANAGER = 1, 2, 3, 4
"""What is asked to give, in this order, after a nurse who is missing (0)."""
LONGEST_WEEK_H = 168
MOST_TAIL = 28


@dataclass(frozen=True)
class Knob:
    """One number, or row, of a ward that can be loosened."""

    rule: RuleId
    tier: int
    frees: frozenset[Ground]
    """The grounds that need not hold once it is as loose as it goes."""
    values: Sequence[Any]
    """From the nearest to the present one to the loosest."""
    put: Callable[[Ward, Any], Ward]
    what: Callable[[Any], str]
    """Of a value, in words, without whom it is about."""
    nurse: str | None = None
    """None = it holds for everybody."""
    day: date | None = None
    ordered: bool = True
    """Whether each value allows what those before it allow."""


def knobs(instance: Instance, grounds: Sequence[Ground]) -> list[Knob]:
    """Everything that can be loosened about these grounds."""
    known, ward = set(grounds), instance.ward
    found = [*_of_ward(instance, known), *_of_limits(instance, known), *_of_skills(ward, known)]
    for n, nurse in enumerate(ward.nurses):
        found += _of_nurse(instance, n, nurse)
    found += [_leave(ward, ground) for ground in grounds if ground.rule.kind == "leave"]
    found += [_settled(ward, ground) for ground in grounds if ground.rule.kind == "locked"]
    return [knob for knob in found if knob.values and known & knob.frees]


def _of_nurse(instance: Instance, n: int, nurse: Nurse) -> Iterator[Knob]:
    yield from _hours(instance, nurse)
    yield from _counts(instance, nurse)
    yield from _runs(instance, n, nurse)


def _hours(instance: Instance, nurse: Nurse) -> Iterator[Knob]:
    contract, step = nurse.contract, gcd(*instance.paid) or 1
    least, longest = contract.min_minutes, instance.days * max(instance.paid)
    yield _contract_knob(
        nurse, RuleId("least_minutes"), "min_minutes", [*range(least - step, 0, -step), *([0] if least else [])],
        lambda m: f"at least {decimal(m / 60)} h instead of {decimal(least / 60)} h",
    )  # fmt: skip
    most = contract.max_minutes
    if most is not None:
        top = longest + instance.leave_minutes[instance.nurse_index[nurse.id]]
        yield _contract_knob(
            nurse, RuleId("most_minutes"), "max_minutes", [*range(most + step, top + step, step)],
            lambda m: f"at most {decimal(m / 60)} h instead of {decimal(most / 60)} h",
        )  # fmt: skip


def _counts(instance: Instance, nurse: Nurse) -> Iterator[Knob]:
    contract, days = nurse.contract, instance.days
    for shift, most in contract.max_shifts.items():
        yield _of_shift(nurse, shift, most, days)
    for rule, field, unit, top in (
        (RuleId("most_nights"), "max_nights", "nights", days),
        (RuleId("most_weekends"), "max_weekends", "weekends", len(instance.weekends)),
    ):
        most_of = getattr(contract, field)
        if most_of is not None:
            tier = WISH_LIKE if field == "max_weekends" else BY_CONTRACT
            yield _contract_knob(
                nurse, rule, field, range(most_of + 1, top + 1), _more("at most", most_of, unit), tier=tier
            )


def _of_shift(nurse: Nurse, shift: str, most: int, days: int) -> Knob:
    def put(ward: Ward, value: int) -> Ward:
        return ward.with_terms(nurse.id, max_shifts={**ward.nurse_by_id[nurse.id].contract.max_shifts, shift: value})

    rule = RuleId("most_shifts", shift)
    return Knob(
        rule, BY_CONTRACT, frozenset({Ground(rule, nurse.id)}), range(most + 1, days + 1), put,
        _more("at most", most, shift), nurse.id,
    )  # fmt: skip


def _runs(instance: Instance, n: int, nurse: Nurse) -> Iterator[Knob]:
    contract = nurse.contract
    for rule, field, unit in (
        (RuleId("min_run"), "min_run", "days in a row"),
        (RuleId("min_days_off"), "min_days_off", "days off in a row"),
    ):
        least = getattr(contract, field)
        yield _contract_knob(
            nurse, rule, field, range(least - 1, 0, -1), _more("at least", least, unit), tier=WISH_LIKE
        )
    for rule, field, of_ward, unit in LONGEST:
        own, common = getattr(contract, field), getattr(instance.ward.rules, of_ward)
        if own is not None and (common is None or own <= common):
            yield _longest_run(instance, nurse, rule, field, of_ward, unit)


LONGEST = (
    (RuleId("max_run"), "max_run", "max_days_in_a_row", "days in a row"),
    (RuleId("max_night_run"), "max_night_run", "max_nights_in_a_row", "nights in a row"),
)
"""Rule, field of the contract, field of the ward's rules, unit."""


def _longest_run(instance: Instance, nurse: Nurse, rule: RuleId, field: str, of_ward: str, unit: str) -> Knob:
    """Beyond the ward's own limit, that is raised with the contract's."""
    own, common = getattr(nurse.contract, field), getattr(instance.ward.rules, of_ward)

    def put(ward: Ward, value: int) -> Ward:
        raised = ward.with_terms(nurse.id, **{field: value})
        return raised if common is None or value <= common else raised.with_rules(**{of_ward: value})

    def what(value: int) -> str:
        beyond = common is not None and value > common
        return _more("at most", own, unit)(value) + (", also by the ward's rules," if beyond else "")

    tops = range(own + 1, instance.days + MOST_TAIL + 1)
    tier = FOR_REST if own == common else BY_CONTRACT
    return Knob(rule, tier, frozenset({Ground(rule, nurse.id)}), tops, put, what, nurse.id)


def _contract_knob(
    nurse: Nurse,
    rule: RuleId,
    field: str,
    values: Sequence[int],
    what: Callable[[int], str],
    *,
    tier: int = BY_CONTRACT,
) -> Knob:
    def put(ward: Ward, value: int) -> Ward:
        return ward.with_terms(nurse.id, **{field: value})

    return Knob(rule, tier, frozenset({Ground(rule, nurse.id)}), values, put, what, nurse.id)


def _of_ward(instance: Instance, known: set[Ground]) -> Iterator[Knob]:
    """Rules that hold for everybody: a ward cannot loosen them for one nurse alone."""
    rules = instance.ward.rules
    least = rules.daily_rest_hours if rules.derogated_rest_hours is None else rules.derogated_rest_hours
    daily = "daily_rest_hours" if rules.derogated_rest_hours is None else "derogated_rest_hours"
    for rule, field, hours, of in (
        (RuleId("daily_rest"), daily, min(least, rules.daily_rest_hours), "daily rest"),
        (RuleId("rest_after_nights"), "rest_after_nights_hours", rules.rest_after_nights_hours, "rest after nights"),
        (RuleId("weekly_rest"), "weekly_rest_hours", rules.weekly_rest_hours, "weekly rest"),
    ):
        yield _rule_knob(known, rule, field, _rests_below(instance, hours), _less_rest(hours, of))
    if hours := rules.weekly_hours:
        more = range(int(hours) + 1, LONGEST_WEEK_H + 1)
        yield _rule_knob(
            known,
            RuleId("weekly_hours"),
            "weekly_hours",
            more,
            lambda h: f"at most {h:g} h a week instead of {hours:g} h",
        )
    yield _rule_knob(
        known,
        RuleId("night_before_leave"),
        "night_before_leave",
        [True],
        lambda _: "a night before leave",
        tier=WISH_LIKE,
    )
    yield _rule_knob(
        known,
        RuleId("forward_rotation"),
        "forward_only",
        [False],
        lambda _: "a step back in the rotation",
        tier=WISH_LIKE,
    )
    yield _successions(instance.ward, known)
    for rule, field, of_ward, unit in LONGEST:
        if (common := getattr(rules, of_ward)) is not None:
            bound = {n.id for n in instance.nurses if smallest(getattr(n.contract, field), common + 1) == common + 1}
            frees = {ground for ground in known if ground.nurse in bound}
            tops = range(common + 1, instance.days + MOST_TAIL + 1)
            yield _rule_knob(frees, rule, of_ward, tops, _more("at most", common, unit))


def _rule_knob(
    known: set[Ground], rule: RuleId, field: str, values: Sequence[Any], what: Callable[[Any], str], *,
    tier: int = FOR_REST,
) -> Knob:  # fmt: skip
    frees = frozenset(ground for ground in known if ground.rule == rule)
    return Knob(rule, tier, frees, values, lambda ward, value: ward.with_rules(**{field: value}), what)


def _rests_below(instance: Instance, hours: float) -> list[float]:
    """The rests shorter than that which shifts of the ward leave between them, the longest first, and none at all."""
    if not hours:
        return []
    days = range(min(instance.days, 2))  # a second day, in case the clocks change in the first night
    rests = {
        floor(100 * (instance.begins(d + gap, t) - instance.ends(d, s)) / 60) / 100
        for d in days
        for s, gap, t in instance.short_rests(d, hours)
    }
    return [*sorted((rest for rest in rests if rest > 0), reverse=True), 0]


def _less_rest(hours: float, of: str) -> Callable[[float], str]:
    return lambda value: f"{value:g} h of {of} instead of {hours:g} h" if value else f"no rule of {of}"


def _successions(ward: Ward, known: set[Ground]) -> Knob:
    pairs = [(shift.id, after) for shift in ward.shifts for after in shift.not_followed_by]

    def put(ward: Ward, allowed: Sequence[tuple[str, str]]) -> Ward:
        left = [
            shift.model_copy(
                update={"not_followed_by": [t for t in shift.not_followed_by if (shift.id, t) not in allowed]}
            )
            for shift in ward.shifts
        ]
        return ward.changed(shifts=left)

    def what(allowed: Sequence[tuple[str, str]]) -> str:
        return ", ".join(f"{after} allowed the day after {shift}" for shift, after in allowed)

    values = [*([pair] for pair in pairs), *([pairs] if len(pairs) > 1 else [])]
    frees = frozenset(ground for ground in known if ground.rule.kind == "succession")
    return Knob(RuleId("succession"), WISH_LIKE, frees, values, put, what, ordered=False)


def _of_limits(instance: Instance, known: set[Ground]) -> Iterator[Knob]:
    """Hard limits to days in a row (`problem.runs`): the ward's for everybody, those of a contract for the nurse."""
    ward = instance.ward
    common = {end.rule: end for limit in ward.rules.runs for end in _ends(instance, limit)}
    for end in common.values():
        frees = frozenset(ground for ground in known if ground.rule == end.rule)
        yield Knob(end.rule, end.tier, frees, end.values, end.put_for_all, end.what)
    for nurse in ward.nurses:
        for end in (end for limit in nurse.contract.runs for end in _ends(instance, limit)):
            if end.rule not in common:
                yield Knob(
                    end.rule, end.tier, frozenset({Ground(end.rule, nurse.id)}), end.values,
                    partial(end.put_for, nurse.id), end.what, nurse.id,
                )  # fmt: skip


@dataclass(frozen=True)
class _End:
    """The least or the most of a hard limit."""

    rule: RuleId
    run: RunId
    values: Sequence[int]

    @property
    def tier(self) -> int:
        return WISH_LIKE if self.run.bound == "least" else BY_CONTRACT

    def what(self, value: int) -> str:
        words = days_in_a_row(self.run.shifts, off=self.run.off)
        return _more(f"at {self.run.bound}", self.run.number, words)(value)

    def put_for_all(self, ward: Ward, value: int) -> Ward:
        """In the ward's rules, and in each contract that says the same."""
        for nurse in ward.nurses:
            ward = self.put_for(nurse.id, ward, value)
        return ward.with_rules(runs=self._moved(ward.rules.runs, value))

    def put_for(self, nurse: str, ward: Ward, value: int) -> Ward:
        return ward.with_terms(nurse, runs=self._moved(ward.nurse_by_id[nurse].contract.runs, value))

    def _moved(self, limits: Sequence[RunLimit], value: int) -> list[RunLimit]:
        return [limit.model_copy(update={self.run.bound: value}) if self._is(limit) else limit for limit in limits]

    def _is(self, limit: RunLimit) -> bool:
        return limit.weight is None and RunId.of(limit, self.run.bound) == self.run


def _ends(instance: Instance, limit: RunLimit) -> Iterator[_End]:
    if limit.weight is None:
        yield _end(limit, "least", range(limit.least - 1, 0, -1))
        if limit.most is not None:
            yield _end(limit, "most", range(limit.most + 1, instance.days + MOST_TAIL + 1))


def _end(limit: RunLimit, bound: Literal["least", "most"], values: Sequence[int]) -> _End:
    run = RunId.of(limit, bound)
    return _End(RuleId("run", run=run), run, values)


def _of_skills(ward: Ward, known: set[Ground]) -> Iterator[Knob]:
    """Kinds of shift that only a skill may work: without it, for everybody."""
    for shift in ward.shifts:
        rule = RuleId("shift_skill", shift.id, shift.skill)
        frees = frozenset(ground for ground in known if ground.rule == rule)
        yield Knob(rule, FOR_REST, frees, [None], partial(_unskilled, shift.id), partial(_without, rule))


def _unskilled(shift: str, ward: Ward, _: None) -> Ward:
    shifts = [each.model_copy(update={"skill": None}) if each.id == shift else each for each in ward.shifts]
    return ward.changed(shifts=shifts)


def _without(rule: RuleId, _: None) -> str:
    return f"no rule of {name_of(rule)}"


def _leave(ward: Ward, ground: Ground) -> Knob:
    def put(ward: Ward, _: bool) -> Ward:
        kept = [row for row in ward.leave if (row.nurse, row.day) != (ground.nurse, ground.day)]
        return ward.changed(leave=kept)

    assert ground.day is not None, "leave has a day"
    eve = Ground(RuleId("night_before_leave"), ground.nurse, date.fromordinal(ground.day.toordinal() - 1))
    return Knob(
        RuleId("leave"), BY_MANAGER, frozenset({ground, eve}), [True], put, lambda _: "leave", ground.nurse, ground.day
    )


def _settled(ward: Ward, ground: Ground) -> Knob:
    def put(ward: Ward, _: bool) -> Ward:
        kept = [row for row in ward.locked if (row.nurse, row.day) != (ground.nurse, ground.day)]
        return ward.changed(locked=kept)

    return Knob(
        RuleId("locked"), BY_MANAGER, frozenset({ground}), [True], put, lambda _: "the settled cell", ground.nurse,
        ground.day,
    )  # fmt: skip


def _more(bound: str, before: int, unit: str) -> Callable[[int], str]:
    return lambda value: f"{bound} {value} instead of {before} {unit}"
