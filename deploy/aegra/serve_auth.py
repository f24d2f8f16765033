"""Access control on Aegra: the same tokens, roles and rules as on the LangGraph server (`wavegraph.app.serving.access`).

Aegra hands over a request's headers alone, and a run under other names. By itself it shows each person only what is theirs;
for staff, `serve_app.py` puts in the name of whose it is.
"""

import asyncio
import os
from collections.abc import Mapping
from typing import Any

from aegra_api.utils.assistants import resolve_assistant_id
from langgraph_sdk import Auth

from wavegraph.app.serving.access import access, find_user, users_of
from wavegraph.app.serving.own_server import calls_as
from wavegraph.app.serving.roles import KnownUser, known_user, rules

TAKEN = ("anonymous", "system")
"""Names that Aegra gives: to everybody before there was access control, and to what is everybody's."""

_known = rules()
_users = users_of(os.environ, _known)
_ours = access(_users, _known)
auth = Auth()
auth._handlers.update(_ours._handlers)
auth._global_handlers.extend(_ours._global_handlers)


def _rule(resource: str, action: str) -> Any:
    [handler] = _ours._handlers[resource, action]
    return handler


_create_thread = _rule("threads", "create")
_update_thread = _rule("threads", "update")
_create_run = _rule("threads", "create_run")


@auth.authenticate
async def authenticate(headers: dict[str, str]) -> KnownUser:
    from aegra_api.main import app  # which loads this file

    authorization = headers.get("authorization")
    user = known_user(await asyncio.to_thread(find_user, authorization, _users))
    if user["identity"] in TAKEN:
        raise Auth.exceptions.HTTPException(401, "this name is the server's own: have a token made for another")
    calls_as.set((app, authorization))
    return user


async def create_thread(*, ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Any:
    value["metadata"] = value.get("metadata") or {}
    return await _create_thread(ctx=ctx, value=value)


async def update_thread(*, ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Any:
    """Raises 409 for another owner: Aegra goes by the first."""
    allowed = await _update_thread(ctx=ctx, value={**value, "action": "interrupt" if is_stop(value) else "update"})
    metadata = value.get("metadata")
    if isinstance(metadata, dict) and metadata.get("owner", ctx.user.identity) != ctx.user.identity:
        raise Auth.exceptions.HTTPException(409, "on this server a thread keeps its owner")
    return allowed


def is_stop(value: Mapping[str, Any]) -> bool:
    """Whether runs are named and nothing else, as where one is stopped. Aegra's value holds the body, too, in which
    whoever writes a thread's state may name anything."""
    return value.keys() <= {"thread_id", "run_id", "run_ids", "status", "message"} and value.keys() != {"thread_id"}


async def create_run(*, ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Any:
    """Of the rule's filter nothing is handed on: Aegra would read it as the run's settings."""
    await _create_run(ctx=ctx, value=as_the_rule_reads(value))
    return None


def as_the_rule_reads(run: Mapping[str, Any]) -> dict[str, Any]:
    """Raises 403 for what the rule does not know: commands of the newer protocol."""
    if "method" in run or "params" in run or "assistant_id" not in run:
        raise Auth.exceptions.HTTPException(403, "a run is started by /runs, not by a command")
    config = dict(run.get("config") or {})
    config["configurable"] = {**(config.get("configurable") or {}), **checkpoint_of(run)}
    exits = run.get("checkpoint_during") is False or run.get("durability") == "exit"
    kwargs = {**run, "config": config, "durability": "exit" if exits else None}
    named = resolve_assistant_id(str(run["assistant_id"]), dict.fromkeys(_known.open_to))
    return {**run, "assistant_id": named, "metadata": dict(run.get("metadata") or {}), "kwargs": kwargs}


def checkpoint_of(run: Mapping[str, Any]) -> dict[str, Any]:
    """All that Aegra puts from here into the run's settings, whatever it is called, over what stands there."""
    head = run.get("checkpoint_id")
    named = {"checkpoint_id": str(head) if head else None, **(run.get("checkpoint") or {})}
    return {name: value for name, value in named.items() if value is not None}


for action, handler in {"create": create_thread, "update": update_thread, "create_run": create_run}.items():
    auth._handlers["threads", action] = [handler]
