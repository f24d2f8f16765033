"""Two rosters side by side: the cells that differ, and a table of measures."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import mean

from wavegraph.tools.roster.advice.records import Advice, CellMove, Measure, RosterComparison
from wavegraph.tools.roster.advice.rosters import KnownRoster
from wavegraph.tools.roster.checks.findings import Finding, number
from wavegraph.tools.roster.checks.judge import Judge, Judged
from wavegraph.tools.roster.checks.measures import Share
from wavegraph.tools.roster.versions.differences import changes_between

MOST_CELLS = 200
NO_HOURS = "no hours agreed"
Key = tuple[str, str | None]
"""Name and group of a measure."""


def compare_rosters(before: KnownRoster, now: KnownRoster) -> RosterComparison:
    """Cells are compared where both are of the same days, measures always."""
    changes = None
    if (before.ward.start, before.ward.days) == (now.ward.start, now.ward.days):
        changes = changes_between(before.roster, now.roster)
    cells = [
        CellMove(nurse=each.nurse, day=now.ward.day(each.day), before=each.before, now=each.now)
        for each in changes or ()
    ]
    old, new = measures_of(before), measures_of(now)
    missing = {key: None if key[1] else 0 for key in (*old, *new)}  # what is not counted of a whole roster is 0
    return RosterComparison(
        before=Advice(**before.about),
        now=Advice(**now.about),
        cells=None if changes is None else cells[:MOST_CELLS],
        changed_cells=None if changes is None else len(changes),
        measures=[
            Measure(name=key[0], group=key[1], before=old.get(key, none), now=new.get(key, none))
            for key, none in missing.items()
        ],
    )


def measures_of(of: KnownRoster) -> dict[Key, float]:
    """By name and group, in the order of the table."""
    judged = Judge(of.ward, of.roster).before
    return {**_costs(judged), **_findings(judged), **_people(judged), **_groups(judged)}


def _costs(judged: Judged) -> dict[Key, float]:
    amounts = {kind: amount for kind, amount in judged.cost.by_kind.items() if kind != "changes"}
    kinds: dict[Key, float] = {(f"cost of {kind}", None): amount for kind, amount in amounts.items()}
    return {("cost", None): judged.cost.total, **kinds}


def _findings(judged: Judged) -> dict[Key, float]:
    levels = Counter(found.level for found in judged.findings)
    kinds = Counter(found.type for found in judged.findings)
    return {
        ("nurses missing to a minimum", None): _missing(judged.compliance, "coverage", "breach"),
        ("nurses missing to a target", None): _missing(judged.compliance, "coverage", "warning"),
        ("skills missing to a minimum", None): _missing(judged.compliance, "skill_mix", "breach"),
        ("skills missing to a target", None): _missing(judged.compliance, "skill_mix", "warning"),
        ("breaches", None): levels["breach"],
        ("compensatory rests", None): levels["compensatory"],
        ("warnings", None): levels["warning"],
        **{(f"found: {kind.replace('_', ' ')}", None): count for kind, count in kinds.items()},
    }


def _missing(findings: Sequence[Finding], kind: str, level: str) -> int:
    short = [found for found in findings if (found.type, found.level) == (kind, level)]
    return sum(int(found.expected or 0) - int(found.actual or 0) for found in short)


def _people(judged: Judged) -> dict[Key, float]:
    shares, scores = judged.empathy.shares, judged.empathy.scores
    return {
        ("wishes granted, weight", None): sum(share.wish_granted for share in shares),
        ("wishes asked, weight", None): sum(share.wish_weight for share in shares),
        ("fairness", None): judged.empathy.fairness,
        ("lowest score", None): min(scores.values()),
    }


def _groups(judged: Judged) -> dict[Key, float]:
    """Means of the nurses with the same contract hours, the most hours first."""
    groups: dict[int, list[Share]] = defaultdict(list)
    for share in judged.empathy.shares:
        groups[-1 if share.target_minutes is None else share.target_minutes].append(share)
    named = {
        NO_HOURS if minutes < 0 else f"{number(minutes / 60)} h": groups[minutes] for minutes in sorted(groups)[::-1]
    }
    return {(name, group): value for group, own in named.items() for name, value in _of_group(own).items()}


def _of_group(shares: Sequence[Share]) -> dict[str, float]:
    return {
        "nurses": len(shares),
        "hours each": round(mean(share.credited_minutes / 60 for share in shares), 2),
        "nights each": round(mean(share.nights for share in shares), 2),
        "weekends each": round(mean(share.weekends for share in shares), 2),
    }
