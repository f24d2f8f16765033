"""Which numbers and texts of a filled-in form stand in what was found."""

from typing import Any

from invented import TRAIN
from tables import table

from wavegraph import Domain
from wavegraph.graph.tracing.untraced import unheld

DOMAIN = Domain(name="train", tools=[])
SCHEMA = {"properties": {"class": {"enum": ["2nd class"]}, "seats": {"default": 55}}}


@table(
    ("form", "left"),
    [
        ({"year": 2026, "month": 12, "day": 4, "hour": 17, "minute": 47}, {}),
        ({"minute": 48}, {"minute": 48}),
        ({"trains": [{"number": "IC 204", "price": 64.5}, {"number": "IC 205", "price": 1250}]}, {"trains[1].number": "IC 205"}),
        ({"hours": list(range(11)), "count": 11}, {}),
        ({"hours": list(range(11)), "count": 12.5}, {"count": 12.5}),
        ({"class": "2nd class", "seats": 55}, {}),
        ({"certainty": 0.7, "rank": 10, "direct": True, "changes": None}, {}),
        (99, {"it": 99}),
    ],
)  # fmt: skip
def test_what_no_source_holds_is_named_with_its_place(form: Any, left: dict[str, Any]) -> None:
    assert unheld(DOMAIN, SCHEMA, form, "", TRAIN.view) == left
    assert unheld(Domain(name="train", tools=[], figures="off"), SCHEMA, form, "", TRAIN.view) == {}


def test_what_follows_from_the_sources_has_one_where_figures_are_checked() -> None:
    total = {"total": 129}  # two seats at 64.50
    checked = Domain(name="train", tools=[], figures="checked")
    assert unheld(DOMAIN, SCHEMA, total, "", TRAIN.view) == total
    assert unheld(checked, SCHEMA, total, "", TRAIN.view) == {}
    assert unheld(checked, SCHEMA, {"total": 131}, "", TRAIN.view) == {"total": 131}
