"""An agent of tools that nobody has described to the engine: what it is told of their errors, and what it may spend."""

import inspect
import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from wavegraph import AGENT_LIMITS, Domain, Limits, SettingsError, build_graph, create_agent, read
from wavegraph.testing import ScriptedModel, call, planning

pytestmark = pytest.mark.usefixtures("bare_environment")


def asked(agent: Any, words: str = "How many songs are there?") -> Any:
    return agent.invoke({"messages": [("user", words)]}, context={"answer_check": "rules"})


def query(sql: str) -> list[Any]:
    """Rows of the music store."""
    with sqlite3.connect(":memory:") as store:
        store.execute("create table track (name text)")
        return store.execute(sql).fetchall()


WRONG, RIGHT = "select count(*) from songs", "select count(*) from track"


@pytest.mark.parametrize("kind", ["create_agent", "domain"])
def test_what_an_error_says_lets_the_planner_mend_its_call(kind: str) -> None:
    model = ScriptedModel(
        planning(call("a", "query", sql=WRONG)), planning(call("b", "query", sql=RIGHT)), "There are none."
    )
    of_domain = Domain(name="store", tools=[read(query)], errors="text", every_part=False)
    agent: Any = create_agent(model, [read(query)])
    ended = asked(agent if kind == "create_agent" else build_graph(of_domain, model=model).compile())

    assert ended["results"]["a"]["error"]["message"] == "query failed with OperationalError: no such table: songs"
    assert "no such table: songs" in str(model.heard[1][1].content)
    assert (ended["adaptations"], ended["results"]["b"]["data"]) == (1, [[0]])
    model.assert_complete()


@pytest.mark.parametrize("kind", ["create_agent", "domain"])
def test_an_error_may_be_told_by_its_type_alone(kind: str) -> None:
    model = ScriptedModel(planning(call("a", "query", sql=WRONG)), planning(call("b", "query", sql=RIGHT)), "None.")
    of_domain = Domain(name="store", tools=[read(query)], every_part=False)
    agent: Any = create_agent(model, [read(query)], errors="names")
    ended = asked(agent if kind == "create_agent" else build_graph(of_domain, model=model).compile())

    assert ended["results"]["a"]["error"]["message"] == "query failed with OperationalError"
    assert "no such table" not in str(model.heard[1][1].content)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("the login tq-9Xy7Lm3Kp0 was refused", "the login [secret removed] was refused"),
        ("connect to db password=hunter2 failed", "connect to db password=[secret removed] failed"),
        ("postgresql://ada:hunter2@db/music is away", "postgresql://ada:[secret removed]@db/music is away"),
        (
            "401 for https://a.example/x?access_token=Zq7abc&y=1",
            "401 for https://a.example/x?access_token=[secret removed]&y=1",
        ),
        ("403 for https://m.example/?key=Zq7-abc", "403 for https://m.example/?key=[secret removed]"),
        ("sent Authorization: Bearer Zq7.abc9", "sent Authorization: Bearer [secret removed]"),
        ("{'api_key': 'Zq7 abc', 'q': 1} is wrong", "{'api_key': [secret removed], 'q': 1} is wrong"),
        ("db password=tq-9Xy7Lm3Kp0 failed", "db password=[secret removed] failed"),
        ("Unexpected token: FROM", "Unexpected token: FROM"),
        ("x" * 5000, "x" * 2000),
        ("", ""),
    ],
    ids=[
        "of the environment",
        "called one",
        "in an address",
        "a query's token",
        "a query's key",
        "a header",
        "in a dict",
        "known and called one",
        "no secret",
        "a long text",
        "no text",
    ],
)
def test_an_error_is_told_without_secrets(words: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STORE_TOKEN", "tq-9Xy7Lm3Kp0")

    def crash() -> str:
        """Fail."""
        raise RuntimeError(words)

    model = ScriptedModel(planning(call("a", "crash")), planning(), "It failed.")
    ended = asked(create_agent(model, [read(crash)]))
    assert ended["results"]["a"]["error"]["message"] == f"crash failed with RuntimeError{told and f': {told}'}"


def test_the_budget_stands_in_the_signature() -> None:
    default = inspect.signature(create_agent).parameters["limits"].default

    assert default == AGENT_LIMITS
    assert (default.max_tool_calls, default.max_waves, default.request_timeout_s) == (50, 25, 600)
    agent = create_agent(ScriptedModel(), [read(query)], limits=replace(AGENT_LIMITS, max_waves=3))
    assert agent.builder.agent.domain.limits == replace(AGENT_LIMITS, max_waves=3)


def number(n: int) -> int:
    """The number itself."""
    return n


@pytest.mark.parametrize("limit", ["max_tool_calls", "max_waves"])
def test_a_limit_that_ended_a_request_is_named(limit: str) -> None:
    steps = [planning(call(f"n{n}", "number", n=n), status="continue") for n in range(3)]
    agent = create_agent(ScriptedModel(*steps[:2], "0 and 1 were read."), [read(number)], limits=Limits(**{limit: 2}))
    ended = asked(agent, "Read the numbers 0, 1 and 2")

    assert ended["outcome"] == "partial"
    assert ended["answer"] == f"0 and 1 were read.\n\nThe work ended at a limit: {limit} = 2."


def test_a_request_that_no_limit_ended_names_none() -> None:
    agent = create_agent(ScriptedModel(planning(call("n", "number", n=1)), "1 was read."), [read(number)])
    assert asked(agent, "Read the number 1")["answer"] == "1 was read."


@pytest.mark.parametrize("one", [number, read(number), 7], ids=["a function", "a tool", "a number"])
def test_tools_that_are_no_list_are_refused_in_a_sentence(one: Any) -> None:
    with pytest.raises(SettingsError, match=r"create_agent: tools must be a list of .*, such as \[search\]; not "):
        create_agent(ScriptedModel(), one)


WATCHED = """
import asyncio
from blockbuster import blockbuster_ctx
from wavegraph import create_agent, read
from wavegraph.testing import ScriptedModel, call, planning

def number(n: int) -> int:
    "The number itself."
    return n

again = planning(call("b", "number", n=2))
agent = create_agent(ScriptedModel(planning(call("a", "number", n="x")), again, "It is 2."), [read(number)])

async def main():
    with blockbuster_ctx():
        print((await agent.ainvoke({"messages": [("user", "two")]}))["answer"])

asyncio.run(main())
"""


def test_no_file_is_read_in_the_event_loop() -> None:
    """In a process of its own: what another test has read is not read again."""
    environ = {**os.environ, "WAVEGRAPH_ANSWER_CHECK": "rules", "SOME_SECRET_KEY": "/not/there"}
    ended = subprocess.run(
        [sys.executable, "-c", WATCHED], check=False, capture_output=True, text=True, timeout=120, env=environ
    )
    assert ended.stdout == "It is 2.\n", ended.stderr
