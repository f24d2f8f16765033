"""What a tool may tell of a database that failed; the reason is for the log."""

import logging

import psycopg
from psycopg import errors

from wavegraph.graph.errors import SettingsError, ToolRefusal, error_text

logger = logging.getLogger("wavegraph")

_FORBIDDEN = (errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction)
_PASSING = (psycopg.OperationalError, psycopg.InterfaceError, errors.IdleInTransactionSessionTimeout)


def refusal_of(error: psycopg.Error, place: str, whose: str, *, unreachable: str, waited_s: float) -> Exception:
    """The error itself, where nobody but a developer can act on it.

    `place`: names the database in the log; `whose`: names it for people. `unreachable`: what a broken connection has left.
    `waited_s`: how long a statement waits for a lock.
    """
    if isinstance(error, _FORBIDDEN):
        return ToolRefusal("auth", f"{whose} does not let this program do that: {reason(error)}")
    if isinstance(error, psycopg.DataError):
        return SettingsError(f"{place} cannot take what it was given: {reason(error)}")
    if not isinstance(error, _PASSING):
        return error
    logger.warning("%s: %s", place, reason(error))
    if isinstance(error, errors.LockNotAvailable):
        waited = f"{whose} is in use; waited {waited_s:g} s and wrote nothing"
        return ToolRefusal("timeout", waited, retryable=True)
    return ToolRefusal("timeout", f"{whose} cannot be reached; {unreachable}", retryable=True)


def reason(error: psycopg.Error) -> str:
    """In one line."""
    return " ".join(error_text(error).split()) or type(error).__name__
