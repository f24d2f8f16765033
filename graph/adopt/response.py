"""`response_format=`: the type that an answer is also given as."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import PydanticUserError, TypeAdapter

from wavegraph.graph.domain import ResponseForm
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.references.declared_values import as_meant, reader_of
from wavegraph.graph.references.shapes import options_of
from wavegraph.graph.references.tidy import tidy_schema
from wavegraph.graph.secrets.ways_out import error_text


def response_of(given: Any) -> ResponseForm | None:
    """The form of a pydantic model, a dataclass, a TypedDict or a JSON schema, also inside LangChain's strategies.

    Raises SettingsError for what is none of these.
    """
    if given is None:
        return None
    if not isinstance(given, type) and type(given).__name__.endswith("Strategy"):
        given = given.schema  # how it is asked for is the engine's own affair
    if isinstance(given, Mapping):
        schema = tidy_schema(given)
        return ResponseForm(schema, _reader_of(schema))
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(given)
        schema = tidy_schema(adapter.json_schema())
    except (PydanticUserError, TypeError, NameError) as error:
        raise SettingsError(
            f"response_format must be a pydantic model, a dataclass, a TypedDict or a JSON schema, not {given!r} "
            f"({error_text(error)})"
        ) from None
    read = _reader_of(schema)
    return ResponseForm(schema, lambda raw: adapter.validate_python(read(raw)))


def _reader_of(schema: Mapping[str, Any]) -> Callable[[Any], Any]:
    """Gives the values as the schema takes them; raises ValidationError."""
    whole = {
        "type": "object",
        "properties": {"response": {**schema}},
        "required": ["response"],
        "$defs": schema.get("$defs", {}),
    }
    reader, options = reader_of(whole, "response"), options_of(schema, schema)
    return lambda raw: reader.validate_python({"response": as_meant(raw, options, schema)})["response"]
