"""Errors and log records leave without secrets; and an error's text is read in one place."""

import ast
import logging
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from langgraph.errors import GraphInterrupt
from langgraph.types import Interrupt

from wavegraph.graph import secrets
from wavegraph.graph.errors import PlanError, ToolRefusal, error_text
from wavegraph.graph.secrets.scrubber import MARK, process
from wavegraph.graph.secrets.ways_out import LOGGERS, cleaned_errors, cleans, guard, without_secrets

KEY = "Zq7xVb2nM9kLpT4wRs8uYd3f"
PACKAGE = Path(secrets.__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _known() -> None:
    process.learn(KEY)


class Odd(Exception):
    """Says what is nowhere in it."""

    def __str__(self) -> str:
        return f"wrong key {KEY}"


ERRORS = [
    ValueError(f"no login with {KEY}"), KeyError(KEY), ToolRefusal("auth", f"no login with {KEY}"),
    PlanError([{"message": f"no login with {KEY}"}]), OSError(13, "denied", f"/srv/{KEY}"), Odd(), ConnectionError(("x", KEY)),
    UnicodeDecodeError("utf-8", KEY.encode(), 0, 1, KEY), ExceptionGroup(KEY, [ValueError(KEY)]), SyntaxError(KEY, ("f", 1, 1, KEY)),
]  # fmt: skip


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_leaves_without_a_secret(error: Exception) -> None:
    with pytest.raises(Exception, match=r".") as raised, cleaned_errors():
        raise error

    assert KEY not in f"{raised.value} {raised.value!r} {vars(raised.value)}"
    assert type(error).__name__ in f"{type(raised.value).__name__} {raised.value}"
    assert MARK in str(raised.value)


def test_its_causes_and_notes_do_too() -> None:
    def fails() -> None:
        try:
            try:
                raise KeyError(KEY)
            except KeyError:
                raise ValueError(f"inner {KEY}")  # noqa: B904  what it interrupted is the case
        except ValueError as error:
            outer = LookupError("no answer")
            outer.add_note(f"with {KEY}")
            raise outer from error

    with pytest.raises(LookupError) as raised, cleaned_errors():
        fails()

    cause: Any = raised.value.__cause__
    assert str(cause) == f"inner {MARK}"
    assert str(cause.__context__) == f"'{MARK}'"
    assert raised.value.__notes__ == [f"with {MARK}"]


def test_an_error_without_a_secret_is_the_same() -> None:
    error = ToolRefusal("late", "the desk is closed", retryable=True)
    assert without_secrets(error) is error
    assert (str(error), error.code, error.retryable) == ("the desk is closed", "late", True)


def test_a_question_to_a_person_is_no_error() -> None:
    asked = GraphInterrupt((Interrupt(value=f"sign {KEY}?"),))
    with pytest.raises(GraphInterrupt) as raised, cleaned_errors():
        raise asked
    assert raised.value.args[0][0].value == f"sign {KEY}?"


def test_what_was_put_into_the_environment_meanwhile_is_known_when_an_error_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LATE_PASSWORD", "Zq7-late-password")
    assert str(without_secrets(ValueError("Zq7-late-password"))) == MARK


def test_a_record_is_cleaned_whatever_carries_the_secret(caplog: pytest.LogCaptureFixture) -> None:
    guard()
    logger = logging.getLogger("wavegraph")
    with caplog.at_level(logging.DEBUG):
        logger.info("no login with %s", KEY)
        logger.info(f"no login with {KEY}")
        logger.info("no login with %(key)s", {"key": KEY})
        logger.info("no login", extra={"found": {"keys": [KEY]}})
        logger.info("broken %d", KEY) if False else None
        try:
            raise ValueError(f"with {KEY}") from Odd()
        except ValueError:
            logger.exception("failed")
        try:
            eval(compile(f"int('{KEY}')", "config", "exec"))
        except ValueError:
            logger.exception("failed again")
        logger.info("two rooms at %d", 350)

    for record in caplog.records:
        assert KEY not in f"{record.getMessage()} {vars(record)}"
    assert KEY not in caplog.text
    assert caplog.records[0].getMessage() == f"no login with {MARK}"
    assert "ValueError" in caplog.text
    assert (caplog.records[-1].msg, caplog.records[-1].args) == ("two rooms at %d", (350,))


def test_a_handler_cleans_the_records_of_any_logger() -> None:
    written = StringIO()
    handler, stranger = cleans(logging.StreamHandler(written)), logging.getLogger("a.stranger")
    stranger.addHandler(handler)
    try:
        stranger.warning("no login with %s", KEY)
    finally:
        stranger.removeHandler(handler)
    assert written.getvalue() == f"no login with {MARK}\n"


@pytest.mark.parametrize("name", LOGGERS)
def test_the_records_of_libraries_that_speak_for_us_are_cleaned(name: str, caplog: pytest.LogCaptureFixture) -> None:
    guard()
    with caplog.at_level(logging.DEBUG, name):
        logging.getLogger(name).debug("GET https://endpoint.example/?key=%s", KEY)
    assert caplog.messages == [f"GET https://endpoint.example/?key={MARK}"]


def test_guarding_again_adds_nothing() -> None:
    guard()
    before = list(logging.getLogger("wavegraph").filters)
    guard()
    assert logging.getLogger("wavegraph").filters == before


# What an error says is read in one place, and at the doors

FOLDERS = ("app", "graph", "nodes", "tools")
READERS = {
    "graph/errors.py": {"error_text"},
    "graph/secrets/ways_out.py": {"without_secrets"},
}
"""Who may read an error's text."""


def errors_read(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Function and line where the text of a caught error, or of an argument that is one, is read."""
    for function in [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]:
        names = {each.name for each in ast.walk(function) if isinstance(each, ast.ExceptHandler) and each.name}
        arguments = [*function.args.args, *function.args.kwonlyargs]
        names |= {a.arg for a in arguments if a.annotation and _is_error(ast.unparse(a.annotation))}
        for node in ast.walk(function):
            if any(isinstance(each, ast.Name) and each.id in names for each in _texts_of(node)):
                yield function.name, node.lineno  # type: ignore[attr-defined]


def _is_error(annotation: str) -> bool:
    return annotation.split(" | ")[0].rpartition(".")[2] in ("Exception", "BaseException") or annotation.endswith(
        "Error"
    )


def _texts_of(node: ast.AST) -> list[ast.expr]:
    """What a node makes a text of: `f"{error}"`, `str(error)`, `repr(error)`, `"%s" % error`, `log(…, error)`, `error.args`."""
    match node:
        case ast.FormattedValue(value=value):
            return [value]
        case ast.Call(func=ast.Name(id="str" | "repr" | "format" | "print"), args=given):
            return given
        case ast.Call(
            func=ast.Attribute(attr="debug" | "info" | "warning" | "error" | "exception" | "log" | "format"), args=given
        ):
            return given
        case ast.BinOp(op=ast.Mod(), right=right):
            return [right, *(right.elts if isinstance(right, ast.Tuple) else ())]
        case ast.Attribute(value=value, attr="args" | "__notes__"):
            return [value]
    return []


def test_an_error_s_text_is_read_in_one_place() -> None:
    read = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for folder in FOLDERS
        for path in sorted((PACKAGE / folder).rglob("*.py"))
        for function, line in errors_read(ast.parse(path.read_text(encoding="utf-8")))
        if function not in READERS.get(path.relative_to(PACKAGE).as_posix(), ())
    ]
    assert read == []


@pytest.mark.parametrize(
    "line", ['f"{error}"', "f'{error!r}'", "str(error)", "repr(error)", '"%s" % error', '"%s %d" % (error, 1)', '"{}".format(error)',
             'logger.warning("%s", error)', "error.args[0]", "print(error)"],
)  # fmt: skip
def test_the_search_would_find_one(line: str) -> None:
    caught = f"def tells():\n    try:\n        work()\n    except Exception as error:\n        {line}\n"
    given = f"def tells(error: ValueError):\n    {line}\n"
    assert [name for name, _ in errors_read(ast.parse(caught))] == ["tells"]
    assert [name for name, _ in errors_read(ast.parse(given))] == ["tells"]
    assert error_text(ValueError(KEY)) == MARK
