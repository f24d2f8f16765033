"""Embedded: requests of every kind on every database, with rules and with a model, traced: no secret is left anywhere."""

import asyncio
import json
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import postgres_server
import pytest
from canary_traces import traced
from canary_vault import PropertySystem, vault, vault_graph
from endpoint import Endpoint, answers, plans
from langgraph.checkpoint.memory import InMemorySaver
from runs import wait

from wavegraph import CancelHandle, Result, SettingsError, WavegraphError, build_graph, run, stream
from wavegraph.app.storage.open import open_storage
from wavegraph.testing import Canaries, Collected, assert_no_leak, collecting
from wavegraph.tools.hotel.property.credentials import EnvironmentSecrets, FileSecrets, Secrets

FAILING = "crash drop deep refuse fault quotes odd look:tea"
KEPT = ("answer", "events", "state", "store", "database", "log")


def secrets_from(place: str, folder: Path, environment: dict[str, str]) -> Secrets:
    if place == "environment":
        return EnvironmentSecrets()
    path = folder / "secrets.json"
    names = {"username": environment["VAULT_USERNAME"], "password": environment["VAULT_PASSWORD"]}
    path.write_text(json.dumps({"vault": names}), encoding="utf-8")
    return FileSecrets(path)


@pytest.fixture
def database(kind: str, request: pytest.FixtureRequest, tmp_path: Path, planted: Canaries) -> str:
    if kind == "sqlite":
        return str(tmp_path / "threads.db")
    server: postgres_server.Server = request.getfixturevalue("postgres")
    planted.watch("the database's password", postgres_server.PASSWORD)
    return server.fresh("canary")


@contextmanager
def told(left: Collected, *expected: type[BaseException]) -> Iterator[None]:
    """What is raised inside is collected."""
    try:
        yield
    except expected as error:
        left.add("errors", error)


async def cancelled(left: Collected, graph: Any, system: PropertySystem, request: str, thread: str) -> Result:
    """A request stopped while its slow call runs."""
    handle, started = CancelHandle(), asyncio.Event()
    system.on_nap = started.set
    work = asyncio.ensure_future(left.run(graph, request, thread_id=thread, cancel=handle))
    await started.wait()
    handle.cancel()
    result = await work
    assert result is not None
    return result


async def every_kind(left: Collected, graph: Any, system: PropertySystem) -> list[str]:
    """Requests that go well, fail, are cancelled, resumed, interrupted and streamed; their outcomes."""
    ended: list[Any] = [
        await left.run(graph, "look:tea look:salt", thread_id="happy"),
        await left.run(graph, FAILING, thread_id="failing"),
        await left.run(graph, "book", thread_id="write"),
        await cancelled(left, graph, system, "look:tea nap:50", "stopped"),
        await left.resume(graph, "stopped"),
        await cancelled(left, graph, system, "nap:30 look:tea", "amended"),
        await left.run(graph, "look:salt", thread_id="amended"),
        await left.run(graph, "ask", thread_id="asked"),
        await left.resume(graph, "asked", reply="yes"),
        await left.run(graph, "sign:here", thread_id="signed"),
        await left.run(graph, "yes", thread_id="signed"),
        await left.run(graph, "sign:there", thread_id="unsigned"),
        await left.resume(graph, "unsigned", reply="no"),
        await left.run(graph, "sign:crash", thread_id="unprepared"),
    ]
    parts = [part async for part in stream(graph, FAILING, thread_id="streamed")]
    left.add("stream", parts)
    modes: Any = ["values", "updates", "custom", "messages", "checkpoints", "tasks", "debug"]
    config: Any = {"configurable": {"thread_id": "bare"}}
    given: Any = {"messages": [("user", FAILING)]}
    left.add("stream", [part async for part in graph.astream(given, config, stream_mode=modes)])
    left.add("answer", await graph.ainvoke(given, config))
    await left.thread(graph, "bare")
    return [result.outcome for result in ended]


@pytest.mark.parametrize(("kind", "place"), [("sqlite", "file"), ("postgres", "environment")])
def test_no_request_leaves_a_secret(
    place: str, database: str, planted: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    system = PropertySystem(secrets_from(place, tmp_path, planted.environment))
    if place == "file":
        planted.leave_environment()

    async def all_of_it(left: Collected) -> list[str]:
        async with open_storage(database) as storage:
            graph = vault_graph(system=system).compile(checkpointer=storage.checkpointer, store=storage.store)
            return await every_kind(left, graph, system)

    with collecting() as left:
        outcomes = wait(all_of_it(left))
        left.database(database)
    left.add("terminal", list(capfd.readouterr()))

    assert outcomes == [
        "answered", "partial", "failed", "cancelled", "answered", "cancelled", "answered", "awaiting_approval", "answered",
        "awaiting_approval", "answered", "awaiting_approval", "answered", "failed",
    ]  # fmt: skip
    assert set(system.logins) == {planted.login}
    assert len(system.logins) > 30
    assert_no_leak(planted, left, channels=(*KEPT, "stream"))


def test_no_trace_holds_a_secret(planted: Any) -> None:
    system = PropertySystem(EnvironmentSecrets())
    graph = vault_graph(system=system).compile(checkpointer=InMemorySaver())
    with collecting() as left, traced(left, planted.plant("LANGSMITH_API_KEY")):
        wait(every_kind(left, graph, system))

    assert_no_leak(planted, left, channels=["traces"])


def planned(*words: str) -> dict[str, Any]:
    calls = [_call(number, *word.partition(":")) for number, word in enumerate(words)]
    return {"reasoning": "as asked", "action": "look_up", "status": "done", "slots": {}, "tools": calls, "reply": None}


def _call(number: int, name: str, _: str, word: str) -> dict[str, Any]:
    return {
        "id": f"{name}_{number}",
        "tool": name,
        "args": {"word": word} if word else {},
        "each": None,
        "instead_of": None,
    }


def with_a_model(left: Collected, endpoint: Endpoint, system: PropertySystem, database: Path) -> list[Any]:
    """Requests that a model plans and answers, and some that it cannot: their results."""
    endpoint.plays(
        plans(planned("look:tea")), answers("tea: 3"),
        plans(planned(*FAILING.split())), plans(planned()), answers("tea: 3, the others failed"),
        plans(planned("ask")), answers("said yes"),
        plans(None, status=401), plans("{broken", checked=False), plans("{broken", checked=False), answers("I could not."),
        *[plans(None, status=503)] * 3,
    )  # fmt: skip

    async def all_of_it() -> list[Any]:
        async with open_storage(str(database)) as storage:
            graph = vault_graph(system=system).compile(checkpointer=storage.checkpointer, store=storage.store)
            return [
                await left.run(graph, "tea?", thread_id="happy"),
                await left.run(graph, "all that fails", thread_id="failing"),
                await left.run(graph, "a question", thread_id="asked"),
                await left.resume(graph, "asked", reply="yes"),
                await left.run(graph, "look:tea", thread_id="refused"),
                await left.run(graph, "look:tea", thread_id="broken"),
                await left.run(graph, "look:tea", thread_id="down", settings={"model_fallback": False}),
            ]

    ended = wait(all_of_it())
    left.add("prompt", [request.body for request in endpoint.received])
    return ended


def test_no_request_with_a_model_leaves_a_secret(endpoint: Endpoint, planted: Any, tmp_path: Path) -> None:
    system = PropertySystem(EnvironmentSecrets())
    with collecting() as left:
        ended = with_a_model(left, endpoint, system, tmp_path / "threads.db")
    left.database(tmp_path / "threads.db")

    assert [result.outcome for result in ended] == [
        "answered", "partial", "awaiting_approval", "answered", "answered", "answered", "failed",
    ]  # fmt: skip
    assert {request.key for request in endpoint.received} == {f"Bearer {os.environ['OPENAI_API_KEY']}"}
    assert set(system.logins) == {planted.login}
    assert_no_leak(planted, left, channels=(*KEPT, "prompt"))


def test_no_trace_of_a_model_holds_a_secret(endpoint: Endpoint, planted: Any, tmp_path: Path) -> None:
    with collecting() as left, traced(left, planted.plant("LANGSMITH_API_KEY")):
        with_a_model(left, endpoint, PropertySystem(EnvironmentSecrets()), tmp_path / "threads.db")

    assert_no_leak(planted, left, channels=["traces"])


def test_no_missing_or_broken_credential_is_told(planted: Canaries, tmp_path: Path) -> None:
    """Half of a credential is there; the other half is not."""
    path = tmp_path / "secrets.json"
    broken = [
        {"username": planted.plant("user")},
        {"password": planted.plant("password"), "username": 7},
        planted.plant("x"),
    ]
    with collecting() as left:
        for number, content in enumerate(broken):
            path.write_text(json.dumps(content), encoding="utf-8")
            graph = vault_graph(FileSecrets(path)).compile()
            wait(left.run(graph, "look:tea", thread_id=f"t{number}"))
        path.write_text(f'{{"username": "{planted.plant("unclosed")}"', encoding="utf-8")
        wait(left.run(vault_graph(FileSecrets(path)).compile(), "look:tea", thread_id="t"))
        only = EnvironmentSecrets({"VAULT_USERNAME": planted.plant("alone")})
        wait(left.run(vault_graph(only).compile(), "look:tea", thread_id="t"))
        with suppress(SettingsError), told(left, SettingsError):
            only.credential("vault")

    assert_no_leak(planted, left, channels=["errors"])


def test_no_database_that_cannot_be_opened_tells_its_password(
    postgres: postgres_server.Server, planted: Canaries
) -> None:
    async def refused(left: Collected, url: str) -> None:
        with told(left, WavegraphError):
            async with open_storage(url):
                pytest.fail("it was opened")

    with collecting() as left:
        wait(refused(left, postgres.url(password=planted.plant("wrong password"))))
        port = f"127.0.0.1:{postgres.port}"
        wait(refused(left, f"postgresql://desk@{port}/postgres?password={planted.plant('as a parameter')}"))
        wait(refused(left, f"postgresql://desk:{planted.plant('of no server')}@127.0.0.1:1/none"))

    assert_no_leak(planted, left, channels=["errors", "log"])


class Careless:
    """A planner of the caller's own that fails, in the words of a system it asked."""

    name = "careless"

    async def plan(self, view: Any) -> Any:
        try:
            raise KeyError(os.environ["VAULT_PASSWORD"])
        except KeyError as error:
            raise ConnectionError(f"no login with {os.environ['VAULT_PASSWORD']!r}") from error


def test_what_leaves_a_run_holds_no_secret(planted: Any, tmp_path: Path) -> None:
    """Nor does what LangGraph keeps of it, and what is logged of a listener that fails."""
    graph = build_graph(vault(PropertySystem(EnvironmentSecrets())), planner=Careless())

    def fails(event: Any) -> None:
        raise RuntimeError(f"{event} with {os.environ['VAULT_PASSWORD']}")

    async def work(left: Collected) -> None:
        async with open_storage(str(tmp_path / "threads.db")) as storage:
            compiled = graph.compile(checkpointer=storage.checkpointer, store=storage.store)
            await left.run(compiled, "look:tea", thread_id="careless")
            await run(vault_graph().compile(), "look:tea", on_event=fails)
            with suppress(ConnectionError):
                async for part in compiled.astream(
                    {"messages": [("user", "look:tea")]},
                    {"configurable": {"thread_id": "bare"}},
                    stream_mode=["debug", "tasks", "checkpoints"],
                ):
                    left.add("stream", part)
            await left.thread(compiled, "bare")

    with collecting() as left, traced(left, planted.plant("LANGSMITH_API_KEY")):
        wait(work(left))
    left.database(tmp_path / "threads.db")

    assert b"no login with" in b"".join(piece for channel, piece in left.pieces() if channel == "errors")
    assert b"on_event failed" in b"".join(piece for channel, piece in left.pieces() if channel == "log")
    assert_no_leak(planted, left, channels=["errors", "state", "database", "log", "traces", "stream"])


REQUESTS = 25
WORDS = [
    "look:tea",
    "look:salt",
    "crash",
    "drop",
    "deep",
    "refuse",
    "fault",
    "odd",
    "book",
    "ask",
    "sign:here",
    "nap:0.01",
]


@pytest.mark.attack
def test_no_request_made_at_random_leaves_a_secret(
    planted: Any, seed: int, tmp_path: Path, attempts: Callable[[str, int], None]
) -> None:
    chosen, database = random.Random(seed), str(tmp_path / "threads.db")
    system = PropertySystem(EnvironmentSecrets())

    async def all_of_it(left: Collected) -> None:
        async with open_storage(database) as storage:
            graph = vault_graph(system=system).compile(checkpointer=storage.checkpointer, store=storage.store)
            for number in range(REQUESTS):
                words = " ".join(chosen.choices(WORDS, k=chosen.randint(1, 8)))
                await left.run(graph, words, thread_id=str(number % 5))

    with collecting() as left, traced(left, planted.plant("LANGSMITH_API_KEY")):
        wait(all_of_it(left))
    left.database(database)

    assert_no_leak(planted, left, channels=(*KEPT, "traces"))
    attempts("requests made at random, searched for secrets wherever they leave traces", REQUESTS)
