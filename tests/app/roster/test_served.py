"""What the console asks of rosters and decides about them, over the server's own addresses."""

import json
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.base import Op, Result
from langgraph.store.memory import InMemoryStore
from openpyxl import load_workbook
from roster_wards import ROWS, rows, two, ward_of_two
from starlette.applications import Starlette
from starlette.authentication import SimpleUser
from starlette.middleware import Middleware
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send
from typer.testing import CliRunner

from wavegraph.app.main import app as command_line
from wavegraph.app.roster.served.routes import routes
from wavegraph.tools.roster.store import RosterStore, StoredRoster
from wavegraph.tools.roster.ward.ward import Ward

PLAIN = ward_of_two(demand=[], rules__charge_skill=None)
LATER = {"ann": "LLLLL--EEEEE--", "ben": "EEEEE--LLLLL--"}
WEEK = [f"2026-11-{day}" for day in range(23, 28)]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RosterStore:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return RosterStore()


class AsUser:
    """Access control that knows the caller by a header: a name, and `staff` after it or not."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name, _, role = dict(scope["headers"])[b"authorization"].decode().partition(" ")
        user: Any = SimpleUser(name)
        user.permissions = [role]
        await self._app({**scope, "user": user}, receive, send)


class AsPostgres(InMemoryStore):
    """It keeps no text with a NUL, as PostgreSQL does."""

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        asked = list(ops)
        if "\\x00" in repr(asked):
            raise ValueError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
        return await super().abatch(asked)


def client(*middleware: type) -> TestClient:
    app = Starlette(routes=routes(), middleware=[Middleware(each) for each in middleware])
    store = AsPostgres()
    app.state.own_store = lambda: store
    return TestClient(app)


def keep(kept: RosterStore, ward: Ward = PLAIN, **cells: str) -> str:
    return kept.keep_roster(StoredRoster(ward_hash=kept.keep_ward(ward), roster=rows(**{**ROWS, **cells})))


def test_a_sheet_has_what_a_form_needs(kept: RosterStore) -> None:
    roster_id = keep(kept)

    found = client().get(f"/rosters/{roster_id}").json()

    assert found["nurses"] == [{"id": "ann", "name": "Ann"}, {"id": "ben", "name": "Ben"}]
    assert [each["id"] for each in found["shifts"]] == ["E", "L", "N"]
    assert (found["days"][0], found["days"][-1], len(found["days"])) == ("2026-11-23", "2026-12-06", 14)
    assert found["roster"]["ann"][:7] == ["E", "E", "E", "E", "E", None, None]
    assert found["status"] == "not decided"


def test_each_file_says_what_to_know_of_the_roster(kept: RosterStore) -> None:
    made, mark = keep(kept), "Not decided: it passes every check, but is neither published nor a draft."
    names = ("ann.ics", "ann.html", "roster.xlsx")
    calendar, page, workbook = (client().get(f"/rosters/{made}/files/{name}").content for name in names)
    events = calendar.replace(b"\r\n ", b"").decode()
    escaped = mark.replace(",", "\\,")
    assert [events.count(each) for each in ("STATUS:TENTATIVE", f"DESCRIPTION:{escaped}")] == [10, 10]
    assert f"<strong>{mark}</strong>" in page.decode()
    assert load_workbook(BytesIO(workbook))["Roster"]["B5"].value == mark


def test_wards_of_one_name_each_have_their_own_status(kept: RosterStore) -> None:
    one, other = keep(kept, ward_of_two(id="east")), keep(kept, ward_of_two(id="west"))
    server = client()
    server.post(f"/rosters/{one}/publication", json={"with_problems": True})
    server.post(f"/rosters/{other}/publication", json={"with_problems": True})

    listed = {each["roster_id"]: each["status"] for each in server.get("/rosters").json()}

    assert listed == {one: "V1 published", other: "V1 published"}


def test_wards_are_listed_without_their_place(kept: RosterStore) -> None:
    found = {each["name"]: each for each in client().get("/rosters/wards").json()}

    assert {"harbour", "willow"} <= found.keys()
    assert found["harbour"].keys() == {"name", "ward", "days", "nurses", "start"}


def test_who_can_cover_is_answered(kept: RosterStore) -> None:
    roster_id = keep(kept, ben="-L-LL--LLLLL--")

    found = (
        client().get(f"/rosters/{roster_id}/who", params={"day": "2026-11-24", "shift": "E", "instead": "ann"}).json()
    )

    assert [(each["nurse"], each["may"], each["works"]) for each in found["candidates"]] == [("ben", True, "L")]
    assert found["instead"] == "ann"


def test_who_can_cover_is_answered_as_at_the_command_line(kept: RosterStore) -> None:
    roster_id = keep(kept, ward_of_two(rules__max_days_in_a_row=5))

    found = client().get(f"/rosters/{roster_id}/who", params={"day": "2026-11-28", "shift": "E"}).json()

    words = ["roster", "who", "2026-11-28", "E", "--roster", roster_id, "--db", ":memory:", "--json"]
    assert found == json.loads(CliRunner().invoke(command_line, words).stdout)
    assert "6 days in a row" in {each["given"].get("run") for line in found["candidates"] for each in line["breaks"]}


def test_a_publication_is_told_and_then_made(kept: RosterStore) -> None:
    first, second = keep(kept), keep(kept, **LATER)
    server = client()

    assert server.get(f"/rosters/{first}/publication").json() == {
        "roster_id": first, "is_published": False, "replaces": None, "changes": [], "problems": [], "why_not": None,
        "may_insist": True,
    }  # fmt: skip
    made = server.post(f"/rosters/{first}/publication", json={"reason": "first week"}).json()
    assert (made["version"], made["status"], made["reason"]) == (1, "published", "first week")

    told = server.get(f"/rosters/{second}/publication").json()
    assert told["replaces"]["roster_id"] == first
    assert len(told["changes"]) == 10
    assert told["changes"][0] == "ann Ann, Mon 2026-11-23: E → L"
    assert server.post(f"/rosters/{second}/publication", json={}).status_code == 409
    made = server.post(f"/rosters/{second}/publication", json={"replaces": first}).json()
    assert made["lines"][1] == f"It takes the place of V1 ({first}): 10 cells differ."


def test_a_roster_that_fails_is_published_only_if_that_is_said(kept: RosterStore) -> None:
    roster_id = keep(kept, ann="LEEEE--EEEEE--")
    server = client()

    assert server.get(f"/rosters/{roster_id}/publication").json()["problems"]
    refused = server.post(f"/rosters/{roster_id}/publication", json={})
    assert (refused.status_code, refused.json()["code"]) == (409, "has_problems")
    made = server.post(f"/rosters/{roster_id}/publication", json={"with_problems": True})
    assert made.json()["status"] == "published"


def test_a_swap_is_told_and_then_published(kept: RosterStore) -> None:
    roster_id = keep(kept)
    server = client()
    asked = {"first": "ann", "second": "ben", "days": WEEK}

    assert "is not published" in server.get(f"/rosters/{roster_id}/swap", params=asked).json()["why_not"]
    assert server.post(f"/rosters/{roster_id}/swap", json=asked).status_code == 409
    server.post(f"/rosters/{roster_id}/publication", json={})
    told = server.get(f"/rosters/{roster_id}/swap", params=asked).json()
    assert (told["may"], told["why_not"], len(told["cells"])) == (True, None, 10)
    assert "- ann Ann, Monday 2026-11-23: E → L" in told["lines"]
    made = server.post(f"/rosters/{roster_id}/swap", json={**asked, "reason": "both agree"}).json()
    assert (made["version"], made["replaces"]) == (2, roster_id)
    assert server.get(f"/rosters/{made['roster_id']}").json()["roster"]["ann"][0] == "L"
    again = server.post(f"/rosters/{roster_id}/swap", json=asked)
    assert (again.status_code, again.json()["code"]) == (409, "conflict")


@pytest.mark.parametrize(
    ("place", "status", "done"), [("discard", "discarded", "is discarded"), ("draft", "draft", "is kept as a draft")]
)
def test_a_roster_is_withdrawn_after_it_was_told_that_staff_have_it(
    kept: RosterStore, place: str, status: str, done: str
) -> None:
    roster_id, server = keep(kept), client()
    ask = f"/rosters/{roster_id}/{place}"

    assert server.get(ask).json() == {
        "roster_id": roster_id, "ward": "Two", "is_so": False, "is_published": False,
        "lines": ["What staff have does not change."],
    }  # fmt: skip
    server.post(f"/rosters/{roster_id}/publication", json={})
    refused = server.post(ask, json={"reason": "the ward is closed"})
    assert (refused.status_code, refused.json()["code"]) == (409, "is_published")
    assert server.get(f"/rosters/{roster_id}").json()["status"] == "published"
    told = server.get(ask).json()
    assert told["is_published"]
    assert "Then nothing is published for these days" in told["lines"][0]
    made = server.post(ask, json={"reason": "the ward is closed", "withdraw": True}).json()
    assert (made["status"], made["reason"]) == (status, "the ward is closed")
    assert made["lines"][0].endswith(f"of Two {done}.")
    assert made["lines"][1] == "Nothing is published for these days now."
    assert server.get(ask).json()["is_so"]


def test_a_decision_is_taken_back_after_it_was_told_what_staff_have_then(kept: RosterStore) -> None:
    first, second = keep(kept), keep(kept, **LATER)
    server = client()
    ask = f"/rosters/{first}/undo"

    assert server.get(ask).json() == {
        "roster_id": first, "ward": "Two", "decision": None, "changes": [],
        "lines": ["No decision about a roster of Two stands."],
    }  # fmt: skip
    refused = server.post(ask, json={"decision": 1})
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing_to_undo")
    server.post(f"/rosters/{first}/publication", json={})
    server.post(f"/rosters/{second}/publication", json={"replaces": first})
    told = server.get(ask).json()
    assert (told["decision"]["number"], told["decision"]["action"], len(told["changes"])) == (2, "publish", 10)
    assert told["changes"][0] == "ann Ann, Mon 2026-11-23: L → E"
    assert told["lines"][1] == f"V1 ({first}, 2026-11-23 to 2026-12-06) is published for these days then."
    made = server.post(ask, json={"decision": 2, "reason": "too early"}).json()
    assert (made["roster_id"], made["status"]) == (second, "undone")
    assert made["lines"][0].startswith(f"Taken back: publish of V2 ({second}")
    assert made["lines"][1].endswith("is published for these days now.")
    assert server.get(ask).json()["lines"][1] == "Nothing is published for these days then."


def test_another_decision_than_the_one_that_was_shown_is_not_taken_back(kept: RosterStore) -> None:
    first, second = keep(kept), keep(kept, **LATER)
    server = client()
    server.post(f"/rosters/{first}/publication", json={})
    shown = server.get(f"/rosters/{first}/undo").json()["decision"]["number"]
    server.post(f"/rosters/{second}/publication", json={"replaces": first})

    refused = server.post(f"/rosters/{first}/undo", json={"decision": shown})

    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert server.get(f"/rosters/{second}").json()["status"] == "published"


def test_a_decision_of_another_ward_of_the_same_name_is_not_taken_back(kept: RosterStore) -> None:
    nurses = [{**nurse, "id": f"{nurse['id']}-2"} for nurse in two()["nurses"]]
    other = ward_of_two(demand=[], rules__charge_skill=None, nurses=nurses)
    first = keep(kept)
    second = kept.keep_roster(
        StoredRoster(ward_hash=kept.keep_ward(other), roster={f"{name}-2": row for name, row in rows(**ROWS).items()})
    )
    server = client()
    server.post(f"/rosters/{first}/publication", json={})

    for reply in (
        server.get(f"/rosters/{second}/undo"),
        server.post(f"/rosters/{second}/undo", json={"decision": 1}),
    ):
        assert (reply.status_code, reply.json()["code"]) == (409, "other_ward")
    assert server.get(f"/rosters/{second}/versions").json() == []
    assert server.get(f"/rosters/{first}").json()["status"] == "published"


@pytest.mark.parametrize(
    ("ask", "status", "words"),
    [
        ("{id}/who?day=2027-01-01&shift=E", 422, "are not among the roster's"),
        ("{id}/who?day=2026-11-24&shift=X", 422, "There is no shift “X”"),
        ("{id}/who?day=yesterday&shift=E", 422, "day = 'yesterday'"),
        ("{id}/who?shift=E", 422, "day"),
        ("{id}/who?day=2026-11-24&shift=L&instead=ann", 422, "ann Ann has E on 2026-11-24, not L"),
        ("{id}/swap?first=ann&second=ann&days=2026-11-24", 422, "Both names are Ann."),
        ("{id}/swap?first=ann&second=zoe&days=2026-11-24", 422, "“zoe” is no nurse of this ward"),
        ("{id}/swap?first=ann&second=ben&days=2026-11-28", 422, "have the same there"),
        ("{id}/swap?first=ann&second=ben", 422, "days"),
        ("0123456789abcdef", 404, "0123456789abcdef"),
        ("pyproject.toml", 404, "pyproject.toml"),
        ("0123456789abcdef%00", 404, "0123456789abcdef"),
        ("%00/publication", 404, "nothing is kept"),
        ("package.json/publication", 404, "package.json"),
        ("0123456789abcdef/undo", 404, "0123456789abcdef"),
        ("0123456789abcdef/draft", 404, "0123456789abcdef"),
        ("0123456789abcdef/discard", 404, "0123456789abcdef"),
    ],
)
def test_what_cannot_be_asked_is_said_in_words(kept: RosterStore, ask: str, status: int, words: str) -> None:
    reply = client().get(f"/rosters/{ask.format(id=keep(kept))}")

    assert (reply.status_code, words in reply.json()["detail"]) == (status, True), reply.text


@pytest.mark.parametrize(
    ("place", "body", "words"),
    [
        ("publication", {"replace": "x"}, "replace"),
        ("publication", {"reason": "a" * 2001}, "reason"),
        ("publication", [], "should be an object"),
        ("publication", {"reason": "a\x00b"}, "reason"),
        ("swap", {"first": "ann", "second": "ben", "days": WEEK, "reason": "a\x00b"}, "reason"),
        ("discard", {"reason": "a\x00b"}, "reason"),
        ("draft", {"withdraw": "maybe"}, "withdraw"),
        ("undo", {}, "decision"),
        ("undo", {"decision": 0}, "decision"),
        ("swap", {"first": "ann", "second": "ben", "days": []}, "days"),
        ("swap", {"first": "ann", "second": "ben", "days": ["24.11."]}, "days"),
    ],
)
def test_a_body_that_cannot_be_is_refused(kept: RosterStore, place: str, body: Any, words: str) -> None:
    reply = client().post(f"/rosters/{keep(kept)}/{place}", json=body)

    assert (reply.status_code, words in reply.json()["detail"]) == (422, True), reply.text


def test_a_file_is_never_taken_for_a_roster(kept: RosterStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "named.json").write_text(f'{{"roster_id": "{keep(kept)}"}}', encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    assert client().post("/rosters/named.json/publication", json={}).status_code == 404


def test_only_staff_decides_and_its_name_is_kept(kept: RosterStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wavegraph.app.serving.staff.has_access_control", lambda: True)
    roster_id, server = keep(kept), client(AsUser)
    ask = f"/rosters/{roster_id}/publication"
    withdrawing = [f"/rosters/{roster_id}/{place}" for place in ("draft", "discard", "undo")]

    for path in (
        f"/rosters/{roster_id}",
        f"/rosters/{roster_id}/who",
        f"/rosters/{roster_id}/swap",
        *withdrawing,
        ask,
        "/rosters/wards",
    ):
        assert server.get(path, headers={"authorization": "eve guest"}).status_code == 403
    for path in (ask, *withdrawing):
        assert server.post(path, json={}, headers={"authorization": "eve guest"}).status_code == 403
    made = server.post(ask, json={}, headers={"authorization": "ana staff"}).json()
    assert made["by"] == "ana"
    made = server.post(withdrawing[1], json={"withdraw": True}, headers={"authorization": "bea staff"}).json()
    assert made["by"] == "bea"
