"""Stored rosters over the server's own addresses: the list, the page, the versions and the files."""

from typing import Any

import httpx
import pytest
from langgraph_sdk.client import SyncLangGraphClient
from roster_loop import WARDS


@pytest.fixture(scope="module")
def made(client: SyncLangGraphClient) -> str:
    """The id of a roster that the roster agent made."""
    request = {"messages": [{"role": "user", "content": "make the roster for the ward fair"}]}
    ended: Any = client.runs.wait(None, "roster", input=request)
    return next(each["data"]["roster_id"] for each in ended["results"].values() if "roster_id" in (each["data"] or {}))


def test_it_is_listed_the_latest_first(url: str, made: str) -> None:
    lines = httpx.get(f"{url}/rosters").json()

    assert made in [each["roster_id"] for each in lines]
    assert set(lines[0]) == {"roster_id", "ward", "start", "end", "status", "made_at"}
    times = [each["made_at"] for each in lines]
    assert times == sorted(times, reverse=True)


def test_its_page_has_no_script_and_may_load_nothing(url: str, made: str) -> None:
    reply = httpx.get(f"{url}/rosters/{made}/page")

    assert reply.headers["content-security-policy"].startswith("default-src 'none'")
    assert "<h2>Fairness</h2>" in reply.text
    assert "<script" not in reply.text


def test_it_can_be_taken_along(url: str, made: str) -> None:
    reply = httpx.get(f"{url}/rosters/{made}/files/roster.xlsx")

    assert reply.content.startswith(b"PK")
    assert "spreadsheetml" in reply.headers["content-type"]
    assert "roster.xlsx" in reply.headers["content-disposition"]


def test_a_nurses_shifts_can_be_taken_along(url: str, made: str) -> None:
    nurse = WARDS["fair"]["nurses"][0]["id"]
    calendar, page = (httpx.get(f"{url}/rosters/{made}/files/{nurse}.{kind}") for kind in ("ics", "html"))

    assert calendar.text.startswith("BEGIN:VCALENDAR")
    assert page.text.startswith("<!DOCTYPE html>")


def test_the_versions_are_those_of_its_ward(url: str, made: str) -> None:
    line = next(each for each in httpx.get(f"{url}/rosters").json() if each["roster_id"] == made)
    version = next((v for v in httpx.get(f"{url}/rosters/{made}/versions").json() if v["roster_id"] == made), None)

    assert line["status"] == (f"V{version['version']} {version['status']}" if version else "not decided")


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("rosters/0123456789abcdef/page", "0123456789abcdef"),
        ("rosters/no-id/page", "no-id"),
        ("rosters/{made}/files/roster.exe", "roster.exe"),
    ],
)
def test_what_is_not_there_is_named(url: str, made: str, address: str, named: str) -> None:
    reply = httpx.get(f"{url}/{address.format(made=made)}")

    assert reply.status_code == 404
    assert named in reply.json()["detail"]
