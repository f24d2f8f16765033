"""What a manager sees before deciding: a roster that failed a check, or the requests as they were understood."""

from collections.abc import Mapping, Sequence
from typing import Any

from wavegraph.graph.approval import Terms
from wavegraph.tools.roster.answers.phrases import answer_language, say
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
    told = answer_language(language)
    checks = {name: say(details[name], told) if told != "en" else details[name] for name in ("compliance", "empathy")}
    about = {name: details[name] for name in ("roster_id", "ward", "days", "start")}
    head = say("terms_head", told, fairness=f"{details['fairness']:g}", **about, **checks)
    more = [say("terms_more", told, n=details["more_problems"])] if details["more_problems"] else []
    lists = {
        "terms_failed": [*details["problems"], *more],
        "terms_unavoidable": details["unavoidable"],
        "terms_remarks": details["remarks"],
        "terms_asked": details.get("changes", ()),
        "terms_place": details.get("place", ()),
        "terms_changed": details.get("changed", ()),
    }
    listed = [line for key, lines in lists.items() for line in _listed(say(key, told), lines)]
    return "\n".join([head, *listed, say("terms_as_it_is", told)])


def _listed(heading: str, lines: Sequence[str]) -> list[str]:
    return [f"{heading}:", *(f"- {line}" for line in lines)] if lines else []


def changes_terms(ward: Ward, words: Sequence[str], not_held: Sequence[str]) -> Terms:
    """The terms of changing a ward. `words`: each change as it was understood; `not_held`: what no change can say."""
    details: dict[str, Any] = {"ward": ward.name, "changes": list(words)}
    return {"details": {**details, "not_held": list(not_held)} if not_held else details, "valid_until": None}


def restate_changes(details: Mapping[str, Any], language: str) -> str:
    told, ward = answer_language(language), details["ward"]
    understood = _listed(say("terms_understood", told, ward=ward), details["changes"])
    return "\n".join([*understood, *_listed(say("terms_not_held", told, ward=ward), details.get("not_held", ()))])
