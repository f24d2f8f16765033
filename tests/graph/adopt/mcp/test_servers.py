"""Files of servers as people have them: each form is read, and what cannot be used is named."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tables import table

from wavegraph.graph.adopt.mcp import servers
from wavegraph.graph.adopt.mcp.servers import loads, read_servers
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.secrets.scrubber import Scrubber

KEY = "k-93jfh2Lw0q77"
ENVIRON = {
    "API_KEY": KEY,
    "PORT": "8080",
    "EMPTY": "",
    "NAME": "städte",
    "HOST": "tools.example.com",
    "TRAP": "${PORT}",
}


@pytest.fixture
def environ(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRON.items():
        monkeypatch.setenv(name, value)


@dataclass(frozen=True)
class Form:
    id: str
    content: Any
    expect: Mapping[str, Any]
    """Fields of the first server."""
    names: tuple[str, ...] = ("one",)


def one(**entry: Any) -> dict[str, Any]:
    return {"mcpServers": {"one": entry}}


FORMS = [
    Form("claude_desktop", one(command="npx", args=["-y", "pkg"], env={"K": "v"}),
         {"transport": "stdio", "command": "npx", "args": ["-y", "pkg"], "env": {"K": "v"}}),
    Form("claude_code_http", one(type="http", url="https://${HOST}/mcp", headers={"Authorization": "Bearer ${API_KEY}"}),
         {"transport": "http", "url": "https://tools.example.com/mcp", "headers": {"Authorization": f"Bearer {KEY}"}}),
    Form("claude_code_default", one(command="srv", args=["${MISSING:-none}", "${EMPTY:-full}", "${PORT:-1}"]),
         {"args": ["none", "full", "8080"]}),
    Form("vs_code", {"servers": {"one": {"type": "stdio", "command": "uvx", "args": ["x", "${workspaceFolder}"],
                                          "env": {"K": "${input:api-key}"}}},
                     "inputs": [{"type": "promptString", "id": "api-key", "password": True}]},
         {"command": "uvx", "env": {"K": KEY}}),
    Form("cursor", one(command="python", args=["s.py"], env={"K": "${env:API_KEY}"}), {"env": {"K": KEY}}),
    Form("cursor_remote", one(url="http://localhost:3000/mcp"), {"transport": "http"}),
    Form("streamable_names", one(type="streamable-http", url="https://x.example"), {"transport": "http"}),
    Form("streamable_camel", one(transport="streamableHttp", url="https://x.example"), {"transport": "http"}),
    Form("numbers_as_texts", one(command="a", args=["--port", 8080], env={"DEBUG": True, "N": 1.5, "OFF": None}),
         {"args": ["--port", "8080"], "env": {"DEBUG": "true", "N": "1.5"}}),
    Form("unknown_keys", one(command="a", autoApprove=["x"], icon="y", timeout=3), {"command": "a", "tools": {}}),
    Form("unicode", one(command="büro", args=["日本", "${NAME}"]), {"command": "büro", "args": ["日本", "städte"]}),
    Form("dollar_alone", one(command="a", args=["$HOME", "$5", "${ x"]), {"args": ["$HOME", "$5", "${ x"]}),
    Form("value_not_filled_again", one(command="a", args=["${TRAP}"]), {"args": ["${PORT}"]}),
    Form("several", {"mcpServers": {"one": {"command": "a"}, "two": {"url": "https://x.example"}}}, {}, ("one", "two")),
    Form("switched_off", {"mcpServers": {"no": {"command": "a", "disabled": True}, "nor": {"command": "b", "enabled": False},
                                          "one": {"command": "c"}}}, {"command": "c"}),
    Form("null_parts", one(command="a", args=None, env=None, headers=None), {"args": [], "env": {}}),
    Form("optional", one(command="a", wavegraph={"optional": True, "starts_within_s": 2}),
         {"optional": True, "starts_within_s": 2.0, "trusted": False}),
    Form("trusted", one(command="a", wavegraph={"trusted": True}), {"trusted": True}),
    Form("trusted_by_another_program", one(command="a", trust=True, trusted=True, autoApprove=["*"]), {"trusted": False}),
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.id)
@pytest.mark.usefixtures("environ")
def test_a_file_of_each_kind_is_read(form: Form) -> None:
    servers = read_servers([form.content])
    assert tuple(server.name for server in servers) == form.names
    assert {name: getattr(servers[0], name) for name in form.expect} == form.expect


@dataclass(frozen=True)
class Fault:
    id: str
    content: Any
    says: str
    hides: str = field(default=KEY)


FAULTS = [
    Fault("no_servers", {}, "names no servers"),
    Fault("empty", {"mcpServers": {}}, "names no servers"),
    Fault("a_list", {"mcpServers": [{"name": "x"}]}, "names no servers"),
    Fault("another_file", {"name": "package", "version": "1"}, "names no servers"),
    Fault("not_an_object", {"mcpServers": {"one": "npx"}}, "server 'one' is not an object"),
    Fault("neither", one(args=["a"]), "`command`: String should have at least 1 character"),
    Fault("both", one(command="a", url="https://x.example"), "both a command and a url"),
    Fault("kind", one(type="carrier pigeon", command="a"), "'carrier pigeon' is not known"),
    Fault("old_kind", one(type="sse", url="https://x.example/sse"), "`type` = 'sse' is not known; known: stdio, http"),
    Fault("no_address", one(type="http"), "server 'one': `url`: "),
    Fault("bad_address", one(url="ftp://x.example"), "server 'one': `url`: "),
    Fault("half_address", one(url="https://[::1"), "server 'one': `url`: "),
    Fault("bad_port", one(url="https://x.example:port/"), "server 'one': `url`: "),
    Fault("unset", one(command="a", env={"K": "${NOT_SET}"}), "server 'one': the environment variable NOT_SET is not set"),
    Fault("unset_env", one(command="a", args=["${env:NOT_SET}"]), "the environment variable NOT_SET is not set"),
    Fault("unset_input", {"servers": {"one": {"command": "a", "args": ["${input:my-token}"]}},
                           "inputs": [{"id": "my-token", "description": "Your token"}]},
          "the environment variable MY_TOKEN is not set, for ${input:my-token}"),
    Fault("editor_command", one(command="${command:pick}"), "${command:pick} cannot be read here"),
    Fault("args_text", one(command="a", args="--x"), "`args`: Input should be a valid list"),
    Fault("env_list", one(command="a", env=[KEY]), "`env`: Input should be a valid dictionary"),
    Fault("env_nested", one(command="a", env={"K": {"v": KEY}}), "`env.K`: Input should be a valid string"),
    Fault("header_break", one(url="https://x.example", headers={"A": "b\r\nX: ${API_KEY}"}), "`headers.A`: Value error, it has a sign that no header may have"),
    Fault("header_unicode", one(url="https://x.example", headers={"A": "é"}), "`headers.A`: Value error, it has a sign that no header may have"),
    Fault("null_byte", one(command="a\0b"), "the sign \\0"),
    Fault("env_file", one(command="a", envFile="/no/such/.env"), "its envFile '/no/such/.env' cannot be read"),
    Fault("patience", one(command="a", wavegraph={"starts_within_s": -1}), "`starts_within_s`: Input should be greater than 0"),
    Fault("trust", one(command="a", wavegraph={"trusted": "true"}), "`trusted`: Input should be a valid boolean"),
    Fault("tools_list", one(command="a", wavegraph={"tools": ["x"]}), "`tools`: Input should be a valid dictionary"),
    Fault("tool_effect", one(command="a", wavegraph={"tools": {"x": {"effect": "reads"}}}), "`tools.x.effect`: Input should be 'read' or 'write'"),
    Fault("tool_word", one(command="a", wavegraph={"tools": {"x": {"aprove": True}}}), "`tools.x.aprove`: Extra inputs are not permitted"),
    Fault("tool_approve", one(command="a", wavegraph={"tools": {"x": {"approve": 3}}}), "`tools.x.approve.bool`: Input should be a valid boolean"),
    Fault("own_list", one(command="a", wavegraph=["x"]), "`wavegraph` must be an object"),
    Fault("twice", {"mcpServers": {"one": {"command": "a"}}, "servers": {"one": {"command": "b"}}}, "the same name: ['one']"),
]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.id)
@pytest.mark.usefixtures("environ")
def test_what_cannot_be_used_is_named_without_secrets(fault: Fault) -> None:
    with pytest.raises(SettingsError) as caught:
        read_servers([fault.content])
    assert fault.says in str(caught.value)
    assert fault.hides not in str(caught.value)


def test_servers_of_two_sources_have_two_names() -> None:
    with pytest.raises(SettingsError, match="the same name"):
        read_servers([one(command="a"), one(command="b")])


def test_a_file_with_comments_is_read_in_its_project(tmp_path: Path) -> None:
    file = tmp_path / ".vscode" / "mcp.json"
    file.parent.mkdir()
    (tmp_path / ".env").write_text('# keys\nexport TOKEN="a b"\nURL=https://x.example/?a=b\n\nbroken line\n')
    text = """﻿{ // what my editor starts
      "servers": {"one": {"command": "a", /* of the project: */ "cwd": "sub", "args": ["//x", "/*", "a\\",]"],
                          "envFile": "${workspaceFolder}/.env", "env": {"P": "${workspaceFolder}/x"}, },},
    }"""
    file.write_text(text, encoding="utf-8")
    [server] = read_servers([file])
    assert (server.cwd, server.args) == (tmp_path / "sub", ["//x", "/*", 'a",]'])
    assert server.env == {"TOKEN": "a b", "URL": "https://x.example/?a=b", "P": f"{tmp_path}/x"}


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"{", "is not JSON"), (b"[1]", "an object with `mcpServers` is expected"), (b"\xff\xfe", "is not JSON"),
     (b"[" * 100_000, "is not JSON"), (b'{"a": 1 /* for ever', "is not JSON")],
)  # fmt: skip
def test_a_file_that_is_none_says_so(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "servers.json"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match=says):
        read_servers([file])


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        read_servers([tmp_path / "none.json"])


@table("content", [{}, [1, "a,]"], {"a": {"b": [None, True, "//"]}}, "x", 1.5])
def test_plain_json_is_read_as_it_is(content: Any) -> None:
    assert loads(json.dumps(content)) == content
    assert loads("// first\n" + json.dumps(content, indent=1)) == content


@pytest.mark.parametrize(
    "entry",
    [
        {"url": "https://x.example/mcp", "headers": {"X-Session": KEY}},
        {"url": "https://x.example/mcp", "headers": {"Authorization": f"Bearer {KEY}"}},
        {"url": f"https://me:{KEY}@x.example/mcp"},
        {"url": "https://x.example/s/93jfh2Lw0q77KKq1aa9x/mcp"},
        {"url": f"https://x.example/mcp?api_key={KEY}"},
        {"command": "a", "env": {"SERVICE_TOKEN": KEY}},
        {"command": "a", "env": {"HEADERS": json.dumps({"Authorization": KEY})}},
        {"command": "a", "env": {"DATABASE_URL": f"postgres://u:{KEY}@db/x"}},
        {"command": "a", "env": {"ACCOUNT": "93jfh2Lw0q77KKq1aa9x"}},
        {"command": "a", "args": ["--api-key", KEY]},
        {"command": "a", "args": [f"--token={KEY}"]},
        {"command": "a", "args": ["--header", f"Authorization: Bearer {KEY}"]},
        {"command": "a", "args": [f"--db=postgres://u:{KEY}@db/x"]},
    ],
    ids=str,
)
def test_what_a_server_is_given_in_secret_leaves_no_text(
    entry: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Scrubber()
    monkeypatch.setattr(servers, "process", known)
    read_servers([one(**entry)])
    assert "[secret removed]" in known.scrub(f"it said {KEY} and 93jfh2Lw0q77KKq1aa9x.")


def test_a_server_shows_none_of_its_secrets() -> None:
    [server] = read_servers([one(url=f"https://u:{KEY}@x.example", headers={"A": KEY})])
    assert KEY not in repr(server)
