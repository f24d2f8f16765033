"""Rules about days in a row: runs, rests, rotation, weekends, fatigue. Each is a few words that must not stand, or cost."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import floor
from typing import Any

from wavegraph.tools.roster.problem.ids import RuleId, RunId
from wavegraph.tools.roster.problem.instance import CountedRun, Instance
from wavegraph.tools.roster.problem.prices import FatigueUnits, Prices, in_units
from wavegraph.tools.roster.problem.rules.cells import day_off, every, worked
from wavegraph.tools.roster.problem.rules.forms import Labels, Order, Price, Tally, Word
from wavegraph.tools.roster.problem.rules.knobs import BY_CONTRACT, FOR_REST, WISH_LIKE, Knob, of_contract, of_rules
from wavegraph.tools.roster.problem.weekends import weekend_weights
from wavegraph.tools.roster.ward.finding_types import CountedFinding
from wavegraph.tools.roster.ward.ward import Nurse, RunLimit, Ward

LONGEST_TAIL = 28
"""Days that a history may have."""


def successions(instance: Instance) -> Iterator[Order]:
    """Forbidden successions (INRC-II H3)."""
    yield from _for_all(instance, RuleId("succession"), _next_day(instance.not_after))


def succession_knobs(instance: Instance) -> Iterator[Knob]:
    """Pairs of a shift and one that may then follow it."""
    pairs = [(shift.id, after) for shift in instance.shifts for after in shift.not_followed_by]
    values = [*([pair] for pair in pairs), *([pairs] if len(pairs) > 1 else [])]
    yield Knob(rule=RuleId("succession"), tier=WISH_LIKE, values=values, put=_followed, ordered=False)


def _followed(ward: Ward, allowed: Sequence[tuple[str, str]]) -> Ward:
    left = {each.id: [then for then in each.not_followed_by if (each.id, then) not in allowed] for each in ward.shifts}
    shifts = [each.model_copy(update={"not_followed_by": left[each.id]}) for each in ward.shifts]
    return ward.changed(shifts=shifts)


def rotation_knobs(instance: Instance) -> Iterator[Knob]:
    yield of_rules(instance.ward, RuleId("forward_rotation"), "forward_only", [False], tier=WISH_LIKE)


def forward_rotation(instance: Instance) -> Iterator[Order]:
    """No step back (`problem.rotation`), where the ward forbids them."""
    if instance.ward.rules.forward_only:
        yield from _for_all(instance, RuleId("forward_rotation"), _next_day(instance.steps_back))


def rotation(instance: Instance, prices: Prices) -> Iterator[Order]:
    """Steps back, at the ward's weight."""
    rules = instance.ward.rules
    if rules.backward_weight and not rules.forward_only:
        price = Price("rotation", rules.backward_weight * prices.scale)
        yield from _for_all(instance, RuleId("rotation"), _next_day(instance.steps_back, price))


def _next_day(after: list[list[int]], price: Price | None = None) -> tuple[Word, ...]:
    pairs = ((shift, frozenset(then)) for shift, then in enumerate(after) if then)
    return tuple(Word((frozenset({shift}), then), price) for shift, then in pairs)


def daily_rest(instance: Instance) -> Iterator[Order]:
    """Daily rest in real hours, from any shift to the next one worked (Directive 2003/88/EC art. 3)."""
    rules = instance.ward.rules
    least = rules.daily_rest_hours if rules.derogated_rest_hours is None else rules.derogated_rest_hours
    words = short_rests(instance, min(least, rules.daily_rest_hours))
    yield from _for_all(instance, RuleId("daily_rest"), words)


def rest_knobs(instance: Instance) -> Iterator[Knob]:
    rules = instance.ward.rules
    daily = "daily_rest_hours" if rules.derogated_rest_hours is None else "derogated_rest_hours"
    yield rest_knob(instance, RuleId("daily_rest"), daily)
    yield rest_knob(instance, RuleId("rest_after_nights"), "rest_after_nights_hours")


def rest_knob(instance: Instance, rule: RuleId, field: str, *, rises: bool | None = False) -> Knob:
    """Hours of rest: those that shifts of the ward leave between them, the longest first, and none at all."""
    hours = getattr(instance.ward.rules, field)
    days = range(min(instance.days, 2))  # a second day, in case the clocks change in the first night
    rests = {
        floor(100 * (instance.begins(d + gap, then) - instance.ends(d, shift)) / 60) / 100
        for d in days
        for shift, gap, then in instance.short_rests(d, hours)
    }
    values = [*sorted((rest for rest in rests if rest > 0), reverse=True), 0] if hours else []
    return of_rules(instance.ward, rule, field, values, rises=rises)


def rest_after_nights(instance: Instance) -> Iterator[Order]:
    """Rest after the last of a run of nights, in real hours (HSE: two nights of full sleep).

    The same as the daily rest, for a night, but for a night on the very next day, which goes on with the run.
    """
    words = short_rests(instance, instance.ward.rules.rest_after_nights_hours, instance.ends_a_night_run)
    yield from _for_all(instance, RuleId("rest_after_nights"), words)


def short_rests(
    instance: Instance, hours: float, counts: Callable[[int, int, int], bool] = lambda *_: True
) -> tuple[Word, ...]:
    """A shift, days off, and a shift that begins less than `hours` after the first one ends."""
    ends: dict[tuple[int, int, int], set[int]] = defaultdict(set)
    days = range(-LONGEST_TAIL, instance.days + max(map(len, instance.coming), default=0)) if hours else ()
    for day in days:
        for shift, gap, then in instance.short_rests(day, hours):
            if counts(shift, gap, then):
                ends[shift, gap, then].add(day + gap)
    off = day_off(instance)
    return tuple(
        Word((frozenset({shift}), *[off] * (gap - 1), frozenset({then})), ends=_any_day(on, len(days)))
        for (shift, gap, then), on in ends.items()
    )


def _any_day(ends: set[int], days: int) -> frozenset[int] | None:
    """None where a rest is too short on all days: nurses then share it whatever the clocks do."""
    return None if len(ends) == days else frozenset(ends)


def longest_runs(instance: Instance) -> Iterator[Order]:
    """Most working days in a row, by contract and by the ward's rules."""
    for n in range(len(instance.nurses)):
        if (most := instance.max_run(n)) is not None:
            yield Order(RuleId("max_run"), n, (_too_long(worked(instance), most),))


def longest_night_runs(instance: Instance) -> Iterator[Order]:
    for n in range(len(instance.nurses) if instance.nights else 0):
        if (most := instance.max_night_run(n)) is not None:
            yield Order(RuleId("max_night_run"), n, (_too_long(frozenset(instance.nights), most),))


def longest_run_knobs(instance: Instance) -> Iterator[Knob]:
    """A contract's; beyond the ward's own limit that is raised with it. Then the ward's, for those whom it binds."""
    for rule, field, of_ward in (
        (RuleId("max_run"), "max_run", "max_days_in_a_row"),
        (RuleId("max_night_run"), "max_night_run", "max_nights_in_a_row"),
    ):
        own = [(nurse, getattr(nurse.contract, field)) for nurse in instance.nurses]
        common = getattr(instance.ward.rules, of_ward)
        yield from (_of_both(instance, nurse, rule, field, of_ward) for nurse, most in own if most is not None)
        if common is not None:
            binds = frozenset(nurse.id for nurse, most in own if most is None or most > common)
            put = partial(_with_common, of_ward)
            yield of_rules(instance.ward, rule, of_ward, _beyond(instance, common), rises=True, binds=binds, put=put)


def _of_both(instance: Instance, nurse: Nurse, rule: RuleId, field: str, of_ward: str) -> Knob:
    own, common = getattr(nurse.contract, field), getattr(instance.ward.rules, of_ward)

    def put(ward: Ward, value: int) -> Ward:
        return _with_common(of_ward, ward.with_terms(nurse.id, **{field: value}), value)

    return of_contract(
        nurse, rule, field, _beyond(instance, own), rises=True, put=put, raises=common,
        tier=FOR_REST if own == common else BY_CONTRACT,
        binds=frozenset({nurse.id} if common is None or own <= common else ()),
    )  # fmt: skip


def _with_common(of_ward: str, ward: Ward, value: int) -> Ward:
    """The ward's limit raised, where it is not as high already."""
    common = getattr(ward.rules, of_ward)
    return ward if common is None or value <= common else ward.with_rules(**{of_ward: value})


def _beyond(instance: Instance, most: int) -> Sequence[int]:
    return range(most + 1, instance.days + LONGEST_TAIL + 1)


def shortest_run_knobs(instance: Instance) -> Iterator[Knob]:
    for nurse in instance.nurses:
        for rule, field in ((RuleId("min_run"), "min_run"), (RuleId("min_days_off"), "min_days_off")):
            least = getattr(nurse.contract, field)
            yield of_contract(nurse, rule, field, range(least - 1, 0, -1), rises=False, tier=WISH_LIKE)


def shortest_runs(instance: Instance) -> Iterator[Order]:
    """Fewest working days in a row: no short block between two days off."""
    for n in range(len(instance.nurses)):
        if words := tuple(_too_short(instance, worked(instance), instance.contract(n).min_run)):
            yield Order(RuleId("min_run"), n, words)


def shortest_days_off(instance: Instance) -> Iterator[Order]:
    """The same with work and days off exchanged."""
    off = day_off(instance)
    for n in range(len(instance.nurses)):
        if words := tuple(_too_short(instance, off, instance.contract(n).min_days_off)):
            yield Order(RuleId("min_days_off"), n, words)


def hard_runs(instance: Instance) -> Iterator[Order]:
    """Hard limits to days in a row that are alike (`problem.runs`; INRC-II S2, S3 as hard rules)."""
    for n in range(len(instance.nurses)):
        for run in instance.runs(n):
            if run.limit.weight is None:
                yield from _both_ends(instance, n, run)


def _both_ends(instance: Instance, nurse: int, run: CountedRun) -> Iterator[Order]:
    limit = run.limit
    if short := tuple(_too_short(instance, run_labels(instance, run), limit.least)):
        yield Order(RuleId("run", run=RunId.of(limit, "least")), nurse, short)
    if limit.most is not None:
        long = _too_long(run_labels(instance, run), limit.most)
        yield Order(RuleId("run", run=RunId.of(limit, "most")), nurse, (long,))


def run_knobs(instance: Instance) -> Iterator[Knob]:
    """The ward's for everybody whom they bind, also where her contract says the same; those of other contracts alone."""
    ward = instance.ward
    common = dict.fromkeys(_ends(ward.rules.runs))
    bound = frozenset(nurse.id for nurse in ward.nurses if nurse.contract.ward_runs)
    yield from (_run_knob(instance, run, None, binds=bound, put=partial(_for_everybody, run)) for run in common)
    for nurse in ward.nurses:
        for run in dict.fromkeys(_ends(nurse.contract.runs)):
            if nurse.id not in bound or run not in common:
                yield _run_knob(instance, run, nurse.id, put=partial(_for_one, run, nurse.id))


def _ends(limits: Sequence[RunLimit]) -> Iterator[RunId]:
    for limit in limits:
        if limit.weight is None:
            yield RunId.of(limit, "least")
            if limit.most is not None:
                yield RunId.of(limit, "most")


def _run_knob(instance: Instance, run: RunId, nurse: str | None, **more: Any) -> Knob:
    is_least = run.bound == "least"
    values = range(run.number - 1, 0, -1) if is_least else _beyond(instance, run.number)
    tier = WISH_LIKE if is_least else BY_CONTRACT
    return Knob(
        rule=RuleId("run", run=run), tier=tier, bound=run.number, values=values, rises=not is_least, nurse=nurse, **more
    )


def _for_everybody(run: RunId, ward: Ward, value: int) -> Ward:
    for nurse in ward.nurses:
        if nurse.contract.ward_runs:
            ward = _for_one(run, nurse.id, ward, value)
    return ward.with_rules(runs=_moved(run, ward.rules.runs, value))


def _for_one(run: RunId, nurse: str, ward: Ward, value: int) -> Ward:
    return ward.with_terms(nurse, runs=_moved(run, ward.nurse_by_id[nurse].contract.runs, value))


def _moved(run: RunId, limits: Sequence[RunLimit], value: int) -> list[RunLimit]:
    return [
        limit.model_copy(update={run.bound: value})
        if limit.weight is None and RunId.of(limit, run.bound) == run
        else limit
        for limit in limits
    ]


def soft_runs(instance: Instance, prices: Prices) -> Iterator[Order]:
    """Days too few or too many in a row, at the weight of each soft limit: each day missing, each day too many."""
    for n in range(len(instance.nurses)):
        for run in instance.runs(n):
            if weight := (run.limit.weight or 0) * prices.scale:
                labels, limit = run_labels(instance, run), run.limit
                words = [*_too_short(instance, labels, limit.least, weight)]
                if limit.most is not None:
                    words.append(_too_long(labels, limit.most, Price("runs", weight)))
                yield Order(RuleId("run"), n, tuple(words))


def run_labels(instance: Instance, run: CountedRun) -> Labels:
    """The labels of a day that counts."""
    return frozenset(len(instance.shifts) if shift is None else shift for shift in run.shifts)


def _too_long(labels: Labels, most: int, price: Price | None = None) -> Word:
    return Word((labels,) * (most + 1), price)


def _too_short(instance: Instance, labels: Labels, least: int, weight: int | None = None) -> Iterator[Word]:
    """Every block that is shorter, between two days that do not count."""
    others = every(instance) - labels
    for length in range(1, least):
        price = None if weight is None else Price("runs", weight * (least - length))
        yield Word((others, *[labels] * length, others), price)


def isolated_days_off(instance: Instance, prices: Prices) -> Iterator[Order]:
    """Single days off between two worked ones that nobody asked for, the tail's last days included."""
    if price := _price("isolated_day_off", prices):
        work, off = worked(instance), day_off(instance)
        for n in range(len(instance.nurses)):
            ends = frozenset(d for d in range(instance.days) if (n, d - 1) not in instance.asked_off)
            yield Order(RuleId("isolated_day_off"), n, (Word((work, off, work), price, ends),))


def incomplete_weekends(instance: Instance, prices: Prices) -> Iterator[Order]:
    """Weekends of which one day is worked and the other, not asked off, is not, where the ward asks for whole ones."""
    price = _price("incomplete_weekend", prices) if instance.ward.rules.complete_weekends else None
    for n in range(len(instance.nurses) if price else 0):
        sunday_off = frozenset(sun for _, sun in instance.whole_weekends if (n, sun) not in instance.asked_off)
        saturday_off = frozenset(sun for sat, sun in instance.whole_weekends if (n, sat) not in instance.asked_off)
        yield Order(RuleId("incomplete_weekend"), n, _one_day(instance, price, sunday_off, saturday_off))


def uneven_weekends(instance: Instance, prices: Prices) -> Iterator[Order]:
    """Weekends worked on one day, or on different kinds of shift, at their weights (`problem.weekends`; INRC-II S5)."""
    sundays = frozenset(sunday for _, sunday in instance.whole_weekends)
    for n, nurse in enumerate(instance.nurses):
        split, mixed = (
            Price("uneven_weekends", weight * prices.scale) for weight in weekend_weights(instance.ward, nurse)
        )
        words = [*_one_day(instance, split, sundays, sundays), *_two_kinds(instance, mixed, sundays)]
        if paid := tuple(word for word in words if word.price and word.price.amount):
            yield Order(RuleId("uneven_weekends"), n, paid)


def _one_day(
    instance: Instance, price: Price | None, sunday_off: frozenset[int], saturday_off: frozenset[int]
) -> tuple[Word, Word]:
    """By the Sundays of the weekends on which the one or the other day off counts."""
    work, off = worked(instance), day_off(instance)
    return Word((work, off), price, sunday_off), Word((off, work), price, saturday_off)


def _two_kinds(instance: Instance, price: Price, sundays: frozenset[int]) -> Iterator[Word]:
    for kind in set(instance.weekend_kinds):
        like = frozenset(shift for shift, of in enumerate(instance.weekend_kinds) if of == kind)
        if others := worked(instance) - like:
            yield Word((like, others), price, sundays)


def fatigue(instance: Instance, prices: Prices) -> Iterator[Order]:
    """Shifts begun tired, by a nurse's initial score and the days since.

    fatigue_night:    a night begun with a high score
    fatigue_weekend:  another shift on a weekend day, the same
    fatigue_high:     another shift on a weekday, the same, after `high_run` days in a row
    fatigue_moderate: any shift begun with a moderate score or more, after `moderate_run` days in a row

    All by the ward's own scale (`Ward.fairness.fatigue`). The score may go below 0 and above 1, and a short rest adds
    nothing to it: the empathy check is exact and decides.
    """
    scale = FatigueUnits.of(instance.ward)
    priced = ((word, _price(kind, prices)) for kind, word in tired_shifts(instance, scale).items())
    words = tuple(replace(word, price=price) for word, price in priced if price)
    for n, nurse in enumerate(instance.nurses if words else []):
        yield Order(RuleId("fatigue"), n, words, Tally(in_units(nurse.fatigue), day_scores(instance, scale)))


def day_scores(instance: Instance, scale: FatigueUnits) -> tuple[int, ...]:
    """What a day adds to the score, by label."""
    nights = frozenset(instance.nights)
    by_shift = (scale.night if shift in nights else scale.shift for shift in range(len(instance.shifts)))
    return (*by_shift, -scale.day_off)


def tired_shifts(instance: Instance, scale: FatigueUnits) -> dict[CountedFinding, Word]:
    """Each kind, without a price."""
    work, nights = worked(instance), frozenset(instance.nights)
    weekend = frozenset(day for days in instance.weekends for day in days)
    weekdays = frozenset(range(instance.days)) - weekend
    words: dict[CountedFinding, Word] = {
        "fatigue_night": Word((nights,), tired=scale.high),
        "fatigue_weekend": Word((work - nights,), ends=weekend, tired=scale.high),
        "fatigue_high": Word((*[work] * scale.high_run, work - nights), ends=weekdays, tired=scale.high),
        "fatigue_moderate": Word((work,) * (scale.moderate_run + 1), tired=scale.moderate),
    }
    return {kind: word for kind, word in words.items() if word.labels[-1]}


def _price(kind: str, prices: Prices) -> Price | None:
    """Of one unit; None = it costs nothing."""
    amount = int(prices.of[kind] * prices.scale)
    return Price(kind, amount) if amount else None


def _for_all(instance: Instance, rule: RuleId, words: Iterable[Word]) -> Iterator[Order]:
    """The same words for each nurse."""
    if found := tuple(words):
        yield from map(partial(Order, rule, words=found), range(len(instance.nurses)))


MUST = (
    successions, forward_rotation, daily_rest, rest_after_nights, longest_runs, longest_night_runs, shortest_runs,
    shortest_days_off, hard_runs,
)  # fmt: skip
PRICED = (fatigue, isolated_days_off, incomplete_weekends, soft_runs, uneven_weekends, rotation)
KNOBS = (succession_knobs, rotation_knobs, rest_knobs, longest_run_knobs, shortest_run_knobs, run_knobs)
