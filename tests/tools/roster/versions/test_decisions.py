"""What follows from the decisions about a ward's rosters."""

from datetime import UTC, date, datetime
from typing import NamedTuple

from tables import table

from wavegraph.tools.roster.versions.decisions import Decision, overlapping, published_of, standing, versions_of

NOVEMBER, DECEMBER = date(2026, 11, 2), date(2026, 11, 30)


def log(*entries: str) -> list[Decision]:
    """`publish a`, `undo 2`: of four weeks from 2 November, or from 30 November for a name in capitals."""
    found: list[Decision] = []
    for number, entry in enumerate(entries, start=1):
        action, what = entry.split()
        undone = next((each for each in found if action == "undo" and str(each.number) == what), None)
        name = undone.roster_id if undone else what
        found.append(
            Decision(
                number=number, action=action, roster_id=name, start=DECEMBER if name.isupper() else NOVEMBER, days=28,
                at=datetime(2026, 11, 1, tzinfo=UTC), undoes=undone.number if undone else None,
            )
        )  # fmt: skip
    return found


class Case(NamedTuple):
    id: str
    entries: list[str]
    statuses: dict[str, str]
    published: list[str]


CASES = [
    Case("nothing", [], {}, []),
    Case("one is published", ["publish a"], {"a": "published"}, ["a"]),
    Case("a draft is not", ["draft a"], {"a": "draft"}, []),
    Case("a draft is published", ["draft a", "publish a"], {"a": "published"}, ["a"]),
    Case("a later one takes the place", ["publish a", "publish b"], {"a": "replaced", "b": "published"}, ["b"]),
    Case("of other days not", ["publish a", "publish A"], {"a": "published", "A": "published"}, ["a", "A"]),
    Case("a published one is discarded", ["publish a", "discard a"], {"a": "discarded"}, []),
    Case("what it replaced stays so", ["publish a", "publish b", "discard b"], {"a": "replaced", "b": "discarded"}, []),
    Case("a published one becomes a draft", ["publish a", "draft a"], {"a": "draft"}, []),
    Case("back to an earlier one", ["publish a", "publish b", "publish a"], {"a": "published", "b": "replaced"}, ["a"]),
    Case("undone", ["publish a", "undo 1"], {"a": "undone"}, []),
    Case("undone: the earlier one stands again", ["publish a", "publish b", "undo 2"],
         {"a": "published", "b": "undone"}, ["a"]),
    Case("undone twice", ["publish a", "publish b", "undo 2", "undo 1"], {"a": "undone", "b": "undone"}, []),
    Case("undone and done again", ["publish a", "undo 1", "publish a"], {"a": "published"}, ["a"]),
    Case("an undone discard", ["publish a", "discard a", "undo 2"], {"a": "published"}, ["a"]),
]  # fmt: skip


@table("case", CASES)
def test_versions_follow_from_the_decisions(case: Case) -> None:
    versions = versions_of(log(*case.entries))

    assert {each.roster_id: each.status for each in versions} == case.statuses
    assert [each.roster_id for each in published_of(versions)] == case.published
    assert [each.number for each in versions] == list(range(1, len(versions) + 1))


def test_what_was_taken_back_does_not_stand() -> None:
    assert [each.number for each in standing(log("publish a", "draft b", "undo 2", "publish c"))] == [1, 4]


@table(
    ("start", "days", "shared"),
    [
        (date(2026, 11, 2), 28, []),  # the same days: replaced, not shared
        (date(2026, 11, 30), 28, []),
        (date(2026, 10, 26), 7, []),
        (date(2026, 11, 29), 7, ["a"]),
        (date(2026, 10, 27), 7, ["a"]),
        (date(2026, 11, 2), 14, ["a"]),
        (date(2026, 10, 1), 100, ["a"]),
    ],
)
def test_a_period_that_shares_some_days_with_a_published_one(start: date, days: int, shared: list[str]) -> None:
    assert [each.roster_id for each in overlapping(versions_of(log("publish a", "draft b")), start, days)] == shared
