"""The run's settings: read once, typed, bounded; unknown keys are refused.

They come as the run's `context=`. A domain adds its own fields by subclassing `Settings`.
Nothing secret belongs here: the LangGraph server copies the context into its run records.
"""

from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Self

from langgraph.runtime import Runtime
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)

from wavegraph.graph._langgraph import NS_SEP
from wavegraph.graph.errors import SettingsError, logger, short_repr
from wavegraph.graph.state import MOST_MESSAGE_CHARS

FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2199, 12, 31)
"""The calendar. Within it the Gregorian, the Hebrew and both churches' calendars are sure, and centuries are left on either
side before Python's own dates end, so that no sum of days from a day of it can leave them."""
CALENDAR = f"{FIRST_DAY} to {LAST_DAY}"


def in_calendar(day: date) -> bool:
    return FIRST_DAY <= day <= LAST_DAY


RETIRED_CAPS = ("max_thread_cost", "max_day_cost")
RETIRED = frozenset({"structured_output", *RETIRED_CAPS})
"""Settings of earlier versions that a run still gives, such as an assistant: they are dropped with a warning."""
CalendarDay = Annotated[date, Field(ge=FIRST_DAY, le=LAST_DAY)]


def _label(name: str, _: Any) -> str:
    words = name.removesuffix("_s").removesuffix("_id").replace("_", " ").capitalize()
    return f"{words} (seconds)" if name.endswith("_s") else words


def _as_form(schema: dict[str, Any]) -> None:
    """One type with its bounds for each field: a form cannot show a choice between a number and null."""
    for field in schema["properties"].values():
        match field.get("anyOf"):
            case [dict() as kind, {"type": "null"}]:
                del field["anyOf"]
                field.pop("default", None)
                field.update(kind)


class Settings(BaseModel):
    """Settings every agent has. A limit left empty takes the domain's own default (`Limits`)."""

    model_config = ConfigDict(frozen=True, extra="forbid", field_title_generator=_label, json_schema_extra=_as_form)

    given_as: ClassVar[type[Any] | None] = None
    """The type that a run may give its own fields as; None = these settings or a mapping."""
    told_as: ClassVar["Callable[[Mapping[str, Any]], Any] | None"] = None
    """How a tool is told its own fields as `runtime.context`; None = as these settings."""

    planner: Literal["auto", "llm", "rules"] = Field(
        default="auto", description="auto: the model where one is given, else the rules; llm; or rules"
    )
    planner_model: str | None = Field(
        default=None, max_length=200, description="Name of the model that plans; empty = the environment's"
    )
    responder_model: str | None = Field(
        default=None, max_length=200, description="Name of the model that answers; empty = the environment's"
    )
    validator_model: str | None = Field(
        default=None, max_length=200, description="Name of the model that judges answers; empty = the environment's"
    )
    answer_check: Literal["on", "auto", "rules", "off"] | None = Field(
        default=None,
        description="on: a model judges each answer; auto: those that code has doubts about; rules: figures are traced, no "
        "model; off: neither; empty = the environment's, else on where a model is named for it, auto where one is there",
    )
    model_fallback: bool = Field(
        default=True, description="Whether the rules take over when the model stays down; off = the run fails"
    )
    model_attempts: int = Field(default=3, ge=1, le=10, description="Tries of one model call, on passing faults only")
    model_timeout_s: float = Field(default=60, gt=0, le=3600, description="Time limit of one model call, seconds")
    answer_check_timeout_s: float = Field(
        default=15,
        gt=0,
        le=3600,
        description="Time limit of one answer check, its rules and its judge together, seconds; what is not checked "
        "by then goes out as it is",
    )
    today: CalendarDay | None = Field(
        default=None,
        description=f"The day to take as today (ISO, {CALENDAR}); empty = the clock. Moves no data.",
    )
    language: str = Field(default="auto", description="Language of the answers (ISO 639-1); auto = the request's own")
    max_message_chars: int = Field(
        default=MOST_MESSAGE_CHARS,
        ge=100,
        le=MOST_MESSAGE_CHARS,
        description="Longest message that is read, in characters; a longer one is refused",
    )
    max_result_bytes: int = Field(
        default=1_000_000, ge=1000, le=100_000_000, description="Largest result of one call that is kept, in bytes"
    )
    max_adaptations: int | None = Field(
        default=None, ge=0, le=10, description="How often a plan may be mended after issues; empty = the agent's own"
    )
    max_waves: int | None = Field(
        default=None, ge=1, le=100, description="Most waves of tool calls in one request; empty = the agent's own"
    )
    max_tool_calls: int | None = Field(
        default=None, ge=1, le=100, description="Most tool calls in one request; empty = the agent's own"
    )
    max_answer_replans: int | None = Field(
        default=None,
        ge=0,
        le=5,
        description="How often a gap in the answer may send it back to planning; empty = the agent's own",
    )
    max_retries_per_issue: int | None = Field(
        default=None, ge=0, le=10, description="How often the same issue may be worked on; empty = the agent's own"
    )
    max_runs: int | None = Field(
        default=None,
        ge=1,
        le=20,
        description="Most runs of one call that is planned again after passing failures; empty = the agent's own",
    )
    tool_timeout_s: float | None = Field(
        default=None, gt=0, le=3600, description="Time limit of one call, seconds; empty = the agent's own"
    )
    tool_attempts: int | None = Field(
        default=None,
        ge=1,
        le=10,
        description="Tries of one read in a call, on passing errors only; empty = the agent's own",
    )
    request_timeout_s: float | None = Field(
        default=None, gt=0, le=86_400, description="Active time of one request, seconds; waiting for a person is free"
    )
    max_prompt_bytes: int | None = Field(
        default=None,
        ge=1000,
        le=10_000_000,
        description="Most bytes of results shown to a planner; empty = the agent's own",
    )
    max_messages: int | None = Field(
        default=None,
        ge=1,
        le=1000,
        description="Latest messages of the conversation that a model reads; empty = the agent's own",
    )
    max_request_calls: int | None = Field(
        default=None, ge=0, le=1_000_000_000, description="Most model calls in one request"
    )
    max_thread_calls: int | None = Field(
        default=None, ge=0, le=1_000_000_000, description="Most model calls in one conversation"
    )
    max_thread_tokens: int | None = Field(
        default=None,
        ge=0,
        le=1_000_000_000_000,
        description="Most tokens, in and out, in one conversation",
    )
    max_day_calls: int | None = Field(
        default=None,
        ge=0,
        le=1_000_000_000,
        description="Most model calls of all conversations in one day (UTC)",
    )
    max_day_tokens: int | None = Field(
        default=None,
        ge=0,
        le=1_000_000_000_000,
        description="Most tokens, in and out, of all conversations in one day (UTC)",
    )

    @model_validator(mode="wrap")
    @classmethod
    def _explain(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        # LangGraph validates `context=` itself and would show pydantic's own error.
        if isinstance(data, Mapping):
            given = {name: value for name, value in data.items() if value != ""}  # an emptied field of a form
            for name in RETIRED & given.keys():
                _warn_of_retired(name)
            data = {name: value for name, value in given.items() if name not in RETIRED}
        try:
            return handler(data)
        except ValidationError as error:
            raise SettingsError(_explanation(cls, error)) from None


@cache
def _warn_of_retired(name: str) -> None:
    """Once in a process."""
    logger.warning("the setting %r of an earlier version is dropped: it does nothing any more", name)


def _explanation(model: type[BaseModel], error: ValidationError) -> str:
    lines = []
    for problem in error.errors():
        name = ".".join(str(part) for part in problem["loc"]) or "context"
        if problem["type"] == "extra_forbidden":
            lines.append(f"unknown setting {name!r}; known: {', '.join(sorted(model.model_fields))}")
        else:
            value = str(problem["input"]) if isinstance(problem["input"], date) else problem["input"]
            lines.append(f"setting {name!r} = {value!r}: {problem['msg']}")
    return "; ".join(lines)


def settings(runtime: Runtime[Any], model: type[Settings] = Settings) -> Any:
    """The run's settings as `model`; every default where the run gave none.

    An embedded run without `context=` has None there; the server gives a dict; inside another
    graph it is that graph's own object, which says nothing about ours.
    Raises SettingsError naming the setting, its value and what is allowed.
    """
    info = runtime.execution_info
    is_inside_another = info is not None and NS_SEP in info.checkpoint_ns  # graph, whose context it is shown
    if is_inside_another and not isinstance(runtime.context, (Settings, Mapping, model.given_as or Settings)):
        return model()
    return settings_of(runtime.context, model)


def settings_of(context: Any, model: type[Settings], called: str = "context") -> Any:
    """What a run gives, as `model`. `called`: its argument's name. Raises SettingsError."""
    if isinstance(context, model):
        return context
    if isinstance(context, Settings):
        return model.model_validate(context.model_dump(exclude_unset=True))
    if model.given_as is not None and isinstance(context, model.given_as):
        return model.model_validate({name: getattr(context, name) for name in own_fields(model)})
    if context is None:
        return model()
    if not isinstance(context, Mapping):
        own = f", or {model.given_as.__name__}(…)" if model.given_as else ""
        known = ", ".join(own_fields(model) or sorted(model.model_fields))
        raise SettingsError(
            f"{called} = {short_repr(context)} is of the wrong kind ({type(context).__name__}): give a dict of settings{own}; "
            f"its fields are {known}"
        )
    return model.model_validate(dict(context))


def own_fields(model: type[Settings]) -> list[str]:
    """The settings that not every agent has."""
    of_all = Settings.model_fields
    return [name for name in model.model_fields if name not in of_all]


def told(chosen: Settings) -> Any:
    """The settings as a tool's `runtime.context`: its own fields alone where they are of a type of their own."""
    tell = type(chosen).told_as
    return chosen if tell is None else tell({name: getattr(chosen, name) for name in own_fields(type(chosen))})


def given(settings: Settings) -> dict[str, Any]:
    """The settings that were set explicitly, as JSON."""
    return settings.model_dump(mode="json", exclude_unset=True)


def as_stored(own: Mapping[str, Any], model: type[Settings]) -> dict[str, Any]:
    """Settings out of a thread, as `model` takes them. What it no longer has is dropped, and the log says so; an earlier
    version allowed longer messages than are read today."""
    for name in own.keys() - model.model_fields.keys():
        _warn_of_retired(name)
    kept = {name: value for name, value in own.items() if name in model.model_fields}
    most = kept.get("max_message_chars")
    return {**kept, "max_message_chars": min(most, MOST_MESSAGE_CHARS)} if most else kept


def request_settings(settings: Settings) -> dict[str, Any]:
    """The settings that matter to a request and are set: today and the domain's own, not the engine's knobs."""
    own = {*own_fields(type(settings))}
    today = {"today": settings.today.isoformat(), "weekday": f"{settings.today:%A}"} if settings.today else {}
    return {**today, **settings.model_dump(mode="json", include=own, exclude_none=True)} if own else today
