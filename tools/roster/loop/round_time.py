"""One clock for a request: solving, explaining and proving share its time limit.

    share    = (limit - spent) / rounds left
    solving  = 0.85 share, or of all that is left while there is no roster
    the rest = what is left of the share for explaining what cannot be met, then for proofs of what the checks find

`spent` is what the rounds before took. Where no roster exists no further round comes, so all that is left may explain it;
where the best one is below a minimum, a quarter of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from wavegraph.tools.roster.records import Generated

SOLVE_SHARE = 0.85
SHORT_SHARE = 0.25
PROOF_S = 4.0
"""Most seconds for finding out whether what a check finds can be avoided at all."""
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

    def explain_s(self, solved_s: float, *, is_last: bool = False, is_short: bool = False) -> float:
        """Once it has been solved for so long. `is_last`: no further round can follow. `is_short`: its best roster is below
        a minimum, which no later round is likely to mend.
        """
        left = max(0.0, self.left_s - solved_s)
        if is_last:
            return min(MOST_EXPLAIN_S, left)
        kept = self.share_s - self.solve_s
        wanted = max(kept, self.share_s - solved_s, SHORT_SHARE * self.left_s if is_short else 0.0)
        return min(MOST_EXPLAIN_S, wanted, left)


def spent_s(rounds: Sequence[Generated], limit_s: float, most: int) -> float | None:
    """What these rounds took of the limit, the proofs of their checks included; None = no more than their shares of `most`
    rounds."""
    share = limit_s / most
    spent = sum(max(share, each.seconds + each.explained_s + (each.left_s or 0.0)) for each in rounds)
    return spent if spent > share * len(rounds) + 0.1 else None
