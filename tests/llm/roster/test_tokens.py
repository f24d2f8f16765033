"""What a roster costs with a model: calls, and tokens as four bytes of UTF-8 each, of requests and replies."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from agreeing import as_asked
from careful import NEVER_PASSES, PASSES, SETTINGS, change, first_plan, graph_over, small_ward
from endpoint import Endpoint, answers
from langgraph.checkpoint.memory import InMemorySaver
from plans import judged

from wavegraph import run

ANSWER = "The roster does not pass, and it was published."
WISHES = [change("unavailable", "Ivan", shift="night"), change("apart", "Ivan", other="Diana")]


@pytest.mark.parametrize(
    ("what", "over", "wishes", "replies", "most"),
    [
        ("a roster that passes", PASSES, [], [], 15_000),
        ("three rounds and a manager's yes", NEVER_PASSES, [], ["yes"], 17_000),
        ("changes, a yes, three rounds, a yes", NEVER_PASSES, WISHES, ["yes", "yes"], 18_000),
    ],
)
async def test_a_roster_takes_three_calls_whatever_its_rounds(
    what: str, over: int, wishes: Any, replies: Any, most: int, tmp_path: Path, endpoint: Endpoint,
    figures: Callable[[str], None],
) -> None:  # fmt: skip
    graph = graph_over(tmp_path, small_ward(over)).compile(checkpointer=InMemorySaver())
    endpoint.plays(first_plan(*wishes), answers(ANSWER), judged())
    for words in ["make the roster", *replies]:
        said = await as_asked(graph, words)
        ended = await run(graph, said, thread_id="t", settings={**SETTINGS, "answer_check": "on"})

    sent = [len(json.dumps(request.body, ensure_ascii=False).encode()) // 4 for request in endpoint.received]
    figures(f"{what}: {ended.llm_calls} calls, {sum(sent)} tokens sent ({', '.join(map(str, sent))})")
    assert ended.outcome in ("answered", "partial")
    assert ended.llm_calls == 3
    assert sum(sent) < most
