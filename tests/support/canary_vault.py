"""An agent whose every call logs in to a made-up property system, with credentials from the resolver, and may fail.

The request is a list of words, one call each: `look:tea`; `nap:30` (slow, the first time); `crash`, `drop`, `deep`, `refuse`, `fault` and `odd` fail, each in its
own way, with an error that quotes the user and the password; `quotes` has them in its result; `ask` asks a person in between; `book` is a write that
crashes, `sign:word` one that a person agrees to. `leak:<channel>` gives the password away on purpose.
"""

import asyncio
import base64
import hashlib
import json
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from langchain_core.tools import ToolException, tool
from langgraph.types import interrupt
from pydantic import BaseModel, TypeAdapter
from skipping import LIMIT_S
from warehouse import Clerk, calls_by_word

from wavegraph import (
    AnswerView,
    Domain,
    Limits,
    SettingsError,
    ToolRefusal,
    build_graph,
    read,
    results,
)
from wavegraph.graph.approval import Approval, Terms
from wavegraph.graph.build import AgentGraph
from wavegraph.graph.domain_tool import write
from wavegraph.graph.events import progress
from wavegraph.testing import planning
from wavegraph.tools.hotel.property.credentials import Credential, EnvironmentSecrets, Secrets

SOURCE = "vault"


class Found(BaseModel):
    word: str
    left: int
    note: str = ""


class PropertySystem:
    """`logins`: digests of the credentials it was called with: the proof that they were fetched. `on_nap`: told of naps."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self.logins: list[str] = []
        self.on_nap: Callable[[], None] = lambda: None
        self.naps: set[float] = set()

    def login(self) -> Credential:
        credential = self._secrets.credential(SOURCE)
        self.logins.append(digest(*spoken(credential)))
        return credential


def spoken(credential: Credential) -> tuple[str, str]:
    return credential.username.get_secret_value(), credential.password.get_secret_value()


def digest(username: str, password: str) -> str:
    return hashlib.sha256(f"{username}\n{password}".encode()).hexdigest()


def quoted(credential: Credential) -> str:
    """As a property system writes it into an error."""
    username, password = spoken(credential)
    login = base64.b64encode(f"{username}:{password}".encode()).decode()
    told = json.dumps({"user": username, "with": password})
    return (
        f"401 at https://{username}:{password}@pms.example/ari: user {username!r}, password {password!r}, {told}; "
        f"Authorization: Basic {login}; {quote(password)} {password[: len(password) // 2]}"
    )


def vault_graph(secrets: Secrets | None = None, system: PropertySystem | None = None) -> AgentGraph:
    return build_graph(vault(system or PropertySystem(secrets or EnvironmentSecrets())))


def vault(system: PropertySystem) -> Domain:
    @tool
    async def look(word: str) -> Found:
        """Look a word up."""
        system.login()
        return Found(word=word, left=3)

    @tool
    async def nap(seconds: float) -> str:
        """Wait, the first time."""
        credential = system.login()
        system.on_nap()
        if seconds not in system.naps:
            system.naps.add(seconds)
            await asyncio.sleep(seconds)
        return f"napped, {credential}"

    @tool
    def crash() -> Found:
        """Fail with an error of its own."""
        raise RuntimeError(quoted(system.login()))

    @tool
    async def drop() -> Found:
        """Fail as a broken connection does, which is tried again."""
        raise ConnectionError(quoted(system.login()))

    @tool
    async def deep() -> Found:
        """Fail for a reason that tells too much."""
        try:
            raise ValueError(quoted(system.login()))
        except ValueError as error:
            error.add_note(quoted(system.login()))
            raise LookupError("no answer") from error

    @tool
    async def refuse() -> Found:
        """Say no, in the property system's words: the adapter scrubs them."""
        credential = system.login()
        raise ToolRefusal("auth", credential.scrub(quoted(credential)))

    @tool
    async def fault() -> Found:
        """Fail as LangChain's tools do, in the property system's own words."""
        raise ToolException(quoted(system.login()))

    @tool
    async def quotes() -> Found:
        """Find what quotes the login."""
        return Found(word=quoted(system.login()), left=1)

    @tool
    async def odd() -> Found:
        """Stumble over an answer that does not fit."""
        return TypeAdapter(Found).validate_python({"word": quoted(system.login()), "left": quoted(system.login())})

    @tool
    async def ask() -> str:
        """Ask a person between two logins."""
        system.login()
        reply = interrupt("May I?")
        return f"{reply}, said {system.login()}"

    @tool
    async def book() -> Found:
        """Book: a write that crashes half-way."""
        raise RuntimeError(quoted(system.login()))

    @tool
    async def sign(word: str) -> Found:
        """Sign: a write that a person agrees to."""
        return Found(word=word, left=2, note=f"by {system.login()}")

    async def prepare(args: Mapping[str, Any], settings: Any) -> Terms:
        credential = system.login()
        if args["word"] == "crash":
            raise RuntimeError(quoted(credential))
        return {"details": {"word": args["word"], "by": str(credential)}, "valid_until": None}

    async def release(args: Mapping[str, Any], settings: Any) -> None:
        raise RuntimeError(quoted(system.login()))

    @tool
    async def leak(channel: str) -> Found:
        """Give the password away."""
        return _leak(channel.replace("_", " "), spoken(system.login())[1])

    reads = (look, nap, crash, drop, deep, refuse, fault, quotes, odd, ask, leak)
    porter = Clerk(lambda view: planning(*calls_by_word(view.request["text"], *reads, book, sign)), _told)
    approval = Approval(prepare=prepare, restate=lambda details, language: f"sign {details}", release=release)
    return Domain(
        name="vault", tools=[*map(read, reads), book, write(sign, approval=approval)], offline=porter, supports=lambda answer, view: [],
        limits=Limits(tool_timeout_s=LIMIT_S, request_timeout_s=60 * LIMIT_S, tool_attempts=2),
        prompts={"plan": "You plan for a vault.", "respond": "You speak for a vault."},
    )  # fmt: skip


def _leak(channel: str, password: str) -> Found:
    match channel:
        case "event":
            progress("leak", found=password)
        case "log":
            logging.getLogger("somewhere.else").debug("logged in with %s", password)
        case "log record":
            logging.getLogger("somewhere.else").debug("logged in", extra={"found": password})
        case "log error":
            with suppress(RuntimeError):
                _log_error(password)
        case "error":
            raise SettingsError(f"wrong password {password}")
        case "stdout":
            print(password)
        case "result":
            return Found(word="x", left=1, note=password)
        case "reversed result":
            return Found(word="x", left=1, note=password[::-1])
        case "half of a result":
            return Found(word="x", left=1, note=password[: len(password) // 2])
    return Found(word="x", left=1)


def _log_error(password: str) -> None:
    try:
        raise RuntimeError(password)
    except RuntimeError:
        logging.getLogger("somewhere.else").exception("it failed")
        raise


def _told(view: AnswerView) -> str:
    found = results(view.ledger).values()
    lines = [each["error"]["message"] if each["error"] else str(each["data"]) for each in found]
    return "\n".join(lines) or "nothing"


graph = vault_graph().compile(name="vault")
