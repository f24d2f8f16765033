"""What messages are planned as: tables read top to bottom, one case a line. Today is Friday 20 November 2026.

    said before >> message => action/intent | call | call

The intent is left out where it is the action's own name; a call stands as `desk_views.rendered` writes it.
"""

from pathlib import Path

import pytest
from desk_views import plan_of, rendered

TABLES = Path(__file__).parents[3] / "data" / "hotel_plans"


def lines(table: str) -> list[str]:
    return (TABLES / f"{table}.txt").read_text(encoding="utf-8").splitlines()


CASES = [line for table in ("english", "hebrew", "booking", "together", "choices") for line in lines(table)]


@pytest.mark.parametrize("line", CASES)
def test_plans_as_expected(line: str) -> None:
    messages, _, expected = line.partition(" => ")
    *before, text = messages.replace(r"\n", "\n").split(" >> ")
    kind, *calls = expected.split(" | ")
    action, _, intent = kind.partition("/")

    plan = plan_of(text, history=[turn for said in before for turn in (("user", said), ("assistant", "…"))])

    assert (plan["action"], plan["slots"]["intent"], rendered(plan)) == (action, intent or action, calls)
    assert (plan["reply"] is not None) == (action in ("clarify", "refuse", "reply"))
