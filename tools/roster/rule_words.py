"""How a rule of a ward is loosened, and of whom, as fields that each language words."""

from typing import Any

from wavegraph.tools.roster.problem.ids import loosened
from wavegraph.tools.roster.problem.rules.knobs import Knob
from wavegraph.tools.roster.told import Told, told
from wavegraph.tools.roster.ward.names import called
from wavegraph.tools.roster.ward.ward import Ward


def loosened_for(ward: Ward, knob: Knob, value: Any) -> Told:
    """With whom, and without the day."""
    what = _loosened(knob, value)
    if knob.nurse is None:
        return what if knob.rule.kind in ("minimum", "charge") else told("loosened.for_all", what=what)
    return told("loosened.of" if knob.day else "loosened.for", what=what, whom=nurse_told(ward, knob.nurse))


def _loosened(knob: Knob, value: Any) -> Told:
    if not knob.ordered:
        return told("each", each=[told("loosened.succession", before=before, then=then) for before, then in value])
    what = loosened(knob.rule, knob.bound, value)
    return told("loosened.also", what=what) if knob.raises is not None and value > knob.raises else what


def nurse_told(ward: Ward, nurse: str) -> Told:
    """By id and name, and what she is called."""
    return told("nurse_of", id=f"{nurse} {ward.nurse_by_id[nurse].name}".strip(), called=called(ward)[nurse])
