"""What a front end reads and sends, as JSON Schema and TypeScript: events, questions, answers, and the output.

Both files are made from the Python types: `make types`, with npx.
"""

import hashlib
import json
from importlib.resources import files
from typing import Any, cast

from pydantic import ConfigDict, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from typing_extensions import TypedDict

from wavegraph.graph.approval import Answer, Question
from wavegraph.graph.events import Event
from wavegraph.graph.state import InputState, OutputState

SCHEMA, TYPESCRIPT = "agent.schema.json", "agent.d.ts"


class Wavegraph(TypedDict):
    """What a front end of an agent reads and sends."""

    input: InputState
    """What opens a request."""
    event: Event
    """A part of the `custom` stream."""
    question: Question
    """An interrupt's value: what a person is asked."""
    answer: Answer
    """What resumes it."""
    output: OutputState
    """A part of the `values` stream, and what a run returns."""


Wavegraph.__pydantic_config__ = ConfigDict(use_attribute_docstrings=True)  # type: ignore[attr-defined]


class _NoFieldTitles(GenerateJsonSchema):
    """Titles of fields would each become a type of its own in TypeScript."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schema() -> dict[str, Any]:
    made = TypeAdapter(Wavegraph).json_schema(schema_generator=_NoFieldTitles, mode="serialization")
    return cast(dict[str, Any], _with_plain_references(made))


def _with_plain_references(part: Any) -> Any:
    """With each reference that is described inside an `allOf`: beside its description json2ts takes it for another type, and
    writes a copy of it."""
    if isinstance(part, list):
        return [_with_plain_references(each) for each in part]
    if not isinstance(part, dict):
        return part
    inside = {name: _with_plain_references(each) for name, each in part.items()}
    if "$ref" not in inside or len(inside) == 1:
        return inside
    return {"allOf": [{"$ref": inside.pop("$ref")}], **inside}


def schema_text() -> str:
    return json.dumps(schema(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def published(name: str) -> str:
    """The text of `SCHEMA` or `TYPESCRIPT` as installed."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


async def send(request: Request) -> PlainTextResponse:
    """The route of both files."""
    name = SCHEMA if request.url.path.endswith(SCHEMA) else TYPESCRIPT
    kind = "application/schema+json" if name == SCHEMA else "text/plain"
    return PlainTextResponse(published(name), media_type=kind)


def banner(text: str) -> str:
    """The first line of the TypeScript made from a schema's text."""
    return f"/* Made from {SCHEMA}, sha256 {hashlib.sha256(text.encode()).hexdigest()} */"
