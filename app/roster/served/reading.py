"""Routes that read stored rosters: a list, each as its page, its versions, its files, who can cover a shift. For staff."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from datetime import date, datetime
from typing import Any
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from wavegraph.app.roster.exports.write import calendar, own_page, workbook
from wavegraph.app.roster.named import known_wards
from wavegraph.app.roster.show import KeptRoster, page_of, shown
from wavegraph.app.roster.versions import version_record
from wavegraph.graph.errors import ToolRefusal
from wavegraph.tools.roster.advice.cover import who_can_cover
from wavegraph.tools.roster.advice.rosters import known_roster
from wavegraph.tools.roster.answers.phrases import english_record
from wavegraph.tools.roster.store import RosterStore
from wavegraph.tools.roster.versions.decisions import Version, versions_of
from wavegraph.tools.roster.versions.log import VersionStore, key_of
from wavegraph.tools.roster.ward.ward import Ward

MOST = 100
"""Rosters in the list."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""Of a roster's page: its style is inside, it has no script, and nothing comes from elsewhere."""
WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class ShiftToCover(BaseModel):
    model_config = ConfigDict(extra="forbid")

    day: date
    shift: str | None = Field(
        default=None, min_length=1, max_length=40, description="None = the one that `instead` has"
    )
    instead: str | None = Field(
        default=None, max_length=80, description="The nurse who falls away, by id or name; none = one more is wanted"
    )


async def rosters(request: Request, store: VersionStore) -> Response:
    found = await asyncio.to_thread(_newest, RosterStore())
    wards = {key_of(ward): ward for _, ward, _ in found}
    logs = {key: await store.versions(ward) for key, ward in wards.items()}
    return JSONResponse([_line(roster_id, ward, made_at, logs[key_of(ward)]) for roster_id, ward, made_at in found])


def _newest(store: RosterStore) -> list[tuple[str, Ward, datetime]]:
    """Without those whose ward is gone."""
    found = []
    for roster_id, made_at in store.newest(MOST):
        with suppress(ToolRefusal):
            found.append((roster_id, store.ward(store.stored_roster(roster_id).ward_hash), made_at))
    return found


def _line(roster_id: str, ward: Ward, made_at: datetime, versions: Iterable[Version]) -> dict[str, Any]:
    version = next((each for each in versions if each.roster_id == roster_id), None)
    return {
        "roster_id": roster_id,
        "ward": ward.name,
        "start": ward.start.isoformat(),
        "end": ward.day(ward.days - 1).isoformat(),
        "status": f"V{version.number} {version.status}" if version else "not decided",
        "made_at": made_at.isoformat(),
    }


async def wards(request: Request, store: VersionStore) -> Response:
    found = await asyncio.to_thread(known_wards)
    return JSONResponse([{name: value for name, value in each.items() if name != "from"} for each in found])


async def sheet(request: Request, store: VersionStore) -> Response:
    found = await known_roster(request.path_params["roster_id"], store)
    ward = found.ward
    return JSONResponse({
        "roster_id": found.roster_id,
        "ward": ward.name,
        "status": found.version.status if found.version else "not decided",
        "nurses": [{"id": each.id, "name": each.name} for each in ward.nurses],
        "shifts": [{"id": each.id, "name": each.name} for each in ward.shifts],
        "days": [ward.day(day).isoformat() for day in range(ward.days)],
        "roster": found.roster,
    })  # fmt: skip


async def page(request: Request, store: VersionStore) -> Response:
    text = await asyncio.to_thread(page_of, await _found(request, store))
    return HTMLResponse(text, headers={"content-security-policy": POLICY, "x-content-type-options": "nosniff"})


async def versions(request: Request, store: VersionStore) -> Response:
    ward, _, log = await store.find(request.path_params["roster_id"])
    found = versions_of(log)
    own = found if await store.are_of(ward, *found) else []
    return JSONResponse([version_record(each) for each in own])


async def file(request: Request, store: VersionStore) -> Response:
    found, name = await _found(request, store), request.path_params["name"]
    kind, content = await asyncio.to_thread(_content, found, name)
    disposition = f"attachment; filename*=UTF-8''{quote(name)}"
    return Response(content, media_type=kind, headers={"content-disposition": disposition})


async def _found(request: Request, store: VersionStore) -> KeptRoster:
    """Raises ToolRefusal `unknown_roster`."""
    found = await known_roster(request.path_params["roster_id"], store)
    return await asyncio.to_thread(shown, found, store.kept)


def _content(found: KeptRoster, name: str) -> tuple[str, bytes | str]:
    """Its media type and what is in it. Raises ToolRefusal `unknown_file`."""
    if name == "roster.xlsx":
        return WORKBOOK, workbook(found)
    nurse_id, _, ending = name.rpartition(".")
    nurse = found.ward.nurse_by_id.get(nurse_id)
    if nurse and ending == "ics":
        return "text/calendar", calendar(found, nurse)
    if nurse and ending == "html":
        return "text/html", own_page(found, nurse)
    raise ToolRefusal("unknown_file", f"{name!r}: expected roster.xlsx, or a nurse's id with .ics or .html")


async def who(request: Request, store: VersionStore) -> Response:
    asked = ShiftToCover.model_validate(dict(request.query_params))
    of = await known_roster(request.path_params["roster_id"], store)
    found = await asyncio.to_thread(who_can_cover, of, asked.day, asked.shift, asked.instead)
    return JSONResponse(english_record(found.model_dump(mode="json")))
