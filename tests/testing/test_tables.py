"""The tables of the tests themselves."""

import pytest
from tables import table

seen: list[tuple[int, str]] = []


@table(("number", "word"), [(1, "one"), pytest.param(2, "two", id="second")])
@table("again", [True, False])
def test_every_row_runs_with_every_row_of_another_table(number: int, word: str, again: bool) -> None:
    seen.append((number, word))
    assert len(word) == 3
    assert again in (True, False)


def test_all_rows_ran() -> None:
    seen.clear()
    test_every_row_runs_with_every_row_of_another_table()
    assert seen == [(1, "one"), (1, "one"), (2, "two"), (2, "two")]


def test_every_wrong_row_is_told() -> None:
    @table("number", [1, 2, 3])
    def is_two(number: int) -> None:
        assert number == 2

    with pytest.raises(ExceptionGroup, match="2 of 3 rows") as raised:
        is_two()
    assert [error.__notes__ for error in raised.value.exceptions] == [
        ["in the row {'number': 1}"],
        ["in the row {'number': 3}"],
    ]
