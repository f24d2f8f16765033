"""What the server tells of the graph: schemas as Studio's forms need them, the drawing with its labels."""

import json
from typing import Any

import pytest
from langgraph_sdk.client import SyncLangGraphClient

from wavegraph.graph.routing import AFTER_APPROVE, AFTER_CHECK, AFTER_PLAN, AFTER_VALIDATE

NODES = ("plan", "execute_wave", "validate", "approve", "respond", "check_answer")
LARGEST = {"input_schema": 2_000, "output_schema": 8_000, "state_schema": 18_000, "context_schema": 7_000}
"""Characters; LangChain's own definitions of messages alone are 20 000."""


@pytest.fixture(scope="session")
def schemas(client: SyncLangGraphClient, assistant: str) -> dict[str, Any]:
    return dict(client.assistants.get_schemas(assistant))


@pytest.mark.parametrize("name", LARGEST)
def test_schemas_are_there_and_small(schemas: dict[str, Any], name: str) -> None:
    assert schemas[name]["properties"]
    assert len(json.dumps(schemas[name])) < LARGEST[name]


@pytest.mark.parametrize("name", ["input_schema", "output_schema", "state_schema"])
def test_messages_are_known_as_a_conversation(schemas: dict[str, Any], name: str) -> None:
    # Studio's chat mode goes by the mark; MCP and older clients by definitions of LangChain's names.
    messages = schemas[name]["properties"]["messages"]

    assert messages["langgraph_type"] == "messages"
    assert messages["items"] == {"anyOf": [{"$ref": "#/$defs/HumanMessage"}, {"$ref": "#/$defs/AIMessage"}]}


def test_settings_make_a_form(schemas: dict[str, Any]) -> None:
    fields: dict[str, dict[str, Any]] = schemas["context_schema"]["properties"]

    assert {"today", "language", "country", "property_id", "planner", "max_waves"} <= set(fields)
    assert schemas["config_schema"] == schemas["context_schema"]
    assert "required" not in schemas["context_schema"]
    for name, field in fields.items():
        assert field["description"], name
        assert field["type"] in ("string", "integer", "number", "boolean"), name
        assert not field["title"].endswith(" s"), name
        if field["type"] in ("integer", "number"):
            assert {"minimum", "exclusiveMinimum"} & set(field), name
            assert "maximum" in field, name
    assert fields["today"]["format"] == "date"
    assert fields["language"]["enum"] == ["auto", "en", "he"]
    assert fields["tool_timeout_s"]["title"] == "Tool timeout (seconds)"


def test_every_edge_is_drawn_with_its_label(client: SyncLangGraphClient, assistant: str) -> None:
    drawn = client.assistants.get_graph(assistant, xray=True)
    edges = {(edge["source"], edge["target"], edge.get("data")) for edge in drawn["edges"]}

    routed = {"plan": AFTER_PLAN, "validate": AFTER_VALIDATE, "approve": AFTER_APPROVE, "check_answer": AFTER_CHECK}
    labelled = {(node, target, label) for node, labels in routed.items() for label, target in labels.items()}
    assert edges == labelled | {("__start__", "plan", None), ("execute_wave", "validate", None),
                                ("respond", "check_answer", None)}  # fmt: skip


def test_every_node_says_what_it_reads_and_writes(client: SyncLangGraphClient, assistant: str) -> None:
    nodes: dict[str, Any] = {node["id"]: node for node in client.assistants.get_graph(assistant)["nodes"]}

    assert set(nodes) == {*NODES, "__start__", "__end__"}
    for name in NODES:
        assert nodes[name]["metadata"]["does"]
        assert nodes[name]["metadata"]["state"].startswith("Reads ")
        assert "Writes " in nodes[name]["metadata"]["state"]


def test_the_assistant_is_named_and_described(client: SyncLangGraphClient, assistant: str) -> None:
    found: Any = client.assistants.get(assistant)

    assert found["name"] == "hotel"
    assert found["description"].startswith("Hotel reservations assistant.")
