"""A tour of a cluster: a booking asked for on one API and approved on the other, a verdict, and a roster.

    python deploy/aegra/cluster.py -- python deploy/aegra/tour.py

CLUSTER_APIS lists the addresses, comma-separated; CLUSTER_TOKEN is a token of staff's where the APIs ask for one.
"""

import asyncio
import os
import sys
from typing import Any

from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

WISH = "Book a double room for two adults from 1 to 3 December 2026. Dana Levi, dana@example.com"
WARD = "make the roster"
CONTEXT = {"today": "2026-11-20"}


async def main() -> int:
    addresses = [each.strip() for each in os.environ.get("CLUSTER_APIS", "").split(",") if each.strip()]
    if not addresses:
        print("CLUSTER_APIS is not set: start me by cluster.py", file=sys.stderr)
        return 2
    token = os.environ.get("CLUSTER_TOKEN")
    headers = {"authorization": f"Bearer {token}"} if token else {}
    clients = [get_client(url=address, api_key=None, headers=headers) for address in addresses]
    first, last = clients[0], clients[-1]
    is_booked = await book(first, last)
    is_rostered = await roster(last)
    return 0 if is_booked and is_rostered else 1


async def book(asked_on: LangGraphClient, approved_on: LangGraphClient) -> bool:
    thread = (await asked_on.threads.create())["thread_id"]
    asked = await run(asked_on, thread, "hotel", input=said(WISH))
    [question] = asked["__interrupt__"]
    print(f"Asked on {address(asked_on)}: {question['value']['tool']} waits for a yes")
    answer = {"decision": "approve", "terms_hash": question["value"]["terms_hash"]}
    # By the question's id: after a crash a plain answer could meet a later question.
    done = await run(approved_on, thread, "hotel", command={"resume": {question["id"]: answer}})
    print(f"Approved on {address(approved_on)}: {done['outcome']}: {done['messages'][-1]['content']}")
    judged = await approved_on.http.post(f"/threads/{thread}/feedback", json={"verdict": "good"})
    print(f"Judged on {address(approved_on)}: {judged['feedback']['verdict']}")
    return bool(done["outcome"] == "answered")


async def roster(client: LangGraphClient) -> bool:
    thread = (await client.threads.create())["thread_id"]
    done = await run(client, thread, "roster", input=said(WARD))
    print(f"A roster on {address(client)}: {done.get('outcome')}: {done['messages'][-1]['content'][:400]}")
    return done.get("outcome") in ("answered", "partial")  # on a slow machine its checks may find something


async def run(client: LangGraphClient, thread: str, graph: str, **given: Any) -> Any:
    return await client.runs.wait(thread, graph, context=CONTEXT, **given)


def said(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def address(client: LangGraphClient) -> str:
    return str(client.http.client.base_url).rstrip("/")


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
