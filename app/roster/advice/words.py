"""Advice as lines for a terminal."""

from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len, set_cell_size

from wavegraph.app.plain_text import plain
from wavegraph.app.roster.page.words import amount
from wavegraph.graph.decimals import decimal
from wavegraph.tools.roster.advice.records import (
    Advice,
    Alternative,
    CellAdvice,
    CellMove,
    CoverAdvice,
    Effect,
    Measure,
    Replacement,
    RosterComparison,
    SwapAdvice,
    SwapPublished,
    WorseOff,
)
from wavegraph.tools.roster.advice.swap import swap_in_words
from wavegraph.tools.roster.answers.phrases import in_english
from wavegraph.tools.roster.checks.findings import Finding, number, who
from wavegraph.tools.roster.told import english
from wavegraph.tools.roster.versions.differences import cells_in_words as counted
from wavegraph.tools.roster.ward.ward import Nurse, Ward

OFF = "off"
MOST_CELLS = 40


def of_roster(found: Advice) -> str:
    version = f"V{found.version}, " if found.version else ""
    return f"{found.ward}, roster {found.roster_id} ({version}{found.start} to {found.end})"


def cover_lines(ward: Ward, found: CoverAdvice) -> list[str]:
    leaves = f" instead of {who(ward.nurse_by_id[found.instead])}" if found.instead else ""
    shift = ward.shift_by_id[found.shift]
    called = f"{shift.id} ({shift.name})" if shift.name else shift.id
    head = [
        f"{called} of {found.day:%A} {found.day}{leaves}: {of_roster(found)}",
        f"On it: {', '.join(found.on_it) or 'nobody'}",
        *(f"Lacks now: {finding.detail}" for finding in found.short),
        *([f"If nobody takes it: {', '.join(_effect(found.if_nobody))}"] if found.if_nobody else []),
    ]
    may = [f"{place}. {each.name}: {_may(each)}" for place, each in enumerate(found.may, start=1)]
    may_not = [f"- {each.name}: {_may_not(each)}" for each in found.candidates if not each.may]
    counts = f"{len(may)} of {len(found.candidates)} may:" if may else f"None of {len(found.candidates)} may."
    return _plain([*head, "", counts, *may, *(["", "Who may not, and why:", *may_not] if may_not else [])])


def _may(each: Replacement) -> str:
    target = "" if each.target_hours is None else f" of {number(each.target_hours)}"
    moved = [f"moved from {each.works}"] if each.works else []
    warned = [f"{len(each.warnings)} new {'warning' if len(each.warnings) == 1 else 'warnings'}"]
    parts = [*moved, *_effect(each), f"{number(each.hours)}{target} h", f"fairness {each.fairness:g} %"]
    return ", ".join([*parts, *(warned if each.warnings else [])])


def _may_not(each: Replacement) -> str:
    moved = f"works {each.works} that day; " if each.works else ""
    return moved + "; ".join(_rule(found, each.nurse) for found in each.breaks)


def _effect(effect: Effect) -> Iterator[str]:
    yield cost_in_words(effect.cost)
    yield from (found.detail for found in effect.breaks)
    yield from (f"needs compensatory rest: {found.detail}" for found in effect.compensatory)


def _rule(found: Finding, nurse: str = "") -> str:
    """`daily rest: has 8 h between …`; without the name of the nurse whom the line is about."""
    return f"{found.type.replace('_', ' ')}: {english(found.line({nurse: ''})).lstrip(': ')}"


def swap_lines(ward: Ward, found: SwapAdvice) -> list[str]:
    swap = swap_in_words(ward, found)
    head = [
        f"{swap[0].upper()}{swap[1:]}: {of_roster(found)}",
        *_listed(_moved(ward, each) for each in found.cells),
    ]
    fails = _listed(_rule(each) for each in found.fails if found.may)
    rests = [f"Needs compensatory rest: {each.detail}" for each in found.compensatory]
    worse = [_worse_off(each) for each in found.worse_off if found.may]
    verdict = f"Yes: {cost_in_words(found.cost)}, fairness {found.fairness:g} %." if found.may else "No, it breaks:"
    broken = _listed(_rule(each) for each in found.breaks)
    failing = ["It fails these checks then, which it does not now:", *fails] if fails else []
    return _plain([*head, verdict, *broken, *rests, *failing, *(["Worse off:", *_listed(worse)] if worse else [])])


def _moved(ward: Ward, cell: CellMove) -> str:
    nurse = who(ward.nurse_by_id[cell.nurse])
    return f"{nurse}, {cell.day:%A} {cell.day}: {cell.before or OFF} → {cell.now or OFF}"


def _worse_off(each: WorseOff) -> str:
    because = f" ({'; '.join(in_english(each.because))})" if each.because else ""
    return f"{each.name}: score {each.score_before:g} → {each.score:g}{because}"


def cost_in_words(cost: int) -> str:
    return "the same cost" if cost == 0 else f"cost {abs(cost)} {'more' if cost > 0 else 'less'}"


def published_lines(made: SwapPublished) -> list[str]:
    return _plain([f"Published: {of_roster(made)}, in place of {made.replaces}."])


def cell_lines(found: CellAdvice) -> list[str]:
    has = f"works {found.shift}" if found.shift else "is off"
    head = [f"{found.name} {has} on {found.day:%A} {found.day}: {of_roster(found)}"]
    head += [f"Found there now: {_rule(each, found.nurse)}" for each in found.found]
    verdict = "Forced: anything else breaks a rule." if found.forced else "Not forced."
    holds = [f"{each.kind}, against {_shifts(each.forbids)}: {'; '.join(each.words)}" for each in found.holds]
    others = [f"{each.shift or OFF}: {_alternative(each)}" for each in found.alternatives]
    why = ["Rules in the way:", *_listed(holds)] if holds else []
    return _plain([*head, verdict, *why, "Anything else:", *_listed(others)])


def _alternative(each: Alternative) -> str:
    if not each.may:
        return f"may not, unless the ward allows {'; '.join(each.relax)}"
    warned = [found.detail for found in each.warnings]
    return "; ".join([f"may, {', '.join(_effect(each))}, fairness {each.fairness:g} %", *warned])


def _shifts(forbids: Sequence[str | None]) -> str:
    return ", ".join(shift or OFF for shift in forbids)


def comparison_lines(people: Mapping[str, Nurse], found: RosterComparison) -> list[str]:
    head = [f"before: {of_roster(found.before)}", f"now:    {of_roster(found.now)}"]
    if found.cells is None or found.changed_cells is None:
        cells = ["They are of other days, so that no cells are compared."]
    else:
        listed = [
            f"{who(people[each.nurse])}, {each.day:%a} {each.day}: {each.before or OFF} → {each.now or OFF}"
            for each in found.cells[:MOST_CELLS]
        ]
        more = found.changed_cells - len(listed)
        cells = [f"{counted(found.changed_cells)}{':' if listed else ''}", *_listed(listed)]
        cells += [f"- and {more} more"] if more else []
    return [*_plain([*head, *cells]), "", *_table(found.measures)]


def _table(measures: Sequence[Measure]) -> list[str]:
    rows = [("", "before", "now", "difference"), *(_row(each) for each in measures)]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(4)]
    return [_columns(row, widths) for row in rows]


def _row(each: Measure) -> tuple[str, str, str, str]:
    name = f"{each.name}, {each.group}" if each.group else each.name
    more = 0.0 if each.before is None or each.now is None else round(each.now - each.before, 2)
    changed = f"{'+' if more > 0 else ''}{decimal(more)}" if more else ""
    return plain(name), _figure(each.before), _figure(each.now), changed


def _figure(value: float | None) -> str:
    return "-" if value is None else amount(value)


def _columns(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = row
    cells = [" " * (width - cell_len(cell)) + cell for cell, width in zip(rest, widths[1:], strict=True)]
    return "  ".join([set_cell_size(first, widths[0]), *cells]).rstrip()


def _listed(lines: Iterator[str] | Sequence[str]) -> list[str]:
    return [f"- {line}" for line in lines]


def _plain(lines: Sequence[str]) -> list[str]:
    return [plain(line) for line in lines]
