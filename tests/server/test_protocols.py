"""Other ways in: MCP, A2A, and which web pages may call."""

from datetime import date
from typing import Any

import httpx
import pytest
from dev_server import rpc

STUDIO = "https://smith.langchain.com"
QUESTION = "What time is breakfast?"
ANSWER = "07:00"


def test_mcp_offers_the_hotel_as_a_tool_of_one_string(url: str) -> None:
    (tool,) = [tool for tool in rpc(url, "/mcp", "tools/list")["tools"] if tool["name"] == "hotel"]

    assert tool["description"].startswith("Hotel reservations assistant.")
    assert tool["inputSchema"]["required"] == ["messages"]
    assert tool["inputSchema"]["properties"]["messages"]["type"] == "string"


def test_mcp_calls_the_hotel(url: str) -> None:
    result = rpc(url, "/mcp", "tools/call", name="hotel", arguments={"messages": QUESTION})

    assert not result.get("isError")
    assert ANSWER in result["content"][0]["text"]


def test_an_a2a_card_describes_the_hotel(url: str, assistant: str) -> None:
    card = httpx.get(f"{url}/.well-known/agent-card.json", params={"assistant_id": assistant}, timeout=60).json()

    assert card["name"] == "hotel"
    assert card["description"].startswith("Hotel reservations assistant.")
    assert card["url"] == f"{url}/a2a/{assistant}"
    assert card["skills"][0]["metadata"]["inputSchema"]["supportsA2A"]


def test_a2a_answers_a_message_and_a_follow_up(url: str, assistant: str) -> None:
    def send(text: str, **more: str) -> dict[str, Any]:
        parts = [{"kind": "text", "text": text}]
        return rpc(url, f"/a2a/{assistant}", "message/send",
                   message={"role": "user", "messageId": text[:9], "parts": parts, **more})  # fmt: skip

    year = date.today().year + 1  # A2A has no way to give settings: no `today`
    first = send(f"a room for two adults from 3 to 5 December {year}")
    second = send("same but two rooms", contextId=first["contextId"])

    assert first["status"]["state"] == second["status"]["state"] == "completed"
    assert "3 December" in first["artifacts"][0]["parts"][0]["text"]
    assert "2 rooms" in second["artifacts"][0]["parts"][0]["text"]


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_studio_may_call(url: str, method: str) -> None:
    asked = httpx.options(f"{url}/threads", headers=_preflight(STUDIO, method))

    assert asked.status_code == 200
    assert asked.headers["access-control-allow-origin"] == STUDIO
    assert method in asked.headers["access-control-allow-methods"]
    assert "x-api-key" in asked.headers["access-control-allow-headers"]


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "http://localhost:3000", "null"])
def test_another_page_may_not(url: str, origin: str) -> None:
    assert httpx.options(f"{url}/threads", headers=_preflight(origin, "POST")).status_code == 400
    assert "access-control-allow-origin" not in httpx.get(f"{url}/info", headers={"Origin": origin}).headers


def _preflight(origin: str, method: str) -> dict[str, str]:
    return {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "content-type,x-api-key",
    }
