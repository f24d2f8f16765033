"""What the models are sent: tokens of each call for simple requests.

    python -m benchmarks.tokens

A token is four bytes of UTF-8: of the whole body of each request as the OpenAI client sends it (messages with
tools), of each reply its text. A table of requests to the two agents, by what is asked for: `plan`, `answer`, `judge`, and
`check`, the roster's own look at a round; several calls for one thing are joined by a plus. All calls on tau-bench, beside
those of other agents, are counted by `benchmarks.tau`.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import forget_settings, parser_of
from benchmarks.tokens_requests import HOTEL, ROSTER, asked_for
from benchmarks.tokens_wire import Asked, Wire, tokens

ROLES = ("plan", "answer", "judge", "check")
COLUMNS = (16, 25, 8, 8, 8, 8)


def main(arguments: Sequence[str] | None = None) -> int:
    parser_of("tokens", __doc__).parse_args(arguments)
    forget_settings()
    asyncio.run(_printed())
    return 0


async def _printed() -> None:
    with Wire() as wire:
        print("Tokens sent (UTF-8 bytes / 4 of each whole request)")
        async for line in requests_table(wire):
            print(line)


async def requests_table(wire: Wire) -> AsyncIterator[str]:
    yield _row(("request", *ROLES, "all"))
    with TemporaryDirectory() as folder:
        for request in (*HOTEL, ROSTER):
            yield request_row(request.name, await asked_for(request, wire, Path(folder)))


def request_row(name: str, asked: Sequence[Asked]) -> str:
    sums = [" + ".join(str(tokens(each.sent)) for each in asked if each.role == role) for role in ROLES]
    return _row((name, *sums, str(tokens(sum(each.sent for each in asked)))))


def _row(cells: Sequence[str]) -> str:
    first, *rest = [*zip(cells, COLUMNS, strict=True)]
    return " ".join([f"{first[0]:<{first[1]}}", *(f"{cell or '-':>{width}}" for cell, width in rest)])


if __name__ == "__main__":
    sys.exit(main())
