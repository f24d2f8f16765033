"""The program of the page, before and after, prints the same; and its tables leave nothing out."""

import inspect
import json
import re
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from shown import blocks

middleware = pytest.importorskip("langchain.agents.middleware", reason="the extra wavegraph[models] is not installed")
sys.path.insert(0, str(Path(__file__).parents[1] / "support_llm"))

from endpoint import Endpoint, Serving, Turn, answers, plans
from langchain.agents import create_agent as langchains_own
from plans import call, plan

from wavegraph.graph.adopt.agent import NOT_TAKEN
from wavegraph.graph.adopt.middleware import REFUSED, ROWS
from wavegraph.graph.limits import RECENT_MESSAGES

PAGE = (Path(__file__).parents[2] / "docs" / "start" / "from-create-agent.md").read_text(encoding="utf-8")
BEFORE, AFTER = blocks(PAGE, "python")
PRINTED = blocks(PAGE, "console")[0]
TRIP = {"flight": "FR2", "passenger": "Ada", "euros": 80}
HOOKS = {"before_agent", "after_agent", "before_model", "after_model", "wrap_model_call", "wrap_tool_call", "dynamic_prompt"}  # fmt: skip


@pytest.fixture
def endpoint(bare_environment: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    with Serving() as endpoint:
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        yield endpoint


def run(program: str, folder: Path) -> None:
    (file := folder / "program.py").write_text(program, encoding="utf-8")
    runpy.run_path(str(file), run_name="__main__")


def says(content: str | None, *calls: dict[str, Any]) -> Turn:
    """A whole message of a model that chooses its calls itself."""
    message = {"role": "assistant", "content": content, **({"tool_calls": list(calls)} if calls else {})}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
    whole = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return answers(None, body=json.dumps(whole))


def chosen(name: str, **args: Any) -> dict[str, Any]:
    return {"id": f"call_{name}", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}


def test_before(endpoint: Endpoint, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    endpoint.plays(
        says(None, chosen("search_flights", city="Rome")),
        says(None, chosen("book_flight", flight="FR2", passenger="Ada")),
        says(json.dumps(TRIP)),
    )
    run(BEFORE, tmp_path)
    assert capsys.readouterr().out == PRINTED


def test_after(endpoint: Endpoint, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    search = call("search", "search_flights", city="Rome")
    booking = call("book", "book_flight", flight={"ref": {"call": "search", "path": "[1].flight"}}, passenger="Ada")
    form = Turn("form", content=json.dumps({"response": TRIP}))
    endpoint.plays(plans(plan(search, booking)), answers("FR2 is booked for Ada, for 80 euros."), form)
    run(AFTER, tmp_path)
    assert capsys.readouterr().out == PRINTED


def test_only_what_the_page_names_differs() -> None:
    before, after = (program.split("agent = create_agent(")[1] for program in (BEFORE, AFTER))
    assert before.partition("\n)\n")[2] == after.partition("\n)\n")[2]


def table(title: str) -> dict[str, str]:
    """What becomes of each name in the first column."""
    rows = re.findall(r"^\| (.*?) \| (.*?) \| ", PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0], flags=re.MULTILINE)
    return {name: verdict for row, verdict in rows for name in re.findall(r"`(\w+)`", row)}


def test_every_feature_is_the_same_there_another_way_or_refused() -> None:
    rows = re.findall(r"^\| (.*?) \| (.*?) \| ", PAGE, flags=re.MULTILINE)
    told = {verdict for feature, verdict in rows if feature not in ("there", "")}

    assert told == {"the same", "another way", "refused"}


def test_every_argument_is_told() -> None:
    told = table("Arguments")
    refused = {name for name, verdict in told.items() if verdict == "refused"}

    assert set(inspect.signature(langchains_own).parameters) | set(NOT_TAKEN) | {"create_react_agent"} == set(told)
    assert refused == set(NOT_TAKEN) | {"create_react_agent"}


def test_every_name_of_the_middleware_is_told() -> None:
    told = table("Middleware")
    assert set(told) == set(middleware.__all__)
    assert {name for name in ROWS if told[name] == "refused"} == set()
    assert {told[name] for name in [*REFUSED, *HOOKS]} == {"refused"}


def test_the_figure_is_the_engine_s() -> None:
    assert f"the last {RECENT_MESSAGES} messages" in PAGE
