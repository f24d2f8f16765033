"""The form a plan is asked in: one function with free arguments, beside a strict JSON schema with a branch for each tool.

    python -m benchmarks.plan_form [--data FOLDER]

`FOLDER` (build/bench-data) holds `nestful/` and `tau/`; exit status 2 where it does not. Three tables: what the planner is sent
(the form with the lists of tools and of reply forms, and in all with the rest of the instructions, bytes), which published plans come through a model's reply unchanged and how long they are written, and
what becomes of sixty habits of weak models (`plan_habits`). No model is asked: nothing is measured of who plans better.

The strict form is deleted. Its figures (`STRICT`) are of the last commit that had it, taken with the same tools, plans and
habits, the latter also with the reading that came later (`STRICT_READ`). A plan in it holds a null for each argument that is
left out, as strict servers ask.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks import references_nestful, references_tau
from benchmarks.nestful import Calls, desks
from benchmarks.plan_habits import HABITS, Nobody, is_forbidden, outcome
from benchmarks.report import DATA, columns, parser_of
from benchmarks.storm_tasks import Book, Task, World, loaded
from benchmarks.tau_tools import offered
from benchmarks.tokens_wire import weight
from langchain_core.messages import AIMessage

from wavegraph import Domain, read
from wavegraph.graph.domain_tool import DomainTool
from wavegraph.graph.errors import PlanError
from wavegraph.graph.guard.plan_check import checked_plan
from wavegraph.graph.guard.replies import form_list, replies_of
from wavegraph.graph.model.calls import json_object
from wavegraph.graph.model.planner import NAME, instructions_of, plan_read, planning_schema, tool_list
from wavegraph.graph.state import empty_ledger
from wavegraph.tools.hotel.domain import hotel_domain
from wavegraph.tools.roster.domain import roster_domain

AGENTS = (5, 20, 60)
"""Tools of agents that `create_agent` makes: tau-bench's first, then NESTFUL's."""
STRICT: Mapping[str, int] = {
    "hotel, 10 tools": 15488, "roster, 15 tools": 16172,
    "NESTFUL, 39 tools": 14839, "NESTFUL, 64 tools": 22875,
    "NESTFUL, 30 tools": 14326, "tau-bench airline, 14 tools": 10990,
    "tau-bench retail, 16 tools": 12368, "create_agent, 5 tools": 6136,
    "create_agent, 20 tools": 15962, "create_agent, 60 tools": 32374,
    "hotel, 10 tools, in all": 24071, "roster, 15 tools, in all": 26568,
    "NESTFUL, 39 tools, in all": 18015, "NESTFUL, 64 tools, in all": 26051,
    "NESTFUL, 30 tools, in all": 17502, "tau-bench airline, 14 tools, in all": 20949,
    "tau-bench retail, 16 tools, in all": 21890, "create_agent, 5 tools, in all": 9940,
    "create_agent, 20 tools, in all": 19766, "create_agent, 60 tools, in all": 36178,
    "NESTFUL, unchanged": 256, "NESTFUL, bytes": 128712, "tau-bench, unchanged": 165, "tau-bench, bytes": 134620,
    "read at once": 16, "second try, way out named": 37, "second try, way out not named": 5, "misread": 2,
    "forbidden by the schema": 49, "forbidden, or read at once": 52,
}  # fmt: skip
STRICT_READ: Mapping[str, int] = {
    "read at once": 45, "second try, way out named": 15, "second try, way out not named": 0, "misread": 0,
    "forbidden by the schema": 49, "forbidden, or read at once": 57,
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("plan_form", __doc__)
    parser.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="with nestful/ and tau/ in it")
    folder: Path = parser.parse_args(arguments).data
    files = (*references_nestful.FILES, *references_tau.FILES)
    if missing := [name for name in files if not (folder / name).is_file()]:
        print(f"{folder} lacks {', '.join(missing)}; docs/running/benchmarks.md says how it is made", file=sys.stderr)
        return 2
    for title, rows in (
        ("sent to plan, bytes", sent(folder)),
        ("published plans", published(folder)),
        (f"habits, of {len(HABITS)}", habits()),
    ):
        print(*table(title, list(rows)), "", sep="\n")
    return 0


def table(title: str, rows: Sequence[tuple[str, int]]) -> list[str]:
    known = {"strict": STRICT, "strict, read as now": STRICT_READ}
    shown = {name: of for name, of in known.items() if any(each in of for each, _ in rows)}
    lines = [[each, *(str(of.get(each, "-")) for of in shown.values()), str(value)] for each, value in rows]
    return columns([[title, *shown, "flat"], *lines])


# What the planner is sent


def sent(folder: Path) -> Iterator[tuple[str, int]]:
    for name, domain in domains(folder):
        yield f"{name}, {len(domain.registry)} tools", sent_of(domain)
    for name, domain in domains(folder):
        yield f"{name}, {len(domain.registry)} tools, in all", _form_of(domain) + len(instructions_of(domain).encode())


def sent_of(domain: Domain) -> int:
    """The form with what the instructions say of it and that depends on the domain's tools and replies."""
    replies = replies_of(domain)
    lists = [tool_list(domain), form_list(replies) if replies else ""]
    return _form_of(domain) + sum(len(each.encode()) for each in lists)


def _form_of(domain: Domain) -> int:
    function = {"name": NAME, "description": "Give the plan", "parameters": planning_schema(domain)}
    return weight({"tools": [{"type": "function", "function": function}]})


def domains(folder: Path) -> Iterator[tuple[str, Domain]]:
    yield "hotel", hotel_domain(Path("never opened"))
    yield "roster", roster_domain(Path("never opened"))
    of_nestful = [[read(tool) for tool in desk.tools()] for desk in desks(folder)]
    yield from (("NESTFUL", domain_of(tools)) for tools in of_nestful)
    shops = {book.name: shop for book, shop in _shops(folder)}
    yield from ((f"tau-bench {name}", domain_of(tools, policy)) for name, (tools, policy) in shops.items())
    found = {tool.name: tool for tool in chain(*(tools for tools, _ in shops.values()), *of_nestful)}
    yield from (("create_agent", domain_of([*found.values()][:most])) for most in AGENTS)


def _shops(folder: Path) -> Iterator[tuple[Book, tuple[list[DomainTool], str]]]:
    for book in loaded(folder / "tau"):
        nobody_calls = World(book.tasks[0], seed=0, p=0.0)
        yield book, (offered(book).declared(nobody_calls), book.policy)


def domain_of(tools: Sequence[DomainTool], policy: str = "") -> Domain:
    return Domain(name="any", tools=tools, offline=Nobody(), prompts={"plan": policy})


# Published plans


def published(folder: Path) -> Iterator[tuple[str, int]]:
    nestful = [(domain_of([read(tool) for tool in desk.tools()]), [task.calls for task in desk.tasks if task.is_declared])
               for desk in desks(folder)]  # fmt: skip
    tau = [(domain_of(tools), [_actions(task) for task in book.tasks]) for book, (tools, _) in _shops(folder)]
    for name, parts in (("NESTFUL", nestful), ("tau-bench", tau)):
        plans = [(domain, calls) for domain, every in parts for calls in every]
        yield f"{name}, plans", len(plans)
        yield f"{name}, unchanged", sum(came_through(calls, domain) for domain, calls in plans)
        yield f"{name}, bytes", sum(weight(written(calls)) for _, calls in plans)


def _actions(task: Task) -> Calls:
    return [{"id": f"c{each.id}", "tool": each.tool, "args": dict(each.args)} for each in task.actions]


def written(calls: Calls) -> dict[str, Any]:
    return {"reasoning": "r", "action": "a", "status": "done", "tools": calls}


def came_through(calls: Calls, domain: Domain) -> bool:
    """Whether the checked plan is the one that was written."""
    schema = planning_schema(domain)
    raw = json_object(AIMessage(json.dumps(written(calls))), schema["properties"])
    plan = {**plan_read(raw, schema, domain.registry, ()), "slots": {}}
    try:
        made = checked_plan(plan, domain=domain, ledger=empty_ledger(), number=1, runs=99, waves=99, planner="model")
    except PlanError:
        return False
    return [_said(each) for each in made["tools"]] == [_said(each) for each in calls]


def _said(call: Mapping[str, Any]) -> tuple[str, str, Mapping[str, Any]]:
    return call["id"], call["tool"], {name: value for name, value in call["args"].items() if value is not None}


# Habits


def habits() -> Iterator[tuple[str, int]]:
    found = [(habit, outcome(habit)[0]) for habit in HABITS]
    times = Counter(became for _, became in found)
    for each in ("read at once", "second try, way out named", "second try, way out not named", "misread"):
        yield each, times[each]
    yield "forbidden by the schema", sum(map(is_forbidden, HABITS))
    yield "forbidden, or read at once", sum(became == "read at once" or is_forbidden(habit) for habit, became in found)


if __name__ == "__main__":
    sys.exit(main())
