"""The route that erases a guest's data on a LangGraph server, for staff."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from langgraph.store.base import BaseStore, SearchItem
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError, UnprocessableEntityError
from pydantic import BaseModel, ConfigDict, Field, StrictBool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from wavegraph.app.agents import keepers_of_guests
from wavegraph.app.run.contact import BadContact, Contact
from wavegraph.app.run.erase import CONTACT_KINDS, Left, Unfinished, erase, find, names, record
from wavegraph.app.run.stored import thread_of_item
from wavegraph.app.run.threads import all_items, items_below, items_of
from wavegraph.app.serving.api_page import described
from wavegraph.app.serving.body import read_body
from wavegraph.app.serving.own_server import own_client, own_store, with_state
from wavegraph.app.serving.staff import is_staff
from wavegraph.app.storage.traces import Needle, traces_in
from wavegraph.graph.errors import error_text
from wavegraph.graph.request.records import records_of

_PAGE = 500
_UNKNOWN = (NotFoundError, UnprocessableEntityError)
"""Of a thread that does not exist, or an id that the server cannot read."""


class GuestErasure(BaseModel):
    """What of whom is erased."""

    model_config = ConfigDict(extra="forbid")

    threads: list[str] = Field(default=[], description="Ids of conversations")
    guest: str | None = Field(
        default=None, description="E-mail address or phone number: all conversations and bookings with it"
    )
    dry_run: StrictBool = Field(default=False, description="Only tell what would be erased")


def guest_routes() -> list[Route]:
    return [
        described(
            "/erase",
            erase_guest,
            "Erase a guest's data",
            "Erase conversations, their records, and what they booked, by each hotel's rule; then search for what is left. "
            "For the role `staff`, where the server has an auth handler.",
            tag="Threads",
            replies={
                200: "What was erased, what is kept until when and why, and where something is left",
                400: "The body is not a JSON object",
                403: "The caller is not staff",
                409: "A request is running on one of the conversations",
                422: "Nothing is named, an unknown key, or a guest that is no e-mail address or phone number",
            },
            body=GuestErasure,
        )
    ]


async def erase_guest(request: Request) -> Response:
    if not is_staff(request):
        return JSONResponse({"detail": "only staff may erase a guest's data"}, 403)
    given = await read_body(request, GuestErasure)
    if isinstance(given, JSONResponse):
        return given
    if not (given.threads or given.guest):
        return JSONResponse({"detail": "name what to erase: threads, guest, or both"}, 422)
    try:
        async with own_client(request) as client:
            kept = ServedConversations(client, own_store(request, client))
            return JSONResponse(await _erased(kept, given))
    except BadContact as error:
        return JSONResponse({"detail": error_text(error)}, 422)
    except Unfinished:
        return JSONResponse({"detail": "a request is running on one of the threads: cancel it, or let it end"}, 409)


async def _erased(kept: "ServedConversations", given: GuestErasure) -> dict[str, Any]:
    keepers = keepers_of_guests()
    found = await find(kept, keepers, threads=given.threads, guest=given.guest)
    left = [] if given.dry_run else await erase(kept, keepers, found, threads=given.threads)
    return record(found, left, erased=not given.dry_run)


class ServedConversations:
    """`app.run.erase.Conversations` of the server itself, through its own API."""

    def __init__(self, client: LangGraphClient, store: BaseStore) -> None:
        self._client = client
        self._store = store

    async def naming(self, contact: Contact) -> list[str]:
        named = {str(thread["thread_id"]) for thread in await self._threads() if names(_whole(thread), contact)}
        async for item in items_below(self._store, ("wavegraph",)):
            if names(item.value, contact) and (owner := _owner(item)):
                named.add(owner)
        return sorted(named)

    async def values(self, thread_id: str) -> list[Any]:
        records = await self.records(thread_id)
        try:
            thread = await self._client.threads.get(thread_id)
            history = await self._history(thread_id)
        except _UNKNOWN:
            return records
        return [_whole(await with_state(self._client, thread)), *history, *records]

    async def _history(self, thread_id: str) -> list[Any]:
        found: list[Any] = []
        before: Any = None
        while page := await self._client.threads.get_history(thread_id, limit=_PAGE, before=before):
            found += page
            before = {"configurable": page[-1]["checkpoint"]}
        return found

    async def records(self, thread_id: str) -> list[Mapping[str, Any]]:
        return [item.value for item in await items_of(self._store, records_of(thread_id))]

    async def is_unfinished(self, thread_id: str) -> bool:
        try:
            return (await self._client.threads.get(thread_id))["status"] == "busy"
        except _UNKNOWN:
            return False

    async def erase(self, thread_ids: Collection[str]) -> None:
        for thread_id in thread_ids:
            for item in await all_items(self._store, thread_id):
                await self._store.adelete(item.namespace, item.key)
            try:
                await self._client.threads.delete(thread_id)
            except _UNKNOWN:
                continue

    async def left(self, needles: Sequence[Needle], thread_ids: Collection[str]) -> Sequence[Left]:
        """What the server still shows: its files and its database are its own."""
        found = [Left(what="a record", where="the server") for name in thread_ids if await self.values(name)]
        rows = [
            ("threads", {"thread_id": each["thread_id"], "whole": [_whole(each)]}) for each in await self._threads()
        ]
        rows += [
            ("store", {"thread_id": _owner(each), "whole": [each.value]}) async for each in items_below(self._store, ())
        ]
        for trace in traces_in(rows, needles):
            owner = trace.row["thread_id"]
            if owner is None or trace.needle.kind in CONTACT_KINDS:
                found.append(Left(what=trace.needle.kind, where=f"the server's {trace.table}", thread_id=owner))
        return list(dict.fromkeys(found))

    async def _threads(self) -> list[Any]:
        found: list[Any] = []
        while page := await self._client.threads.search(limit=_PAGE, offset=len(found)):
            found += page
        return [await with_state(self._client, thread) for thread in found]


def _whole(thread: Mapping[str, Any]) -> list[Any]:
    """All that the server tells of a thread."""
    return [thread.get(name) for name in ("thread_id", "values", "interrupts", "metadata", "config")]


def _owner(item: SearchItem) -> str | None:
    """The thread whose record it is; None = no thread's."""
    return thread_of_item(item.namespace, item.key)
