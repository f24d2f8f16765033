"""The doors that texts leave by: errors that leave a run, log records."""

import logging
import traceback
from contextlib import AbstractContextManager

from wavegraph.graph.secrets.scrubber import process

_HTTP = ("httpx", "httpx2", *(f"{core}.{part}" for core in ("httpcore", "httpcore2") for part in (
    "connection", "http11", "http2", "proxy", "socks",
)))  # fmt: skip
LOGGERS = (
    "wavegraph", *_HTTP, "openai", "openai._base_client", "openai._response", "langsmith", "langsmith.client",
    "langsmith._internal._background_thread", "langchain_core.callbacks.manager", "langchain_core.tracers.langchain",
    "langchain_core.tracers.core", "psycopg", "psycopg.pool", "asyncio",
    *(f"mcp.client.{part}" for part in ("client", "session", "sse", "stdio", "streamable_http")), "mcp.shared.jsonrpc_dispatcher",
)  # fmt: skip
"""Whose records are cleaned: ours, and those of the libraries that speak for us. A filter hears only its own logger."""
_ORDINARY = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class cleaned_errors(AbstractContextManager[None]):
    """What is raised inside leaves without secrets, its causes too."""

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if not isinstance(error, Exception):
            return
        from langgraph.errors import GraphBubbleUp

        if isinstance(error, GraphBubbleUp):  # a question to a person is no error
            return
        if (clean := without_secrets(error)) is not error:
            raise clean from None


def without_secrets(error: BaseException) -> BaseException:
    """The error itself, its texts and those of its causes cleaned; another in its place if it still says a secret."""
    process.read_environment()
    chain = _chain(error)
    for each in chain:
        if (clean := process.scrub_json(each.args)) is not each.args:
            each.args = clean
        vars(each).update(process.scrub_json(vars(each)))
    texts = [f"{each} {each!r}" for each in chain]
    if process.scrub_json(texts) is texts:
        return error
    return RuntimeError(f"{type(error).__name__}: {process.scrub(str(error))}").with_traceback(error.__traceback__)


def _chain(error: BaseException) -> list[BaseException]:
    """The error, what caused it, what it interrupted, and what it groups."""
    found = [error]
    for each in found:
        inside = [each.__cause__, each.__context__, *getattr(each, "exceptions", ())]
        found += [new for new in inside if new is not None and not any(new is known for known in found)]
    return found


def _clean_record(record: logging.LogRecord) -> bool:
    """A filter that lets every record pass, without the secrets in it."""
    try:
        text = record.getMessage()
    except Exception:  # noqa: BLE001  the handler reports a record that cannot be formatted
        text = f"{record.msg} {record.args}"
    if process.holds(text):
        record.msg, record.args = process.scrub(text), ()
    if record.exc_info and record.exc_info[1]:
        clean = without_secrets(record.exc_info[1])
        record.exc_info = (type(clean), clean, clean.__traceback__)
        text = "".join(traceback.format_exception(clean)).rstrip()
        if (safe := process.scrub(text)) != text:  # a line of code that holds a key
            record.exc_info, record.exc_text = None, safe
    for name in vars(record).keys() - _ORDINARY:
        vars(record)[name] = process.scrub_json(vars(record)[name])
    return True


def cleans(handler: logging.Handler) -> logging.Handler:
    """The handler, whose records leave without secrets, whoever logs."""
    handler.addFilter(_clean_record)
    return handler


def guard() -> None:
    """Stand at the ways out, and know what is in the environment now. Called by every way in; again it costs little."""
    process.read_environment()
    for name in LOGGERS:
        logging.getLogger(name).addFilter(_clean_record)
