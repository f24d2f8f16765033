"""Colliding rules in one sentence for a manager, and what would have to give in a few words."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import get_args

from wavegraph.tools.roster.cpsat.grounds import Ground
from wavegraph.tools.roster.cpsat.relaxations import Loosened, Outside, Relaxation
from wavegraph.tools.roster.problem.ids import WORDS, RuleId, required
from wavegraph.tools.roster.problem.instance import Instance
from wavegraph.tools.roster.problem.rules.declared import knobs
from wavegraph.tools.roster.problem.rules.knobs import Knob
from wavegraph.tools.roster.rule_words import loosened_for
from wavegraph.tools.roster.told import Told, told
from wavegraph.tools.roster.ward.finding_types import CountedFinding
from wavegraph.tools.roster.ward.names import called
from wavegraph.tools.roster.ward.ward import Ward

LENGTH = 300
"""Longest sentence in characters, unless its subject alone takes more or another length is asked for."""
DAYS_NAMED = 12
"""Days named for what would have to give: whoever does it needs them."""
FINDINGS = get_args(CountedFinding)
NAMED = 3
"""Nurses or days named for a rule; the others are counted."""


def in_words(ward: Ward, grounds: Collection[Ground], length: int = LENGTH) -> str:
    """One sentence: what is impossible, or cannot be avoided, with which rules, one of which would have to give.

    Rules beyond `length` characters are only counted.
    """
    if not grounds:
        return "No rules are known to collide."
    findings = [ground for ground in grounds if ground.rule.kind in FINDINGS]
    rules = [ground for ground in grounds if ground.rule.kind not in FINDINGS]
    clauses = _clauses(ward, rules)
    if not clauses:
        return f"{_finding(ward, findings)} cannot be avoided, whatever gives."
    begins = f"{_finding(ward, findings)} cannot be avoided with" if findings else "No roster keeps"
    ends = "it would have to give." if len(rules) == 1 else "at least one of them would have to give."
    return f"{begins} {_listed([str(clause) for clause in clauses], length - len(begins) - len(ends) - 3)}; {ends}"


def why_told(ward: Ward, grounds: Collection[Ground], length: int = LENGTH) -> Told:
    """The sentence of `in_words`, with what each roster breaks of it for another language."""
    findings = [
        told("kind", kind=each) for each in dict.fromkeys(one.rule.kind for one in grounds if one.rule.kind in FINDINGS)
    ]
    rules = [
        _broken(ward, kind, of) for kind, of in _by_kind([one for one in grounds if one.rule.kind not in FINDINGS])
    ]
    about = {"detail": in_words(ward, grounds, length), "findings": findings, "rules": rules}
    if not rules:
        return told("unavoidable" if findings else "no_grounds", **about)
    return told("unavoidable_without" if findings else "collide", **about)


def _by_kind(grounds: Sequence[Ground]) -> list[tuple[str, list[Ground]]]:
    kinds: dict[str, list[Ground]] = {}
    for each in grounds:
        kinds.setdefault(found_as(each.rule), []).append(each)
    return list(kinds.items())


def found_as(rule: RuleId) -> str:
    """The kind of finding, or of penalty, that a roster without the rule would have."""
    return WORDS[rule.kind].found_as or rule.kind


def _broken(ward: Ward, kind: str, grounds: Sequence[Ground]) -> Told:
    names = list(dict.fromkeys(called(ward)[each.nurse] for each in grounds if each.nurse))
    days = list(dict.fromkeys(each.day for each in grounds if each.day))
    of = [*names[:NAMED], *(told("when.day", day=day) for day in days[:NAMED])]
    left = max(0, len(names) - NAMED) + max(0, len(days) - NAMED)
    more = [told("terms_more", more=left)] if left else []
    return told("kind_of", kind=kind, of=[*of, *more]) if of else told("kind", kind=kind)


def _finding(ward: Ward, findings: list[Ground]) -> str:
    kind = findings[0].rule.kind
    nurses = [_who(ward, ground.nurse) for ground in findings if ground.nurse]
    return f"{required(findings[0].rule)} ({kind}{f', {_few(nurses)}' if nurses else ''})"


def _listed(texts: list[str], length: int) -> str:
    """As many as fit, the first always, and how many more there are."""
    kept = texts[:1]
    for text in texts[1:]:
        if len("; ".join([*kept, text])) + len(" and 100 more") > length:
            break
        kept.append(text)
    more = len(texts) - len(kept)
    return "; ".join(kept) + (f" and {more} more" if more else "")


@dataclass
class _Clause:
    """What a rule requires, of whom and when."""

    what: str
    nurses: list[str] = field(default_factory=list)
    days: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        whom = f" for {_few(self.nurses)}" if self.nurses else ""
        return f"{self.what}{whom}{f' on {_few(self.days)}' if self.days else ''}"


def _clauses(ward: Ward, grounds: list[Ground]) -> list[_Clause]:
    """One for all days of the same rule and nurse, or for all nurses of the same rule; cover first, then the days."""
    clauses: dict[tuple[str, str | None], _Clause] = {}
    known = list(knobs(Instance.of(ward)))
    for ground in sorted(grounds, key=lambda ground: (ground.nurse is not None, ground.day is None)):
        what = _what(ground, known)
        clause = clauses.setdefault((what, ground.nurse if ground.day else None), _Clause(what))
        if ground.nurse and _who(ward, ground.nurse) not in clause.nurses:
            clause.nurses.append(_who(ward, ground.nurse))
        if ground.day:
            clause.days.append(ground.day.isoformat())
    return list(clauses.values())


def _what(ground: Ground, known: Sequence[Knob]) -> str:
    """The rule with its number."""
    freeing = (knob for knob in known if knob.rule == ground.rule and knob.frees(ground.rule, ground.nurse, ground.day))
    return required(ground.rule, next((knob.bound for knob in freeing), None))


def _who(ward: Ward, nurse: str) -> str:
    return f"{nurse} {ward.nurse_by_id[nurse].name}".strip()


def _few(names: list[str], most: int = NAMED) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def given_up(ward: Ward, relaxation: Relaxation) -> str:
    """What gives, in words: `one more nurse for N on 2026-12-12 and at most 4 instead of 3 nights for ann Ann`."""
    days: dict[str, list[str]] = {}
    for step in relaxation.steps:
        for what, on in _outside(ward, step) if isinstance(step, Outside) else [_loosened(ward, step)]:
            days.setdefault(what, []).extend(on)
    parts = [f"{what} on {_few(on, DAYS_NAMED)}" if on else what for what, on in days.items()]
    words = " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
    asked = any(isinstance(step, Loosened) and step.for_the_manager for step in relaxation.steps)
    return words + (" (for the manager to decide)" if asked else "")


def gives_told(ward: Ward, relaxation: Relaxation) -> Told:
    """The words of `given_up`, with each step for another language."""
    outside = [line for step in relaxation.steps if isinstance(step, Outside) for line in _from_outside(ward, step)]
    loosened = [each.knob for each in relaxation.steps if isinstance(each, Loosened)]
    rules = [Ground(each.rule, each.nurse, each.day) for each in loosened]
    given = [
        told("gives.up" if of[0].day else "gives.loosened", rule=_broken(ward, kind, of))
        for kind, of in _by_kind(rules)
    ]
    return told("gives", detail=given_up(ward, relaxation), steps=[*outside, *given])


def _from_outside(ward: Ward, step: Outside) -> Iterator[Told]:
    for skills, count in Counter(step.skills).items():
        about = {"nurses": told("nurse_count", n=count), "shift": step.shift, "day": ward.day(step.day)}
        yield told("gives.skilled", skills=list(skills), **about) if skills else told("gives.outside", **about)


def _outside(ward: Ward, step: Outside) -> Iterator[tuple[str, list[str]]]:
    for skills, count in Counter(step.skills).items():
        more = "one more nurse" if count == 1 else f"{count} more nurses"
        able = f" with skill {' and '.join(skills)}" if skills else ""
        yield f"{more}{able} for {step.shift}", [ward.day(step.day).isoformat()]


def _loosened(ward: Ward, step: Loosened) -> tuple[str, list[str]]:
    return loosened_for(ward, step.knob, step.value), [step.knob.day.isoformat()] if step.knob.day else []
