"""A server's folder and its data folder, copied while it is stopped, are the same house somewhere else."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from dev_server import serving
from langgraph_sdk import get_sync_client

pytestmark = pytest.mark.attack
WISH = "book a double room for two adults from 1 to 3 December 2026, Dana Levi, dana@example.com"
CONTEXT: Any = {"today": "2026-11-20"}


def test_a_question_that_waits_is_answered_where_a_back_up_is_restored(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    given: Any = {"messages": [{"role": "user", "content": WISH}]}
    with serving(old, {}, {}, tmp_path / "old.log") as url, get_sync_client(url=url, timeout=60) as client:
        thread = client.threads.create()["thread_id"]
        asked: Any = client.runs.wait(thread, "hotel", input=given, context=CONTEXT)
        [question] = asked["__interrupt__"]

    for name in (".langgraph_api", "data"):
        shutil.copytree(old / name, new / name)
    shutil.rmtree(old)

    with serving(new, {}, {}, tmp_path / "new.log") as url, get_sync_client(url=url, timeout=60) as client:
        command: Any = {"resume": {question["id"]: {"decision": "approve"}}}
        done: Any = client.runs.wait(thread, "hotel", command=command, context=CONTEXT)
    assert "Your booking is confirmed" in done["answer"]
    assert [path.name for path in (new / "data" / "wavegraph").iterdir() if path.suffix == ".sqlite"]
