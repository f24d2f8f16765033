"""The types that a caller of `create_agent` gives: `context_schema=`, what a run may give beside the settings of every agent, and
`response_format=`, what an answer is also given as."""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import is_dataclass
from functools import partial
from typing import Any, NotRequired, get_args, get_origin, get_type_hints

from langchain_core.messages import AIMessage
from pydantic import BaseModel, PydanticUserError, TypeAdapter, create_model
from pydantic.dataclasses import dataclass as pydantic_dataclass
from typing_extensions import is_typeddict

from wavegraph.graph.domain import ResponseForm
from wavegraph.graph.errors import SettingsError, error_text
from wavegraph.graph.references.declared_values import reader_of
from wavegraph.graph.references.shapes import Schema
from wavegraph.graph.references.storable import secrets_in
from wavegraph.graph.references.tidy import tidy_schema
from wavegraph.graph.settings import Settings


def settings_from(schema: type[Any] | None) -> type[Settings]:
    """Settings with the fields of a dataclass, a TypedDict or a pydantic model; one of Settings' own kind as it is.

    Raises SettingsError for anything else, for a field that every agent has already, and for a type that cannot be stored.
    """
    if schema is None:
        return Settings
    if isinstance(schema, type) and issubclass(schema, Settings):
        return schema
    try:
        found = _fields_of(schema)
        if secret := next(secrets_in(schema, ""), None):
            raise SettingsError(
                f"context_schema: {secret!r} is a secret, and what a run gives is stored with its request; let the tool fetch it "
                "by itself, from the environment or a vault, by a name that a run may give"
            )
        if taken := sorted(set(found) & set(Settings.model_fields)):
            raise SettingsError(f"context_schema: {taken} are settings of every agent; choose other names")
        made: type[Settings] = create_model(schema.__name__, __base__=Settings, __doc__=schema.__doc__, **found)
        made.model_json_schema()
    except PydanticUserError as error:
        raise SettingsError(
            f"context_schema: what a run gives is stored with its request, so it must be plain data ({error_text(error)}); "
            "connections and clients belong into the tools"
        ) from None
    made.given_as = None if is_typeddict(schema) else schema
    made.told_as = partial(_own_context, schema)
    return made


def with_defaults(settings: type[Settings], defaults: Mapping[str, Any]) -> type[Settings]:
    """The settings with other defaults. Raises SettingsError for one that a run could not give."""
    if not defaults:
        return settings
    Settings.model_validate(dict(defaults))
    fields: dict[str, Any] = {}
    for name, value in defaults.items():
        (info := copy(settings.model_fields[name])).default = value
        fields[name] = (info.annotation, info)
    made: type[Settings] = create_model(settings.__name__, __base__=settings, __doc__=settings.__doc__, **fields)
    return made


def _own_context(schema: Any, values: Mapping[str, Any]) -> Any:
    """What a run gave, as the schema's own; of a TypedDict without what was left out."""
    if is_typeddict(schema):
        return {name: value for name, value in values.items() if name in schema.__required_keys__ or value is not None}
    if issubclass(schema, BaseModel):
        return schema.model_construct(**values)  # the settings have validated them
    return schema(**values)


def _fields_of(schema: Any) -> dict[str, Any]:
    """Name to type and default."""
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return {name: (info.annotation, info) for name, info in schema.model_fields.items()}
    if isinstance(schema, type) and is_dataclass(schema):
        infos: dict[str, Any] = pydantic_dataclass(schema).__pydantic_fields__
        return {name: (info.annotation, info) for name, info in infos.items() if info.init is not False}
    if is_typeddict(schema):
        hints = get_type_hints(schema, include_extras=True)
        needed: frozenset[str] = schema.__required_keys__
        return {name: _of_key(hint, name in needed) for name, hint in hints.items()}
    raise SettingsError(
        f"context_schema must be a dataclass, a TypedDict, a pydantic model or a subclass of Settings, not {schema!r}"
    )


def _of_key(hint: Any, needed: bool) -> tuple[Any, Any]:
    kind = get_args(hint)[0] if get_origin(hint) is NotRequired else hint
    return (kind, ...) if needed else (kind | None, None)


# The form of an answer


def response_of(given: Any) -> ResponseForm | None:
    """The form of a pydantic model, a dataclass, a TypedDict or a JSON schema, also inside LangChain's strategies.

    Raises SettingsError for what is none of these.
    """
    if given is None:
        return None
    refused, more = None, dict[str, Any]()
    if not isinstance(given, type) and (strategy := type(given).__name__).endswith("Strategy"):
        # how it is asked for is the engine's own affair; LangChain's thread holds it as a call or as JSON
        more = {"call": None} if strategy.startswith("Provider") else {}
        more |= {"result": words} if (words := getattr(given, "tool_message_content", None)) else {}
        refused = partial(_refused, given) if getattr(given, "handle_errors", True) is False else None
        given = given.schema
    if isinstance(given, Mapping):
        schema = tidy_schema(given)
        named = {"call": given.get("title", "response"), **more}
        return ResponseForm(schema, reader(schema, "response"), refused, **named)
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(given)
        schema = tidy_schema(adapter.json_schema())
    except (PydanticUserError, TypeError, NameError) as error:
        raise SettingsError(
            f"response_format must be a pydantic model, a dataclass, a TypedDict or a JSON schema, not {given!r} "
            f"({error_text(error)})"
        ) from None
    read = reader(schema, "response")
    named = {"call": getattr(given, "__name__", "response"), **more}
    return ResponseForm(schema, lambda raw: adapter.validate_python(read(raw)), refused, **named)


def _refused(strategy: Any, error: Exception) -> Exception:
    """What LangChain raises for a strategy that handles no errors."""
    from langchain.agents.structured_output import StructuredOutputValidationError

    return StructuredOutputValidationError(getattr(strategy.schema, "__name__", "response"), error, AIMessage(""))


def reader(schema: Schema, name: str) -> Callable[[Any], Any]:
    """Gives a value as a tidy schema takes it; raises ValidationError, which calls it by this name."""
    whole = {"type": "object", "properties": {name: schema}, "required": [name], "$defs": schema.get("$defs", {})}
    inside = reader_of(whole, name)
    return lambda value: inside.validate_python({name: value})[name]
