"""What the three months come to: nights per contract hour by group, and the checks over the joined time."""

from pathlib import Path

from examples.roster_month.workbook import CONTRACTS, DAYS, MONTHS, NURSES

from wavegraph.tools.roster.checks.compliance import check_compliance
from wavegraph.tools.roster.problem.hours import contract_minutes
from wavegraph.tools.roster.ward.file import read_ward
from wavegraph.tools.roster.ward.ward import Roster

GROUP = {name: group for name, _, group, _ in NURSES}
LEVEL = 10
"""Percent within which the means of the groups lie."""


def nights_table(file: Path, rosters: list[Roster], groups: list[str]) -> list[str]:
    """Nights per 100 hours by contract, a row a group, a column a month."""
    nights = {(group, m): _nights(roster, group) for m, roster in enumerate(rosters) for group in groups}
    hours = {group: _hours(file, group) for group in groups}
    months = [f"from {month:%-d %B}" for month in MONTHS]
    lines = [
        f"| contract | nurses | hours a month | {' | '.join(months)} | all three | nights |",
        f"|---|---|---|{'---|' * (len(months) + 2)}",
    ]
    for group in groups:
        own = [nights[group, m] for m in range(len(months))]
        each = " | ".join(f"{100 * count / hours[group]:.2f}" for count in own)
        staff = sum(GROUP[name] == group for name in GROUP)
        whole = f"{_per_hour(own, hours[group]):.2f}"
        lines.append(f"| {CONTRACTS[group]} % | {staff} | {hours[group]:g} | {each} | **{whole}** | {sum(own)} |")
    means = [_per_hour([nights[group, m] for m in range(len(months))], hours[group]) for group in groups]
    spread = 100 * (max(means) / min(means) - 1)
    aim = f"Over the three months the highest mean is {spread:.1f} % above the lowest; within {LEVEL} % is the aim."
    return ["Nights per 100 hours by contract:", "", *lines, "", aim]


def _per_hour(nights: list[int], hours: float) -> float:
    return 100 * sum(nights) / (hours * len(nights))


def _nights(roster: Roster, group: str) -> int:
    return sum(cell == "N" for name, row in roster.items() if GROUP[name] == group for cell in row)


def _hours(file: Path, group: str) -> float:
    """By contract, of a month of all nurses of the group."""
    ward = read_ward(file, start=MONTHS[0])
    return sum(contract_minutes(nurse.contract) or 0 for nurse in ward.nurses if GROUP[nurse.id] == group) / 60


def joined_check(file: Path, rosters: list[Roster]) -> str:
    """Rules know no border of a month: the three rosters as one."""
    ward = read_ward(file, start=MONTHS[0], days=DAYS * len(rosters))
    joined: Roster = {name: [cell for roster in rosters for cell in roster[name]] for name in GROUP}
    report = check_compliance(ward, joined)
    found = [f"- {each.detail}" for each in report.breaches]
    verdict = f"The checks over the {ward.days} days as one roster: compliance {report.status}"
    return "\n".join([f"{verdict}, {len(report.breaches)} breaches.", *found])
