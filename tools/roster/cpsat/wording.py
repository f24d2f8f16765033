"""Colliding rules, and what would have to give, as fields of which each language makes a sentence."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date
from typing import get_args

from wavegraph.tools.roster.cpsat.grounds import Ground
from wavegraph.tools.roster.cpsat.relaxations import Loosened, Outside, Relaxation
from wavegraph.tools.roster.problem.ids import FOUND_AS, RuleId, required
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.rules.declared import knobs
from wavegraph.tools.roster.problem.rules.knobs import BY_MANAGER, Knob
from wavegraph.tools.roster.rule_words import loosened_for, nurse_told
from wavegraph.tools.roster.told import Told, told
from wavegraph.tools.roster.ward.finding_types import CountedFinding
from wavegraph.tools.roster.ward.ward import Ward

MOST_CLAUSES = 6
"""Of a sentence, unless another number is asked for; the others are counted."""
DAYS_NAMED = 12
"""Days named for what would have to give: whoever does it needs them."""
FINDINGS = get_args(CountedFinding)
NAMED = 3
"""Nurses or days named for a rule; the others are counted."""


def why_told(ward: Ward, grounds: Collection[Ground], most: int = MOST_CLAUSES) -> Told:
    """One sentence: what is impossible, or cannot be avoided, with which rules, one of which would have to give."""
    findings = [ground for ground in grounds if ground.rule.kind in FINDINGS]
    rules = [ground for ground in grounds if ground.rule.kind not in FINDINGS]
    clauses = _clauses(ward, rules)
    about = {
        "clauses": clauses[:most],
        "more": _more(len(clauses) - most),
        "ends": told("ends.one" if len(rules) == 1 else "ends.some"),
        "finding": _finding(ward, findings) if findings else "",
    }
    if not rules:
        return told("grounds.unavoidable", finding=about["finding"]) if findings else told("grounds.none")
    return told("grounds.unavoidable_without" if findings else "grounds.collide", **about)


def found_as(rule: RuleId) -> str:
    """The kind of finding, or of penalty, that a roster without the rule would have."""
    return FOUND_AS.get(rule.kind, rule.kind)


def _finding(ward: Ward, findings: Sequence[Ground]) -> Told:
    rule, nurses = findings[0].rule, [ground.nurse for ground in findings if ground.nurse]
    return told("clause.finding", what=required(rule), whom=_whom(ward, nurses, "clause.of"))


def _clauses(ward: Ward, grounds: Sequence[Ground]) -> list[Told]:
    """One for all days of the same rule and nurse, or for all nurses of the same rule; cover first, then the days."""
    together: dict[tuple[str, str | None], tuple[Told, list[Ground]]] = {}
    known = list(knobs(Instance.of(ward)))
    for ground in sorted(grounds, key=lambda ground: (ground.nurse is not None, ground.day is None)):
        what = _required(ground, known)
        together.setdefault((repr(what), ground.nurse if ground.day else None), (what, []))[1].append(ground)
    return [
        told(
            "clause", what=what, whom=_whom(ward, [each.nurse for each in of if each.nurse], "clause.whom"),
            when=_on([each.day for each in of if each.day], NAMED),
        )
        for what, of in together.values()
    ]  # fmt: skip


def _required(ground: Ground, known: Sequence[Knob]) -> Told:
    """The rule with its number."""
    freeing = (knob for knob in known if knob.rule == ground.rule and knob.frees(ground.rule, ground.nurse, ground.day))
    return required(ground.rule, next((knob.bound for knob in freeing), None))


def _whom(ward: Ward, nurses: Sequence[str], say: str) -> Told | str:
    names = list(dict.fromkeys(nurses))
    each = [nurse_told(ward, name) for name in names[:NAMED]]
    return told(say, each=each, more=_more(len(names) - NAMED)) if names else ""


def _on(days: Sequence[date], most: int) -> Told | str:
    named = [told("when.day", day=day) for day in days[:most]]
    return told("clause.on", each=named, more=_more(len(days) - most)) if days else ""


def _more(count: int) -> Told | str:
    return told("and_more", more=count) if count > 0 else ""


def gives_told(ward: Ward, relaxation: Relaxation) -> Told:
    """What gives: `one more nurse for N on 2026-12-12 and at most 4 instead of 3 nights for ann Ann`."""
    days: dict[str, tuple[Told, list[date]]] = {}
    for step in relaxation.steps:
        day = ward.day(step.day) if isinstance(step, Outside) else step.knob.day
        for what in _from_outside(step) if isinstance(step, Outside) else [loosened_for(ward, step.knob, step.value)]:
            days.setdefault(repr(what), (what, []))[1].extend([day] if day else [])
    *front, last = [told("clause", what=what, whom="", when=_on(on, DAYS_NAMED)) for what, on in days.values()]
    asked = any(isinstance(step, Loosened) and step.knob.tier == BY_MANAGER for step in relaxation.steps)
    parts = told("gives.and", front=told("each", each=front), last=last) if front else last
    return told("gives.all", parts=parts, asked=told("gives.asked") if asked else "")


def _from_outside(step: Outside) -> list[Told]:
    able = {skills: told("gives.able", skills=" and ".join(skills)) if skills else "" for skills in step.skills}
    return [
        told("gives.more", nurses=told("more_nurses", n=count), able=able[skills], shift=step.shift)
        for skills, count in Counter(step.skills).items()
    ]
