"""What all tests share: the `tests/support` folders are importable, and no model of the developer's own is called."""

import gc
import inspect
import os
import shutil
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import certifi
import pytest
from hypothesis import settings

for folder in ("support", "support_hotel", "support_mcp", "support_roster", "support_servers"):
    sys.path.insert(0, str(Path(__file__).parent / folder))  # under importlib mode the test folders are no packages

import_module("skipping").install()  # before any loop is made

# In CI the same examples every time, so that a change is judged by itself; at the desk new ones, to find more. On no
# machine a time for each: a busy one would fail what is right.
settings.register_profile("desk", deadline=None, max_examples=30)
settings.register_profile("ci", derandomize=True, deadline=None, max_examples=30)
settings.load_profile("ci" if os.environ.get("CI") else "desk")

MEMORY, ROOM = Path("/dev/shm"), 1 << 30


def in_memory() -> bool:
    """Whether there is a file system in memory with room for what tests write, and to run programs from."""
    return (
        os.access(MEMORY, os.W_OK)
        and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
        and shutil.disk_usage(MEMORY).free > ROOM
    )


if in_memory():
    # Most tests write a database, and each commit would wait for the disk. What a test kills is a process, never the
    # machine: no test is about what the disk itself keeps.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

FIGURES = "figures"
ATTEMPTS = "attempts"

MODELS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "WAVEGRAPH_MODEL", "WAVEGRAPH_PLANNER_MODEL", "WAVEGRAPH_RESPONDER_MODEL",
          "WAVEGRAPH_VALIDATOR_MODEL", "WAVEGRAPH_VALIDATOR_BASE_URL", "WAVEGRAPH_VALIDATOR_API_KEY",
          *(f"WAVEGRAPH_MAX_{scope}_{unit}" for scope in ("THREAD", "DAY") for unit in ("CALLS", "TOKENS", "COST")))  # fmt: skip


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the search once, before workers and their processes each would."""
    if getattr(session.config.option, "numprocesses", None):
        with suppress(ImportError):  # numba is an extra
            import_module("wavegraph.tools.roster.columns.pricing_numba")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """An `async def` test runs on a loop of its own, and fails instead of hanging."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    from runs import wait

    wait(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}))
    return True


@pytest.fixture
def figures(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Takes a line of what a test measured, which is printed when all tests have ended."""
    return partial(record_property, FIGURES)


@pytest.fixture
def attempts(record_property: Callable[[str, object], None]) -> Callable[[str, int], None]:
    """Takes what an attack attempted, and how often; `make attack` adds them up."""
    return lambda kind, count: record_property(ATTEMPTS, f"{count} {kind}")


@pytest.fixture
def seed() -> int:
    """What an attack's random choices begin from: `make attack` goes from one seed to the next."""
    return int(os.environ.get("WAVEGRAPH_ATTACK_SEED", "0"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "seed" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.seeded)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is imported and collected stays to the end: no search for garbage needs to look at it, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    passed = terminalreporter.getreports("passed")
    lines = [str(line) for report in passed for name, line in report.user_properties if name == FIGURES]
    if lines:
        terminalreporter.section("figures")
        terminalreporter.write("".join(f"{line}\n" for line in sorted(lines)))


@pytest.fixture(scope="session")
def one_authority(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file with one certificate: no test speaks TLS, and each client made would read all hundred and more of them."""
    first, end, _ = Path(certifi.where()).read_text(encoding="utf-8").partition("-----END CERTIFICATE-----\n")
    file = tmp_path_factory.mktemp("tls") / "authority.pem"
    file.write_text(first + end, encoding="utf-8")
    return str(file)


@pytest.fixture(autouse=True)
def _reads_one_authority(one_authority: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", one_authority)


@pytest.fixture(autouse=True)
def _no_models_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in MODELS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "rules")  # a judge is asked where a test is about it


@pytest.fixture(autouse=True)
def _no_lessons_of_the_developer(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAVEGRAPH_LESSONS", str(tmp_path_factory.getbasetemp() / "no-lessons"))


@pytest.fixture(autouse=True)
def _no_hotels_of_the_developer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAVEGRAPH_PROPERTIES", raising=False)


@pytest.fixture(autouse=True)
def _secrets_of_its_own() -> Iterator[None]:
    """No test's passwords are removed from what another one reads."""
    yield
    from wavegraph.graph.secrets.scrubber import Scrubber, process

    vars(process).update(vars(Scrubber()))


_ONE_SENTENCE: set[str] = set()
"""Texts of statements that were seen to be one sentence."""


@pytest.fixture(autouse=True)
def _each_statement_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Of every catalogue that a test makes: the gate releases sentence by sentence, and a refused one takes no other along."""
    module = sys.modules.get("wavegraph.graph.answer.statements")
    if module is None:
        yield
        return
    wrong: list[str] = []
    make = module.Catalogue.__init__

    def made(catalogue: object, *given: object, **named: object) -> None:
        make(catalogue, *given, **named)
        texts = {each.text for each in catalogue.statements} - _ONE_SENTENCE  # type: ignore[attr-defined]
        several = {text for text in texts if len(module.sentences(text)) > 1}
        _ONE_SENTENCE.update(texts - several)
        wrong.extend(several)

    monkeypatch.setattr(module.Catalogue, "__init__", made)
    yield
    assert wrong == []


BUILDS_HOTELS = Path(__file__).parent / "tools" / "hotel" / "property"
"""What is tested here is how a hotel is built."""


@pytest.fixture(autouse=True)
def _demo_hotels_are_copied(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = sys.modules.get("wavegraph.tools.hotel.property.sqlite_property")
    if builder is None or BUILDS_HOTELS in request.path.parents:
        return
    from demo_hotels import Copies

    folder = tmp_path_factory.getbasetemp() / "demo-hotels"
    monkeypatch.setattr(builder, "build", Copies(folder).build)


@pytest.fixture
def unscrubbed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is removed on its way out: what a leak looks like."""
    monkeypatch.setattr("wavegraph.graph.secrets.scrubber._spellings", lambda secret: ((), ()))


@pytest.fixture
def bare_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the developer's own: no key, no proxy, no setting; and a model's faults are tried again at once."""
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "WAVEGRAPH_", "LANGSMITH_", "LANGCHAIN_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("WAVEGRAPH_LESSONS", str(tmp_path_factory.getbasetemp() / "no-lessons"))
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "rules")  # a judge is asked where a test is about it
    monkeypatch.setattr("wavegraph.graph.model.calls.FIRST_PAUSE_S", 0.02)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    """One server for all the tests of a worker (`postgres_server.Server`)."""
    import postgres_server

    if why := postgres_server.reason_to_skip():
        pytest.skip(why)
    with postgres_server.server() as server:
        yield server


@pytest.fixture(scope="session")
def shared_house(postgres: Any) -> str:
    """A database for the tests of many machines."""
    return str(postgres.fresh("house"))


@pytest.fixture
def rosters_database(shared_house: str) -> Iterator[str]:
    """A schema of the test's own there, for conversations and rosters: quicker to make than a database."""
    import psycopg

    from wavegraph.tools.postgres.server import close_all

    name = f"house{next(_houses)}"
    with psycopg.connect(shared_house, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    yield f"{shared_house}?options=-csearch_path%3D{name}"
    close_all()


_houses = count(1)


@pytest.fixture
def langsmith() -> Iterator[Any]:
    """A `langsmith_server.LangSmithServer`."""
    from langsmith_server import LangSmithServer

    with LangSmithServer() as server:
        yield server
