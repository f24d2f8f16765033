"""What is made to cost much, at random: it is refused by its size, before it is masked or reaches an agent."""

import asyncio
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from ways_of_saying import WAYS_OF_SAYING, history, said

from wavegraph import run
from wavegraph.app import server
from wavegraph.app.server import MaskCards
from wavegraph.app.serving.caller import Message, Receive, Scope, Send
from wavegraph.app.serving.doors import Doors
from wavegraph.app.serving.inputs import MOST_RUNS
from wavegraph.app.serving.rate import Rate
from wavegraph.app.serving.settings import DoorSettings
from wavegraph.graph import hotel
from wavegraph.graph.state import MOST_MESSAGE_CHARS, MOST_MESSAGES
from wavegraph.tools.hotel import offline

pytestmark = [pytest.mark.attack, pytest.mark.seeded]

AT_THE_DOOR, TO_THE_AGENT, BYTES_SENT = 200, 20, 30
CHUNK = 65_536
UNITS = ["1. ok", "is there a room? ", "3 December, ", "1 and ", "kids 3 and 4 ", "4111 1111 1111 1111 ", "4/", '"4",', "④",
         "חדר זוגי ל2 ", "no thanks ", "😀", "{\"a\":"]  # fmt: skip
MOST = DoorSettings().max_body_bytes


def row(chosen: random.Random, least: int, most: int) -> str:
    """A text of the letters that cost most."""
    unit, size = chosen.choice(UNITS), chosen.randint(least, most)
    return (unit * (size // len(unit) + 1))[:size]


def costly(chosen: random.Random) -> bytes:
    """A body that holds too much, in one way or another."""
    kind = chosen.choice(["text", "text", "text", "messages", "runs", "bytes"])
    if kind == "messages":
        return json.dumps({"input": {"messages": history(chosen.randint(MOST_MESSAGES + 1, 5000))}}).encode()
    if kind == "runs":
        return json.dumps([said("hello")] * chosen.randint(MOST_RUNS + 1, 3000)).encode()
    if kind == "bytes":
        return json.dumps({"metadata": {"x": row(chosen, MOST, 3 * MOST)}}, ensure_ascii=False).encode()
    text = row(chosen, MOST_MESSAGE_CHARS + 1, chosen.choice([MOST_MESSAGE_CHARS + 100, MOST // 2, 10 * MOST]))
    return json.dumps(
        WAYS_OF_SAYING[chosen.choice(list(WAYS_OF_SAYING))](text), ensure_ascii=chosen.random() < 0.3
    ).encode()


class Door:
    """The server's door, with an application behind it that must not be reached."""

    def __init__(self, rate: Rate) -> None:
        self.doors = Doors(MaskCards(self.app), DoorSettings(), rate)
        self.reached: list[int] = []
        self.read = 0

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.reached.append(len((await receive()).get("body", b"")))
        await send({"type": "http.response.start", "status": 200, "headers": []})

    def post(self, body: bytes, announced: int | None) -> tuple[int, str]:
        """Status and reason; `announced`: the length that it says it has."""
        length = [] if announced is None else [(b"content-length", str(announced).encode())]
        headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), *length]
        scope = {"type": "http", "method": "POST", "path": "/runs/wait", "headers": headers, "client": ("10.0.0.1", 1)}
        chunks, sent, self.read = self.chunks(body), list[Message](), 0

        async def receive() -> Message:
            return next(chunks)

        async def send(message: Message) -> None:
            sent.append(message)

        asyncio.run(self.doors(scope, receive, send))
        return sent[0]["status"], b"".join(each.get("body", b"") for each in sent).decode()

    def chunks(self, body: bytes) -> Iterator[Message]:
        for start in range(0, len(body), CHUNK):
            part = body[start : start + CHUNK]
            self.read += len(part)
            yield {"type": "http.request", "body": part, "more_body": start + CHUNK < len(body)}


def test_costly_bodies_stop_at_the_door(
    seed: int, attempts: Callable[[str, int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, door = random.Random(seed), Door(Rate(1e12, 1e12))
    monkeypatch.setattr(server, "mask_json", None)
    for _ in range(AT_THE_DOOR):
        body = costly(chosen)
        announced = chosen.choice([None, len(body), 17])
        status, why = door.post(body, announced)
        too_large = len(body) > MOST
        assert (status, door.reached) == (413, []), why
        assert door.read <= (0 if too_large and announced == len(body) else MOST + CHUNK)
        assert any(each in why for each in ("characters, and at most", "at once, and at most", " bytes"))
    attempts("costly inputs, at the server's door", AT_THE_DOOR)


def test_who_sends_on_and_on_is_read_no_faster_than_the_rate(seed: int, attempts: Callable[[str, int], None]) -> None:
    """The clock stands still: all that one client brings is what a bucket holds."""
    chosen, settings = random.Random(seed), DoorSettings()
    bucket = 10 * settings.bytes_per_second
    door, read, statuses = Door(Rate(settings.bytes_per_second, bucket, clock=lambda: 0.0)), 0, set()
    for _ in range(BYTES_SENT):
        body = json.dumps(said(row(chosen, 1, MOST_MESSAGE_CHARS)) | {"metadata": {"x": "y" * 200_000}}).encode()
        statuses.add(door.post(body, chosen.choice([None, len(body)]))[0])
        read += door.read
    assert sum(door.reached) <= bucket
    assert read <= bucket + BYTES_SENT * CHUNK
    assert statuses == {200, 429}
    attempts("costly inputs, one after another", BYTES_SENT)


async def test_costly_messages_are_not_read_by_the_agent(
    seed: int, attempts: Callable[[str, int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, graph = random.Random(seed), hotel.build().compile(checkpointer=InMemorySaver())
    settings: Any = {"planner": "rules", "today": "2026-11-01"}
    monkeypatch.setattr(offline, "read", None)
    for number in range(TO_THE_AGENT):
        text = row(chosen, 4001, chosen.choice([5000, 20_000, 3_000_000]))
        ended = await run(graph, text, thread_id="runner", settings=settings)
        assert (ended.outcome, str(len(text)) in ended.answer) == ("clarify", True)
        many = [HumanMessage("hello") for _ in range(chosen.randint(MOST_MESSAGES + 1, 2000))]
        given: Any = {"messages": chosen.choice([many, [HumanMessage(text)], [HumanMessage(text), HumanMessage("hi")]])}
        state = await graph.ainvoke(given, {"configurable": {"thread_id": f"t{number}"}}, context=settings)
        assert state["outcome"] == "clarify"
    attempts("costly inputs, to the agent", 2 * TO_THE_AGENT)
