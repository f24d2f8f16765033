"""The types that front ends are given are those of the Python records."""

import json
import re

import httpx
import jsonschema
import pytest
from runs import compiled, human, run
from warehouse import Warehouse

from wavegraph.app.serving.declarations import SCHEMA, TYPESCRIPT, banner, published, schema_text
from wavegraph.graph.state import SHOWN, AgentState
from wavegraph.testing import ScriptedPlanner, call, planning


def test_the_schema_is_the_types() -> None:
    assert published(SCHEMA) == schema_text(), "run `make types`"


def test_the_typescript_is_made_from_the_schema() -> None:
    assert published(TYPESCRIPT).startswith(banner(published(SCHEMA))), "run `make types`"


def test_each_type_is_written_once() -> None:
    written = re.findall(r"export (?:interface|type) (\w+)", published(TYPESCRIPT))
    assert sorted(written) == sorted(["Wavegraph", *json.loads(published(SCHEMA))["$defs"]])


def test_every_event_of_a_request_fits() -> None:
    whole = json.loads(published(SCHEMA))
    event = {**whole["properties"]["event"], "$defs": whole["$defs"]}
    told = run(
        compiled(Warehouse().domain(), ScriptedPlanner(planning(call("a", "count", sku="bolt")))), human()
    ).events
    assert len(told) > 4
    for each in told:
        jsonschema.validate(json.loads(json.dumps(each)), event)


def test_a_thread_shows_no_field_of_the_engines_own() -> None:
    graph = compiled(Warehouse().domain(), ScriptedPlanner(planning(call("a", "count", sku="bolt"))))
    *_, values = graph.stream(human(), stream_mode="values")
    assert {"messages", "answer", "ledger"} <= set(values) <= set(SHOWN)
    assert len(set(AgentState.__annotations__) - set(SHOWN)) > 20


@pytest.mark.parametrize("name", [SCHEMA, TYPESCRIPT])
async def test_the_server_publishes_both(name: str) -> None:
    from wavegraph.app.server import app

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        answer = await client.get(f"/{name}")
    assert (answer.status_code, answer.text) == (200, published(name))
