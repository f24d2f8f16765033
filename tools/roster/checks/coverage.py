"""Enough nurses, with the right skills, on each shift."""

from wavegraph.tools.roster.checks.findings import Finding
from wavegraph.tools.roster.checks.timelines import Checked
from wavegraph.tools.roster.problem.ids import RuleId
from wavegraph.tools.roster.told import told
from wavegraph.tools.roster.ward.ward import Demand


def check_coverage(of: Checked) -> list[Finding]:
    """Each shift has its minimum of nurses; fewer than the target is a warning. Source: the ward's demand."""
    return _shortages(of, skilled=False)


def check_skill_mix(of: Checked) -> list[Finding]:
    """Each shift has its minimum of nurses with a skill; fewer than the target is a warning. Source: the ward's
    demand; as an example of such a rule, California Title 22 s. 70217."""
    return _shortages(of, skilled=True)


def _shortages(of: Checked, *, skilled: bool) -> list[Finding]:
    rows = [row for row in of.presences if (row[0].skill is not None) is skilled]
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


def check_charge(of: Checked) -> list[Finding]:
    """One nurse with `rules.charge_skill` is on every shift that has demand. Source: common practice of a charge nurse
    on each shift; None switches it off."""
    skill = of.ward.rules.charge_skill
    staffed = {(demand.day, demand.shift) for demand in of.ward.demand if demand.target and skill is not None}
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
        if not of.able(of.ward.index(day), shift, skill)
    ]


RULES = (check_coverage, check_skill_mix, check_charge)
