"""Access control of the LangGraph server: who a bearer token belongs to, and what that person may do.

Requests within the server's own process, such as those of the feedback route, are not asked for a token.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
from langgraph_sdk import Auth
from langgraph_sdk.errors import NotFoundError
from starlette.exceptions import HTTPException

from wavegraph.app.serving.jwts import FetchedKeys, FileKeys, Keys, KeysUnreachable, Tokens
from wavegraph.app.serving.own_server import callers_client, with_state
from wavegraph.app.serving.roles import OPEN_TO, STAFF, KnownUser, Rules, User, known_user
from wavegraph.app.serving.runs import Forbidden, check_run
from wavegraph.app.serving.tokens import TokenFile
from wavegraph.graph.errors import SettingsError, error_text

logger = logging.getLogger(__name__)

FindUser = Callable[[str], User | None]
"""Whose token it is; None = not a known token. Raises KeysUnreachable."""
PAGE = "/console/"
"""The console's files are anybody's, who then gives a token: what it shows comes from routes that ask for one."""
VISITOR: KnownUser = {"identity": "visitor", "display_name": "visitor", "is_authenticated": True, "permissions": []}
VARIABLES = {
    "tokens": "WAVEGRAPH_AUTH_TOKENS_FILE",
    "key": "WAVEGRAPH_AUTH_JWT_KEY_FILE",
    "jwks": "WAVEGRAPH_AUTH_JWKS_URL",
    "audience": "WAVEGRAPH_AUTH_AUDIENCE",
    "issuer": "WAVEGRAPH_AUTH_ISSUER",
    "roles": "WAVEGRAPH_AUTH_ROLES_CLAIM",
}


def users_of(environment: Mapping[str, str], known: Rules) -> list[FindUser]:
    """Where tokens are looked up. Raises SettingsError if there is nothing, or something that cannot be used."""
    given = {short: value for short, name in VARIABLES.items() if (value := environment.get(name, "").strip())}
    found: list[FindUser] = []
    if "tokens" in given:
        found.append(TokenFile(Path(given["tokens"]), known.roles).user)
    if "key" in given and "jwks" in given:
        raise SettingsError(f"keys come from {VARIABLES['key']} or from {VARIABLES['jwks']}, not from both")
    if "key" in given or "jwks" in given:
        keys: Keys = FileKeys(Path(given["key"])) if "key" in given else FetchedKeys(given["jwks"])
        found.append(_tokens(keys, given, known).user)
    if not found:
        ways = ", ".join(VARIABLES[short] for short in ("tokens", "key", "jwks"))
        raise SettingsError(f"nobody could use this server: set one of {ways} (docs/running/deploy.md)")
    return found


def _tokens(keys: Keys, given: Mapping[str, str], known: Rules) -> Tokens:
    if "audience" not in given:
        logger.warning(
            "%s is not set: tokens that the issuer made for other services are accepted here too", VARIABLES["audience"]
        )
    return Tokens(
        keys=keys,
        roles=known.roles,
        audience=given.get("audience"),
        issuer=given.get("issuer"),
        roles_claim=given.get("roles"),
    )


def find_user(authorization: str | None, users: Sequence[FindUser]) -> User:
    """Raises an HTTP error: 401 for an unknown token, 503 while that cannot be checked."""
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Auth.exceptions.HTTPException(401, "a bearer token is expected: Authorization: Bearer …")
    try:
        found = next((user for find in users if (user := find(token.strip()))), None)
    except KeysUnreachable as error:
        logger.warning("the keys of tokens cannot be fetched: %s", error_text(error))
        raise HTTPException(503, "the keys of tokens cannot be fetched just now; try again in a moment") from None
    except (SettingsError, OSError) as error:  # a file was changed for the worse: the earlier content lets no one in
        logger.error("tokens cannot be checked: %s", error_text(error))
        raise HTTPException(503, "tokens cannot be checked just now") from None
    if found is None:
        raise Auth.exceptions.HTTPException(401, "the token is not valid here, or has expired")
    return found


def access(users: Sequence[FindUser], known: Rules) -> Auth:
    """The server's access control."""
    auth = Auth()

    @auth.authenticate
    async def authenticate(authorization: str | None, path: str, method: str) -> KnownUser:
        if method in ("GET", "HEAD") and f"{path}/".startswith(PAGE):
            return VISITOR
        return known_user(await asyncio.to_thread(find_user, authorization, users))

    @auth.on
    async def staff_only(ctx: Auth.types.AuthContext, value: Any) -> bool:
        if not _is_staff(ctx):
            raise _forbidden(f"{ctx.resource}.{ctx.action} is staff's")
        return True

    @auth.on.threads.create
    async def create_thread(ctx: Auth.types.AuthContext, value: Any) -> Any:
        return _created(ctx, value, known)

    @auth.on.threads.read
    async def read_thread(ctx: Auth.types.AuthContext, value: Any) -> Any:
        return _own(ctx)

    @auth.on.threads.search
    async def search_threads(ctx: Auth.types.AuthContext, value: Any) -> Any:
        return _own(ctx)

    @auth.on.threads.update
    async def update_thread(ctx: Auth.types.AuthContext, value: Any) -> Any:
        if not _is_staff(ctx) and value.get("action") != "interrupt":
            raise _forbidden("a thread's state and metadata are staff's to change; a run of yours may be interrupted")
        return _own(ctx)

    @auth.on.threads.delete
    async def delete_thread(ctx: Auth.types.AuthContext, value: Any) -> Any:
        if not _is_staff(ctx) and value.get("run_id"):
            raise _forbidden("a run is staff's to delete; a thread of yours may be deleted as a whole")
        return _own(ctx)

    @auth.on.threads.create_run
    async def create_run(ctx: Auth.types.AuthContext, value: Any) -> Any:
        return await _started(ctx, value, known)

    @auth.on.assistants.read
    async def read_assistant(ctx: Auth.types.AuthContext, value: Any) -> Any:
        return _open_assistants(ctx)

    @auth.on.assistants.search
    async def search_assistants(ctx: Auth.types.AuthContext, value: Any) -> Any:
        return _open_assistants(ctx)

    return auth


def _is_staff(ctx: Auth.types.AuthContext) -> bool:
    return STAFF in ctx.permissions


def _forbidden(why: str) -> Exception:
    return Auth.exceptions.HTTPException(403, why)


def _own(ctx: Auth.types.AuthContext) -> Any:
    """The filter by which another's thread is not found."""
    return None if _is_staff(ctx) else {"owner": ctx.user.identity}


def _created(ctx: Auth.types.AuthContext, value: Any, known: Rules) -> Any:
    """Whatever a client writes there, a thread is its maker's; staff may make one for somebody else."""
    if _is_staff(ctx):
        value.setdefault("metadata", {}).setdefault("owner", ctx.user.identity)
        return None
    if "metadata" not in value:  # the copy of a thread, with what waits on it
        raise _forbidden("threads are staff's to copy")
    if (graph := value["metadata"].get("graph_id")) is not None and known.settings(graph, ctx.permissions) is None:
        raise _forbidden(f"you may not run {graph!r}")
    value["metadata"]["owner"] = ctx.user.identity
    return _own(ctx)


async def _started(ctx: Auth.types.AuthContext, value: Any, known: Rules) -> Any:
    """A new thread is its maker's, whatever the run's metadata say."""
    if _is_staff(ctx):
        value["metadata"].setdefault("owner", ctx.user.identity)
        return None
    graph = known.graph_of(value["assistant_id"]) or await _graph_of(value["assistant_id"])
    settings = known.settings(graph, ctx.permissions)
    if settings is None:
        raise _forbidden("you may not run this assistant")
    graphs = [name for name in known.open_to if known.settings(name, ctx.permissions) is not None]
    try:
        await check_run(value, settings, graphs, lambda: _thread(value.get("thread_id")))
    except Forbidden as error:
        raise _forbidden(error_text(error)) from None
    value["metadata"]["owner"] = ctx.user.identity
    return _own(ctx)


def _open_assistants(ctx: Auth.types.AuthContext) -> Any:
    """The graphs' own, and those that staff has opened to one of the roles."""
    if _is_staff(ctx):
        return None
    opened = [{OPEN_TO: {"$contains": role}} for role in ctx.permissions]
    return {"$or": [{"created_by": "system"}, *opened]}


async def _graph_of(assistant_id: Any) -> str | None:
    """The graph of an assistant that the caller may read; the server itself is asked, in the caller's name."""
    try:
        async with callers_client() as client:
            return str((await client.assistants.get(str(assistant_id)))["graph_id"])
    except (NotFoundError, httpx.HTTPStatusError):
        return None


async def _thread(thread_id: Any) -> Mapping[str, Any]:
    """The caller's thread and its head; empty = there is none, or it is another's, which is then not found."""
    if thread_id is None:
        return {}
    try:
        async with callers_client() as client:
            thread = await with_state(client, await client.threads.get(str(thread_id)))
            state = await client.threads.get_state(str(thread_id))
    except (NotFoundError, httpx.HTTPStatusError):
        return {}
    return {**thread, "checkpoint": state["checkpoint"]}
