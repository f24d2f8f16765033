"""What a manager sees before deciding: a roster that failed a check, or the requests as they were understood."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from wavegraph.graph.approval import Terms
from wavegraph.graph.errors import ToolRefusal
from wavegraph.graph.state import ToolCall
from wavegraph.tools.roster.advice.rosters import MOST_LISTED
from wavegraph.tools.roster.answers.phrases import answer_language, day_in_words, in_words, say, worded
from wavegraph.tools.roster.answers.receipts import failing_in_words, under
from wavegraph.tools.roster.loop.rounds import best, bound_told, more_time
from wavegraph.tools.roster.records import ChangeKept, MovedCell, Round
from wavegraph.tools.roster.reports import RosterReport
from wavegraph.tools.roster.told import Line, Told, as_json, moved_cell, repaired_cell, told
from wavegraph.tools.roster.versions.decisions import Version, published_by
from wavegraph.tools.roster.ward.names import called
from wavegraph.tools.roster.ward.ward import Ward


def terms_of(
    roster_id: str,
    ward: Ward,
    report: RosterReport,
    grounds: Sequence[Line],
    remarks: Sequence[Line],
    changes: Sequence[ChangeKept] = (),
    place: Sequence[Line] = (),
    *,
    as_draft: bool = False,
    prices: Sequence[Line] = (),
    begun_from: str = "",
    moved: Sequence[MovedCell] = (),
    today: date | None = None,
    rounds: Sequence[Round] = (),
) -> Terms:
    """The terms of publishing a roster. `rounds`: of the request that made it; `grounds`: what no roster can avoid, and why; `remarks`: findings of further
    checks; `changes`: what was asked for, with whether the roster keeps it; `place`: what is published already; `as_draft`: a yes keeps it as a draft;
    `prices`: those that are not the settings', as `kind price base`; `moved`: what differs from the roster `begun_from`
    besides what was asked for."""
    names = called(ward)
    failing = [found.line(names) for found in report.failing]
    repaired = [
        repaired_cell(moved_cell(names[each.nurse_id], each.day, each.before, each.now), each.line(names))
        for each in report.changes
    ]
    # left out where there is none: what an earlier version asked about stands unchanged
    further: dict[str, Any] = {
        "changes": as_json([each.verdict_line(names) for each in changes]),
        "place": as_json(place),
        "prices": list(prices),
        "as_draft": as_draft,
        "days_over": _over(ward, today),
        "changed": as_json(repaired),  # every cell with its reason: a yes is to all of them
        "begun_from": begun_from if moved else "",
        "moved": [{**each.model_dump(mode="json"), "nurse": names[each.nurse]} for each in moved],
        "open": as_json([*_cost_of(roster_id, rounds), *_owed(names, report)]),
    }
    details = {
        "roster_id": roster_id,
        "ward": ward.name,
        "start": ward.start.isoformat(),
        "days": ward.days,
        "compliance": report.compliance.status,
        "empathy": report.empathy.status,
        "problems": as_json(failing[:MOST_LISTED]),
        "more_problems": max(0, len(failing) - MOST_LISTED),
        "unavoidable": as_json(grounds),
        "remarks": as_json(remarks[:MOST_LISTED]),
        "fairness": report.empathy.fairness,
    }
    return {"details": details | {name: told for name, told in further.items() if told}, "valid_until": None}


def _cost_of(roster_id: str, rounds: Sequence[Round]) -> Iterator[Told]:
    """Whether it is proven to be the cheapest, and whether more time may mend what failed."""
    own = next((each for each in reversed(rounds) if each.roster_id == roster_id), None)
    if own is None or own.cost is None:
        return
    yield bound_told(own)
    if own.may_pass:
        yield more_time(rounds)


def _owed(names: Mapping[str, str], report: RosterReport) -> Iterator[Told]:
    """To whom a longer rest is owed, each named once."""
    owed = [found.nurse_id for found in report.compliance.findings if found.level == "compensatory" and found.nurse_id]
    if owed:
        yield told("owed", n=len(owed), nurses=[names[nurse] for nurse in dict.fromkeys(owed)])


def restate_publication(details: Mapping[str, Any], language: str) -> str:
    spoken = answer_language(language)
    about = {name: say(details[name], spoken) for name in ("compliance", "empathy")}
    about |= {"roster_id": details["roster_id"], "ward": details["ward"], "days": say("day", spoken, n=details["days"])}
    start = day_in_words(date.fromisoformat(details["start"]), spoken)
    head = say("terms_head", spoken, fairness=f"{details['fairness']:g}", start=start, **about)
    prices = [each.split() for each in details.get("prices", ())]
    moved = [moved_cell(each["nurse"], each["day"], each["before"], each["shift"]) for each in details.get("moved", ())]
    lists = {
        "terms_failed": failing_in_words(details, spoken),
        "terms_unavoidable": _worded(details["unavoidable"], spoken),
        "terms_remarks": _worded(details["remarks"], spoken),
        "terms_asked": _worded(details.get("changes", ()), spoken),
        "terms_prices": [
            say("terms_price", spoken, kind=in_words(kind, spoken), price=price, base=base)
            for kind, price, base in prices
        ],
        "terms_days": _over_in_words(details, spoken),
        "terms_place": _worded(details.get("place", ()), spoken),
        "terms_changed": _worded(details.get("changed", ()), spoken),
        "terms_moved": _worded(moved, spoken),
    }
    headings = {key: say(key, spoken, id=details.get("begun_from")) for key in lists}
    listed = [line for key, lines in lists.items() for line in under(headings[key], lines)]
    as_it_is = say("terms_as_draft" if details.get("as_draft") else "terms_as_it_is", spoken)
    return "\n".join([head, *listed, *_worded(details.get("open", ()), spoken), as_it_is])


def _worded(lines: Sequence[Line | Mapping[str, Any]], language: str) -> list[str]:
    return [worded(each, language) for each in lines]


def missing_since(details: Mapping[str, Any], found: Sequence[Any], language: str) -> str:
    """Which roster of the ward was made meanwhile; and who was said to fall away from a shift that this one still gives her, by
    the looks for who can take it."""
    known = [each for each in found if isinstance(each, Mapping)]
    made = [each["roster_id"] for each in known if "raised_cost" in each and each["ward"] == details["ward"]]
    newer = [each for each in made if each not in (None, details["roster_id"])]
    covers = [each for each in known if "if_nobody" in each and each.get("instead")]
    lines = [told("newer_made", roster=each, older=details["roster_id"]) for each in newer[-1:]]
    lines += [
        told("still_on_it", nurse=each.get("called") or each["instead"], shift=each["shift"], day=each["day"])
        for each in covers
        if each["roster_id"] == details["roster_id"]
    ]
    return "\n".join(dict.fromkeys(worded(each, answer_language(language)) for each in lines))


def why_not_told(head: Version | None, why_not: ToolRefusal) -> Line:
    """Why a roster cannot be published, and the way out in a conversation."""
    if head is None or why_not.code != "conflict":
        return told(f"cannot_publish.{why_not.code}", **why_not.about) if why_not.about else why_not.message
    return told("cannot_publish.conflict", **published_by(head))


def earlier_round(rounds: Sequence[Round], roster_id: str) -> list[Told]:
    """That a later round of the same request made a better one, which is what was presented."""
    own, top = next((each for each in rounds if each.roster_id == roster_id), None), best(rounds)
    if own is None or top is None or own.iteration >= top.iteration:
        return []
    return [told("earlier_round", id=roster_id, round=own.iteration, of=len(rounds), presented=top.roster_id)]


def changes_terms(
    ward: Ward,
    words: Sequence[Line],
    not_held: Sequence[str],
    elsewhere: Sequence[Told] = (),
    *,
    today: date | None = None,
) -> Terms:
    """The terms of changing a ward. `today`: where days of its roster are over, they say so. `words`: each change as it was understood; `not_held`: what no change can say;
    `elsewhere`: what its roster does not cover."""
    # left out where there is none: what an earlier version asked about stands unchanged
    further = {"days_over": _over(ward, today), "not_held": list(not_held), "elsewhere": as_json(elsewhere)}
    details: dict[str, Any] = {"ward": ward.name, "changes": as_json(words)}
    return {"details": details | {name: lines for name, lines in further.items() if lines}, "valid_until": None}


def _over(ward: Ward, today: date | None) -> list[str]:
    """First and last day, and how many are past; a repair keeps these as they were."""
    over = min(ward.days, (today - ward.start).days) if today and ward.published is None else 0
    return [ward.start.isoformat(), ward.day(ward.days - 1).isoformat(), str(over)] if over > 0 else []


def _over_in_words(details: Mapping[str, Any], language: str) -> list[str]:
    if not (over := details.get("days_over")):
        return []
    first, last = (day_in_words(date.fromisoformat(day), language) for day in over[:2])
    return [say("terms_days_over", language, first=first, last=last, n=over[2])]


def below_changes(
    calls: Sequence[ToolCall], slots: Mapping[str, Any], language: str, noted: Sequence[str] = ()
) -> dict[str, list[str]]:
    """What stands below the changes that wait for a yes, by tool, as `PlanningResult` has it; also that a wish to publish is
    heard."""
    publishes = [say("then_published", answer_language(language))] if slots.get("publish") else []
    changes = any(call["tool"] == "apply_requests" for call in calls)
    return {"apply_requests": [*noted, *publishes]} if changes and (noted or publishes) else {}


def brief_changes(details: Mapping[str, Any], language: str) -> str:
    """What waits for a yes, in a line."""
    return ". ".join(f"{heading}: {'; '.join(lines)}" for heading, lines in _of_changes(details, language))


def restate_changes(details: Mapping[str, Any], language: str) -> str:
    return "\n".join(line for heading, lines in _of_changes(details, language) for line in under(heading, lines))


def _of_changes(details: Mapping[str, Any], language: str) -> list[tuple[str, Sequence[str]]]:
    """Headings with what stands under them."""
    spoken = answer_language(language)
    lists = {
        "terms_understood": _worded(details["changes"], spoken),
        "terms_not_held": details.get("not_held", ()),
        "terms_elsewhere": _worded(details.get("elsewhere", ()), spoken),
        "terms_days": _over_in_words(details, spoken),
    }
    return [(say(key, spoken, ward=details["ward"]), lines) for key, lines in lists.items() if lines]
