"""What an error says of itself, and what a log may say of any."""

from typing import Any

import pytest
from tables import table

from wavegraph import SettingsError, ToolRefusal
from wavegraph.graph.errors import CutShort, ModelUnavailable, PlanError, kind_of_fault

ISSUES = [{"message": "no such tool 'weight'"}, {"message": "a call without an id"}]


@table(
    ("error", "says"),
    [
        (SettingsError("max_waves must be 1 or more"), "max_waves must be 1 or more"),
        (PlanError(ISSUES), "no such tool 'weight'; a call without an id"),
        (ToolRefusal("late", "the desk is closed"), "the desk is closed"),
        (CutShort({"card": "hers"}), "cut short"),
        (ModelUnavailable("the model is down"), "the model is down"),
        (ValueError("password=hunter2"), "ValueError"),
        (KeyboardInterrupt("password=hunter2"), "KeyboardInterrupt"),
    ],
)
def test_of_an_error_only_our_own_words_are_told(error: BaseException, says: str) -> None:
    assert kind_of_fault(error) == says


def test_of_another_that_was_raised_the_place_is_told_too() -> None:
    def broken() -> Any:
        raise ValueError("password=hunter2")

    with pytest.raises(ValueError, match="hunter2") as raised:
        broken()

    line = broken.__code__.co_firstlineno + 1
    assert kind_of_fault(raised.value) == f"ValueError at test_error_texts.py:{line}"


def test_a_refusal_is_final_unless_it_says_otherwise() -> None:
    refusal = ToolRefusal("closed", "the desk is closed")
    assert (refusal.code, str(refusal), refusal.retryable) == ("closed", "the desk is closed", False)
    assert ToolRefusal("busy", "the desk is busy", retryable=True).retryable
