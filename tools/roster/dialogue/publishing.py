"""What a manager sees before deciding: a roster that failed a check, or the requests as they were understood."""

from collections.abc import Mapping, Sequence
from typing import Any

from wavegraph.graph.approval import Terms
from wavegraph.tools.roster.reports import RosterReport
from wavegraph.tools.roster.ward.ward import Ward

MOST_LISTED = 20


def terms_of(roster_id: str, ward: Ward, report: RosterReport, grounds: Sequence[str], remarks: Sequence[str]) -> Terms:
    """The terms of publishing a roster. `grounds`: what no roster can avoid, and why; `remarks`: findings of further
    checks."""
    failing = [found.detail for found in report.failing]
    details = {
        "roster_id": roster_id,
        "ward": ward.name,
        "start": ward.start.isoformat(),
        "days": ward.days,
        "compliance": report.compliance.status,
        "empathy": report.empathy.status,
        "problems": failing[:MOST_LISTED],
        "more_problems": max(0, len(failing) - MOST_LISTED),
        "unavoidable": list(grounds),
        "remarks": list(remarks)[:MOST_LISTED],
        "fairness": report.empathy.fairness,
    }
    return {"details": details, "valid_until": None}


def restate_publication(details: Mapping[str, Any], language: str) -> str:
    head = (
        f"Roster {details['roster_id']} for {details['ward']}, {details['days']} days from {details['start']}: "
        f"compliance {details['compliance']}, empathy {details['empathy']}, fairness {details['fairness']:g} %."
    )
    more = [f"- and {details['more_problems']} more"] if details["more_problems"] else []
    problems = ["What failed:", *(f"- {each}" for each in details["problems"]), *more] if details["problems"] else []
    grounds = ["No roster can do better here:", *(f"- {each}" for each in details["unavoidable"])]
    proven = grounds if details["unavoidable"] else []
    remarks = ["Another check found:", *(f"- {each}" for each in details["remarks"])] if details["remarks"] else []
    return "\n".join([head, *problems, *proven, *remarks, "To be published as it is."])


def restate_changes(details: Mapping[str, Any], language: str) -> str:
    return "\n".join([f"For {details['ward']} I understood:", *(f"- {each}" for each in details["changes"])])
