"""Where a request is cut into its pieces: one request a line, `‖` before each piece but the first."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tables import table

from wavegraph.graph.guard.pieces import pieces

DATA = Path(__file__).parents[2] / "data"
LINES = [each.replace(r"\n", "\n") for each in (DATA / "pieces.txt").read_text(encoding="utf-8").splitlines()]


@table("line", LINES)
def test_a_request_is_cut_where_one_thing_that_is_said_ends(line: str) -> None:
    assert list(pieces(line.replace("‖", ""))) == line.split("‖")


@given(st.text(alphabet=st.sampled_from('aB7א。？?!.,;:()•-*1 \n/@"“”…'), max_size=80))
def test_nothing_is_lost_and_no_piece_is_empty(text: str) -> None:
    found = pieces(text)
    assert not found or "".join(found) == text
    assert all(any(map(str.isalnum, each)) for each in found)
