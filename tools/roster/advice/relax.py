"""What would have to be otherwise for breaches not to be any: the knobs of the rules that they break, turned just so far."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.rules.declared import knobs
from wavegraph.tools.roster.problem.rules.knobs import Knob
from wavegraph.tools.roster.rule_words import loosened_for
from wavegraph.tools.roster.told import english
from wavegraph.tools.roster.ward.ward import Ward

ROUNDED = 0.005
"""What is found of hours may lie so far below the truth."""


def loosened(ward: Ward, broken: Sequence[Finding]) -> tuple[Ward, list[str]]:
    """For breaches that compliance finds: the ward without any of them, and each thing that differs there."""
    known = list(knobs(Instance.of(ward)))
    turned: dict[int, Any] = {}
    for found in broken:
        day = date.fromisoformat(found.day) if found.day else None
        rules = list(_rules(ward, found))
        for place, knob in enumerate(known):
            if any(knob.is_about(rule, found.nurse_id, day) for rule in rules):
                turned[place] = _looser(knob, turned.get(place, knob.bound), found)
    turned = {place: value for place, value in turned.items() if value != known[place].bound}
    words = []
    for place, value in turned.items():
        on = f" on {known[place].day}" if known[place].day else ""
        words.append(english(loosened_for(ward, known[place], value)) + on)
        ward = known[place].put(ward, value)
    return ward, words


def _rules(ward: Ward, found: Finding) -> Iterator[RuleId]:
    """Without its leave, a night before more of it is still one."""
    assert found.rule is not None, "a breach says which rule it breaks"
    yield found.rule
    if found.rule.kind == "leave" and _is_night_before_leave(ward, found):
        yield RuleId("night_before_leave")


def _is_night_before_leave(ward: Ward, found: Finding) -> bool:
    assert found.day is not None, "a finding about leave names its day"
    next_day = date.fromisoformat(found.day) + timedelta(days=1)
    is_night = found.shift is not None and ward.shift_by_id[found.shift].night
    return is_night and any((row.nurse, row.day, row.shift) == (found.nurse_id, next_day, None) for row in ward.leave)


def _looser(knob: Knob, value: Any, found: Finding) -> Any:
    """`value`, or the nearest one that allows what was found too."""
    if not knob.ordered:
        return [*(value or ()), (found.after, found.shift)]
    if knob.rises is None or not isinstance(found.actual, int | float):
        return knob.values[-1]
    above = ROUNDED if knob.rises and isinstance(found.actual, float) else 0
    return value if knob.allows(value, found.actual + above) else knob.enough(found.actual + above)
