"""The hard rules, one function each.

x[n, d, s] is "nurse n works shift s on day d", w[n, d] = sum_s x[n, d, s]. Sources: the rules of the Curtois and Qu
instances (schedulingbenchmarks.org/nrp, instances 1 to 24), INRC-II (arXiv 1501.04177), Directive 2003/88/EC, HSE good
practice. At the ends of the known days the benchmark's reading holds: a day off lies before them, so longest runs count
from there, and a run that touches either end need not have the shortest length. A known tail moves that end back, and known days after
the horizon move the other one on: a rule is posted where it can be met or broken by a day of the horizon.

Every function passes each constraint to a `Guard`, with the rule's name, nurse and day: the solver's does nothing, the
explainer's makes the constraint depend on an assumption.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import floor
from typing import Protocol

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.run_terms import hard_run_clauses, short_blocks
from wavegraph.tools.roster.cpsat.variables import Literal, Variables
from wavegraph.tools.roster.problem.ids import RuleId, RuleKind
from wavegraph.tools.roster.problem.instance import Cover, Instance

WEEK = 7


class Guard(Protocol):
    def __call__(
        self, constraint: cp_model.Constraint, rule: RuleId, nurse: int | None = None, day: int | None = None
    ) -> None: ...


Rule = Callable[[cp_model.CpModel, Variables, Instance, Guard], None]


def unguarded(constraint: cp_model.Constraint, rule: RuleId, nurse: int | None = None, day: int | None = None) -> None:
    """Post a constraint for good."""


def cells(instance: Instance) -> Iterator[tuple[int, int]]:
    return product(range(len(instance.nurses)), range(instance.days))


def one_shift_a_day(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """At most one shift a day, and `works` says whether there is one (INRC-II H1).

    sum_s x[n, d, s] + (1 - w[n, d]) = 1
    """
    for n, d in cells(instance):
        literals = [v.shift[n, d, s] for s in range(len(instance.shifts))]
        model.add_exactly_one([*literals, v.works[n, d].negated()])


def leave(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """No work on leave (Curtois: days off), or not the shift that the row names.

    w[n, d] = 0, or x[n, d, s] = 0
    """
    for row in instance.ward.leave:
        n, d = instance.nurse_index[row.nurse], instance.ward.index(row.day)
        if 0 <= d < instance.days:
            taken = v.works[n, d] if row.shift is None else v.shift[n, d, instance.shift_index[row.shift]]
            guard(model.add_bool_or([taken.negated()]), RuleId("leave"), n, d)


def night_before_leave(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """No night that ends on the first day of leave, unless the cell is settled so.

    x[n, d, s] = 0
    """
    for n, d, s in sorted(instance.nights_before_leave):
        guard(model.add_bool_or([v.shift[n, d, s].negated()]), RuleId("night_before_leave"), n, d)


def locked_cells(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """Settled cells stay as they are.

    x[n, d, s] = 1, or w[n, d] = 0
    """
    for row in instance.ward.locked:
        n, d = instance.nurse_index[row.nurse], instance.ward.index(row.day)
        if 0 <= d < instance.days:
            off = v.works[n, d].negated()
            literal = off if row.shift is None else v.shift[n, d, instance.shift_index[row.shift]]
            guard(model.add_bool_or([literal]), RuleId("locked"), n, d)


def shift_skills(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """No shift without the skill that it needs (INRC-II H4).

    x[n, d, s] = 0      for s whose skill n lacks
    """
    for n, s in instance.not_skilled:
        for d in range(instance.days):
            rule = RuleId("shift_skill", instance.shifts[s].id, instance.shifts[s].skill)
            guard(model.add_bool_or([v.shift[n, d, s].negated()]), rule, n)


def successions(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """Forbidden successions (INRC-II H3).

    x[n, d, s] + sum_(t not after s) x[n, d+1, t] <= 1      from the last day of the tail on, to the first one after
    """
    _forbid_next_day(model, v, instance, guard, instance.not_after, RuleId("succession"))


def _forbid_next_day(
    model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard, not_after: list[list[int]], rule: RuleId
) -> None:
    v = v.with_days_after(model, instance)
    for n, s in product(range(len(instance.nurses)), range(len(instance.shifts))):
        end = min(instance.days, v.end(instance, n) - 1)
        for d in range(max(-1, v.first_day(instance, n)), end if not_after[s] else -1):
            after = sum(v.shift[n, d + 1, t] for t in not_after[s])
            guard(model.add(v.shift[n, d, s] + after <= 1), rule, n, d + 1)


def forward_rotation(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """No step back (`problem.rotation`), where the ward forbids them: the same, for t a step back after s."""
    if instance.ward.rules.forward_only:
        _forbid_next_day(model, v, instance, guard, instance.steps_back, RuleId("forward_rotation"))


def daily_rest(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """Daily rest in real hours, from any shift to the next one worked (Directive 2003/88/EC art. 3).

    x[n, d, s] + x[n, d+k, t] <= 1 + sum_(0<i<k) w[n, d+i]      for t beginning too soon after s
    """
    rules = instance.ward.rules
    least = rules.daily_rest_hours if rules.derogated_rest_hours is None else rules.derogated_rest_hours
    if rules.daily_rest_hours:
        _forbid_short_rests(
            model, v, instance, guard, min(least, rules.daily_rest_hours), RuleId("daily_rest"), after_nights=False
        )


def rest_after_nights(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """Rest after the last of a run of nights, in real hours (HSE: two nights of full sleep).

    The same as the daily rest, for s a night, but for a night on the very next day, which goes on with the run.
    """
    if instance.ward.rules.rest_after_nights_hours:
        least = instance.ward.rules.rest_after_nights_hours
        _forbid_short_rests(model, v, instance, guard, least, RuleId("rest_after_nights"), after_nights=True)


def _forbid_short_rests(
    model: cp_model.CpModel,
    v: Variables,
    instance: Instance,
    guard: Guard,
    hours: float,
    rule: RuleId,
    *,
    after_nights: bool,
) -> None:
    v = v.with_days_after(model, instance)
    for n in range(len(instance.nurses)):
        for d in range(v.first_day(instance, n), instance.days):
            for s, gap, t in instance.short_rests(d, hours):
                if after_nights and not instance.ends_a_night_run(s, gap, t):
                    continue
                if 0 <= d + gap < v.end(instance, n):
                    between = [v.works[n, d + i] for i in range(1, gap)]
                    clause = [v.shift[n, d, s].negated(), v.shift[n, d + gap, t].negated(), *between]
                    guard(model.add_bool_or(clause), rule, n, d + gap)


def weekly_rest(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """A rest day in every seven known days, or two in fourteen that hold them (Directive 2003/88/EC art. 5, 16).

    A rest day is a day off whose rest, from shift to shift, lasts the hours the ward asks for.
        r[n, d] <= 1 - w[n, d],    r[n, d+i] + x[n, d, s] + x[n, d+k, t] <= 2 + sum_(0<j<k) w[n, d+j]
        sum_(7 days) r >= 1   or   sum_(fortnight) r >= 2  for one of the fortnights that hold them
    """
    v = v.with_days_after(model, instance)
    if instance.ward.rules.weekly_rest_hours:
        for n in range(len(instance.nurses)):
            rests = _rest_days(model, v, instance, n)
            first, end = v.first_day(instance, n), v.end(instance, n)
            last = min(instance.days - 1, end - 2 * WEEK)
            fortnights = {at: _averaged(model, rests, at) for at in range(max(first, 2 - 2 * WEEK), last + 1)}
            for start in range(max(first, 1 - WEEK), min(instance.days, end - WEEK + 1)):
                averages = [fortnights[at] for at in range(start - WEEK, start + 1) if at in fortnights]
                week = [rests[d] for d in range(start, start + WEEK)]
                guard(model.add_bool_or([*week, *averages]), RuleId("weekly_rest"), n, start + WEEK - 1)


def _rest_days(model: cp_model.CpModel, v: Variables, instance: Instance, nurse: int) -> dict[int, Literal]:
    first, end = v.first_day(instance, nurse), v.end(instance, nurse)
    rests: dict[int, Literal] = {d: model.new_bool_var(f"rest_{nurse}_{d}") for d in range(first, end)}
    for d, rest in rests.items():
        model.add_implication(rest, v.works[nurse, d].negated())
        for s, gap, t in instance.short_rests(d, instance.ward.rules.weekly_rest_hours):
            if gap > 1 and d + gap < end:
                ends = [v.shift[nurse, d, s].negated(), v.shift[nurse, d + gap, t].negated()]
                between = [v.works[nurse, d + i] for i in range(1, gap)]
                for i in range(1, gap):
                    model.add_bool_or([rests[d + i].negated(), *ends, *between])
    return rests


def _averaged(model: cp_model.CpModel, rests: dict[int, Literal], start: int) -> Literal:
    """A Boolean that may hold only if the fortnight from `start` on has two rest days."""
    fortnight = range(start, start + 2 * WEEK)
    enough = model.new_bool_var("")
    model.add(sum(rests[d] for d in fortnight) >= 2).only_enforce_if(enough)
    return enough


def max_run(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """Most working days in a row.

    sum_(i=0..max) w[n, d+i] <= max      for every window that reaches into the horizon, as a clause
    """
    v = v.with_days_after(model, instance)
    for n in range(len(instance.nurses)):
        longest = instance.max_run(n)
        if longest is not None:
            for window in _windows(instance, v, n, longest + 1):
                clause = [v.works[n, d].negated() for d in window]
                guard(model.add_bool_or(clause), RuleId("max_run"), n, window[-1])


def max_night_run(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """Most nights in a row.

    sum_(i=0..max) sum_(night s) x[n, d+i, s] <= max      for every window that reaches into the horizon
    """
    v = v.with_days_after(model, instance)
    for n in range(len(instance.nurses)):
        longest = instance.max_night_run(n)
        if longest is not None and instance.nights:
            for window in _windows(instance, v, n, longest + 1):
                worked = sum(x for d in window for x in v.nights(instance, n, d))
                guard(model.add(worked <= longest), RuleId("max_night_run"), n, window[-1])


def _windows(instance: Instance, v: Variables, nurse: int, length: int) -> list[range]:
    """Every span of `length` known days of which any is in the horizon."""
    first = max(v.first_day(instance, nurse), 1 - length)
    end = min(instance.days, v.end(instance, nurse) - length + 1)
    return [range(d, d + length) for d in range(first, end)]


def min_run(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """Fewest working days in a row.

    w[n, d-1] + w[n, d+k] + sum_(i<k) (1 - w[n, d+i]) >= 1      for k < min: no short block between two days off
    """
    v = v.with_days_after(model, instance)
    for n in range(len(instance.nurses)):
        works = {d: w for (m, d), w in v.works.items() if m == n}
        for block, clause in short_blocks(works, instance.contract(n).min_run, instance.days):
            guard(model.add_bool_or(clause), RuleId("min_run"), n, block[-1])


def min_days_off(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """Fewest days off in a row: the same with work and days off exchanged."""
    v = v.with_days_after(model, instance)
    for n in range(len(instance.nurses)):
        off = {d: w.negated() for (m, d), w in v.works.items() if m == n}
        for block, clause in short_blocks(off, instance.contract(n).min_days_off, instance.days):
            guard(model.add_bool_or(clause), RuleId("min_days_off"), n, block[-1])


def runs(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """Hard limits to days in a row that are alike (`problem.runs`; INRC-II S2, S3 as hard rules).

    in[n, d-1] + in[n, d+k] + sum_(i<k) (1 - in[n, d+i]) >= 1 for k < least,    sum_(i=0..most) (1 - in[n, d+i]) >= 1
    """
    for n, day, rule, clause in hard_run_clauses(model, v, instance):
        guard(model.add_bool_or(clause), rule, n, day)


def minutes(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """Paid minutes of the horizon within the contract, with what leave counts as.

    min_n <= leave_n + sum_(d, s) paid_s x[n, d, s] <= max_n
    """
    for n in range(len(instance.nurses)):
        worked, most = paid_minutes(v, instance, n), instance.most_minutes(n)
        if instance.least_minutes(n):
            guard(model.add(worked >= instance.least_minutes(n)), RuleId("least_minutes"), n)
        if most is not None:
            guard(model.add(worked <= most), RuleId("most_minutes"), n)


def paid_minutes(v: Variables, instance: Instance, nurse: int) -> cp_model.LinearExprT:
    """Paid minutes of a nurse's horizon."""
    cell = list(product(range(instance.days), range(len(instance.shifts))))
    return cp_model.LinearExpr.weighted_sum(
        [v.shift[nurse, d, s] for d, s in cell], [instance.paid[s] for _, s in cell]
    )


def weekly_hours(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """Paid time a week on average, over the horizon and the known tail (Directive 2003/88/EC art. 6, 16).

    sum of minutes, tail included <= 60 hours max(7, days + tail days) / 7
    """
    hours = instance.ward.rules.weekly_hours
    for n, tail in enumerate(instance.tails if hours else []):
        before = sum(instance.paid[s] for s in tail if s is not None)
        most = floor(60 * Fraction(hours) * max(WEEK, instance.days + len(tail)) / WEEK)
        guard(model.add(paid_minutes(v, instance, n) <= most - before), RuleId("weekly_hours"), n)


def max_shifts(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """Most shifts of a kind, and most nights.

    sum_d x[n, d, s] <= max_(n, s),    sum_d sum_(night s) x[n, d, s] <= max_nights_n
    """
    for n in range(len(instance.nurses)):
        for shift, most in instance.contract(n).max_shifts.items():
            worked = [v.shift[n, d, instance.shift_index[shift]] for d in range(instance.days)]
            if most < instance.days:
                guard(model.add(sum(worked) <= most), RuleId("most_shifts", shift), n)
        nights = instance.contract(n).max_nights
        if nights is not None:
            worked = [x for d in range(instance.days) for x in v.nights(instance, n, d)]
            guard(model.add(sum(worked) <= nights), RuleId("most_nights"), n)


def max_weekends(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """Most weekends with work on Saturday or Sunday (INRC-II S7 as a hard rule), but for one that she began before.

    e[n, k] >= w[n, d] for d in weekend k,    sum_k e[n, k] <= max_n
    """
    for n in range(len(instance.nurses)):
        most = instance.contract(n).max_weekends
        if most is not None and most < len(instance.weekends_of(n)):
            worked = weekend_literals(model, v, instance, n)
            guard(model.add(sum(worked) <= most), RuleId("most_weekends"), n)


def weekend_literals(model: cp_model.CpModel, v: Variables, instance: Instance, nurse: int) -> list[Literal]:
    """A Boolean per weekend that counts for her: the nurse works on its Saturday or Sunday."""
    literals: list[Literal] = []
    for k, weekend in enumerate(instance.weekends_of(nurse)):
        days = [v.works[nurse, d] for d in weekend]
        any_day = model.new_bool_var(f"weekend_{nurse}_{k}")
        model.add_bool_or([*days, any_day.negated()])
        for day in days:
            model.add_implication(day, any_day)
        literals.append(any_day)
    return literals


def minimum_cover(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """The minimum of every demand row.

    sum_(n able) x[n, d, s] >= minimum
    """
    for row in instance.covers:
        if row.demand.minimum:
            _at_least(model, v, instance, guard, row, "minimum", row.demand.minimum)


def target_cover(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """The same of the targets, which no roster has to reach."""
    for row in instance.covers:
        if row.demand.target:
            _at_least(model, v, instance, guard, row, "target", row.demand.target)


def _at_least(
    model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard, row: Cover, bound: RuleKind, needed: int
) -> None:
    rule = RuleId(bound, row.demand.shift, row.demand.skill, needed=needed)
    guard(model.add(count_on(v, row) >= needed), rule, None, row.day)


def count_on(v: Variables, row: Cover) -> cp_model.LinearExpr:
    """Nurses on a demand row's shift who count towards it."""
    return cp_model.LinearExpr.constant(0) + cp_model.LinearExpr.sum([v.shift[n, row.day, row.shift] for n in row.able])


def charge(model: cp_model.CpModel, v: Variables, instance: Instance, guard: Guard) -> None:
    """A nurse in charge of every shift that has demand.

    sum_(n in charge) x[n, d, s] >= 1
    """
    if instance.ward.rules.charge_skill is not None:
        for d, s in instance.staffed:
            clause = [v.shift[n, d, s] for n in instance.in_charge]
            guard(model.add_bool_or(clause), RuleId("charge", instance.shifts[s].id), None, d)


HARD: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        one_shift_a_day,
        leave,
        night_before_leave,
        locked_cells,
        shift_skills,
        successions,
        forward_rotation,
        daily_rest,
        rest_after_nights,
        weekly_rest,
        max_run,
        max_night_run,
        min_run,
        min_days_off,
        runs,
        minutes,
        weekly_hours,
        max_shifts,
        max_weekends,
    )
}
"""Every rule by name that no roster breaks. One below minimum cover, or without charge, is in breach, and priced: see
`objective`."""
COVER: tuple[Rule, ...] = (minimum_cover, charge)
"""The rules that a roster has to keep where any can."""
