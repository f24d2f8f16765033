"""What messages are planned as: tables read top to bottom, one case a line. Today is Friday 20 November 2026.

    said before >> message => action/intent | call | call

The intent is left out where it is the action's own name; a call stands as `desk_views.rendered` writes it.
"""

from pathlib import Path
from typing import Any

from desk_views import plan_of, rendered
from tables import table

from wavegraph.graph.state import empty_ledger

TABLES = Path(__file__).parents[3] / "data" / "hotel_plans"


def lines(table: str) -> list[str]:
    return (TABLES / f"{table}.txt").read_text(encoding="utf-8").splitlines()


CASES = [
    line
    for table in (
        "english",
        "hebrew",
        "booking",
        "together",
        "apart",
        "rooms_apart",
        "corrections",
        "followups",
        "choices",
        "questions",
        "house",
        "periods",
    )
    for line in lines(table)
]
FOLLOW_UPS = lines("followups")


@table("line", FOLLOW_UPS)
def test_the_state_of_the_thread_gives_the_same_plan(line: str) -> None:
    *before, text = line.partition(" => ")[0].split(" >> ")
    earlier: Any = None
    history: list[tuple[str, str]] = []
    for said in before:
        plan = plan_of(said, history=history, previous=earlier)
        earlier = {"plan": {**plan, "number": 1, "planner": "rules", "adapts": False}, "ledger": empty_ledger()}
        history += [("user", said), ("assistant", "…")]

    assert rendered(plan_of(text, previous=earlier, history=history)) == rendered(plan_of(text, history=history))


@table("line", CASES)
def test_plans_as_expected(line: str) -> None:
    messages, _, expected = line.partition(" => ")
    *before, text = messages.replace(r"\n", "\n").split(" >> ")
    kind, *calls = expected.split(" | ")
    action, _, intent = kind.partition("/")

    plan = plan_of(text, history=[turn for said in before for turn in (("user", said), ("assistant", "…"))])

    assert (plan["action"], plan["slots"]["intent"], rendered(plan)) == (action, intent or action, calls)
    assert (plan["reply"] is not None) == (action in ("clarify", "refuse", "reply") and not calls)
