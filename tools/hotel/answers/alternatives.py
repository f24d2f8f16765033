"""Which of the stays found free instead are worth naming: near ones first, none that another one already says."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from wavegraph.graph.ledger import GOOD
from wavegraph.graph.state import ToolOutcome
from wavegraph.tools.hotel.answers.money import cheapest

Data = dict[str, Any]
Ends = tuple[date, date]
MOST = 5


@dataclass(frozen=True)
class Alternative:
    """A stay that can be had, and the cheapest way to it: an offer, a combination or an open stay."""

    ends: Ends
    way: Data
    """With total, per night, currency; board and terms of its own or of its parts."""

    @property
    def nights(self) -> int:
        return (self.ends[1] - self.ends[0]).days


def stay_ends(data: Data) -> Ends:
    return date.fromisoformat(data["check_in"]), date.fromisoformat(data["check_out"])


def best_alternatives(found: Iterable[Data], asked: Ends, holiday: Ends | None) -> list[Alternative]:
    """At most five, from results of `get_availability` and `find_open_stays`.

    The same dates first; then what holds the nights asked for; as many nights elsewhere in the holiday; what lies inside
    the nights asked for (the longest first); what is near. Stays that leave the holiday come last.
    """
    ranked = sorted(_all(found), key=lambda each: _rank(each, asked, holiday))
    chosen: list[Alternative] = []
    for each in ranked:
        if not any(_says_the_same(each, other, holiday or asked) for other in chosen):
            chosen.append(each)
    return chosen[:MOST]


def _all(found: Iterable[Data]) -> list[Alternative]:
    ways: dict[Ends, Data] = {}
    for data in found:
        for each in _of(data):
            known = ways.get(each.ends)
            if known is None or each.way["total_agorot"] < known["total_agorot"]:
                ways[each.ends] = each.way
    return [Alternative(ends, way) for ends, way in ways.items()]


def _of(data: Data) -> list[Alternative]:
    if "stays" in data:
        return [Alternative(stay_ends(stay), {**stay, "total_agorot": stay["from_agorot"]}) for stay in data["stays"]]
    best = cheapest([*data.get("offers", []), *data.get("combinations", [])])
    return [Alternative(stay_ends(data), best)] if best else []


def _rank(each: Alternative, asked: Ends, holiday: Ends | None) -> tuple[int, ...]:
    shift, inside = (each.ends[0] - asked[0]).days, holiday is not None and _inside(each.ends, holiday)
    outside = int(holiday is not None and not inside)
    if each.ends == asked:
        return (0, 0)
    if _inside(asked, each.ends):
        return (outside, 1, each.nights, abs(shift))
    if inside and each.nights == (asked[1] - asked[0]).days:
        return (outside, 2, abs(shift), shift)
    if _inside(each.ends, asked):
        return (outside, 3, -each.nights, abs(shift))
    return (outside, 4, -each.nights, abs(shift), shift)


def _inside(inner: Ends, outer: Ends) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _says_the_same(each: Alternative, chosen: Alternative, wanted: Ends) -> bool:
    """Whether most of its nights are in a stay already chosen of its length, or in a longer one inside the dates wanted."""
    shared = (min(each.ends[1], chosen.ends[1]) - max(each.ends[0], chosen.ends[0])).days
    if 2 * shared <= each.nights:
        return False
    return each.nights == chosen.nights or _inside(chosen.ends, wanted)


def holiday_around(stay: Ends, outcomes: Sequence[ToolOutcome] | Iterable[ToolOutcome]) -> Ends | None:
    """The holiday looked up in this request that the stay is a part of."""
    holidays = [each["data"] for each in outcomes if each["tool"] == "get_holiday" and each["status"] in GOOD]
    return next((stay_ends(data) for data in holidays if _inside(stay, stay_ends(data))), None)
