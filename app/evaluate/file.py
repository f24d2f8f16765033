"""A file of requests with expectations, as `wavegraph eval` reads it: the format and its errors.

docs/running/evaluation.md describes the format. A misspelled key is refused, naming the case; any other unknown key is reported
and not scored, so that a file may hold more than this program reads.
"""

import difflib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from wavegraph.graph.errors import WavegraphError, error_text
from wavegraph.graph.settings import CalendarDay


class EvaluationFileError(WavegraphError):
    """A file that cannot be scored. The message names file, case, field, value and what was expected."""


MISSPELLED = 0.85
"""Similarity (difflib's ratio) from which an unknown key counts as misspelled."""
LONGEST_SHOWN = 80
"""Characters of an offending value."""
MOST_LISTED = 20
"""Problems listed for one file."""


class _FilePart(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _no_misspelled_key(cls, given: Any) -> Any:
        for name in set(given) - set(cls.model_fields) if isinstance(given, Mapping) else ():
            if meant := difflib.get_close_matches(name, cls.model_fields, 1, MISSPELLED):
                raise ValueError(f"unknown key {name!r}; did you mean {meant[0]!r}?")
        return given


class ExpectedCall(_FilePart):
    """One call that should be made."""

    tool: str
    args: dict[str, Any] = {}
    """Only the arguments given here are scored."""
    accept_stays: list[tuple[date, date]] = []
    """Other pairs of check_in and check_out that are also right."""
    window: tuple[date, date] | None = None
    """The stay may lie anywhere within it; its check_in and check_out are not scored."""


ExpectedAction = Literal["tools", "clarify", "refuse", "confirm", "reply"]


class Expectation(_FilePart):
    """What an agent should do about a request."""

    action: ExpectedAction
    waves: list[list[ExpectedCall]] = []
    """The calls in the fewest waves that are right; those of one wave may run together."""
    min_waves: int | None = Field(default=None, ge=0)
    max_waves: int | None = Field(default=None, ge=0)
    parallel: bool = False
    """Whether the calls of a wave should be issued together."""
    must_not: list[str] = []
    """Tools that must not run."""
    allow: list[str] = []
    """Where no lookup is needed: the tools that may still run."""
    clarify: list[str] = []
    """What should be asked for."""
    once: bool = False
    """Whether exactly one write must result, however often the person says yes."""
    reply_must: list[str] = []
    """`/regular expression/` or `"exact words"`; anything else is a note for the reader and not scored."""
    reply_must_not: list[str] = []
    reason: str | None = None
    """For the reader, like `assume` and `note`."""
    assume: str | None = None
    note: str | None = None

    @field_validator("reply_must", "reply_must_not")
    @classmethod
    def _expressions_compile(cls, given: list[str]) -> list[str]:
        for text in given:
            try:
                pattern_of(text)
            except re.error as error:
                raise ValueError(f"{text!r} is not a regular expression: {error_text(error)}") from None
        return given

    @model_validator(mode="after")
    def _can_be_met(self) -> Self:
        if self.action == "tools" and not any(self.waves):
            raise ValueError("action 'tools' needs a call in waves")
        if self.min_waves is not None and self.max_waves is not None and self.min_waves > self.max_waves:
            raise ValueError(f"min_waves {self.min_waves} is above max_waves {self.max_waves}")
        return self


class EarlierMessage(_FilePart):
    """One earlier message of the conversation."""

    role: Literal["user", "assistant"]
    text: str


class Case(_FilePart):
    """One request and what is expected of it."""

    id: str = Field(min_length=1)
    category: str = "general"
    lang: str | None = None
    text: str = Field(min_length=1)
    reference_date: CalendarDay | None = None
    """The date to use as today; None = the clock's."""
    country: str | None = None
    settings: dict[str, Any] = {}
    """Other settings of the agent, by name."""
    history: list[EarlierMessage] = []
    llm_only: bool = False
    """Not expected of a planner without a model."""
    expect: Expectation

    @property
    def calls(self) -> list[ExpectedCall]:
        return [call for wave in self.expect.waves for call in wave]


class RequestFile(BaseModel):
    """The whole file; other top-level keys, such as `meta`, are notes."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    tools: dict[str, str | list[str]] = {}
    """The agent's tools by the file's names for them."""
    cases: list[Case] = Field(min_length=1)

    @property
    def names(self) -> dict[str, frozenset[str]]:
        return {name: frozenset([own] if isinstance(own, str) else own) for name, own in self.tools.items()}


def read_file(path: Path) -> RequestFile:
    """Raises EvaluationFileError, also if the file does not exist."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise EvaluationFileError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:  # not JSON, or not UTF-8
        raise EvaluationFileError(f"{path.name} is not a JSON file: {error_text(error)}") from None
    try:
        file = RequestFile.model_validate(content)
    except ValidationError as error:
        problems = [_explained(problem, content) for problem in error.errors(include_url=False)]
        raise _refused(path, problems) from None
    if twice := [name for name, count in Counter(case.id for case in file.cases).items() if count > 1]:
        raise _refused(path, [f"case {name!r}: id is used twice" for name in twice])
    return file


def check_tools(path: Path, file: RequestFile, names: Collection[str], own: Collection[str]) -> None:
    """Raises EvaluationFileError for a tool that is neither among the file's names nor the agent's (`own`)."""
    known = {*names, *own}
    problems = [
        f"tools.{name} = {tool!r}: the agent has no such tool; it has {', '.join(sorted(own))}"
        for name, tools in file.names.items()
        for tool in sorted(tools - set(own))
    ]
    problems += [
        f"case {case.id!r}: {field} = {tool!r}: unknown tool; known: {', '.join(sorted(known))}"
        for case in file.cases
        for field, tool in _named_tools(case)
        if tool not in known
    ]
    if problems:
        raise _refused(path, problems)


def unknown_keys(file: RequestFile) -> list[str]:
    """Keys that are not scored, each with the first case that has it."""
    found: dict[str, str] = {}
    for case in file.cases:
        for field, part in _parts(case):
            for name in part.model_extra or {}:
                found.setdefault(f"{field}{name}", case.id)
    return [f"{name} (first in case {case_id!r})" for name, case_id in found.items()]


def pattern_of(text: str) -> re.Pattern[str] | None:
    """The pattern an answer is matched with; None for a description that only a reader can judge."""
    if found := re.fullmatch(r"/(.+)/", text, re.DOTALL):
        return re.compile(found[1], re.IGNORECASE)
    if found := re.fullmatch(r'"(.+)"', text, re.DOTALL):
        return re.compile(re.escape(found[1]))
    return None


def _parts(case: Case) -> Iterator[tuple[str, _FilePart]]:
    yield "", case
    yield "expect.", case.expect
    yield from (("expect.waves.", call) for call in case.calls)
    yield from (("history.", message) for message in case.history)


def _named_tools(case: Case) -> Iterator[tuple[str, str]]:
    yield from (("expect.waves", call.tool) for call in case.calls)
    yield from (("expect.must_not", tool) for tool in case.expect.must_not)
    yield from (("expect.allow", tool) for tool in case.expect.allow)


def _explained(problem: Any, content: Any) -> str:
    place = list(problem["loc"])
    where = "the file"
    if place[:1] == ["cases"] and len(place) > 1:
        where, place = _case_name(content, place[1]), place[2:]
    field = ".".join(str(part) for part in place)
    message = str(problem["msg"]).removeprefix("Value error, ")
    if problem["type"] == "missing":
        return f"{where}: {field} is missing"
    value = "" if isinstance(problem["input"], dict) else f" = {problem['input']!r}"
    value_text = value if len(value) <= LONGEST_SHOWN else f"{value[: LONGEST_SHOWN - 1]}…"
    return f"{where}: {field}{value_text}: {message}" if field else f"{where}: {message}"


def _case_name(content: Any, index: int) -> str:
    case = content["cases"][index]
    named = case.get("id") if isinstance(case, dict) else None
    return f"case {named!r}" if named else f"case number {index + 1}"


def _refused(path: Path, problems: Sequence[str]) -> EvaluationFileError:
    more = [f"and {len(problems) - MOST_LISTED} more"] if len(problems) > MOST_LISTED else []
    listed = "\n  ".join([*problems[:MOST_LISTED], *more])
    return EvaluationFileError(f"{path.name} cannot be scored, {len(problems)} problem(s):\n  {listed}")
