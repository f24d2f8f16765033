"""Hand-made views for the tests of the hotel's grammar, and a ledger that answers calendar calls."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from wavegraph.graph.domain import PlanningView
from wavegraph.graph.ledger import follow
from wavegraph.graph.limits import Limits
from wavegraph.graph.phrases import language_of
from wavegraph.graph.state import PlanningResult, Previous, empty_ledger
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
    previous: Previous | None = None,
    **more: Any,
) -> PlanningView:
    """A view of a new request. `history`: (role, text) pairs, role `user` or `assistant`."""
    messages: list[AnyMessage] = [HumanMessage(said) if role == "user" else AIMessage(said) for role, said in history]
    return PlanningView(
        request={"id": "r", "number": 1, "text": text, "language": language_of(text)},
        conversation=[*messages, HumanMessage(text)],
        settings=HotelSettings(today=today, country=country),
        today=today,
        ledger=more.get("ledger", empty_ledger()),
        plan=more.get("plan"),
        previous=previous,
        feedback=more.get("feedback"),
        limits=Limits(),
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
    return arguments


def _value(value: Any, answers: dict[str, Any]) -> Any:
    match value:
        case {"ref": {"call": call, "path": path}}:
            return follow(answers[call], path)
    return value


_NAMES = {
    "get_availability": "availability",
    "get_holiday": "holiday",
    "resolve_date_hint": "hint",
    "get_rooms_info": "rooms",
    "get_hotel_info": "info",
}


def rendered(plan: PlanningResult, **clock: Any) -> list[str]:
    """Every call of a plan in one line: `availability 2027-01-17 2027-01-19 2 children_ages=5,8 room_type=DLX`."""
    args = resolved_args(plan, **clock)
    return [" ".join([_NAMES[call["tool"]], *_shown(args[call["id"]])]) for call in plan["tools"]]


def _shown(args: dict[str, Any]) -> list[str]:
    plain = ("check_in", "check_out", "adults", "name", "hint", "topic")
    lists = {name: ",".join(map(str, value)) if isinstance(value, list) else value for name, value in args.items()}
    return [str(value) if name in plain else f"{name}={value}" for name, value in lists.items()]
