"""Names of tools: unique, in letters that every provider takes, the same every time."""

import re

from hypothesis import given
from hypothesis import strategies as st
from tables import table

from wavegraph.graph.adopt.mcp.tools import LONGEST, unique_names


@table(
    ("server", "tool", "name"),
    [
        ("time", "get_time", "time_get_time"),
        ("git", "git_status", "git_status"),
        ("fetch", "fetch", "fetch"),
        ("my server", "get-it!", "my_server_get_it"),
        ("GitHub", "createIssue", "GitHub_createIssue"),
        ("büro", "öffne", "buro_offne"),
        ("a.b/c", "x:y", "a_b_c_x_y"),
    ],
)
def test_a_plain_name_is_both_words(server: str, tool: str, name: str) -> None:
    assert unique_names([(server, tool)]) == [name]


@table(
    "pair",
    [
        [("a", "b_c"), ("a_b", "c")],
        [("git", "git_status"), ("git", "status")],
        [("日本", "天気"), ("日本", "時間")],
        [("x", "天気"), ("x", "時間")],
        [("s", "t" * 80), ("s", "t" * 81)],
        [("s", "a b"), ("s", "a-b")],
        [("", ""), ("", "-")],
    ],
)
def test_names_that_would_be_the_same_are_told_apart(pair: list[tuple[str, str]]) -> None:
    names = unique_names(pair)
    assert len(set(names)) == len(pair)
    assert unique_names(pair[::-1]) == names[::-1]


@given(st.lists(st.tuples(st.text(max_size=90), st.text(max_size=90)), unique=True, max_size=8))
def test_any_names_become_unique_words(tools: list[tuple[str, str]]) -> None:
    names = unique_names(tools)
    assert len(set(names)) == len(tools)
    assert all(re.fullmatch(r"[A-Za-z0-9_]+", name) and len(name) <= LONGEST for name in names)
