"""What the models are sent: tokens of each call for simple requests, and of all calls on tau-bench.

    python -m benchmarks.tokens [--data FOLDER]

A token is four bytes of UTF-8: of the whole body of each request as the OpenAI client sends it (messages with schema or
tools), of each reply its text. First a table of requests to the two agents, by what is asked for: `plan`, `answer`,
`judge`, and `check`, the roster's own look at a round; several calls for one thing are joined by a plus. Then tau-bench
with honest references and no judge, beside a loop that calls tools in parallel; `FOLDER` (../shared/data/bench) holds
`tau/` (sierra-research/tau-bench: recorded ground-truth calls, tools, policies); exit status 2 where it does not. How it is
replayed stands in `tokens_tau`.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import tokens_tau as tau
from benchmarks.tokens_requests import HOTEL, ROSTER, asked_for
from benchmarks.tokens_wire import Asked, Wire, tokens

DATA = Path(__file__).parents[2] / "shared/data/bench"
ROLES = ("plan", "answer", "judge", "check")
COLUMNS = (16, 25, 8, 8, 8, 8)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tokens", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="with tau/ in it")
    folder: Path = parser.parse_args(arguments).data
    if missing := [name for name in tau.FILES if not (folder / name).is_file()]:
        print(
            f"{folder} lacks {', '.join(missing)}; tau-bench is at github.com/sierra-research/tau-bench",
            file=sys.stderr,
        )
        return 2
    for name in [each for each in os.environ if each.startswith(("OPENAI_", "WAVEGRAPH_"))]:
        del os.environ[name]  # nothing but the loopback server may be asked
    asyncio.run(_printed(folder))
    return 0


async def _printed(folder: Path) -> None:
    with Wire() as wire:
        print("Tokens sent (UTF-8 bytes / 4 of each whole request)")
        async for line in requests_table(wire):
            print(line)
        print("", f"{'tau-bench':<32} {'calls':>6} {'sent':>10} {'received':>10}", sep="\n")
        every, loops = tau.Count(0, 0, 0), tau.Count(0, 0, 0)
        for shop in tau.shops(folder):
            count, roles = await tau.ours(shop, wire)
            loop = tau.theirs(shop)
            every, loops = every + count, loops + loop
            for role, of_role in roles.items():
                print(tau_row(f"{shop.name}: {role}", of_role))
            print(tau_row(f"{shop.name}: parallel tool calls", loop))
        print(tau_row("all", every), tau_row("all: parallel tool calls", loops), sep="\n")


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


def tau_row(name: str, count: tau.Count) -> str:
    return f"{name:<32} {count.calls:>6} {tokens(count.sent):>10} {tokens(count.got):>10}"


if __name__ == "__main__":
    sys.exit(main())
