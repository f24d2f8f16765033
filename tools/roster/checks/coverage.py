"""Enough nurses, with the right skills, on each shift."""

from collections import defaultdict
from collections.abc import Mapping

from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.told import told
from wavegraph.tools.roster.ward.ward import Demand, Nurse, Roster, Ward

Staffing = Mapping[tuple[int, str], list[Nurse]]


def staffing(ward: Ward, roster: Roster) -> Staffing:
    """The nurses at work, by day index and shift."""
    present: dict[tuple[int, str], list[Nurse]] = defaultdict(list)
    for nurse in ward.nurses:
        for day, shift in enumerate(roster[nurse.id]):
            if shift:
                present[day, shift].append(nurse)
    return present


def count(ward: Ward, present: Staffing, demand: Demand) -> int:
    """Nurses on the shift who meet the demand: all of them, or those with its skill."""
    nurses = present.get((ward.index(demand.day), demand.shift), [])
    return sum(demand.skill is None or demand.skill in nurse.skills for nurse in nurses)


def presences(ward: Ward, roster: Roster) -> list[tuple[Demand, int]]:
    """Each row of the demand with the nurses there who meet it."""
    present = staffing(ward, roster)
    return [(demand, count(ward, present, demand)) for demand in ward.demand]


def check_coverage(ward: Ward, roster: Roster) -> list[Finding]:
    """Each shift has its minimum of nurses; fewer than the target is a warning. Source: the ward's demand."""
    return _shortages(ward, roster, skilled=False)


def check_skill_mix(ward: Ward, roster: Roster) -> list[Finding]:
    """Each shift has its minimum of nurses with a skill; fewer than the target is a warning. Source: the ward's
    demand; as an example of such a rule, California Title 22 s. 70217."""
    return _shortages(ward, roster, skilled=True)


def _shortages(ward: Ward, roster: Roster, *, skilled: bool) -> list[Finding]:
    rows = [row for row in presences(ward, roster) if (row[0].skill is not None) is skilled]
    return [_shortage(demand, there) for demand, there in rows if there < demand.target]


def _shortage(demand: Demand, there: int) -> Finding:
    breach = there < demand.minimum
    needed = demand.minimum if breach else demand.target
    return Finding(
        type="skill_mix" if demand.skill else "coverage",
        day=demand.day.isoformat(),
        shift=demand.shift,
        skill=demand.skill,
        level="breach" if breach else "warning",
        rule=RuleId("minimum", demand.shift, demand.skill, needed=demand.minimum) if breach else None,
        names={},
        form="minimum" if breach else "target",
        given={"n": there, "able": told("found.able", skill=demand.skill) if demand.skill else ""},
        expected=needed,
        actual=there,
    )


def check_charge(ward: Ward, roster: Roster) -> list[Finding]:
    """One nurse with `rules.charge_skill` is on every shift that has demand. Source: common practice of a charge nurse
    on each shift; None switches it off."""
    skill = ward.rules.charge_skill
    if skill is None:
        return []
    present = staffing(ward, roster)
    staffed = {(demand.day, demand.shift) for demand in ward.demand if demand.target}
    return [
        Finding(
            type="skill_mix",
            day=day.isoformat(),
            shift=shift,
            skill=skill,
            rule=RuleId("charge", shift),
            names={},
            expected=1,
            actual=0,
        )
        for day, shift in staffed
        if not any(skill in nurse.skills for nurse in present.get((ward.index(day), shift), []))
    ]


RULES = (check_coverage, check_skill_mix, check_charge)
