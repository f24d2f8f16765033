"""What a roster costs, by kind of penalty: a sum of counts times their prices."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ortools.sat.python import cp_model

from wavegraph.tools.roster.cpsat.variables import Literal


@dataclass
class Objective:
    """The terms by kind, in 1/scale."""

    scale: int = 1
    terms: dict[str, list[tuple[int, Literal]]] = field(default_factory=dict)

    def charge(self, kind: str, amount: int, count: Literal) -> None:
        """Add an amount for each unit of a variable or literal."""
        self.terms.setdefault(kind, []).append((amount, count))

    @property
    def total(self) -> cp_model.LinearExprT:
        terms = [term for terms in self.terms.values() for term in terms]
        return cp_model.LinearExpr.weighted_sum([count for _, count in terms], [price for price, _ in terms])

    def parts(self, values: Sequence[int]) -> dict[str, int]:
        """What each kind costs, by the values of all variables."""
        return {
            kind: sum(price * value_of(count, values) for price, count in terms) for kind, terms in self.terms.items()
        }


def value_of(count: Literal, values: Sequence[int]) -> int:
    """A variable's value, or a negated literal's."""
    return values[count.index] if count.index >= 0 else 1 - values[-count.index - 1]
