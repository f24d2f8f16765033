"""Advice as lines for a terminal."""

from collections.abc import Iterator, Sequence

from wavegraph.app.plain_text import plain
from wavegraph.app.roster.page.words import amount
from wavegraph.tools.roster.advice.records import Advice, CoverAdvice, Effect, Replacement
from wavegraph.tools.roster.checks.findings import Finding, number, who
from wavegraph.tools.roster.ward.ward import Ward

OFF = "off"


def cover_lines(ward: Ward, found: CoverAdvice) -> list[str]:
    leaves = f" instead of {who(ward.nurse_by_id[found.instead])}" if found.instead else ""
    shift = ward.shift_by_id[found.shift]
    called = f"{shift.id} ({shift.name})" if shift.name else shift.id
    head = [f"{called} of {found.day:%A} {found.day}{leaves}, {of_roster(found)}"]
    head.append(f"On it: {', '.join(found.on_it) or 'nobody'}")
    head += [f"Lacks now: {finding.detail}" for finding in found.short]
    if found.if_nobody:
        head.append(f"If nobody takes it: {', '.join(_effect(found.if_nobody, found.instead))}")
    may = [each for each in found.candidates if each.may]
    may_not = [each for each in found.candidates if not each.may]
    lines = [f"{place}. {each.name}: {_may(each)}" for place, each in enumerate(may, start=1)]
    refused = [f"- {each.name}: {_may_not(each)}" for each in may_not]
    parts = [*head, "", f"May, {len(may)} of {len(found.candidates)}:" if may else "Nobody may.", *lines]
    return [plain(line) for line in [*parts, *(["", "May not:", *refused] if refused else [])]]


def of_roster(found: Advice) -> str:
    version = f"V{found.version}, " if found.version else ""
    return f"{found.ward}, roster {found.roster_id} ({version}{found.start} to {found.end})"


def cost_words(cost: int) -> str:
    return "same cost" if cost == 0 else f"cost {amount(abs(cost))} {'more' if cost > 0 else 'less'}"


def _may(each: Replacement) -> str:
    target = "" if each.target_hours is None else f" of {number(each.target_hours)}"
    parts = [*_effect(each, each.nurse), f"{number(each.hours)}{target} h", f"fairness {each.fairness:g} %"]
    moved = [f"works {each.works} that day and would be moved"] if each.works else []
    return ", ".join([*moved, *parts])


def _may_not(each: Replacement) -> str:
    moved = f"works {each.works} that day; " if each.works else ""
    return moved + "; ".join(_rule(found, each.nurse, each.name) for found in each.breaks)


def _rule(found: Finding, nurse: str, name: str) -> str:
    """`daily rest: has 8 h between …`: of the nurse whom the line is about, without her name."""
    detail = found.detail.removeprefix(f"{name} ") if found.nurse_id == nurse else found.detail
    return f"{rule_called(found.type)}: {detail}"


def rule_called(kind: str) -> str:
    return kind.replace("_", " ")


def _effect(effect: Effect, nurse: str | None) -> Iterator[str]:
    yield cost_words(effect.cost)
    yield from (found.detail for found in effect.breaks)
    yield from (f"needs compensatory rest: {found.detail}" for found in effect.compensatory)


def details(findings: Sequence[Finding]) -> list[str]:
    return [found.detail for found in findings]
