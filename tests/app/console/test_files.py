"""The console's files: what is served where, and with which headers."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from wavegraph.app.console.files import routes


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<title>page</title>", encoding="utf-8")
    (tmp_path / "assets" / "app-1a2b.js").write_text("1", encoding="utf-8")
    return tmp_path


def client(page: Path) -> TestClient:
    return TestClient(Starlette(routes=routes(page)), follow_redirects=False)


@pytest.mark.parametrize("address", ["/console/", "/console/index.html", "/console/any/place"])
def test_an_address_of_the_page_is_the_page(page: Path, address: str) -> None:
    reply = client(page).get(address)

    assert (reply.status_code, reply.text) == (200, "<title>page</title>")
    assert reply.headers["cache-control"] == "no-cache"
    policy = reply.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"} <= set(policy)
    assert "unsafe" not in reply.headers["content-security-policy"]


def test_the_bare_address_leads_to_the_page(page: Path) -> None:
    reply = client(page).get("/console")

    assert (reply.status_code, reply.headers["location"]) == (308, "console/")


def test_files_named_by_their_content_are_kept_by_browsers(page: Path) -> None:
    assert "immutable" in client(page).get("/console/assets/app-1a2b.js").headers["cache-control"]


@pytest.mark.parametrize("address", ["/console/missing.js", "/console/../files.py", "/console/%2e%2e/files.py"])
def test_what_is_no_file_of_the_page_is_not_found(page: Path, address: str) -> None:
    assert client(page).get(address).status_code == 404


def test_without_a_build_it_says_how_to_get_one(tmp_path: Path) -> None:
    reply = client(tmp_path).get("/console/")

    assert reply.status_code == 503
    assert "make console-page" in reply.text
