"""What the models are sent: tokens of each call for simple requests, and for the requests that follow them.

    python -m benchmarks.tokens

A token is four characters of the whole body of a request as the OpenAI client sends it (messages and tools). A table
of requests to the two agents, by what is asked for: `plan`, `answer`, `judge`, and `check`, the roster's own look at a round;
several calls for one thing are joined by a plus: where nothing is free, a model is asked again, for a way round. `all` is
without the judge; of that, `new` is what no provider's cache can hold, the messages behind the first; `bytes` is all in bytes
of UTF-8 / 4, as every request to tau-bench, beside those of other agents, is counted by `benchmarks.tau`.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import forget_settings, parser_of
from benchmarks.tokens_requests import REQUESTS, asked_for
from benchmarks.tokens_wire import Asked, Wire, tokens

ROLES = ("plan", "answer", "judge", "check")
COLUMNS = (16, 12, 12, 8, 8, 8, 8, 8)


def main(arguments: Sequence[str] | None = None) -> int:
    parser_of("tokens", __doc__).parse_args(arguments)
    forget_settings()
    asyncio.run(_printed())
    return 0


async def _printed() -> None:
    with Wire() as wire:
        print("Tokens sent (characters / 4 of each whole request)")
        async for line in requests_table(wire):
            print(line)


async def requests_table(wire: Wire) -> AsyncIterator[str]:
    yield _row(("request", *ROLES, "all", "new", "bytes"))
    with TemporaryDirectory() as folder:
        for request in REQUESTS:
            yield request_row(request.name, await asked_for(request, wire, Path(folder)))


def request_row(name: str, asked: Sequence[Asked]) -> str:
    sums = [" + ".join(str(tokens(each.characters)) for each in asked if each.role == role) for role in ROLES]
    own = [each for each in asked if each.role != "judge"]
    whole = (sum(getattr(each, size) for each in own) for size in ("characters", "changing", "sent"))
    return _row((name, *sums, *(str(tokens(size)) for size in whole)))


def _row(cells: Sequence[str]) -> str:
    first, *rest = [*zip(cells, COLUMNS, strict=True)]
    return " ".join([f"{first[0]:<{first[1]}}", *(f"{cell or '-':>{width}}" for cell, width in rest)])


if __name__ == "__main__":
    sys.exit(main())
