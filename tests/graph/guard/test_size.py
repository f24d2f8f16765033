"""How much a value holds is found by looking at each part of it once."""

from typing import Any

import pytest
from tables import table

from wavegraph.graph.guard import size
from wavegraph.graph.guard.size import longest_text, most_messages, oversize
from wavegraph.graph.state import MOST_MESSAGES

TEXTS: list[tuple[Any, int]] = [
    ("abc", 3), ("", 0), (17, 0), (None, 0), ([], 0), ({}, 0), (["a", "abcd", "ab"], 4), ({"a": "ab", "abc": 1}, 3),
    ({"a": [{"b": ("abcde",)}]}, 5), ({"content": ["ab", {"type": "t", "text": "abc"}]}, 7), ({"content": "ab"}, 7),
    ({"content": ["abcd", {"type": "t", "text": "abcd"}]}, 8), ({"parts": [{"text": "abcd"}, {"text": "abcd"}]}, 8),
    ({"content": ["abcd", "abcd", {"data": "abcdefghi"}]}, 9), ({"content": [17, None, {"text": 5}]}, 7),
]  # fmt: skip


@table(("value", "length"), TEXTS)
def test_the_longest_text(value: Any, length: int) -> None:
    assert longest_text(value) == length


@table(
    ("value", "count"),
    [
        ({"messages": [1, 2, 3]}, 3),
        ({"messages": "text"}, 0),
        ([{"input": {"messages": [1]}}, {"input": {"messages": [1, 2]}}], 2),
        ({"messages": [{"messages": [1, 2, 3, 4]}]}, 4),
        ({"items": [1, 2, 3]}, 0),
        ("messages", 0),
    ],
)
def test_the_most_messages(value: Any, count: int) -> None:
    assert most_messages(value) == count


def test_what_is_too_much_is_told_with_its_size_and_the_most() -> None:
    assert oversize("x" * 100, 100) is None
    assert oversize("x" * 101, 100) == (
        "a text has 101 characters, and at most 100 are read (max_message_chars): send a shorter one"
    )
    assert oversize({"messages": ["x"] * MOST_MESSAGES}) is None
    assert oversize({"messages": ["x"] * 501}) == (
        "501 messages came at once, and at most 500 are taken: send the latest of them"
    )


def test_each_part_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Any] = []

    def look(value: Any) -> int:
        looked.append(value)
        return longest_text(value)

    monkeypatch.setattr(size, "longest_text", look)
    for count in (100, 1000):
        looked.clear()
        size.longest_text([{"content": ["a", "b"]} for _ in range(count)])
        assert len(looked) == 1 + count * 6  # the list; a message, its parts, its name, its blocks and both of these
