"""Alternatives for what failed, fit for its reason: other rooms where a party does not fit, as many nights as are required,
the next open arrival, nearby days and shorter stays where all is sold, the other calendar tool.

Every proposal has concrete dates and names the call it replaces. Over-budget prices are a fact, not an issue.
"""

from collections.abc import Callable, Collection, Iterator
from datetime import date, timedelta
from itertools import zip_longest
from typing import Any

from wavegraph.graph.ledger import GOOD, outcome_of, results, signature, tools_executed
from wavegraph.graph.references.paths import references
from wavegraph.graph.state import ToolCall, ToolOutcome, ValidationIssue
from wavegraph.graph.views import PlanningView
from wavegraph.tools.hotel.records import NOT_OFFERED, Availability, OpenStays, Quote
from wavegraph.tools.hotel.results import Ends, asked_ends, holiday_around, record_of, records, stay_args

MOST_PER_ISSUE = 4
LONG_STAY = 4
"""From this many nights on, parts of the stay are proposed instead of nearby dates."""
_PARTY = ("adults", "children_ages", "rooms", "room_type", "board", "max_price", "per", "currency")
DAY = timedelta(days=1)
NEXT_ARRIVAL_WITHIN = timedelta(days=7)
"""No house is closed to arrival for longer without being closed."""
_WORDS = {1: "one_night", 2: "two_nights", 3: "three_nights"}

ASK_RECEPTION = frozenset({"write_unknown", "timeout", "approval_impossible", "idempotency_conflict"})
"""Error codes that only reception can resolve."""

Proposal = tuple[str, str, dict[str, Any]]
"""Preferred id, tool, arguments."""


def adapt(view: PlanningView) -> list[ToolCall] | None:
    """Calls that work around the issues in `view.feedback`; None if there are none."""
    if view.feedback is None:
        return None
    taken, asked = set(view.ledger["calls"]), set(view.ledger["outcomes"])
    by_issue = [_for_issue(issue, view, taken, asked) for issue in view.feedback["issues"]]
    left = max(0, view.limits.max_tool_calls - tools_executed(view.ledger))
    return _shared(by_issue, left) or None


def _shared(by_issue: list[list[ToolCall]], left: int) -> list[ToolCall]:
    """At most `left` calls, in plan order: every issue's first proposal before any issue's second."""
    turns = [call for turn in zip_longest(*by_issue) for call in turn if call is not None]
    kept, dropped = {call["id"] for call in turns[:left]}, {call["id"] for call in turns[left:]}
    return [
        call
        for calls in by_issue
        for call in calls
        if call["id"] in kept and not any(target in dropped for target, _ in references(call["args"]))
    ]


def _for_issue(issue: ValidationIssue, view: PlanningView, taken: set[str], asked: set[str]) -> list[ToolCall]:
    """The first few new proposals for one issue; `taken` ids and `asked` signatures grow with them."""
    calls: list[ToolCall] = []
    renamed: dict[str, str] = {}
    for wished, tool, args in _proposals(issue, view):
        args = _renamed(args, renamed)
        retry = "_again" in wished
        if len(calls) == MOST_PER_ISSUE or (signature(tool, _plain(args)) in asked and not retry):
            continue
        call_id = renamed[wished] = _free_id(wished, taken)
        calls.append(_proposal(call_id, tool, args, issue["tool_id"]))
        taken.add(call_id)
        asked.add(signature(tool, _plain(args)))
    return calls


def _proposal(call_id: str, tool: str, args: dict[str, Any], troubled: str) -> ToolCall:
    """A call that replaces the failed one; reception's contact replaces nothing, so it is only added."""
    if tool == "get_hotel_info":
        return {"id": call_id, "tool": tool, "args": args}
    return {"id": call_id, "tool": tool, "args": args, "instead_of": troubled}


def _proposals(issue: ValidationIssue, view: PlanningView) -> Iterator[Proposal]:
    call = view.ledger["calls"].get(issue["tool_id"])
    outcome = outcome_of(issue["tool_id"], view.ledger)
    if call is None or outcome is None:
        return
    if outcome["status"] not in GOOD:
        yield from _after_failure(issue, call["args"], outcome, view)
    elif issue["type"] == "missing_dates":
        yield from _other_calendar(issue["tool_id"], outcome, view)
    elif issue["type"] == "no_availability":
        found = records(view.ledger).get(issue["tool_id"])
        if isinstance(found, Availability):
            yield from _other_stays(outcome["args"], view, found)
        elif isinstance(found, OpenStays) and not call.get("instead_of"):
            yield from _other_searches(outcome["args"], found.nights)


def _after_failure(
    issue: ValidationIssue, planned: dict[str, Any], outcome: ToolOutcome, view: PlanningView
) -> Iterator[Proposal]:
    """The same call again if that may help, else another way to the same dates; a write is never repeated."""
    error = outcome["error"]
    code = error["code"] if error else outcome["status"]
    if outcome["tool"] == "create_booking":
        yield from _other_booking(planned, outcome, code, view)
    elif outcome["tool"] == "cancel_booking":
        yield from _reception(code)
    elif outcome["tool"] == "quote_stay" and code in NOT_OFFERED:
        yield from _other_stays(outcome["args"], view, code=code)
    elif code == "too_long" and error:
        yield from _as_long_as_sold(outcome["args"], error.get("limit"))
    elif outcome["status"] == "timeout" or (error and error["retryable"]):
        yield f"{issue['tool_id']}_again", outcome["tool"], planned
        yield from _dependants(issue["tool_id"], f"{issue['tool_id']}_again", view, lambda path: path)
    else:
        yield from _other_calendar(issue["tool_id"], outcome, view)


def _other_booking(planned: dict[str, Any], outcome: ToolOutcome, code: str, view: PlanningView) -> Iterator[Proposal]:
    """A new offer for the same rooms where the old one no longer holds, about which a person is asked again; other
    dates where the rooms are gone, of which nothing is booked."""
    quoted = _quoted(outcome["args"].get("quote_id"), view)
    if code in ("price_changed", "quote_expired") and quoted:
        yield "quote_again", "quote_stay", _same_product(*quoted)
        fresh = {**planned, "quote_id": {"ref": {"call": "quote_again", "path": "quote_id"}}}
        yield "create_booking_again", "create_booking", fresh
    elif code == "sold_out" and quoted:
        yield from _other_stays(quoted[0], view, code=code)
    else:
        yield from _reception(code)


def _quoted(quote_id: Any, view: PlanningView) -> tuple[dict[str, Any], Quote] | None:
    """Arguments and result of the `quote_stay` that gave this id, in this request or the last one with calls."""
    for outcome in (outcome for ledger in view.ledgers for outcome in results(ledger).values()):
        quote = record_of(outcome)
        if isinstance(quote, Quote) and quote.quote_id == quote_id:
            return outcome["args"], quote
    return None


def _same_product(asked: dict[str, Any], quote: Quote) -> dict[str, Any]:
    """Arguments for the very rate that was quoted. They name what was left open: an equal call would not run again."""
    named = {**asked, "rooms": quote.rooms}
    if len(quote.parts) > 1:
        return named
    (part,) = quote.parts
    return {**named, "room_type": part.room_type, "rate_plan": part.rate_plan, "board": part.board}


def _reception(code: str) -> Iterator[Proposal]:
    if code in ASK_RECEPTION:
        yield "hotel_info_contact", "get_hotel_info", {"topic": "contact"}


def _other_calendar(call_id: str, outcome: ToolOutcome, view: PlanningView) -> Iterator[Proposal]:
    """`get_holiday` and `resolve_date_hint` stand in for each other, with the availability calls that waited for them."""
    if outcome["tool"] == "get_holiday":
        hint = " ".join(str(part) for part in (outcome["args"]["name"], outcome["args"].get("year")) if part)
        yield "resolve_dates", "resolve_date_hint", {"hint": hint}
        yield from _dependants(call_id, "resolve_dates", view, _as_stay_path)
    elif outcome["tool"] == "resolve_date_hint":
        name = _slots_holiday(view, outcome["args"].get("hint"))
        if name:
            yield "get_holiday", "get_holiday", {"name": name}
            yield from _dependants(call_id, "get_holiday", view, lambda path: path.rsplit(".", 1)[-1])


def _as_stay_path(path: str) -> str:
    return f"stays[0].{path}" if path in ("check_in", "check_out") else ""


def _slots_holiday(view: PlanningView, hint: Any) -> str | None:
    stays = view.plan["slots"].get("stays", []) if view.plan else []
    return next((stay.get("holiday") for stay in stays if stay.get("hint") == hint and stay.get("holiday")), None)


def _dependants(old: str, new: str, view: PlanningView, path_of: Callable[[str], str]) -> Iterator[Proposal]:
    """The calls that refer to `old`, redirected to `new`; those whose path has no counterpart are left out."""
    for call in view.ledger["calls"].values():
        moved = {name: _moved(value, old, new, path_of) for name, value in call["args"].items()}
        if moved != call["args"] and all(value is not _NOWHERE for value in moved.values()):
            yield f"{call['id']}_again", call["tool"], moved


_NOWHERE = object()


def _moved(value: Any, old: str, new: str, path_of: Callable[[str], str]) -> Any:
    match value:
        case {"ref": {"call": call, "path": str() as path}} if call == old:
            there = path_of(path)
            return {"ref": {"call": new, "path": there}} if there else _NOWHERE
    return value


def _other_stays(
    asked: dict[str, Any], view: PlanningView, found: Availability | None = None, code: str | None = None
) -> Iterator[Proposal]:
    """What lifts the reason why nothing is free: other rooms, another length, another arrival, or other nights; nothing that is
    known not to be free.

    `code`: the reason where there is no result.
    """
    stay = asked_ends(asked)
    if stay is None:
        return
    closed, gone = _closed_days(view), _gone(found) if found else frozenset[date]()
    for name, tool, args in _ways_round(stay, asked, view, found, code):
        nights = asked_ends(args) if tool == "get_availability" else None
        is_of_same_rooms = all(args.get(each) == asked.get(each) for each in ("room_type", "board", "rooms"))
        is_gone = is_of_same_rooms and any(nights[0] <= day < nights[1] for day in gone) if nights else False
        if not (is_gone or (nights and nights[0] in closed)):
            yield name, tool, args


def _closed_days(view: PlanningView) -> set[date]:
    """Days on which nobody can arrive in any room, as far as they were looked up."""
    looked = (outcome for ledger in view.ledgers for outcome in results(ledger).values())
    found = ((outcome["args"], record_of(outcome)) for outcome in looked)
    return {
        each.check_in
        for args, each in found
        if isinstance(each, Availability) and each.arrival_closed and not (args.get("room_type") or args.get("board"))
    }


def _ways_round(
    stay: Ends, asked: dict[str, Any], view: PlanningView, found: Availability | None, code: str | None
) -> Iterator[Proposal]:
    party = {name: asked[name] for name in _PARTY if asked.get(name) is not None}
    reason, required = (found.reason, found.reason_nights) if found else (code, None)
    if reason == "occupancy":
        yield from _other_rooms(stay, party)
        return
    if found and "rooms" in party and any(refusal.code == "occupancy" for refusal in found.refusals):
        yield "as_many_rooms", "get_availability", {**stay_args(*stay), **_without(party, ["rooms"])}
    yield from _without_filter(stay, party)
    if reason == "not_on_sale" and "board" in party:
        return  # other dates have it no more than these
    yield from _over_the_holiday(stay, party, view)
    if reason == "closed_arrival" or (found and found.arrival_closed):
        yield from _other_arrivals(stay, party, view.today, required or 0)
    elif reason == "min_stay" and required:
        yield from _extended(stay, required, party, view.today)
    elif reason == "max_stay" and required:
        yield _open_stays("longest_stay", stay, required, party)
    elif reason == "closed_departure":
        yield from _other_departures(stay, party)
    else:
        yield from _other_nights(stay, party, view.today, _gone(found) if found else frozenset())


def _other_rooms(stay: Ends, party: dict[str, Any]) -> Iterator[Proposal]:
    """The same dates in as many rooms as the party needs: of the type asked for, of any type, on any board."""
    for name, dropped in (
        ("as_many_rooms", ("rooms",)),
        ("any_room", ("rooms", "room_type")),
        ("any_board", ("rooms", "room_type", "board")),
    ):
        if dropped[-1] in party:
            yield name, "get_availability", {**stay_args(*stay), **_without(party, dropped)}


def _without(party: dict[str, Any], dropped: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in party.items() if name not in dropped}


def _other_arrivals(stay: Ends, party: dict[str, Any], today: date, required: int) -> Iterator[Proposal]:
    """The next arrival that is open, for as many nights or those required; and a day before, to the same departure."""
    nights = max((stay[1] - stay[0]).days, required)
    first = stay[0] + DAY
    last = first + timedelta(days=nights) + NEXT_ARRIVAL_WITHIN
    yield _open_stays("next_arrival", (first, last), nights, party, near=first)
    if (earlier := stay[0] - DAY) >= today:
        before = stay_args(earlier, max(stay[1], earlier + timedelta(days=nights)))
        yield "day_before", "get_availability", {**before, **party}


def _other_departures(stay: Ends, party: dict[str, Any]) -> Iterator[Proposal]:
    yield "night_longer", "get_availability", {**stay_args(stay[0], stay[1] + DAY), **party}
    if stay[1] - stay[0] > DAY:
        yield "night_shorter", "get_availability", {**stay_args(stay[0], stay[1] - DAY), **party}


def _over_the_holiday(stay: Ends, party: dict[str, Any], view: PlanningView) -> Iterator[Proposal]:
    """As many nights anywhere in the holiday that the stay is a part of: `one night in Hanukkah`."""
    holiday = holiday_around(stay, records(view.ledger).values())
    nights = (stay[1] - stay[0]).days
    if holiday and nights < (holiday[1] - holiday[0]).days:
        yield _open_stays(_name_of(nights, "over_the_holiday"), holiday, nights, party, near=stay[0])


def _other_nights(stay: Ends, party: dict[str, Any], today: date, gone: Collection[date]) -> Iterator[Proposal]:
    """Nearby days, parts of the stay; none of nights known to be gone."""
    nights = (stay[1] - stay[0]).days
    is_long = nights >= LONG_STAY
    lengths = (3, 2) if is_long else tuple(n for n in dict.fromkeys((nights - 1, 1)) if 0 < n < nights)
    parts = [
        _open_stays(_WORDS[length] if is_long else _name_of(length, "shorter"), stay, length, party)
        for length in lengths
        if _leaves(stay, length, gone)
    ]
    if not (is_long and parts):
        yield from _neighbours(stay, party, today, gone)
    yield from parts


def _gone(found: Availability) -> frozenset[date]:
    """The nights that no room has, whatever the length of the stay."""
    rooms = [refusal for refusal in found.refusals if refusal.code != "occupancy"]
    each = [frozenset(room.dates if room.code in ("sold_out", "not_on_sale") else ()) for room in rooms]
    return frozenset.intersection(*each) if each else frozenset()


def _leaves(stay: Ends, nights: int, gone: Collection[date]) -> bool:
    """Whether the stay has so many nights in a row without those that are gone."""
    run = longest = 0
    for n in range((stay[1] - stay[0]).days):
        run = 0 if stay[0] + timedelta(days=n) in gone else run + 1
        longest = max(longest, run)
    return longest >= nights


def _other_searches(asked: dict[str, Any], nights: int) -> Iterator[Proposal]:
    """When a period has no such stay: a night more, a night less, and any day of arrival."""
    yield "longer_stays", "find_open_stays", {**asked, "nights": nights + 1}
    if nights > 1:
        yield "shorter_stays", "find_open_stays", {**asked, "nights": nights - 1}
    if asked.get("arrive_on") or asked.get("sleep_on"):
        any_day = {name: value for name, value in asked.items() if name not in ("arrive_on", "sleep_on")}
        yield "any_day", "find_open_stays", any_day


def _as_long_as_sold(asked: dict[str, Any], most: int | None) -> Iterator[Proposal]:
    """The longest stay that the hotel sells, within the dates of a longer one."""
    stay = asked_ends(asked)
    if stay and most:
        party = {name: asked[name] for name in _PARTY if asked.get(name) is not None}
        yield _open_stays("longest_stay", stay, most, party)


def _without_filter(stay: Ends, party: dict[str, Any]) -> Iterator[Proposal]:
    """The same dates with any room and board, if a filter may be the reason."""
    if "room_type" in party and "board" in party:
        yield "any_board", "get_availability", {**stay_args(*stay), **_without(party, ["board"])}
    if "room_type" in party or "board" in party:
        yield "any_room", "get_availability", {**stay_args(*stay), **_without(party, ["room_type", "board"])}


def _extended(stay: Ends, required: int, party: dict[str, Any], today: date) -> Iterator[Proposal]:
    missing = required - (stay[1] - stay[0]).days
    if missing <= 0:
        return
    yield "longer_stay", "get_availability", {**stay_args(stay[0], stay[1] + timedelta(days=missing)), **party}
    if (earlier := stay[0] - timedelta(days=missing)) >= today:
        yield "longer_stay_from_earlier", "get_availability", {**stay_args(earlier, stay[1]), **party}


def _neighbours(stay: Ends, party: dict[str, Any], today: date, gone: Collection[date]) -> Iterator[Proposal]:
    """The stay a day earlier and a day later, or as far as it takes to sleep on no night that is gone."""
    earlier = stay[1] - min(gone, default=stay[1] - DAY)
    later = max(gone, default=stay[0]) + DAY - stay[0]
    if stay[0] - earlier >= today:
        yield "day_before", "get_availability", {**stay_args(stay[0] - earlier, stay[1] - earlier), **party}
    yield "day_after", "get_availability", {**stay_args(stay[0] + later, stay[1] + later), **party}


def _open_stays(name: str, window: Ends, nights: int, party: dict[str, Any], *, near: date | None = None) -> Proposal:
    args = {"from_date": window[0].isoformat(), "to_date": window[1].isoformat(), "nights": nights, **party, "limit": 6}
    return name, "find_open_stays", {**args, "near": near.isoformat()} if near else args


def _name_of(nights: int, suffix: str) -> str:
    return f"{_WORDS.get(nights, f'{nights}_nights')}_{suffix}"


def _plain(args: dict[str, Any]) -> dict[str, Any]:
    """Arguments as the ledger signs them, with the default for the list filled in."""
    return args if {"name", "hint", "topic", "quote_id"} & set(args) else {"children_ages": [], **args}


def _renamed(args: dict[str, Any], renamed: dict[str, str]) -> dict[str, Any]:
    """References to a proposal's preferred id, redirected to the id it was given."""

    def one(value: Any) -> Any:
        match value:
            case {"ref": {"call": str() as call, "path": path}}:
                return {"ref": {"call": renamed.get(call, call), "path": path}}
        return value

    return {name: one(value) for name, value in args.items()}


def _free_id(wished: str, taken: set[str]) -> str:
    if wished not in taken:
        return wished
    return next(name for n in range(2, 100) if (name := f"{wished}_{n}") not in taken)
