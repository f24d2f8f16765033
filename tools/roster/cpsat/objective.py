"""What a roster costs, by kind of penalty: a sum of linear counts times their prices."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.constraints import count_on, paid_minutes, weekend_literals
from wavegraph.tools.roster.cpsat.run_terms import soft_run_terms
from wavegraph.tools.roster.cpsat.variables import Literal, Variables
from wavegraph.tools.roster.problem.fairness import PARTS, charges
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.prices import BLOCK_MINUTES, FatigueUnits, Prices, breach_price, in_units
from wavegraph.tools.roster.problem.totals import totals
from wavegraph.tools.roster.problem.weekends import weekend_weights


@dataclass
class Objective:
    """The terms by kind, in 1/scale."""

    scale: int
    terms: dict[str, list[tuple[int, Literal]]] = field(default_factory=dict)

    def charge(self, kind: str, price: Fraction | int, count: Literal) -> None:
        """Add a price for each unit of a variable or literal."""
        self.terms.setdefault(kind, []).append((int(price * self.scale), count))

    @property
    def total(self) -> cp_model.LinearExprT:
        terms = [term for terms in self.terms.values() for term in terms]
        return cp_model.LinearExpr.weighted_sum([count for _, count in terms], [price for price, _ in terms])

    def parts(self, values: Sequence[int]) -> dict[str, int]:
        """What each kind costs, by the values of all variables."""
        return {
            kind: sum(price * value_of(count, values) for price, count in terms) for kind, terms in self.terms.items()
        }


def value_of(count: Literal, values: Sequence[int]) -> int:
    """A variable's value, or a negated literal's."""
    return values[count.index] if count.index >= 0 else 1 - values[-count.index - 1]


CostTerm = Callable[[cp_model.CpModel, Variables, Instance, Prices, Objective], None]


def make_objective(
    model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, terms: Sequence[CostTerm] | None = None
) -> Objective:
    """Add every part of the objective, or these alone, to the model and ask for the least total."""
    objective = Objective(prices.scale)
    for part in COST_TERMS if terms is None else terms:
        part(model, v, instance, prices, objective)
    model.minimize(objective.total)
    return objective


def cover(model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective) -> None:
    """Nurses missing to, and above, the target of each demand row (Curtois: cover).

    sum_(n able) x[n, d, s] + under - over = target

    under = sum_p under[p] over the prices p of `problem.shortage`, as many of each as there are; the cheaper ones first
    """
    for row in instance.covers:
        present = count_on(v, row)
        under = [(price, model.new_int_var(0, count, "")) for price, count in sorted(Counter(row.missing).items())]
        over = model.new_int_var(0, max(0, len(row.able) - row.demand.target), "")
        model.add(present + sum(missing for _, missing in under) - over == row.demand.target)
        for price, missing in under:
            objective.charge("uncovered", price, missing)
        objective.charge("over", row.demand.over_weight, over)


def minimum(model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective) -> None:
    """Nurses missing to the minimum of each demand row.

    sum_(n able) x[n, d, s] + below >= minimum
    """
    for row in instance.covers:
        if row.demand.minimum:
            below = model.new_int_var(0, row.demand.minimum, "")
            model.add(count_on(v, row) + below >= row.demand.minimum)
            objective.charge("minimum", breach_price(instance.ward), below)


def in_charge(model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective) -> None:
    """Shifts with demand on which no nurse has the skill to be in charge.

    sum_(n in charge) x[n, d, s] + missing >= 1
    """
    if instance.ward.rules.charge_skill is not None:
        for d, s in instance.staffed:
            missing = model.new_bool_var("")
            model.add_bool_or([missing, *(v.shift[n, d, s] for n in instance.in_charge)])
            objective.charge("in_charge", breach_price(instance.ward), missing)


def wishes(model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective) -> None:
    """Wishes not granted, at their own weights (Curtois: shift on and off requests).

    weight (1 - x[n, d, s]) for a wish to work it, weight x[n, d, s] for one not to; w[n, d] where no shift is named
    """
    for wish in instance.ward.wishes:
        n, d = instance.nurse_index[wish.nurse], instance.ward.index(wish.day)
        if 0 <= d < instance.days:
            literal = v.works[n, d] if wish.shift is None else v.shift[n, d, instance.shift_index[wish.shift]]
            objective.charge("wishes", wish.weight, literal.negated() if wish.wants else literal)


def pairs(model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective) -> None:
    """Days on which two nurses who should be apart work the same shift, or two who should be together work otherwise.

    apart:     meets >= x[a, d, s] + x[b, d, s] - 1
    together:  differs >= |x[a, d, s] - x[b, d, s]|
    """
    for pair in instance.ward.pairs:
        a, b = instance.nurse_index[pair.first], instance.nurse_index[pair.second]
        for d in range(instance.days):
            wrong = model.new_bool_var("")
            for s in range(len(instance.shifts)):
                first, second = v.shift[a, d, s], v.shift[b, d, s]
                if pair.together:
                    model.add_bool_or([first.negated(), second, wrong])
                    model.add_bool_or([first, second.negated(), wrong])
                else:
                    model.add_bool_or([first.negated(), second.negated(), wrong])
            objective.charge("pairs", pair.weight, wrong)


def changes(model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective) -> None:
    """Cells that differ from the published roster, at its weight; those of a nurse who was not in it are free.

    weight (1 - x[n, d, s]) where shift s was published, weight w[n, d] where a day off was
    """
    if (published := instance.ward.published) is None:
        return
    for n, nurse in enumerate(instance.nurses):
        for d, published_shift in enumerate(published.roster.get(nurse.id, [])):
            changed = (
                v.works[n, d]
                if published_shift is None
                else v.shift[n, d, instance.shift_index[published_shift]].negated()
            )
            objective.charge("changes", published.weight, changed)


def fatigue(model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective) -> None:
    """Shifts begun tired, by a nurse's initial score and the days since.

        score[n, d] = fatigue_n + sum_(i<d) (per_day w[n, i] + (per_night - per_day) night[n, i] - per_day_off (1 - w[n, i]))

    fatigue_night:    a night begun with a high score
    fatigue_weekend:  another shift on a weekend day, the same
    fatigue_high:     another shift on a weekday, the same, after `high_run` days in a row
    fatigue_moderate: any shift begun with a moderate score or more, after `moderate_run` days in a row

    All by the ward's own scale (`Ward.fairness.fatigue`). The score may go below 0 and above 1, and a short rest adds
    nothing to it: the empathy check is exact and decides.
    """
    for n in range(len(instance.nurses)):
        for d in range(instance.days):
            score = _Score.of(v, instance, n, d)
            for kind, literals, bound in _tired_shifts(v, instance, n, d):
                if prices.of[kind] and score.most >= bound:
                    tired = model.new_bool_var("")
                    model.add(score.value <= bound - 1).only_enforce_if([tired.negated(), *literals])
                    objective.charge(kind, prices.of[kind], tired)


@dataclass(frozen=True)
class _Score:
    value: cp_model.LinearExprT
    most: int
    """What it cannot exceed."""

    @classmethod
    def of(cls, v: Variables, instance: Instance, nurse: int, day: int) -> "_Score":
        scale = FatigueUnits.of(instance.ward)
        begins = in_units(instance.nurses[nurse].fatigue)
        days = sum((scale.shift + scale.day_off) * v.works[nurse, i] - scale.day_off for i in range(day))
        more = scale.night - scale.shift
        nights = sum(more * night for i in range(day) for night in v.nights(instance, nurse, i))
        return cls(begins + days + nights, begins + day * max(scale.shift, scale.night if instance.nights else 0))


def _tired_shifts(v: Variables, instance: Instance, n: int, d: int) -> Iterator[tuple[str, list[Literal], int]]:
    """Each kind that a day may be, the literals that make it so, and the score from which on it counts."""
    scale = FatigueUnits.of(instance.ward)
    nights = v.nights(instance, n, d)
    for night in nights:
        yield "fatigue_night", [night], scale.high
    by_day = [v.works[n, d], *(night.negated() for night in nights)]
    if any(d in weekend for weekend in instance.weekends):
        yield "fatigue_weekend", by_day, scale.high
    elif run := v.days_before(n, d, scale.high_run):
        yield "fatigue_high", [*by_day, *run], scale.high
    if run := v.days_before(n, d, scale.moderate_run):
        yield "fatigue_moderate", [v.works[n, d], *run], scale.moderate


def all_of(model: cp_model.CpModel, literals: list[Literal]) -> Literal:
    """A Boolean that has to be true where all of the literals are."""
    every = model.new_bool_var("")
    model.add_bool_or([every, *(literal.negated() for literal in literals)])
    return every


def hours(model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective) -> None:
    """underutilization, overwork: whole blocks of eight hours below, above the contract's hours.

    480 blocks >= target - worked - 479,    480 blocks >= worked - target - 479         target: less what leave counts as
    """
    for n in range(len(instance.nurses)):
        target = instance.minutes_to_work(n)
        for kind, sign in (("underutilization", 1), ("overwork", -1)) if target is not None else ():
            if prices.of[kind]:
                most = (abs(target or 0) + instance.days * max(instance.paid)) // BLOCK_MINUTES
                blocks = model.new_int_var(0, most, "")
                distance = sign * ((target or 0) - paid_minutes(v, instance, n))
                model.add(BLOCK_MINUTES * blocks >= distance - BLOCK_MINUTES + 1)
                objective.charge(kind, prices.of[kind], blocks)


def excess(model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective) -> None:
    """night_excess, weekend_excess, holiday_excess: what is worked above a fair share (`problem.fairness`), in tenths.

    own_n <= floor(due_n / 10) + sum_p above[p] over what each unit adds (`charges`); the cheaper ones first
    """
    if prices.of["night_excess"]:
        for n, due in instance.nights_due.items():
            nights = [x for d in range(instance.days) for x in v.nights(instance, n, d)]
            _charge_excess(model, nights, due, "night_excess", prices, objective)
    if prices.of["weekend_excess"]:
        for n, due in instance.weekends_due.items():
            weekends = weekend_literals(model, v, instance, n)
            _charge_excess(model, weekends, due, "weekend_excess", prices, objective)
    if prices.of["holiday_excess"]:
        for n, due in instance.holidays_due.items():
            holidays = [v.works[n, d] for d in instance.holidays]
            _charge_excess(model, holidays, due, "holiday_excess", prices, objective)


def _charge_excess(
    model: cp_model.CpModel, own: list[Literal], due: int, kind: str, prices: Prices, objective: Objective
) -> None:
    pieces = Counter(charges(due, len(own)))
    above = [(tenths, model.new_int_var(0, count, "")) for tenths, count in sorted(pieces.items())]
    if above:
        model.add(sum(own) <= due // PARTS + sum(units for _, units in above))
    for tenths, units in above:
        objective.charge(kind, prices.step(kind) * tenths, units)


def isolated_days_off(
    model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective
) -> None:
    """isolated_day_off: single days off between two worked ones that nobody asked for, the tail's last days included.

    alone >= w[n, d-1] + w[n, d+1] - w[n, d] - 1
    """
    if prices.of["isolated_day_off"]:
        for (n, d), works in ((cell, w) for cell, w in v.works.items() if cell not in instance.asked_off):
            around = [v.works.get((n, d - 1)), works.negated(), v.works.get((n, d + 1))]
            known = [literal for literal in around if literal is not None]
            if len(known) == len(around) and d >= -1:
                objective.charge("isolated_day_off", prices.of["isolated_day_off"], all_of(model, known))


def incomplete_weekends(
    model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective
) -> None:
    """incomplete_weekend: weekends of which one day is worked and the other not, where the ward asks for whole ones.

    half >= w[n, one day] - w[n, the other, unless asked off]
    """
    if prices.of["incomplete_weekend"] and instance.ward.rules.complete_weekends:
        for n in range(len(instance.nurses)):
            for saturday, sunday in (w for w in instance.whole_weekends if (n, w[0]) in v.works):
                half = model.new_bool_var("")
                for worked, free in ((saturday, sunday), (sunday, saturday)):
                    if (n, free) not in instance.asked_off:
                        model.add_bool_or([half, v.works[n, worked].negated(), v.works[n, free]])
                objective.charge("incomplete_weekend", prices.of["incomplete_weekend"], half)


def runs(model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective) -> None:
    """Days too few or too many in a row, at the weight of each soft limit (`problem.runs`; INRC-II S2, S3).

    weight (least - k) for a run of k days, weight for each day after the first `most` of a run
    """
    for price, broken in soft_run_terms(model, v, instance):
        objective.charge("runs", price, broken)


def uneven_weekends(
    model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective
) -> None:
    """Weekends worked on one day, or on different kinds of shift, at their weights (`problem.weekends`; INRC-II S5).

    split >= |w[n, saturday] - w[n, sunday]|,    mixed >= x[n, saturday, s] + w[n, sunday] - 1 - sum_(t like s) x[n, sunday, t]
    """
    kinds = instance.weekend_kinds
    for n, nurse in enumerate(instance.nurses):
        weights = weekend_weights(instance.ward, nurse)
        for saturday, sunday in (w for w in instance.whole_weekends if (n, w[0]) in v.works):
            first, second = v.works[n, saturday], v.works[n, sunday]
            if weights.split:
                split = model.new_bool_var("")
                model.add_bool_or([split, first.negated(), second])
                model.add_bool_or([split, first, second.negated()])
                objective.charge("uneven_weekends", weights.split, split)
            if weights.mixed:
                mixed = model.new_bool_var("")
                for s in range(len(instance.shifts)):
                    same = [v.shift[n, sunday, t] for t, kind in enumerate(kinds) if kind == kinds[s]]
                    model.add_bool_or([mixed, v.shift[n, saturday, s].negated(), second.negated(), *same])
                objective.charge("uneven_weekends", weights.mixed, mixed)


def period_totals(
    model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective
) -> None:
    """Shifts, and weekends with work, too few or too many over the period (`problem.totals`; INRC-II S6, S7).

    before + own + under >= least,    before + own - over <= most
    """
    for n, nurse in enumerate(instance.nurses):
        for kind, total, before in totals(nurse):
            days = [v.works[n, d] for d in range(instance.days)]
            own = days if kind == "assignments" else weekend_literals(model, v, instance, n)
            if total.under_weight and total.least > before:
                under = model.new_int_var(0, total.least - before, "")
                model.add(sum(own) + under >= total.least - before)
                objective.charge("totals", total.under_weight, under)
            if total.over_weight and total.most is not None and before + len(own) > total.most:
                over = model.new_int_var(0, before + len(own) - total.most, "")
                model.add(sum(own) - over <= total.most - before)
                objective.charge("totals", total.over_weight, over)


def rotation(model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective) -> None:
    """Steps back, at the ward's weight (`problem.rotation`), from the last day of the tail on.

    back[n, d] >= x[n, d, s] + x[n, d+1, t] - 1      for t a step back after s
    """
    pairs = [(s, t) for s, after in enumerate(instance.steps_back) for t in after]
    if instance.ward.rules.backward_weight and not instance.ward.rules.forward_only and pairs:
        for n in range(len(instance.nurses)):
            for d in range(max(-1, v.first_day(instance, n)), instance.days - 1):
                back = model.new_bool_var("")
                for s, t in pairs:
                    model.add_bool_or([back, v.shift[n, d, s].negated(), v.shift[n, d + 1, t].negated()])
                objective.charge("rotation", instance.ward.rules.backward_weight, back)


def balance(model: cp_model.CpModel, v: Variables, instance: Instance, prices: Prices, objective: Objective) -> None:
    """Shifts of some kinds above a nurse's fair share of them, at their weight (`problem.fairness`).

    sum_(d, s of the kinds) x[n, d, s] - over <= due
    """
    for each in instance.balanced:
        for n, due in each.due.items() if each.weight else ():
            own = [v.shift[n, d, s] for d in range(instance.days) for s in each.shifts]
            if due < instance.days:
                over = model.new_int_var(0, instance.days - due, "")
                model.add(sum(own) - over <= due)
                objective.charge("balance", each.weight, over)


BREACHES: tuple[CostTerm, ...] = (minimum, in_charge)
"""What a roster is in breach of: each at the same price."""
COST_TERMS: tuple[CostTerm, ...] = (
    cover,
    *BREACHES,
    wishes,
    pairs,
    changes,
    fatigue,
    hours,
    excess,
    isolated_days_off,
    incomplete_weekends,
    runs,
    uneven_weekends,
    period_totals,
    rotation,
    balance,
)
