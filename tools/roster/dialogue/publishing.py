"""What a manager sees before deciding: a roster that failed a check, or the requests as they were understood."""

from collections.abc import Mapping, Sequence
from typing import Any

from wavegraph.graph.approval import Terms
from wavegraph.tools.roster.checks.findings import who
from wavegraph.tools.roster.dialogue.kept import verdict_in_words
from wavegraph.tools.roster.records import ChangeKept
from wavegraph.tools.roster.reports import RosterReport
from wavegraph.tools.roster.ward.ward import Ward

MOST_LISTED = 20
OFF = "off"


def terms_of(
    roster_id: str,
    ward: Ward,
    report: RosterReport,
    grounds: Sequence[str],
    remarks: Sequence[str],
    changes: Sequence[ChangeKept] = (),
    place: Sequence[str] = (),
) -> Terms:
    """The terms of publishing a roster. `grounds`: what no roster can avoid, and why; `remarks`: findings of further
    checks; `changes`: what was asked for, with whether the roster keeps it; `place`: what is published already."""
    # left out where there is none: what an earlier version asked about stands unchanged
    asked = {"changes": [verdict_in_words(change) for change in changes]} if changes else {}
    asked |= {"place": list(place)} if place else {}
    asked |= {"changed": _changed(ward, report)} if report.changes else {}
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
        **asked,
    }
    return {"details": details, "valid_until": None}


def _changed(ward: Ward, report: RosterReport) -> list[str]:
    """The cells that differ from the published roster, each with its reason."""
    lines = [
        f"{who(ward.nurse_by_id[each.nurse_id])}, {each.day}: {each.before or OFF} → {each.now or OFF} ({each.reason})"
        for each in report.changes[:MOST_LISTED]
    ]
    more = len(report.changes) - len(lines)
    return [*lines, *([f"and {more} more"] if more > 0 else [])]


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
    changes = details.get("changes", ())
    asked = ["What was asked for:", *(f"- {each}" for each in changes)] if changes else []
    place = [f"- {each}" for each in details.get("place", ())]
    taken = ["What is published already:", *place] if place else []
    cells = [f"- {each}" for each in details.get("changed", ())]
    changed = ["What changes:", *cells] if cells else []
    return "\n".join([head, *problems, *proven, *remarks, *asked, *taken, *changed, "To be published as it is."])


def changes_terms(ward: Ward, words: Sequence[str], not_held: Sequence[str]) -> Terms:
    """The terms of changing a ward. `words`: each change as it was understood; `not_held`: what no change can say."""
    details: dict[str, Any] = {"ward": ward.name, "changes": list(words)}
    return {"details": {**details, "not_held": list(not_held)} if not_held else details, "valid_until": None}


def restate_changes(details: Mapping[str, Any], language: str) -> str:
    changes, not_held = details["changes"], details.get("not_held", ())
    understood = [f"For {details['ward']} I understood:", *(f"- {each}" for each in changes)] if changes else []
    left_out = f"What was asked for {details['ward']} and cannot be held, so that the roster is made without it:"
    without = [left_out, *(f"- {each}" for each in not_held)] if not_held else []
    return "\n".join([*understood, *without])
