"""The name that a thread's records have in a store, which may hold no period."""

from hypothesis import given
from hypothesis import strategies as st

from wavegraph.graph.request.records import records_of, thread_of


@given(st.text())
def test_every_name_is_found_again(name: str) -> None:
    *folder, kept = records_of(name)

    assert "." not in kept
    assert (folder, thread_of(records_of(name))) == (["wavegraph", "requests"], name)


@given(st.text(alphabet="%.2E5"), st.text(alphabet="%.2E5"))
def test_no_two_names_share_their_records(one: str, other: str) -> None:
    assert (records_of(one) == records_of(other)) == (one == other)
