"""A tool as the engine knows it: its arguments, its result, and what makes a write safe."""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from langchain_core.tools import BaseTool
from langchain_core.tools import Tool as TextTool
from langchain_core.tools import tool as tool_from
from pydantic import AliasChoices, BaseModel, PydanticUserError, TypeAdapter, ValidationError, create_model
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import InitErrorDetails, PydanticCustomError, SchemaValidator, to_jsonable_python

from wavegraph.graph.approval import Approval, Approve, approval_from
from wavegraph.graph.errors import SettingsError, error_text, short_repr
from wavegraph.graph.references.declared_values import as_meant, known_spelling, reader_of
from wavegraph.graph.references.paths import PathStep, references
from wavegraph.graph.references.shapes import (
    NoSuchPath,
    Schema,
    Shape,
    argument_shape,
    at,
    options_of,
    records,
    says_null,
)
from wavegraph.graph.references.storable import readable, secrets_in, unstorable
from wavegraph.graph.references.tidy import tidy_schema
from wavegraph.graph.settings import Settings
from wavegraph.graph.state import Effect


class OfState(NamedTuple):
    """What the engine fills a parameter with out of the thread's state."""

    key: str | None
    """None = all of it, as a dict."""


Supplied = Literal["settings", "store", "call_id", "runtime"] | OfState
"""What the engine fills a parameter with: the run's settings, the graph's store, the call's id, the thread's state, or all
of it."""


LookUp = Callable[[Mapping[str, Any], Any], Awaitable[Any]]
"""`async (args, settings) -> the write's result, or None`; a read. Raises nothing for what is not found."""


Receipt = Callable[[Any, str], tuple[str | None, str]]
"""`(the write's result as JSON, language) -> (its reference, a sentence about it)`, such as a booking number: the
engine adds the sentence to an answer that does not contain the reference; without a reference, only to a question and to
an answer that neither model nor templates could write."""


Source = Literal["person", "results", "either"]
"""`person`: the human messages of the thread; `results`: what tools of this request and the last one before it
that had calls returned, as whole values: words inside a longer text do not count."""


@dataclass(frozen=True, kw_only=True)
class Retry:
    """How a read is tried again within a call's time limit."""

    attempts: int
    on: Callable[[Exception], bool]
    """Whether another try may succeed."""
    pause_s: Callable[[int], float]
    """`(tries so far) -> seconds`."""


@dataclass(frozen=True, eq=False)
class DomainTool:
    """A LangChain tool with what the engine must know: its effect and its result model."""

    tool: BaseTool
    effect: Effect = "write"
    result: Any = None
    """Type of the result, or its JSON schema; None = taken from the function's return annotation, else anything."""
    approval: Approval | None = None
    """How a person is asked before it runs; None = without asking. A read asks only with `Approval.once`."""
    look_up: "LookUp | None" = None
    """Whether a write has happened already: asked before it is sent, after a run that was cut short, and before a no counts."""
    sources: "Mapping[str, Source]" = field(default_factory=dict)
    """Where an argument must come from, word for word, unless the domain's own rules planned the call."""
    receipt: "Receipt | None" = None
    """What an answer must say about a completed write; None = the engine reports it in its own words, and only if neither
    model nor templates could."""
    repeatable: bool = False
    """Whether a write may be sent again by a later request without a question."""
    choose_from: Sequence[str] = ()
    """Paths of lists in its result of which a planner chooses when there are several: none is taken before it saw them."""
    refer_to: Sequence[str] | None = None
    """Fields of its result, at any depth, that a later call can use: a planner is told of these alone; None = of all."""
    most_calls: int | None = None
    """How often it may run in one request; a plan of more goes back. None = as often as the request's budget lets it."""
    retry: "Retry | None" = None
    """How a read is tried again within a call; None = as the engine does, on passing errors (`Limits.tool_attempts`)."""
    error_texts: bool = False
    """Whether an error that it did not raise on purpose is told with its text, or by its type alone; as `Domain.errors` has
    it."""

    def __post_init__(self) -> None:
        if self.look_up is not None and not _can_look_up(self.look_up):
            raise SettingsError(
                f"tool {self.name!r}: look_up must be `async def look_up(args, settings)`: it gets the call's arguments and "
                "the run's settings, and returns the write's result, or None if it has not happened; "
                f"not {short_repr(self.look_up)}"
            )

    @property
    def name(self) -> str:
        return self.tool.name

    @property
    def is_declared_read(self) -> bool:
        """Whether the agent's author declared it a read; the word of its server alone does not count."""
        return self.effect == "read" and self.approval is None

    @property
    def may_repeat(self) -> bool:
        """Whether the call may be sent again by a later request, as far as the engine is concerned."""
        return self.effect == "read" or self.repeatable or self.look_up is not None

    @cached_property
    def arguments(self) -> Mapping[str, FieldInfo]:
        """Fields a planner may set; what the engine injects is not among them."""
        if (schema := self.declared_arguments) is None:
            return self.argument_model.model_fields
        needed = schema.get("required", ())
        fields = schema.get("properties", {})
        return {name: FieldInfo() if name in needed else FieldInfo(default=None) for name in fields}

    @cached_property
    def declared_arguments(self) -> Schema | None:
        """The arguments of a tool that declares them by a JSON schema (tidy); None = it has a model of them."""
        if not isinstance(self.tool.args_schema, dict):
            return None
        schema = tidy_schema(self.tool.args_schema)
        is_free = schema.get("additionalProperties", False) is not False
        if schema.get("type", "object") != "object" or (is_free and not schema.get("properties")):
            raise SettingsError(
                f"tool {self.name!r}: its args_schema names no arguments; it must be an object with fields"
            )
        return schema

    @cached_property
    def _declared_reader(self) -> SchemaValidator:
        return reader_of(self.declared_arguments or {}, self.name)

    @cached_property
    def argument_model(self) -> type[BaseModel]:
        # The tool's own model if it is usable: LangChain's copy without injected fields loses its validators.
        own = self._own_model
        unplanned = {name for name, hint in self._hints.items() if _supplied_kind(hint)} | set(self.supplied)
        is_clean = own is not None and not unplanned & set(own.model_fields)
        model: Any = own if is_clean else self.tool.tool_call_schema
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            raise SettingsError(
                f"tool {self.name!r}: its args_schema must be a pydantic model or a JSON schema, not {model!r}"
            )
        if not set(self.supplied) & set(model.model_fields):
            return model
        kept = {name: info for name, info in model.model_fields.items() if name not in self.supplied}
        fields: Any = {name: (info.annotation, info) for name, info in kept.items()}
        return create_model(model.__name__, __doc__=model.__doc__, **fields)  # LangChain made arguments of the others

    @cached_property
    def supplied(self) -> Mapping[str, Supplied]:
        """What the engine fills in, by parameter of the function: `settings`, unless it is declared as something else, and
        what LangChain's tools are given. Raises SettingsError for what the engine does not have."""
        found: dict[str, Supplied] = {}
        for name, hint in self._hints.items():
            kind = _supplied_kind(hint)
            if kind == "other" and name in self.defaulted:
                continue
            if kind == "graph" or (kind == "other" and name != "settings"):
                raise SettingsError(f"tool {self.name!r} is given {name!r} by nobody here: {_WAYS_ROUND[kind]}")
            if kind:
                found[name] = "settings" if kind == "other" else kind
        by_name: Mapping[str, Supplied] = {"settings": "settings", "runtime": "runtime"}
        for name in by_name.keys() & self._parameters.keys():
            if self._hints.get(name, Any) is Any and self.declared_arguments is None:
                found[name] = by_name[name]
        return found

    @property
    def _is_given_state(self) -> bool:
        return any(isinstance(kind, OfState) for kind in self.supplied.values())

    @property
    def reads_state(self) -> bool:
        return self._is_given_state or "runtime" in self.supplied.values()

    @cached_property
    def defaulted(self) -> frozenset[str]:
        """Parameters of the function that have a default."""
        return frozenset(name for name, each in self._parameters.items() if each.default is not each.empty)

    def refuse_uncallable(self) -> None:
        """Raises SettingsError for a tool that no planned call reaches as it is meant, with the way out."""
        if not self.name.strip():
            raise SettingsError(f"a tool needs a name that a plan can say, and this one has none: {self.tool!r}")
        if self._own_model and (found := next(secrets_in(self._own_model, ""), None)):
            raise SettingsError(
                f"tool {self.name!r}: the argument {found!r} is a secret, and what is planned is stored and shown to models; "
                "let the tool fetch it by itself, from the environment or a vault, by a name that may be known"
            )

    @cached_property
    def _parameters(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self._function).parameters

    @cached_property
    def _spread(self) -> str | None:
        """The argument that holds what the function takes as `**kwargs`."""
        free = (name for name, each in self._parameters.items() if each.kind is each.VAR_KEYWORD)
        return next((name for name in free if name in self._own_fields), None)

    @property
    def _own_model(self) -> type[BaseModel] | None:
        """The tool's model of its arguments, with what is injected among them; None = it has none of pydantic's."""
        own = self.tool.args_schema
        return own if isinstance(own, type) and issubclass(own, BaseModel) else None

    @cached_property
    def _own_fields(self) -> Mapping[str, FieldInfo]:
        return self._own_model.model_fields if self._own_model else {}

    @cached_property
    def _hints(self) -> Mapping[str, Any]:
        try:
            hints = get_type_hints(self._function, include_extras=True)
        except (NameError, TypeError):
            hints = {}
        of_model = {name: _annotation(info) for name, info in self._own_fields.items()}
        return {**of_model, **{name: hint for name, hint in hints.items() if name != "return"}}

    @cached_property
    def result_adapter(self) -> TypeAdapter[Any]:
        if isinstance(self.result, Mapping):
            return TypeAdapter(Any)
        try:
            return TypeAdapter(self._return_type if self.result is None else self.result)
        except (NameError, PydanticUserError) as error:
            raise SettingsError(
                f"tool {self.name!r}: its result type cannot be used ({error_text(error)}); give one with `result=`"
            ) from None

    @property
    def _return_type(self) -> Any:
        """The declared type of what a caller gets: of content and an artifact the content."""
        hint = get_type_hints(self._function, include_extras=True).get("return", Any)
        if self.tool.response_format == "content_and_artifact":
            return get_args(hint)[0] if get_origin(hint) is tuple and get_args(hint) else Any
        options = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        kinds = [get_origin(option) or option for option in options]
        names = {(getattr(kind, "__module__", ""), getattr(kind, "__name__", "")) for kind in kinds}
        return hint if names.isdisjoint(_TAKEN_APART) else Any

    @cached_property
    def result_schemas(self) -> Sequence[Schema]:
        """What is declared of a result, by the fields' names and by their aliases; empty = nothing.

        A model is dumped by name unless its configuration says otherwise; the likelier is first.
        """
        if isinstance(self.result, Mapping):
            return [tidy_schema(self.result)]
        kind = self._return_type if self.result is None else self.result
        return _class_schemas(kind) if isinstance(kind, type) else _adapter_schemas(self.result_adapter)

    @cached_property
    def planned_schema(self) -> Schema:
        """What a model plans by. Raises PydanticUserError for a type without a JSON schema."""
        declared = self.declared_arguments
        return tidy_schema(self.argument_model.model_json_schema()) if declared is None else declared

    @cached_property
    def argument_schema(self) -> Schema:
        """The arguments' schema; empty = nothing is declared."""
        return self._arguments_by(GenerateJsonSchema)

    @cached_property
    def _accepted_schema(self) -> Schema:
        """What the arguments accept."""
        return tidy_schema(self._arguments_by(_OfNoFunctions))

    def _arguments_by(self, generator: type[GenerateJsonSchema]) -> Schema:
        if self.declared_arguments is not None:
            return self.declared_arguments
        try:
            return self.argument_model.model_json_schema(by_alias=False, schema_generator=generator)
        except PydanticUserError:
            return {}

    @cached_property
    def own_words(self) -> Sequence[str]:
        """What its author wrote of it: its description, and the descriptions and choices of its arguments."""
        parts = list(records(self.argument_schema))
        choices = [choice for part in parts if isinstance(part.get("enum"), list) for choice in part["enum"]]
        texts = [part["description"] for part in parts if isinstance(part.get("description"), str)]
        return [self.tool.description, *texts, *map(str, choices)]

    def takes(self, position: Sequence[PathStep]) -> Shape | None:
        """What fits at a position in the arguments; None = anything, for example if a validator function reads them."""
        schema = self._accepted_schema
        try:
            return argument_shape(at(schema, position), schema)
        except NoSuchPath:
            return None

    @cached_property
    def _aliases(self) -> Mapping[str, str]:
        """What callers name an argument, where that is not its field's name."""
        if self.declared_arguments is not None or not self.argument_model.model_config.get("validate_by_alias", True):
            return {}
        known = {name: _alias(info) for name, info in self.arguments.items()}
        return {name: alias for name, alias in known.items() if alias}

    def as_called(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments by the names that callers give."""
        return {self._aliases.get(name, name): value for name, value in args.items()}

    def _as_fields(self, args: Mapping[str, Any]) -> dict[str, Any]:
        names = {alias: name for name, alias in self._aliases.items()}
        return {names.get(name, name): value for name, value in args.items()}

    def as_meant(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments by their fields' names, and what models often write otherwise as what it means (`declared_values.as_meant`)."""
        args, schema = self._as_fields(args), self._accepted_schema
        left = [name for name in self.arguments if name not in args]
        named = {name if name in self.arguments else known_spelling(name, left): value for name, value in args.items()}
        return {name: as_meant(value, self._options.get(name, []), schema) for name, value in named.items()}

    @cached_property
    def _options(self) -> Mapping[str, Sequence[Schema]]:
        schema = self._accepted_schema
        return {name: options_of(part, schema) for name, part in schema.get("properties", {}).items()}

    def values(self, args: Mapping[str, Any], injected: Mapping[str, Any]) -> dict[str, Any]:
        """What the tool's function is given: the arguments of a call, as the tool's own model reads them, and what is
        injected. Values that references brought are held against the model here, and nowhere else; LangChain does not
        read them again. Raises pydantic's ValidationError.
        """
        given = {**dict.fromkeys(self._required_names), **args}
        if self.declared_arguments is not None:
            return {**self._declared_reader.validate_python(given), **injected}
        model = (None if self._is_given_state else self._own_model) or self.argument_model
        own = {name: value for name, value in injected.items() if name in model.model_fields}
        made = model.model_validate({**self.as_called(given), **own})
        names = [name for name in model.model_fields if name in made.model_fields_set or name not in _VARIADIC]
        found = {**{name: getattr(made, name) for name in names}, **injected}
        more = found.pop(self._spread) if self._spread and isinstance(found.get(self._spread), dict) else {}
        return {**more, **found}

    @property
    def is_async(self) -> bool:
        if hasattr(self.tool, "coroutine"):
            return self.tool.coroutine is not None
        return type(self.tool)._arun is not BaseTool._arun

    def checked_args(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments that a call carries from its plan on, as JSON: held against the argument model, spelt as it spells
        them, defaults filled in. This is the one check of what a plan or a person's edit writes out; references stay as they
        are, and what they bring is checked by `values`.

        A null for an argument that has a default means that it was left out, unless it may be null. Raises pydantic's
        ValidationError for an unknown, missing or ill-typed argument, and for a value that cannot be stored.
        """
        kept = {name for name in args if name not in self.arguments} | self._required_names | self.nullable
        given = {name: value for name, value in args.items() if value is not None or name in kept}
        if faults := [
            InitErrorDetails(type=PydanticCustomError("unstorable", "{why}", {"why": why}), loc=at, input=readable(it))
            for at, it, why in unstorable(given)
        ]:
            raise ValidationError.from_exception_data(self.name, faults)
        given = to_jsonable_python(given)
        if self.declared_arguments is not None:
            return self._declared_reader.validate_python(given)  # type: ignore[no-any-return]
        waiting = {name: value for name, value in given.items() if references(value)}
        left = {name: value for name, value in given.items() if name not in waiting}
        if not waiting:
            return self._spelt(left, self.argument_model)
        found = {**self._spelt(left, _model_without(self.argument_model, frozenset(waiting))), **waiting}
        return {name: found[name] for name in self.arguments if name in found}

    def _spelt(self, given: dict[str, Any], model: type[BaseModel]) -> dict[str, Any]:
        """The arguments in the model's own spelling, if that is how they were given or the model reads it as the same."""
        nulls = dict.fromkeys(name for name in self._required_names if name in model.model_fields)

        def made_of(args: Mapping[str, Any]) -> BaseModel:
            return model.model_validate(self.as_called({**nulls, **args}))

        made = model.model_validate(self.as_called(given))
        try:
            dumped = self._as_fields(made.model_dump(mode="json", exclude_none=True))
        except Exception:  # noqa: BLE001  a serializer may raise anything
            return given
        return dumped if dumped == given or _is_same(made_of, dumped, made) else given

    @cached_property
    def nullable(self) -> frozenset[str]:
        """Arguments for which null means something: they may be null, and have another default."""
        known = self.argument_schema.get("properties", {})
        return frozenset(name for name, part in known.items() if says_null(part))

    @cached_property
    def _required_names(self) -> frozenset[str]:
        return frozenset(name for name, info in self.arguments.items() if info.is_required())

    def default_of(self, name: str) -> Any:
        """The default of an argument; None = none, or one that cannot be given: computed from the other arguments, or
        read as another value."""
        info = self.arguments[name]
        if info.is_required() or info.default_factory_takes_validated_data:
            return None
        default = info.get_default(call_default_factory=True)
        form = to_jsonable_python(default, exclude_none=True)
        if default is None or self.declared_arguments is not None:
            return form
        return form if _is_same(TypeAdapter(_annotation(info)).validate_python, form, default) else None

    @property
    def _function(self) -> Callable[..., Any]:
        tool: Any = self.tool
        return getattr(tool, "coroutine", None) or getattr(tool, "func", None) or tool._run  # type: ignore[no-any-return]


@lru_cache(maxsize=256)  # to make a model takes a thousand times as long as to use it
def _model_without(whole: type[BaseModel], waiting: frozenset[str]) -> type[BaseModel]:
    """A model of the other arguments, but for defaults that are made of several."""
    known = {name: info for name, info in whole.model_fields.items() if not info.default_factory_takes_validated_data}
    fields: Any = {name: (info.annotation, info) for name, info in known.items() if name not in waiting}
    return create_model(whole.__name__, __config__=whole.model_config, **fields)


_TAKEN_APART = (("langchain_core.messages.tool", "ToolMessage"), ("langgraph.types", "Command"))
"""Of these the result is a part."""


def _can_look_up(given: Any) -> bool:
    """Whether it takes two arguments by position, and it or its `__call__` is async."""
    try:
        inspect.signature(given).bind({}, None)
    except (TypeError, ValueError):  # ValueError: of a builtin nothing is known
        return False
    return any(map(inspect.iscoroutinefunction, (given, type(given).__call__)))


def _supplied_kind(hint: Any) -> Supplied | Literal["graph", "other"] | None:
    """What a parameter of this type is given; None = what is planned. By name: whose they are need not be imported."""
    own = get_origin(hint) or hint
    if getattr(own, "__name__", "") == "Runtime" and getattr(own, "__module__", "").startswith("langgraph."):
        return "graph"
    if isinstance(hint, type) and issubclass(hint, Settings):
        return "settings"
    parts = (own, *getattr(hint, "__metadata__", ()))
    names = {base.__name__: part for part in parts for base in (part if isinstance(part, type) else type(part)).__mro__}
    if (part := names.get("InjectedState")) is not None:
        return OfState(getattr(part, "field", None))
    return next((kind for name, kind in _INJECTED.items() if name in names), None)


_INJECTED: Mapping[str, Supplied | Literal["other"]] = {
    "ToolRuntime": "runtime",
    "InjectedStore": "store",
    "InjectedToolCallId": "call_id",
    "InjectedToolArg": "other",  # the others' own base: last
}
_WAYS_ROUND = {
    "graph": "a node of a graph takes a Runtime; a tool takes `runtime: ToolRuntime`, of `langgraph.prebuilt`",
    "other": "make it an argument that is planned, bind it (`functools.partial` inside a function), or take `settings`",
}


_VARIADIC = ("args", "kwargs")
"""Fields that LangChain invents for a function that takes anything: passed on only if given."""


class _OfNoFunctions(GenerateJsonSchema):
    """Anything is declared of what a function reads before its type does, or writes without saying as what."""

    def function_before_schema(self, schema: Any) -> JsonSchemaValue:
        return {} if self.mode == "validation" else super().function_before_schema(schema)

    function_wrap_schema = function_before_schema

    def function_plain_schema(self, schema: Any) -> JsonSchemaValue:
        return {} if self.mode == "validation" else super().function_plain_schema(schema)

    def ser_schema(self, schema: Any) -> JsonSchemaValue | None:
        is_free = schema["type"] in ("function-plain", "function-wrap") and "return_schema" not in schema
        return {} if is_free else super().ser_schema(schema)


def _is_same(read: Callable[[Any], Any], form: Any, made: Any) -> bool:
    """Whether a JSON form can be stored, and is read as the same value."""
    try:
        return next(unstorable(form), None) is None and bool(read(form) == made)
    except Exception:  # noqa: BLE001  a validator may raise anything
        return False


def _alias(info: FieldInfo) -> str | None:
    """What a caller names a field; None = as the field is named."""
    named = info.validation_alias if info.validation_alias is not None else info.alias
    choices = named.choices if isinstance(named, AliasChoices) else [named]
    return next((each for each in choices if isinstance(each, str)), None)


def _annotation(info: FieldInfo) -> Any:
    return Annotated[info.annotation, *info.metadata] if info.metadata else info.annotation


HINTS = frozenset({"annotations", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})
"""Where adapters put what an MCP server says of a tool."""


def metadata_of(tool: BaseTool) -> Mapping[str, Any]:
    """A tool's metadata, and the annotations of an MCP server wherever adapters put them."""
    metadata: Mapping[str, Any] = tool.metadata or {}
    inside = metadata.get("annotations")
    return {**(inside if isinstance(inside, Mapping) else {}), **metadata}


def has_hints(told: Mapping[str, Any]) -> bool:
    """Whether a server speaks in a tool's metadata."""
    return not told.keys().isdisjoint(HINTS)


def is_of_server(tool: BaseTool) -> bool:
    """Whether it is an MCP server's, as far as its metadata tells."""
    told = metadata_of(tool)
    return "mcp" in told or has_hints(told)


def as_tool(thing: BaseTool | Callable[..., Any]) -> BaseTool:
    """The tool, or one of a plain function, sync or async. Raises SettingsError for anything else, with the way out."""
    if isinstance(thing, TextTool) and thing.args_schema is None:
        fields: Any = dict.fromkeys(thing.args, (str, ...))
        return thing.model_copy(update={"args_schema": create_model(thing.name, **fields)})
    if isinstance(thing, BaseTool):
        return thing
    if not (inspect.isfunction(thing) or inspect.ismethod(thing)):
        raise SettingsError(f"{thing!r} is not a tool: give a function with a docstring, or a LangChain tool")
    try:
        return tool_from(thing)
    except (ValueError, TypeError, NameError, PydanticUserError) as error:
        raise SettingsError(f"the function {thing.__name__!r} cannot be a tool: {error_text(error)}") from None


def read(
    tool: BaseTool | Callable[..., Any],
    *,
    result: Any = None,
    sources: Mapping[str, Source] | None = None,
    choose_from: Sequence[str] = (),
    refer_to: Sequence[str] | None = None,
    most_calls: int | None = None,
    retry: Retry | None = None,
) -> DomainTool:
    """Declare a tool, or a plain function, read-only: it may run beside others, be retried, and be reused.

    `sources`: as for `write`, if not everybody may read everything. `choose_from`: lists in its result, such as `stays`. A
    model's call that refers to one of several elements before they were seen does not run: the model looks at them first.
    `refer_to`: the fields of its result, such as `stays` and `check_in`, that a later call can use, where it has others too:
    the model is told of these alone, before it has seen a result. `most_calls`: how often it may run in one request.
    `retry`: how it is tried again within a call (`Retry`); left out, on passing errors, as often as the limits say.
    """
    own: Any = {"choose_from": choose_from, "refer_to": refer_to, "most_calls": most_calls, "retry": retry}
    return DomainTool(as_tool(tool), "read", result, sources=sources or {}, **own)


def write(
    tool: BaseTool | Callable[..., Any],
    *,
    result: Any = None,
    approve: Approve = False,
    approval: Approval | None = None,
    look_up: LookUp | None = None,
    sources: Mapping[str, Source] | None = None,
    receipt: Receipt | None = None,
    repeatable: bool = False,
    refer_to: Sequence[str] | None = None,
    most_calls: int | None = None,
) -> DomainTool:
    """Declare a tool, or a plain function, a write, with what makes it safe: it runs alone, once, and never again blindly.

    `approve`: a person agrees first, asked in the words that this makes of the call's arguments (`Approve`). `approval`: the
    same with terms of its own, such as a price. `look_up`: finds its effect after a crash or a failure; one that finds none lets
    a write that failed be planned again, up to `max_runs`. `sources`: arguments that only the person, or only results,
    may give. `receipt`: what every later answer must say about it, whoever writes the answer. `repeatable`: a later request
    may send it again; any other write without `look_up` that an earlier request of the thread has sent is sent again only
    after a person's yes. `refer_to`, `most_calls`: as for `read`.
    """
    own: Any = {"refer_to": refer_to, "most_calls": most_calls}
    made = DomainTool(as_tool(tool), "write", result, approval, look_up, sources or {}, receipt, repeatable, **own)
    return replace(made, approval=approval_from(approve, made.name, made.arguments)) if approve else made


@lru_cache(maxsize=256)
def _class_schemas(kind: type[Any]) -> Sequence[Schema]:
    """Of tools that give the same class, which each hotel or ward of a process does, once."""
    return _adapter_schemas(TypeAdapter(kind))


def _adapter_schemas(adapter: TypeAdapter[Any]) -> Sequence[Schema]:
    core: Any = adapter.core_schema
    by_alias = bool(core.get("config", {}).get("serialize_by_alias"))
    schema = partial(adapter.json_schema, mode="serialization", schema_generator=_OfNoFunctions)
    try:
        found = [tidy_schema(schema(by_alias=own)) for own in (by_alias, not by_alias)]
    except PydanticUserError:
        return []
    return found[:1] if found[0] == found[1] else found
