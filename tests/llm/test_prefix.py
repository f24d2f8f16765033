"""What every request begins with is the same to the byte, so that a provider's prompt cache serves it."""

import json
from pathlib import Path
from typing import Any

from endpoint import Endpoint, Received, answers, plans
from hotel_plans import plan, stay
from langgraph.checkpoint.memory import InMemorySaver
from plans import ask, judged
from plans import plan as plan_of

from wavegraph import build_graph
from wavegraph.tools.hotel.domain import hotel_domain

LOOK = stay("look", "2027-01-17", "2027-01-19")


def beginning(request: Received) -> str:
    """The system message and the form, as they are sent."""
    form = request.body.get("tools")
    return json.dumps([request.body["messages"][0], form], ensure_ascii=False)


def test_another_day_language_or_look_changes_nothing_at_the_beginning(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")
    graph = build_graph(hotel_domain(tmp_path)).compile()
    broken = {
        "reasoning": "",
        "action": "x",
        "status": "done",
        "reply": None,
        "tools": [{"id": "a", "tool": "no", "args": {}}],
    }
    endpoint.plays(
        plan(LOOK), answers("{{s1.o1.line}}"), judged(),
        plan(LOOK).but(arguments=json.dumps(broken), checked=False), plan(LOOK), answers("{{s1.o1.line}}"), judged(),
    )  # fmt: skip
    ask(graph, "A room for two, January 17-19?", today="2026-11-20")
    ask(graph, "יש חדר לזוג ב-17-19 בינואר?", today="2026-12-24")
    for role, times in (("plan", 3), ("answer", 2), ("judge", 2)):
        requests = endpoint.of(role)  # type: ignore[arg-type]
        assert len(requests) == times
        assert len({beginning(each) for each in requests}) == 1
        assert len({each.text for each in requests}) == times


def test_planning_again_begins_as_the_plan_before_did(endpoint: Endpoint, tmp_path: Path) -> None:
    """What a request runs and is told goes behind what it began with: conversation and settings are read from a cache."""
    graph = build_graph(hotel_domain(tmp_path)).compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    endpoint.plays(plan(LOOK), answers("{{s1.o1.line}}"))
    ask(graph, "A room for two, January 17-19?", config, today="2026-11-20")
    endpoint.plays(plans(plan_of(LOOK, status="continue")), plan(), answers("{{s1.o1.line}}"))
    ask(graph, "And now?", config, today="2026-11-20")
    _, first, again = endpoint.of("plan")
    shared, _, rest = first.text.partition("</previous_request>")
    assert again.text.startswith(shared)
    assert "</conversation>" in shared
    assert rest.index("- `previous_request`") < rest.index("<request>")
    assert again.text.index("</so_far>") < again.text.index("- Never plan a call") < again.text.index("<request>")


def test_a_question_back_is_not_judged(endpoint: Endpoint, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")
    endpoint.plays(plan(action="clarify", reply=[{"say": "ask", "what": ["nights"]}]))
    told = ask(build_graph(hotel_domain(tmp_path)).compile(), "A room?", today="2026-11-20")
    assert (told["answer"], told["outcome"], told["llm_calls"]) == (
        "How many nights would you stay?",
        "clarify",
        1,
    )
