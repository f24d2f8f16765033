"""What `ask` and `chat` share: an agent on its storage, its settings, and how a request is shown."""

import shlex
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from langgraph.graph.state import CompiledStateGraph
from rich.console import Console

from wavegraph.app import show
from wavegraph.app.agents import SHIPPED, load, settings_for
from wavegraph.app.hotel import check_property
from wavegraph.app.live import LiveView
from wavegraph.app.runner import report_of, run
from wavegraph.app.storage import MEMORY, default_database, open_storage
from wavegraph.graph.settings import Settings
from wavegraph.tools.hotel.settings import HotelSettings

DEFAULT_DOMAIN = "hotel"


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of `ask` and `chat`."""

    domain: str
    database: str | None
    """None = the file in the user's data folder."""
    settings: Mapping[str, Any]
    """Settings of the run by name; None = not given."""
    as_json: bool
    debug: bool

    def again(self, command: str, thread_id: str) -> str:
        """The command line that goes on with a thread; empty where nothing is kept of it."""
        if self.database == MEMORY:
            return ""
        words = ["wavegraph", command, "--thread", thread_id]
        words += ["--domain", self.domain] if self.domain != DEFAULT_DOMAIN else []
        words += ["--db", self.database] if self.database else []
        return shlex.join(words)


@dataclass(frozen=True, kw_only=True)
class Session:
    """An agent ready to be asked."""

    graph: CompiledStateGraph[Any, Any, Any, Any]
    settings: Settings
    options: Options
    console: Console

    async def answer(self, text: str, thread_id: str) -> show.Report:
        """Answer one request: the work on stderr as it goes on, then the answer on stdout."""
        readable = text.encode("utf-8", "replace").decode("utf-8")  # stray bytes arrive as surrogates
        with LiveView(self.console) as view:
            result = await run(self.graph, readable, thread_id=thread_id, settings=self.settings, on_event=view)
        report = report_of(result)
        if self.options.debug:
            show.debug(report, self.console)
        show.answer(report, as_json=self.options.as_json)
        show.footer(report, self.console)
        return report


@asynccontextmanager
async def open_session(options: Options, console: Console) -> AsyncIterator[Session]:
    """Raises SettingsError for settings the agent refuses, StorageError for a database that cannot be used."""
    graph = load(options.domain)
    settings = settings_for(graph, options.settings)
    if options.domain in SHIPPED and isinstance(settings, HotelSettings):
        check_property(settings.property_id)
    database = str(default_database()) if options.database is None else options.database
    async with open_storage(database) as storage:
        compiled = graph.compile(checkpointer=storage.checkpointer, store=storage.store, name=options.domain)
        yield Session(graph=compiled, settings=settings, options=options, console=console)
