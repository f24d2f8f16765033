"""What can be loosened about a rule: a number, row or flag of the ward, and the values that it may take instead.

A rule without a knob is taken to hold whatever happens: it is named in a contradiction, but never offered to give.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.ward.ward import Nurse, Ward

WISH_LIKE, BY_CONTRACT, FOR_REST, BY_MANAGER = 1, 2, 3, 4
"""What is asked to give, in this order, after a nurse who is missing (0)."""


@dataclass(frozen=True, kw_only=True)
class Knob:
    rule: RuleId
    tier: int
    bound: Any = None
    """Where it stands."""
    values: Sequence[Any] = (True,)
    """From the nearest to where it stands to the loosest; a number that may be None has no limit then."""
    put: Callable[[Ward, Any], Ward]
    rises: bool | None = None
    """Whether higher numbers are looser; None = what was found does not say which value is enough."""
    nurse: str | None = None
    """None = it holds for everybody."""
    day: date | None = None
    binds: frozenset[str] | None = None
    """The nurses whom nothing else binds as tightly; None = all of them."""
    raises: int | None = None
    """The ward's limit, that is raised with a contract's beyond it."""
    eve: RuleId | None = None
    """The rule of the day before that goes with it."""
    ordered: bool = True
    """Whether each value allows what those before it allow."""

    def is_about(self, rule: RuleId, nurse: str | None, day: date | None) -> bool:
        """Whether it has to be turned for the nurse, or the day, to break the rule; others may have to, too."""
        hers = nurse == self.nurse if self.nurse else self.binds is None or nurse in self.binds
        return self.rule == rule and hers and self.day in (None, day)

    def frees(self, rule: RuleId, nurse: str | None, day: date | None) -> bool:
        """Whether the rule need not hold for the nurse, or on the day, once it is as loose as it goes."""
        if self.day and day and rule == self.eve and nurse == self.nurse:
            return day.toordinal() == self.day.toordinal() - 1
        return self.is_about(rule, nurse, day) and (self.binds is None or nurse in self.binds)

    def allows(self, value: Any, found: float) -> bool:
        return value is None or bool(value >= found if self.rises else value <= found)

    def enough(self, found: float) -> Any:
        """The nearest value that allows what was found."""
        if self.rises is None:
            return self.values[-1]
        return next((value for value in self.values if self.allows(value, found)), found)


def of_rules(ward: Ward, rule: RuleId, field: str, values: Sequence[Any], **more: Any) -> Knob:
    """A field of the ward's rules."""

    def put(ward: Ward, value: Any) -> Ward:
        return ward.with_rules(**{field: value})

    about: dict[str, Any] = {"bound": getattr(ward.rules, field), "tier": FOR_REST, "put": put} | more
    return Knob(rule=rule, values=values, **about)


def of_contract(nurse: Nurse, rule: RuleId, field: str, values: Sequence[Any], **more: Any) -> Knob:
    """A field of a nurse's contract."""

    def put(ward: Ward, value: Any) -> Ward:
        return ward.with_terms(nurse.id, **{field: value})

    about: dict[str, Any] = {"bound": getattr(nurse.contract, field), "tier": BY_CONTRACT, "put": put} | more
    return Knob(rule=rule, values=values, nurse=nurse.id, **about)
