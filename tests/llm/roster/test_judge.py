"""What a judge holds an answer about a roster against, and what a gap leads to."""

from pathlib import Path
from typing import Any

from careful import READS, SETTINGS, first_plan, graph_over, look, plan
from endpoint import Endpoint, answers, plans
from langgraph.checkpoint.memory import InMemorySaver
from plans import ask, judged

from wavegraph.tools.roster.criteria import CRITERIA

WHOLE = "cost 20, and no roster can cost less than 20."


def ask_for(folder: Path, text: str) -> Any:
    graph = graph_over(folder).compile(checkpointer=InMemorySaver())
    return ask(graph, text, {"configurable": {"thread_id": "t"}}, **{**SETTINGS, "answer_check": "on"})


def test_a_roster_is_judged_by_the_rosters_criteria_and_a_gap_is_filled(tmp_path: Path, endpoint: Endpoint) -> None:
    endpoint.plays(first_plan(), answers("{{fairness}}"))
    endpoint.plays(judged(requests="what was asked for is not told", by="words"))
    endpoint.plays(answers("{{verdict}}"), judged())
    told = ask_for(tmp_path, "make the roster")
    assert (told["answer"].endswith(WHOLE), told["outcome"]) == (True, "answered")
    assert endpoint.of("judge")[0].block("criteria") == CRITERIA
    assert endpoint.of("answer")[1].block("gaps") == ["what was asked for is not told"]


def test_a_question_about_a_ward_is_judged_as_any(tmp_path: Path, endpoint: Endpoint) -> None:
    endpoint.plays(plans(plan(look(READS[0]), status="done")), answers("{{staff.1}}"), judged())
    told = ask_for(tmp_path, "how many nurses are there?")
    assert (told["outcome"], told["answer"]) == ("answered", "Small Ward has 2 nurses: Diana, Ivan.")
    assert endpoint.of("judge")[0].block("criteria") is None
