"""The rules of a ward in English: what each requires, and how it is loosened."""

from typing import Any

from wavegraph.graph.decimals import decimal
from wavegraph.tools.roster.problem.ids import WORDS, RuleId
from wavegraph.tools.roster.problem.rules.knobs import Knob
from wavegraph.tools.roster.problem.runs import days_in_a_row
from wavegraph.tools.roster.ward.ward import Ward

MINUTES = ("least_minutes", "most_minutes")


def required(rule: RuleId, bound: float | None = None) -> str:
    """`bound`: where its knob stands."""
    return WORDS[rule.kind].required.format(**_given(rule, bound))


def loosened(knob: Knob, value: Any) -> str:
    """Without whom it is for."""
    words = WORDS[knob.rule.kind]
    if not knob.ordered:
        return ", ".join(words.loosened.format(before=shift, then=then) for shift, then in value)
    text = words.loosened if value else words.gone or words.loosened
    told = text.format(**_given(knob.rule, knob.bound), value=_amount(knob.rule, value))
    return told + (", also by the ward's rules," if knob.raises is not None and value > knob.raises else "")


def loosened_for(ward: Ward, knob: Knob, value: Any) -> str:
    """With whom, and without the day."""
    words = loosened(knob, value)
    if knob.nurse is None:
        return words if knob.rule.kind in ("minimum", "charge") else f"{words} for everybody"
    whom = f"{knob.nurse} {ward.nurse_by_id[knob.nurse].name}".strip()
    return f"{words} {'of' if knob.day else 'for'} {whom}"


def _given(rule: RuleId, bound: Any) -> dict[str, Any]:
    given = {"shift": rule.shift, "skill": rule.skill, "needed": rule.needed, "s": "" if bound == 1 else "s"}
    if rule.run is not None:
        bound = rule.run.number
        given |= {"end": rule.run.bound, "alike": days_in_a_row(rule.run.shifts, off=rule.run.off)}
    return {**given, "of_skill": f" of {rule.skill}" if rule.skill else "", "bound": _amount(rule, bound)}


def _amount(rule: RuleId, value: Any) -> str:
    if type(value) not in (int, float):
        return ""
    return decimal(value / 60 if rule.kind in MINUTES else value)
