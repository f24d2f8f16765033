"""What is known of Curtois and Qu's instances: the best costs, and what solvers of the literature reached.

Best known: schedulingbenchmarks.org; those of instances 22 to 24 are not proven optimal. Ejection chain and Gurobi:
Curtois and Qu, 2014. IP and VNS: Rahimian, Akartunali and Levine, EJOR 258(2), 2017. Their machines were others than
ours, so their times say only how long a solver was given.
"""

from dataclasses import dataclass
from typing import NamedTuple

TEN_MINUTES_S, HOUR_S = 600.0, 3600.0


class Costs(NamedTuple):
    """Of the solvers of the literature after one length of time; None = not published."""

    chain: int | None = None
    gurobi: int | None = None
    vns: int | None = None


SOLVERS = Costs._fields
NONE = Costs()


@dataclass(frozen=True)
class PublishedCosts:
    """Costs of one instance in the literature."""

    best: int
    ten_minutes: Costs = NONE
    hour: Costs = NONE


PUBLISHED = {
    1: PublishedCosts(607, Costs(607, 607, 607), Costs(607, 607, 607)),
    2: PublishedCosts(828, Costs(923, 828, 828), Costs(837, 828, 828)),
    3: PublishedCosts(1001, Costs(1003, 1001, 1001), Costs(1003, 1001, 1001)),
    4: PublishedCosts(1716, Costs(1719, 1716, 1716), Costs(1718, 1716, 1716)),
    5: PublishedCosts(1143, Costs(1439, 1143, 1143), Costs(1358, 1143, 1143)),
    6: PublishedCosts(1950, Costs(2344, 1950, 1950), Costs(2258, 1950, 1950)),
    7: PublishedCosts(1056, Costs(1284, 1056, 1056), Costs(1269, 1056, 1056)),
    8: PublishedCosts(1300, Costs(2529, 8995, 1364), Costs(2260, 1323, 1344)),
    9: PublishedCosts(439, Costs(474, 439, 439), Costs(463, 439, 439)),
    10: PublishedCosts(4631, Costs(4999, 4631, 4631), Costs(4797, 4631, 4631)),
    11: PublishedCosts(3443, Costs(3967, 3443, 3443), Costs(3661, 3443, 3443)),
    12: PublishedCosts(4040, Costs(5611, 4045, 4042), Costs(5211, 4040, 4040)),
    13: PublishedCosts(1348, Costs(8707, 500410, 3109), Costs(3037, 3109, 1905)),
    14: PublishedCosts(1278, Costs(2542, 1482, 1281), Costs(1847, 1280, 1279)),
    15: PublishedCosts(3829, Costs(6049, 78144, 4144), Costs(5935, 4964, 3928)),
    16: PublishedCosts(3225, Costs(4343, 3521, 3306), Costs(4048, 3233, 3225)),
    17: PublishedCosts(5746, Costs(7835, 6149, 5760), Costs(7835, 5851, 5750)),
    18: PublishedCosts(4459, Costs(6404, 7950, 5049), Costs(6404, 4760, 4662)),
    19: PublishedCosts(3149, Costs(6522, 29968, 3974), Costs(5531, 5420, 3224)),
    20: PublishedCosts(4769),
    21: PublishedCosts(21133),
    22: PublishedCosts(30241),
    23: PublishedCosts(17428),
    24: PublishedCosts(42463),
}
