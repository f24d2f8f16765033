"""A table of cases as one test, where each is quick and needs nothing of its own: all its rows run, and every wrong one is told."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

Test = Callable[..., None]


def table(names: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize`, for functions without fixtures of a test's own; over another table it is their product."""
    columns = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [_values(row, len(columns)) for row in rows]

    def decorate(test: Test) -> Test:
        @wraps(test)
        def every(**given: Any) -> None:
            wrong = [error for case in cases if (error := _error(test, dict(zip(columns, case, strict=True)), given))]
            if wrong:
                raise ExceptionGroup(f"{len(wrong)} of {len(cases)} rows", wrong)

        own = inspect.signature(test)
        left = [each for name, each in own.parameters.items() if name not in columns]
        vars(every)["__signature__"] = own.replace(parameters=left)  # what pytest reads
        return every

    return decorate


def _values(row: Any, width: int) -> tuple[Any, ...]:
    if hasattr(row, "marks"):  # a `pytest.param`
        return tuple(row.values)
    return tuple(row) if width > 1 else (row,)


def _error(test: Test, case: dict[str, Any], given: dict[str, Any]) -> Exception | None:
    try:
        test(**case, **given)
    except Exception as error:  # noqa: BLE001  every one is told
        error.add_note(f"in the row {case!r}")
        return error
    return None
