"""The hotel's rule: what is kept of an erased guest, and until when."""

from dataclasses import dataclass
from datetime import date, timedelta

from tables import table

from wavegraph.tools.hotel.property.personal_data import Keeps, kept

TODAY = date(2027, 3, 1)


@dataclass(frozen=True)
class Case:
    id: str
    status: str
    departure: date
    keeps: Keeps
    until: date | None
    fee: int | None = None
    keep_days: int = 100


DAY = timedelta(days=1)
CASES = [
    Case("still to come", "confirmed", date(2027, 6, 1), "all", date(2027, 6, 1)),
    Case("there now", "confirmed", TODAY + DAY, "all", TODAY + DAY),
    Case("leaves today", "confirmed", TODAY, "all", TODAY),
    Case("left yesterday", "confirmed", TODAY - DAY, "name", TODAY + 99 * DAY),
    Case("the accounts' last day", "confirmed", TODAY - 100 * DAY, "name", TODAY),
    Case("the day after", "confirmed", TODAY - 101 * DAY, "nothing", None),
    Case("a hotel that keeps nothing", "confirmed", TODAY - DAY, "nothing", None, keep_days=0),
    Case("a hotel that keeps nothing, still to come", "confirmed", TODAY + DAY, "all", TODAY + DAY, keep_days=0),
    Case("cancelled for nothing, still to come", "cancelled", date(2027, 6, 1), "nothing", None, fee=0),
    Case("cancelled at a cost, still to come", "cancelled", TODAY + DAY, "name", TODAY + 101 * DAY, fee=70_200),
    Case("cancelled at a cost, long ago", "cancelled", TODAY - 101 * DAY, "nothing", None, fee=70_200),
    Case("held", "hold", date(2027, 6, 1), "nothing", None),
    Case("a hold that lapsed", "expired", date(2027, 6, 1), "nothing", None),
]


@table("case", CASES)
def test_the_rule(case: Case) -> None:
    assert kept(case.status, case.fee, case.departure, TODAY, case.keep_days) == (case.keeps, case.until)
