"""The guest's budget, as the prices of one look-up are held against it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from wavegraph.graph.answer.operators import Quantity
from wavegraph.tools.hotel.answers.amounts import WayT, amount, difference
from wavegraph.tools.hotel.answers.call_results import CallResults
from wavegraph.tools.hotel.answers.phrases import counted, say
from wavegraph.tools.hotel.dialogue.slots import BudgetSlot
from wavegraph.tools.hotel.records import Availability, OpenStays, Way


class Limit(NamedTuple):
    """A budget, for the guests of a look-up: of a budget for each person, what all of them may spend together."""

    budget: BudgetSlot
    guests: int
    currency: str

    @property
    def most(self) -> int:
        return self.budget.amount_agorot * (self.guests if self.budget.is_each else 1)

    @property
    def unit(self) -> str:
        """As of a quantity: `ILS`, `ILS/night`."""
        return f"{self.currency}/night" if self.budget.is_nightly else self.currency

    def priced(self, way: Way) -> int:
        """The price that it limits: of the stay, or of a night."""
        return way.per_night_agorot if self.budget.is_nightly else way.total_agorot

    def allows(self, way: Way) -> bool:
        return self.priced(way) <= self.most

    def within(self, ways: Sequence[WayT]) -> list[WayT]:
        return [way for way in ways if self.allows(way)]

    def heading(self, ways: Sequence[Way], language: str, *, none: str = "over_budget") -> str:
        """What introduces those of these that are within it; of none, `none` with the closest and by how much it is above."""
        if self.within(ways):
            return say("within_budget", language, **self.told(language))
        closest = min(ways, key=self.priced)
        over = amount(difference(self.priced(closest), self.most), closest.currency, language)
        return say(none, language, **{**self.price_told(closest, language), **self.told(language), "over": over})

    def as_amount(self, language: str) -> dict[str, Any]:
        """What an operator takes of the line that holds prices against it."""
        return {"called": say("budget", language), "quantity": Quantity(self.most, self.unit)}

    def told(self, language: str) -> dict[str, str]:
        """`700 NIS` and `per person for the stay (2,800 NIS for 4 guests)`."""
        per = say(f"per_{self.budget.per}", language)
        if self.budget.is_each and self.guests > 1:
            guests = counted(self.guests, "guest", "guests", language)
            per = say("per_of_all", language, per=per, total=amount(self.most, self.currency, language), guests=guests)
        return {"limit": amount(self.budget.amount_agorot, self.currency, language), "per": per}

    def price_told(self, way: Way, language: str) -> dict[str, str]:
        """A price in its terms: `900 NIS`, `per night`."""
        per = say("per_night" if self.budget.is_nightly else "per_stay", language)
        return {"price": amount(self.priced(way), self.currency, language), "per": per}


def limit_of(found: Availability | OpenStays, results: CallResults) -> Limit | None:
    """The budget that what was found is held against: of what a model planned, if its own call has one."""
    budget = results.slots.budget
    currency = found.currency if isinstance(found, Availability) else next((each.currency for each in found.stays), "")
    if budget is None or not currency or budget.is_foreign(currency) or not results.is_limited(found):
        return None
    return Limit(budget, found.adults + len(found.children_ages), currency)
