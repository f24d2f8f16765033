"""What a request costs a LangGraph server: processor time of `langgraph dev`, beside a bare graph on the same server.

    python -m benchmarks.server_request [--blocks 10] [--requests 5]

`hotel` asks the reservations assistant without a model for free rooms, other dates each time. `wavegraph` and `bare
LangGraph` are an agent of ours and a graph of the same super-steps: a scripted chat model that answers at once plans one
read and words the answer. Each request is on a new thread, which is created beforehand and not counted. `wait`: the client
waits for the last state; `stream`: it reads values and events as a front end does.

Blocks of requests take turns in an order that the seed shuffles anew each time. Counted is the server's process, all its
threads, less what it takes meanwhile while nothing is asked; medians of blocks, per request. The server listens on a
loopback port, with a queue that looks for runs fifty times a second. Needs Linux, which tells another process's time.
"""

import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Literal

import httpx
from benchmarks.overhead_graphs import BARE, OURS, QUESTION
from benchmarks.report import Goal, Report, Row, add_options, figure, parser_of, told

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests" / "support_servers"))
import dev_server

HOTEL = "hotel"
GRAPHS: Mapping[str, str] = {HOTEL: "hotel", OURS: "store", BARE: "bare"}
"""Contestants, and the graphs they are on the server."""
SERVED = {"store": "benchmarks.server_graphs:store", "bare": "benchmarks.server_graphs:bare_graph"}
Way = Literal["wait", "stream"]
WAYS: tuple[Way, ...] = ("wait", "stream")
TIME, RATIO = "processor time", "to the bare graph"
MOST = 2.0
IDLE_S = 2.0
WHY = (
    "reading a guest's words and tracing an answer's claims is work that a bare graph does not do, and the server writes "
    "each field of a state that changed"
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("server_request", __doc__)
    parser.add_argument("--blocks", type=int, default=10, help="of each contestant and way (default: %(default)s)")
    parser.add_argument("--requests", type=int, default=5, help="in a block (default: %(default)s)")
    add_options(parser)
    given = parser.parse_args(arguments)
    if why := why_not():
        return told(Report("server", given.seed, [], notes=[f"Not measured: {why}."]), given)
    rows = measured(given.blocks, given.requests, given.seed)
    notes = [f"Medians of {given.blocks} blocks of {given.requests} requests each."]
    return told(Report("server", given.seed, rows, goals(rows), notes), given)


def why_not() -> str:
    """Empty = a server can be measured here."""
    if find_spec("langgraph_api") is None or find_spec("langgraph_cli") is None:
        return "langgraph-cli[inmem] is not installed"
    return "" if sys.platform == "linux" else "only Linux tells the processor time of another process"


def measured(blocks: int, requests: int, seed: int) -> list[Row]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        paths = ":".join(map(str, (ROOT / "src", ROOT)))
        with (
            dev_server.running(folder, SERVED, {"PYTHONPATH": paths}, folder / "server.log") as (address, process),
            httpx.Client(base_url=address, timeout=120) as client,
        ):
            asked = {(each, way): asking(client, each, way) for each in GRAPHS for way in WAYS}
            spent = in_blocks(asked, lambda: processor_s(process.pid), blocks, requests, random.Random(seed))
    return [row for way in WAYS for row in as_rows(way, {each: spent[each, way] for each in GRAPHS})]


def processor_s(pid: int) -> float:
    """Processor time of a process, all its threads, those that have ended too (`clock_getcpuclockid`)."""
    return time.clock_gettime(~pid << 3 | 2)


Asked = tuple[Callable[[], Any], Callable[[Any], None]]
"""What comes before a request and is not counted, and the request."""


def in_blocks(
    asked: Mapping[tuple[str, Way], Asked],
    clock: Callable[[], float],
    blocks: int,
    requests: int,
    chance: random.Random,
) -> dict[tuple[str, Way], float]:
    """Milliseconds of a request: medians of blocks; the first block of each is not counted."""
    times: dict[tuple[str, Way], list[float]] = {each: [] for each in asked}
    idle = 0.0
    for number in range(1 + blocks):
        for each in chance.sample(list(asked), len(asked)):
            prepare, ask = asked[each]
            prepared = [prepare() for _ in range(requests)]
            before, since = clock(), time.monotonic()
            for one in prepared:
                ask(one)
            took = clock() - before - idle * (time.monotonic() - since)
            if number:
                times[each].append(took / requests * 1000)
        if not number:
            idle = _idle(clock)
    return {each: median(found) for each, found in times.items()}


def _idle(clock: Callable[[], float]) -> float:
    """Seconds of processor time that the server takes in a second in which nothing is asked."""
    before = clock()
    time.sleep(IDLE_S)
    return (clock() - before) / IDLE_S


def asking(client: httpx.Client, name: str, way: Way) -> Asked:
    """Every answer is held: a request that fails costs little."""
    turns = count()

    def prepare() -> str:
        return str(client.post("/threads", json={}).raise_for_status().json()["thread_id"])

    def ask(thread: str) -> None:
        given = body(name, next(turns))
        if way == "wait":
            found = client.post(f"/threads/{thread}/runs/wait", json=given).raise_for_status().json()
            assert is_answered(name, found), found
            return
        more = {"stream_mode": ["values", "custom"]}
        with client.stream("POST", f"/threads/{thread}/runs/stream", json={**given, **more}) as answer:
            text = "".join(answer.raise_for_status().iter_text())
        assert "event: values" in text, text
        assert "event: error" not in text, text

    return prepare, ask


def body(name: str, turn: int) -> dict[str, Any]:
    day = 1 + turn % 28
    asked = f"A room for two from {day} to {day + 2} May 2026, please" if name == HOTEL else QUESTION
    settings = {HOTEL: {"today": "2026-03-01"}, OURS: {"answer_check": "rules"}}.get(name, {})
    return {
        "assistant_id": GRAPHS[name],
        "input": {"messages": [{"role": "user", "content": asked}]},
        "context": settings,
    }


def is_answered(name: str, state: Mapping[str, Any]) -> bool:
    return bool(state.get("answer")) and (name == BARE or state["outcome"] in ("answered", "partial"))


def as_rows(way: Way, times: Mapping[str, float]) -> list[Row]:
    rows = [Row(way, name, TIME, took, "ms") for name, took in times.items()]
    return rows + [Row(way, name, RATIO, took / times[BARE]) for name, took in times.items() if name != BARE]


def goals(rows: Sequence[Row]) -> list[Goal]:
    theirs = {row.table: row.value for row in rows if (row.name, row.measure) == (BARE, TIME)}
    return [
        Goal(f"{row.name} on the LangGraph server, {row.table}: at most {MOST:g} × bare LangGraph",
             f"{figure(theirs[row.table])} ms", f"{row.value:.2f} ×", round(row.value, 2) <= MOST, WHY)
        for row in rows if row.measure == RATIO
    ]  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
