"""The wards of the roster benchmark: Curtois and Qu's instances from a folder, and an invented one."""

from collections.abc import Iterable, Iterator
from datetime import date, time, timedelta
from pathlib import Path

from benchmarks.roster_curtois import read_curtois

from wavegraph.tools.roster.ward.faults import WardError
from wavegraph.tools.roster.ward.ward import Contract, Demand, Nurse, Rules, Shift, Ward, Wish


def instances(numbers: Iterable[int], folder: Path) -> Iterator[tuple[str, Ward | str]]:
    """Each instance with its ward, or with a sentence that says why there is none."""
    for number in numbers:
        path = folder / f"Instance{number}.txt"
        try:
            yield str(number), read_curtois(path)
        except WardError as error:
            yield str(number), str(error) if path.exists() else f"there is no {path}"


def tiny_ward() -> Ward:
    """Five nurses, a week, two shifts: enough to see that everything works."""
    shifts = [Shift(id="E", start=time(7), minutes=480), Shift(id="L", start=time(14), minutes=480)]
    contract = Contract(max_minutes=5 * 480, max_run=4, min_days_off=2)
    ward = Ward(
        name="Tiny",
        start=date(2026, 11, 23),
        days=7,
        shifts=shifts,
        nurses=[Nurse(id=i, contract=contract) for i in "abcde"],
    )
    days = [ward.start + timedelta(days=d) for d in range(ward.days)]
    demand = [Demand(day=day, shift=shift.id, target=2) for day in days for shift in shifts]
    wishes = [Wish(nurse=n, day=days[d], wants=False, weight=2) for d, n in enumerate("abcde")]
    return ward.model_copy(update={"demand": demand, "wishes": wishes, "rules": Rules(complete_weekends=False)})
