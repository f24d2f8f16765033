"""What a manager sees before deciding: a roster that failed a check, or the requests as they were understood."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from wavegraph.graph.approval import Terms
from wavegraph.graph.errors import ToolRefusal
from wavegraph.graph.state import ToolCall
from wavegraph.tools.roster.answers.asked_words import asked_in_words
from wavegraph.tools.roster.answers.phrases import answer_language, counted, day_in_words, in_words, say
from wavegraph.tools.roster.checks.findings import who
from wavegraph.tools.roster.dialogue.kept import verdict_in_words
from wavegraph.tools.roster.records import ChangeKept, MovedCell
from wavegraph.tools.roster.reports import RosterReport
from wavegraph.tools.roster.versions.decisions import Version
from wavegraph.tools.roster.ward.names import called
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
    *,
    as_draft: bool = False,
    prices: Sequence[str] = (),
    begun_from: str = "",
    moved: Sequence[MovedCell] = (),
) -> Terms:
    """The terms of publishing a roster. `grounds`: what no roster can avoid, and why; `remarks`: findings of further
    checks; `changes`: what was asked for, with whether the roster keeps it; `place`: what is published already; `as_draft`: a yes keeps it as a draft;
    `prices`: those that are not the settings', as `kind price base`; `moved`: what differs from the roster `begun_from`
    besides what was asked for."""
    # left out where there is none: what an earlier version asked about stands unchanged
    asked: dict[str, Any] = {"changes": [verdict_in_words(change) for change in changes]} if changes else {}
    asked |= {"place": list(place)} if place else {}
    asked |= {"prices": list(prices)} if prices else {}
    asked |= {"as_draft": True} if as_draft else {}
    asked |= {"changed": _changed(ward, report)} if report.changes else {}
    asked |= {"begun_from": begun_from, "moved": [_of_terms(ward, each) for each in moved]} if moved else {}
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


def _of_terms(ward: Ward, cell: MovedCell) -> dict[str, Any]:
    return {**cell.model_dump(mode="json"), "nurse": called(ward)[cell.nurse]}


def _moved(cells: Sequence[Mapping[str, Any]], language: str) -> list[str]:
    off, shown = say("off", language), cells[:MOST_LISTED]
    lines = [
        f"{cell['nurse']}, {day_in_words(date.fromisoformat(cell['day']), language)}: "
        f"{cell['before'] or off} → {cell['shift'] or off}"
        for cell in shown
    ]
    return [*lines, *([say("terms_more", language, n=len(cells) - len(shown))] if len(cells) > len(shown) else [])]


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
    checks = {name: say(details[name], told) for name in ("compliance", "empathy")}
    about = {name: details[name] for name in ("roster_id", "ward")} | {
        "days": counted(details["days"], "day", told),
        "start": day_in_words(date.fromisoformat(details["start"]), told),
    }
    head = say("terms_head", told, fairness=f"{details['fairness']:g}", **about, **checks)
    more = [say("terms_more", told, n=details["more_problems"])] if details["more_problems"] else []
    lists = {
        "terms_failed": [*details["problems"], *more],
        "terms_unavoidable": details["unavoidable"],
        "terms_remarks": details["remarks"],
        "terms_asked": [asked_in_words(each, told) for each in details.get("changes", ())],
        "terms_prices": [_price(each, told) for each in details.get("prices", ())],
        "terms_place": details.get("place", ()),
        "terms_changed": details.get("changed", ()),
    }
    listed = [line for key, lines in lists.items() for line in _listed(say(key, told), lines)]
    if moved := details.get("moved"):
        listed += _listed(say("terms_moved", told, id=details["begun_from"]), _moved(moved, told))
    return "\n".join([head, *listed, say("terms_as_draft" if details.get("as_draft") else "terms_as_it_is", told)])


def missing_since(details: Mapping[str, Any], found: Sequence[Any], language: str) -> str:
    """Who was said to fall away from a shift that the roster still gives her, by the looks for who can take it."""
    covers = [each for each in found if isinstance(each, Mapping) and "if_nobody" in each and each.get("instead")]
    told, about = answer_language(language), details["roster_id"]
    lines = [
        say("still_on_it", told, nurse=each.get("called") or each["instead"], shift=each["shift"],
            day=day_in_words(date.fromisoformat(each["day"]), told))
        for each in covers if each["roster_id"] == about
    ]  # fmt: skip
    return "\n".join(dict.fromkeys(lines))


def _price(kept: str, language: str) -> str:
    kind, price, base = kept.split()
    return say("terms_price", language, kind=in_words(kind, language), price=price, base=base)


def _listed(heading: str, lines: Sequence[str]) -> list[str]:
    return [f"{heading}:", *(f"- {line}" for line in lines)] if lines else []


def why_not_in_words(head: Version | None, why_not: ToolRefusal) -> str:
    """Why a roster cannot be published, and the way out in a conversation."""
    if head is None or why_not.code != "conflict":
        return why_not.message
    return (
        f"{head} was published {head.decided.whose}, and this roster was begun from an earlier "
        "one. Say once more what should change: it is then made from the published one"
    )


def changed_since(head: Version) -> str:
    """Why a change that waited for a yes is not made."""
    return (
        f"{head} was published {head.decided.whose}, after this was asked. Nothing was changed: ask for it once more, "
        "and it is made from that one"
    )


def made_from_newer(head: Version) -> str:
    """Why a change is not made in the roster that was spoken of."""
    return f"{head} has been published since the roster that was spoken of, and the change is made in it"


def withdrawn_in_words(head: Version, as_draft: bool) -> str:
    """What a draft of the published roster does."""
    how = "as a draft" if as_draft else "a yes leaves it so; as a draft"
    return f"this roster itself, {head}, published {head.decided.whose}: {how} it is withdrawn, and nothing is published for these days"


def changes_terms(
    ward: Ward,
    words: Sequence[str],
    not_held: Sequence[str],
    elsewhere: Sequence[str] = (),
    *,
    today: date | None = None,
) -> Terms:
    """The terms of changing a ward. `today`: where days of its roster are over, they say so. `words`: each change as it was understood; `not_held`: what no change can say;
    `elsewhere`: what its roster does not cover."""
    # left out where there is none: what an earlier version asked about stands unchanged
    over = min(ward.days, (today - ward.start).days) if today and ward.published is None else 0
    days = [ward.start.isoformat(), ward.day(ward.days - 1).isoformat(), str(over)] if over > 0 else []
    further = {"days_over": days, "not_held": list(not_held), "elsewhere": list(elsewhere)}
    details: dict[str, Any] = {"ward": ward.name, "changes": list(words)}
    return {"details": details | {name: lines for name, lines in further.items() if lines}, "valid_until": None}


def publication_noted(calls: Sequence[ToolCall], slots: Mapping[str, Any], language: str) -> dict[str, list[str]]:
    """By tool, as `PlanningResult` has it: that a wish to publish is heard, beside changes that wait for a yes first."""
    asks = slots.get("publish") and any(call["tool"] == "apply_requests" for call in calls)
    return {"apply_requests": [say("then_published", answer_language(language))]} if asks else {}


def brief_changes(details: Mapping[str, Any], language: str) -> str:
    """What waits for a yes, in a line."""
    return ". ".join(f"{heading}: {'; '.join(lines)}" for heading, lines in _of_changes(details, language))


def restate_changes(details: Mapping[str, Any], language: str) -> str:
    return "\n".join(line for heading, lines in _of_changes(details, language) for line in _listed(heading, lines))


def _of_changes(details: Mapping[str, Any], language: str) -> list[tuple[str, Sequence[str]]]:
    """Headings with what stands under them."""
    told, ward = answer_language(language), details["ward"]
    lists = {
        "terms_understood": [asked_in_words(each, told) for each in details["changes"]],
        "terms_not_held": details.get("not_held", ()),
        "terms_elsewhere": details.get("elsewhere", ()),
    }
    listed = [(say(key, told, ward=ward), lines) for key, lines in lists.items() if lines]
    if not (over := details.get("days_over")):
        return listed
    first, last = (day_in_words(date.fromisoformat(day), told) for day in over[:2])
    return [*listed, (say("terms_days", told), [say("terms_days_over", told, first=first, last=last, n=over[2])])]
