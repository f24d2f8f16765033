"""What was asked for, from the model's plan to the report: each change with its verdict, also after follow-ups."""

from pathlib import Path
from typing import Any

import pytest
from careful import (
    NEVER_PASSES,
    SETTINGS,
    change,
    changed,
    first_plan,
    follows,
    graph_over,
    look,
    plan,
    small_ward,
    solve,
)
from endpoint import Endpoint, Received, answers, plans
from langgraph.checkpoint.memory import InMemorySaver

from wavegraph import resume, run
from wavegraph.testing import ref
from wavegraph.tools.roster.answers.phrases import in_english
from wavegraph.tools.roster.store import RosterStore

DONE = "{{verdict}}"
NO_NIGHTS = change("unavailable", "Ivan", shift="night")
MONDAY = {"weekdays": ["monday"]}
BOTH_EARLY = [change("locked", name, shift="Early", **MONDAY) for name in ("Ivan", "Diana")]
"""So that no roster can keep them apart on Monday."""


@pytest.fixture
def graph(tmp_path: Path, endpoint: Endpoint) -> Any:
    return graph_over(tmp_path).compile(checkpointer=InMemorySaver())


async def say(graph: Any, text: str, thread: str = "t", **settings: Any) -> Any:
    return await run(graph, text, thread_id=thread, settings={**SETTINGS, **settings})


def verdicts(ended: Any, call: str = "get_report") -> list[tuple[str, str]]:
    """The kind of each change, and whether it is kept, as the report has them."""
    return [(each["kind"], each["verdict"]) for each in ended.results[call]["data"].get("changes", [])]


async def test_the_report_says_of_each_change_whether_it_is_kept(graph: Any, endpoint: Endpoint) -> None:
    endpoint.plays(first_plan(*BOTH_EARLY, change("apart", "Diana", other="ivan"), NO_NIGHTS), answers(DONE))
    await say(graph, "fix Ivan and Diana on Monday's early, keep them apart, no nights for Ivan")
    ended = await say(graph, "yes")

    *_, apart, nights = ended.results["get_report"]["data"]["changes"]
    assert verdicts(ended)[:2] == [("locked", "kept"), ("locked", "kept")]
    assert apart["verdict"] in ("not kept", "partly kept")
    assert {"nurse": "n2", "day": "2026-11-23", "shift": "E"} in apart["not_kept_on"]
    assert (nights["verdict"], nights["kept_days"], nights["days"]) == ("kept", 7, 7)
    assert "- kept: Ivan: no shift N, the whole period (must hold)" in ended.answer
    assert (
        " days: Diana and Ivan: not on the same shift, the whole period (a wish); against it: Diana E on Monday"
        in ended.answer
    )
    assert (ended.llm_calls, len(endpoint.of("plan"))) == (2, 1)


async def test_a_report_has_the_changes_of_its_own_ward_alone(graph: Any, endpoint: Endpoint) -> None:
    """Also where a ward holds what was asked for elsewhere already."""
    endpoint.plays(first_plan(NO_NIGHTS), answers(DONE))
    await say(graph, "make the roster, no nights for Ivan", "one")
    asked = await say(graph, "yes", "one")
    endpoint.plays(first_plan(), answers(DONE))
    plain = await say(graph, "make the roster", "another")

    assert verdicts(asked) == [("unavailable", "kept")]
    assert "changes" not in plain.results["get_report"]["data"]


def _tuesday_off(seen: Received) -> dict[str, Any]:
    last = next(row["data"] for row in seen.block("previous_request")["calls"] if row["tool"] == "generate_roster")
    return changed(last["roster_id"], change("avoids", "Ivan", weekdays=["tuesday"]))


async def test_a_follow_up_is_reported_with_what_was_asked_for_before(graph: Any, endpoint: Endpoint) -> None:
    endpoint.plays(first_plan(NO_NIGHTS, change("prefers", "Ivan", weekdays=["tuesday"])), answers(DONE))
    await say(graph, "no nights for Ivan, and he would like to work on Tuesday")
    await say(graph, "yes")
    endpoint.plays(follows(_tuesday_off), answers(DONE))
    await say(graph, "no, give him Tuesday off")
    ended = await say(graph, "yes")

    assert verdicts(ended) == [("unavailable", "kept"), ("prefers", "replaced"), ("avoids", "kept")]


async def test_a_cell_that_the_manager_settles_is_a_change_too(tmp_path: Path, endpoint: Endpoint) -> None:
    graph = graph_over(tmp_path, small_ward(NEVER_PASSES)).compile(checkpointer=InMemorySaver())
    endpoint.plays(first_plan(NO_NIGHTS))
    await say(graph, "make the roster, no nights for Ivan")
    asked = await say(graph, "yes")
    assert in_english(asked.question["terms"]["changes"]) == ["kept: Ivan: no shift N, the whole period (must hold)"]
    assert "What was asked for:\n- kept: Ivan: no shift N" in asked.answer
    lock = {"nurse": "Ivan", "day": "2026-11-25", "shift": "E"}
    again = await resume(graph, "t", reply={"decision": "reject", "changes": {"locked": [lock]}})

    assert again.outcome == "awaiting_approval"
    assert verdicts(again, "get_report_4") == [("unavailable", "kept"), ("locked", "kept")]
    assert len(endpoint.received) == 1


async def test_a_request_to_publish_asks_also_where_the_roster_passes(
    graph: Any, endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.plays(plans(plan(look(), solve(ref("get_staff", "ward_hash"), publish=True))))
    asked = await say(graph, "make the roster and publish it")
    assert (asked.outcome, asked.question["tool"]) == ("awaiting_approval", "publish_roster")
    endpoint.plays(answers("{{decision}}"))
    ended = await say(graph, "yes")

    assert RosterStore(tmp_path).decision(ended.results["get_report"]["args"]["roster_id"]) is not None
    assert "Published, as you approved." in ended.answer
