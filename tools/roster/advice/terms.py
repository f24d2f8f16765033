"""What a manager sees before a swap is published."""

from collections.abc import Mapping, Sequence
from typing import Any

from wavegraph.graph.approval import Terms
from wavegraph.tools.roster.advice.records import CellMove, SwapAdvice, WorseOff
from wavegraph.tools.roster.advice.rosters import KnownRoster
from wavegraph.tools.roster.checks.findings import who
from wavegraph.tools.roster.ward.ward import Ward

OFF = "off"


def swap_terms(of: KnownRoster, found: SwapAdvice) -> Terms:
    details = {
        "roster_id": of.roster_id,
        "ward": of.ward.name,
        "start": of.ward.start.isoformat(),
        "days": of.ward.days,
        "version": str(of.version) if of.version else "",
        "cells": cells_in_words(of.ward, found.cells),
        "cost": found.cost,
        "fairness": found.fairness,
        "compensatory": [each.detail for each in found.compensatory],
        "worse_off": [worse_off_in_words(each) for each in found.worse_off],
    }
    return {"details": details, "valid_until": None}


def cells_in_words(ward: Ward, cells: Sequence[CellMove]) -> list[str]:
    people = ward.nurse_by_id
    return [
        f"{who(people[cell.nurse])}, {cell.day:%A} {cell.day}: {cell.before or OFF} → {cell.now or OFF}"
        for cell in cells
    ]


def worse_off_in_words(each: WorseOff) -> str:
    because = f" ({'; '.join(each.because)})" if each.because else ""
    return f"{each.name}: score {each.score_before:g} → {each.score:g}{because}"


def cost_in_words(cost: int) -> str:
    return "the same cost" if cost == 0 else f"cost {abs(cost)} {'more' if cost > 0 else 'less'}"


def restate_swap(details: Mapping[str, Any], language: str) -> str:
    head = f"Swap in {details['version']} of {details['ward']}: {cost_in_words(details['cost'])}."
    rests = [f"Needs compensatory rest: {each}" for each in details["compensatory"]]
    worse = ["Worse off:", *(f"- {each}" for each in details["worse_off"])] if details["worse_off"] else []
    cells = [f"- {each}" for each in details["cells"]]
    return "\n".join([head, *cells, *rests, *worse, "To be published in its place."])
