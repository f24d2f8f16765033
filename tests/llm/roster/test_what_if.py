"""A question of what would be if the ward were another: a read, within its seconds, told in figures."""

from pathlib import Path

from careful import PASSES, SETTINGS, graph_over, look, of_staff, plan, small_ward
from endpoint import Endpoint, answers, plans
from langgraph.checkpoint.memory import InMemorySaver
from plans import ask, call


def test_one_more_nurse_is_compared_with_today(tmp_path: Path, endpoint: Endpoint) -> None:
    graph = graph_over(tmp_path, small_ward(PASSES)).compile(checkpointer=InMemorySaver())
    endpoint.plays(
        plans(plan(look(), call("what_if", "what_if", ward_hash=of_staff(), changes=["add-nurse 40h"], seconds=20))),
        answers("{{what_if.1}} {{what_if.2}} The new one would cost 12 euros."),
    )
    told = ask(graph, "what if we had one more nurse?", {"configurable": {"thread_id": "t"}}, **SETTINGS)
    found = told["results"]["what_if"]["data"]
    assert [each["name"] for each in found["columns"]] == ["today", "add-nurse 40h"]
    assert found["seconds"] == 20
    assert "“add-nurse 40h”: there is such a roster; nurses: " in told["answer"]
    assert "12 euros" not in told["answer"]
    assert not list(tmp_path.glob("rosters/made/*"))


def test_a_change_that_cannot_be_read_is_told_with_what_is_expected(tmp_path: Path, endpoint: Endpoint) -> None:
    graph = graph_over(tmp_path, small_ward(PASSES)).compile(checkpointer=InMemorySaver())
    endpoint.plays(
        plans(
            plan(
                look(),
                call("what_if", "what_if", ward_hash=of_staff(), changes=["rules.max_days_in_row=7"], seconds=20),
            )
        ),
        plans(plan()),
        answers("{{why.1}}"),
    )
    told = ask(graph, "what if seven days in a row?", {"configurable": {"thread_id": "t"}}, **SETTINGS)
    assert told["results"]["what_if"]["error"]["code"] == "bad_change"
    assert "did you mean max_days_in_a_row?" in told["answer"]
