"""One clock for a request: solving, explaining and proving share its time limit.

    share    = (limit - spent) / rounds left
    solving  = 0.85 share, or of all that is left while there is no roster
    the rest = what is left of the share for explaining what cannot be met, then for proofs of what the checks find

`spent` is what the rounds before took. Where no roster exists no further round comes, so all that is left may explain it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from wavegraph.tools.roster.records import Generated

SOLVE_SHARE = 0.85
MOST_EXPLAIN_S = 10.0
"""However long the limit is: what is not explained by then is seldom explained at all."""


@dataclass(frozen=True)
class RoundTime:
    """The seconds of one round."""

    left_s: float
    """Of the limit, when the round begins."""
    rounds: int
    """That may still be made, this one included."""

    @classmethod
    def of(cls, limit_s: float, rounds: int, iteration: int, spent_s: float | None) -> "RoundTime":
        """`spent_s`: None = the rounds before took their shares; a round that a manager asked for has a share of its own."""
        left = max(1, rounds - iteration + 1)
        share = limit_s / rounds
        return cls(share * left if spent_s is None else max(0.0, limit_s - spent_s), left)

    @property
    def share_s(self) -> float:
        return self.left_s / self.rounds

    @property
    def solve_s(self) -> float:
        return SOLVE_SHARE * self.share_s

    @property
    def patience(self) -> float:
        """How many times as long solving may take while there is no roster."""
        return float(self.rounds)

    def explain_s(self, solved_s: float, *, is_last: bool) -> float:
        """Once it has been solved for so long. `is_last`: no further round can follow."""
        if is_last:
            return min(MOST_EXPLAIN_S, max(0.0, self.left_s - solved_s))
        kept = self.share_s - self.solve_s
        return min(MOST_EXPLAIN_S, max(kept, self.share_s - solved_s), max(0.0, self.left_s - solved_s))


def spent_s(rounds: Sequence[Generated], limit_s: float, most: int) -> float | None:
    """What these rounds took of the limit; None = no more than their shares of `most` rounds."""
    share = limit_s / most
    kept = share * (1 - SOLVE_SHARE)
    spent = sum(max(share, each.seconds + kept) for each in rounds)
    return spent if spent > share * len(rounds) + 1 else None
