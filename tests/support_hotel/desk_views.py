"""Hand-made views for the tests of the hotel's grammar, and a ledger that answers calendar calls."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from wavegraph.graph.guard.pieces import pieces
from wavegraph.graph.language import language_of
from wavegraph.graph.ledger import signature
from wavegraph.graph.limits import Limits
from wavegraph.graph.references.paths import follow
from wavegraph.graph.state import PastRequest, PlanningResult, empty_ledger
from wavegraph.graph.views import AnswerView, PlanningView
from wavegraph.tools.hotel.dates import holiday, resolve
from wavegraph.tools.hotel.offline import HotelOffline
from wavegraph.tools.hotel.settings import HotelSettings

TODAY = date(2026, 11, 20)


def planning_view(
    text: str,
    *,
    today: date = TODAY,
    country: str = "IL",
    history: Sequence[tuple[str, str]] = (),
    previous: PastRequest | None = None,
    **more: Any,
) -> PlanningView:
    """A view of a new request. `history`: (role, text) pairs, role `user` or `assistant`."""
    messages: list[AnyMessage] = [HumanMessage(said) if role == "user" else AIMessage(said) for role, said in history]
    return PlanningView(
        request={"id": "r", "number": 1, "text": text, "language": language_of(text)},
        conversation=[*messages, HumanMessage(text)],
        settings=HotelSettings(today=today, country=country, property_id=more.get("property_id", "sandbox")),
        today=today,
        ledger=more.get("ledger", empty_ledger()),
        plan=more.get("plan"),
        previous=previous,
        feedback=more.get("feedback"),
        limits=Limits(),
        pieces=pieces(text),
    )


def plan_of(text: str, **view: Any) -> PlanningResult:
    return HotelOffline().plan(planning_view(text, **view))


def resolved_args(plan: PlanningResult, *, today: date = TODAY, country: str = "IL") -> dict[str, dict[str, Any]]:
    """Arguments of every call by id, references to calendar calls followed in what the calendar gives."""
    answers: dict[str, Any] = {}
    arguments: dict[str, dict[str, Any]] = {}
    for call in plan["tools"]:
        args = {name: _value(value, answers) for name, value in call["args"].items()}
        arguments[call["id"]] = args
        if call["tool"] == "get_holiday":
            found = holiday(args["name"], today=today, country=country, year=args.get("year")).stays[0]
            days = [date.fromordinal(found.check_in.toordinal() + n).isoformat() for n in range(found.nights + 1)]
            answers[call["id"]] = {"check_in": days[0], "check_out": days[-1], "dates": days}
        elif call["tool"] == "resolve_date_hint":
            found_stays = resolve(args["hint"], today=today, country=country)
            answers[call["id"]] = found_stays.model_dump(mode="json")
        elif call["tool"] == "quote_stay":
            answers[call["id"]] = {"quote_id": f"of {call['id']}"}
    return arguments


def _value(value: Any, answers: dict[str, Any]) -> Any:
    match value:
        case {"ref": {"call": call, "path": path}}:
            return follow(answers[call], path)
    return value


_NAMES = {
    "get_availability": "availability",
    "find_open_stays": "search",
    "get_holiday": "holiday",
    "resolve_date_hint": "hint",
    "get_rooms_info": "rooms",
    "get_hotel_info": "info",
    "quote_stay": "quote",
    "create_booking": "create",
    "get_booking": "find",
    "cancel_booking": "cancel",
}


def rendered(plan: PlanningResult, **clock: Any) -> list[str]:
    """Every call of a plan in one line: `availability 2027-01-17 2027-01-19 2 children_ages=5,8 room_type=DLX`."""
    args = resolved_args(plan, **clock)
    return [" ".join([_NAMES[call["tool"]], *_shown(args[call["id"]])]) for call in plan["tools"]]


def _shown(args: dict[str, Any]) -> list[str]:
    plain = (
        "check_in",
        "check_out",
        "from_date",
        "to_date",
        "adults",
        "name",
        "hint",
        "topic",
        "quote_id",
        "reference",
        "surname_or_email",
    )
    lists = {name: ",".join(map(str, value)) if isinstance(value, list) else value for name, value in args.items()}
    return [str(value) if name in plain else f"{name}={value}" for name, value in lists.items()]


def answered(
    text: str,
    results: Sequence[tuple[str, str, dict[str, Any], Any]] = (),
    *,
    language: str | None = None,
    failed: Sequence[tuple[str, str, dict[str, Any], str]] = (),
    instead_of: dict[str, str] | None = None,
    **more: Any,
) -> AnswerView:
    """A view to answer from: the text's own plan, and results as (call id, tool, arguments, data).

    `failed`: (call id, tool, arguments, error code); `instead_of`: stand-in to the call it stands in for; `skipped`: ids
    of those failed that never began; `message`: of the errors.
    """
    asked = planning_view(text)
    plan: Any = {**HotelOffline().plan(asked), "number": 1, "planner": "rules", "adapts": False}
    plan["reply"] = None if results or failed else plan["reply"]
    ledger = empty_ledger()
    outcomes = [(*row, "ok", None) for row in results]
    errors = [
        (call, tool, args, None, "error", {"code": code, "message": more.get("message", "no"), "retryable": False})
        for call, tool, args, code in failed
    ]
    for call_id, tool, args, data, status, error in [*outcomes, *errors]:
        call: Any = {"id": call_id, "tool": tool, "args": args, "effect": "read", "plan": 1}
        if stands_for := (instead_of or {}).get(call_id):
            call["instead_of"] = stands_for
        key = signature(tool, args)
        ledger["calls"][call_id] = call
        outcome: Any = {"tool": tool, "args": args, "status": status, "data": data, "error": error, "attempts": 1}
        outcome |= {"runs": 1, "plan": 1, "wave": 1, "elapsed_s": 0.0, "signature": key}
        if call_id in more.get("skipped", ()):
            outcome["status"] = "skipped"
        ledger["outcomes"][key] = outcome
    request: Any = {**asked.request, "language": language or asked.request["language"]}
    return AnswerView(
        request=request,
        conversation=asked.conversation,
        settings=asked.settings,
        today=asked.today,
        ledger=ledger,
        plan=plan,
        previous=None,
        issues=[],
        open_issues=[],
        unfinished=more.get("unfinished", []),
        limits_hit=more.get("limits_hit", []),
        feedback=None,
        unsupported=[],
    )


ROOMS = {
    "DBL": ("Double Room", "חדר זוגי"),
    "DLX": ("Deluxe Sea View Room", "חדר דלוקס נוף לים"),
    "SUITE": ("Sea Front Suite", "סוויטת קו המים"),
    "TRP": ("Triple Room", "חדר לשלושה"),
    "ACC": ("Accessible Double Room", "חדר זוגי נגיש"),
}


def offer(
    room: str, total: int, nights: int, *, board: str = "BB", cancel_until: str | None = None, left: int = 9
) -> dict[str, Any]:
    """One offer as `get_availability` gives it; `total` in agorot."""
    name, name_he = ROOMS[room]
    return {
        "room_type": room,
        "room_name": name,
        "room_name_he": name_he,
        "rate_plan": "BAR",
        "rate_name": "Best available",
        "board": board,
        "refundable": cancel_until is not None,
        "cancel_until": cancel_until,
        "count": 1,
        "total_agorot": total,
        "per_night_agorot": round(total / nights),
        "nightly_agorot": [round(total / nights)] * nights,
        "rooms_left": left,
        "currency": "ILS",
    }


def quote(*parts: dict[str, Any], nights: int = 2, quote_id: str = "Q-AB12CD34EF", **more: Any) -> dict[str, Any]:
    """A result of `quote_stay` for a stay from 17 January 2027."""
    total = sum(part["total_agorot"] for part in parts)
    return {
        "quote_id": quote_id,
        "check_in": "2027-01-17",
        "check_out": date.fromordinal(date(2027, 1, 17).toordinal() + nights).isoformat(),
        "nights": nights,
        "adults": 2,
        "children_ages": more.get("children_ages", []),
        "rooms": sum(part["count"] for part in parts),
        "parts": list(parts),
        "total_agorot": total,
        "per_night_agorot": round(total / nights),
        "refundable": all(part["refundable"] for part in parts),
        "cancel_until": min((part["cancel_until"] for part in parts if part["cancel_until"]), default=None),
        "currency": "ILS",
        "expires_at": "2026-11-20T10:30:00Z",
    }


def booked(quoted: dict[str, Any], *, guest_name: str = "Dana Levi", **more: Any) -> dict[str, Any]:
    """A result of `create_booking` for a quote; `more`: fields that differ, as `status`, `fee_agorot`, `repeated`."""
    rooms = [{name: part[name] for name in BOOKED_ROOM} for part in quoted["parts"]]
    taken = {name: value for name, value in quoted.items() if name not in ("quote_id", "parts", "expires_at")}
    made = {"reference": "WG-7KQ2M9XA", "status": "confirmed", "guest_name": guest_name, "fee_agorot": None}
    return {**taken, **made, "rooms": rooms, "repeated": False, **more}


BOOKED_ROOM = ("room_type", "room_name", "room_name_he", "count", "board", "rate_name")


def availability(
    check_in: str, check_out: str, *offers: dict[str, Any], reason: str | None = None, **more: Any
) -> dict[str, Any]:
    """A result of `get_availability`; without offers every room is refused for `reason`."""
    nights = (date.fromisoformat(check_out) - date.fromisoformat(check_in)).days
    refusals = [
        {
            "room_type": code,
            "room_name": name,
            "room_name_he": name_he,
            "code": reason,
            "nights_required": more.get("needs"),
            "dates": [check_in],
        }
        for code, (name, name_he) in ROOMS.items()
        if reason
    ]
    return {
        "check_in": check_in,
        "check_out": check_out,
        "nights": nights,
        "adults": 2,
        "children_ages": [],
        "rooms": 1,
        "offers": list(offers),
        "combinations": more.get("combinations", []),
        "refusals": refusals,
        "reason": reason,
        "reason_nights": more.get("needs"),
        "currency": "ILS",
        "booking_link": more.get("link"),
    }
