"""Threads of another version of the program: older ones open, newer ones do not."""

from typing import Any

import pytest

from wavegraph import SettingsError
from wavegraph.graph.request.stored_version import check_version
from wavegraph.graph.state import STATE_VERSION


@pytest.mark.parametrize("state", [{}, {"version": None}, {"version": 1}, {"version": STATE_VERSION}])
def test_what_this_version_or_one_before_wrote_opens(state: Any) -> None:
    check_version(state)


def test_what_a_newer_version_wrote_does_not() -> None:
    with pytest.raises(SettingsError, match=f"with version {STATE_VERSION + 1} .* up to version {STATE_VERSION}: "):
        check_version({"version": STATE_VERSION + 1})
