"""A domain in one file: a library desk that finds books and puts them on hold."""

import re

from langchain_core.tools import tool
from pydantic import BaseModel

from wavegraph import AnswerView, Domain, PlanningResult, PlanningView, build_graph, read, results

SHELF = {"dune": 0, "emma": 2, "ulysses": 1}


class Copies(BaseModel):
    title: str
    free: int


@tool
def find_book(title: str) -> Copies:
    """Look a title up on the shelf."""
    return Copies(title=title, free=SHELF.get(title.lower(), 0))


@tool
async def hold_book(title: str) -> str:
    """Put one copy on hold."""
    SHELF[title.lower()] -= 1
    return f"{title} is on hold"


def out_of_stock(copies: Copies, call):
    if copies.free:
        return []
    return [{"type": "out_of_stock", "tool_id": call.id, "message": f"{copies.title} has no free copy",
             "severity": "warning", "rule": "free_copy"}]  # fmt: skip


class Desk:
    """The offline planner and responder: titles in quotes are looked up, and held when the reader says so."""

    def plan(self, view: PlanningView) -> PlanningResult:
        titles = re.findall(r"'([^']+)'", view.request["text"])
        calls = [{"id": f"find_{n}", "tool": "find_book", "args": {"title": t}} for n, t in enumerate(titles, 1)]
        if "hold" in view.request["text"]:
            reference = {"ref": {"call": "find_1", "path": "title"}}
            calls.append({"id": "hold", "tool": "hold_book", "args": {"title": reference}})
        reply = None if calls else "Which title, in quotes?"
        return {"status": "done", "action": "look_up" if calls else "clarify", "reasoning": "", "slots": {},
                "tools": calls, "reply": reply}  # fmt: skip

    def respond(self, view: AnswerView) -> str:
        found = [o["data"] for o in results(view.ledger).values() if o["data"]]
        return "\n".join(d if isinstance(d, str) else f"{d['title']}: {d['free']} free" for d in found)


domain = Domain(
    name="library", tools=[read(find_book), hold_book], offline=Desk(), checks={"find_book": [out_of_stock]}
)
graph = build_graph(domain).compile(name="library")
