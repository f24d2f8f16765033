"""The rules of a ward in English: how each is loosened (`problem.ids` says what it requires)."""

from typing import Any

from wavegraph.tools.roster.problem.ids import WORDS, amount_of, given_of
from wavegraph.tools.roster.problem.rules.knobs import Knob
from wavegraph.tools.roster.ward.ward import Ward


def loosened(knob: Knob, value: Any) -> str:
    """Without whom it is for."""
    words = WORDS[knob.rule.kind]
    if not knob.ordered:
        return ", ".join(words.loosened.format(before=shift, then=then) for shift, then in value)
    text = words.loosened if value else words.gone or words.loosened
    told = text.format(**given_of(knob.rule, knob.bound), value=amount_of(knob.rule, value))
    return told + (", also by the ward's rules," if knob.raises is not None and value > knob.raises else "")


def loosened_for(ward: Ward, knob: Knob, value: Any) -> str:
    """With whom, and without the day."""
    words = loosened(knob, value)
    if knob.nurse is None:
        return words if knob.rule.kind in ("minimum", "charge") else f"{words} for everybody"
    whom = f"{knob.nurse} {ward.nurse_by_id[knob.nurse].name}".strip()
    return f"{words} {'of' if knob.day else 'for'} {whom}"
