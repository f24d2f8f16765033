"""The published guest requests, and how an availability call is held against what they expect."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

REQUESTS = Path(__file__).parents[3] / "shared" / "data" / "hotel_requests_dev.json"
TOOLS = {
    "pms.get_availability": {"get_availability"},
    "calendar": {"get_holiday", "resolve_date_hint"},
    "faq.get_rooms_info": {"get_rooms_info"},
    "faq.get_info": {"get_hotel_info"},
    "pms.create_booking": {"create_booking"},
    "pms.cancel_booking": {"cancel_booking"},
}
NOT_YET: dict[str, str] = {}
"""Cases that wait for something, and for what."""


def requests() -> list[Any]:
    if not REQUESTS.exists():
        return []
    cases = json.loads(REQUESTS.read_text(encoding="utf-8"))["cases"]
    return [case for case in cases if not case["llm_only"]]


def matches(
    expected: dict[str, Any], tool: str, args: dict[str, Any], quotes: Sequence[dict[str, Any]] | None = None
) -> bool:
    """`quotes`: arguments of the quotes beside a booking, which must hold its stay; None = not looked at."""
    if tool not in TOOLS[expected["tool"]]:
        return False
    if tool == "create_booking":
        same_stay = {**expected, "tool": "pms.get_availability"}
        quoted = quotes is None or any(matches(same_stay, "get_availability", quote) for quote in quotes)
        return quoted and bool(args["guest_name"] == expected["args"]["guest_name"])
    if tool != "get_availability":
        return True
    stay = args["check_in"], args["check_out"]
    wanted = expected["args"]
    ages = args.get("children_ages", [])
    counts = {
        "children": sum(age >= 2 for age in ages),
        "babies": sum(age < 2 for age in ages),
        "adults": args["adults"],
    }
    counts["nights"] = (date.fromisoformat(stay[1]) - date.fromisoformat(stay[0])).days
    if any(counts[name] != wanted[name] for name in counts if name in wanted):
        return False
    if window := expected.get("window"):
        return bool(window[0] <= stay[0] and stay[1] <= window[1])
    accepted = (
        [list(stay)]
        if "check_in" not in wanted
        else [[wanted["check_in"], wanted["check_out"]], *expected.get("accept_stays", [])]
    )
    return list(stay) in accepted
