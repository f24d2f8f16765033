"""tau-bench's tasks with what their ground-truth calls give and change, recorded by its own tools."""

import importlib
import json
import pickle
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.packed import packed

SHOPS = {"airline": "TASKS", "retail": "TASKS_TEST"}
"""And the name of their tasks."""
WRITES = ("book_", "cancel_", "exchange_", "modify_", "return_", "send_", "update_")
RECORDS = ("order_id", "reservation_id", "user_id")
"""Arguments that name the record which a call is about."""
SHORTEST = 4
"""Signs of a value that tells where it comes from: a country or an airport stands everywhere."""


def write(source: Path, folder: Path) -> None:
    for shop, name in SHOPS.items():
        of = f"tau_bench.envs.{shop}"
        tools = importlib.import_module(f"{of}.tools").ALL_TOOLS
        database = importlib.import_module(f"{of}.data").load_data()
        tasks = getattr(importlib.import_module(f"{of}.tasks_test"), name)
        by_name = {tool.get_info()["function"]["name"]: tool for tool in tools}
        traces = [_trace(number, task, by_name, database) for number, task in enumerate(tasks)]
        packed(folder / f"{shop}-test.traces.json.gz", traces)
        packed(folder / f"{shop}.db.json.gz", database)
        told = json.dumps([tool.get_info() for tool in tools], ensure_ascii=False, indent=1)
        (folder / f"{shop}.tools.json").write_text(told, encoding="utf-8")
        wiki = source / "tau_bench/envs" / shop / "wiki.md"
        (folder / f"{shop}.wiki.md").write_bytes(wiki.read_bytes())


def _trace(number: int, task: Any, tools: Mapping[str, Any], database: Mapping[str, Any]) -> dict[str, Any]:
    data, actions = _copied(database), list[dict[str, Any]]()
    for place, action in enumerate(task.actions):
        made: dict[str, Any] = {
            "id": place,
            "name": action.name,
            "arguments": action.kwargs,
            "kind": _kind(action.name),
        }
        made["depends_on"] = depends_on(made, actions, task.instruction)
        made["level"] = 1 + max((actions[each]["level"] for each in made["depends_on"]), default=0)
        before = _copied(data) if made["kind"] == "write" else data
        made["observation"] = tools[action.name].invoke(data=data, **action.kwargs)
        made["patch"] = list(changes(before, data))
        actions.append(made)
    return {"task": number, "user_id": task.user_id, "instruction": task.instruction, "outputs": task.outputs,
            "actions": actions, "final_patch": list(changes(database, data))}  # fmt: skip


def _copied(data: Mapping[str, Any]) -> Any:
    return pickle.loads(pickle.dumps(data))  # ten times as fast as `deepcopy`


def _kind(name: str) -> str:
    if name.startswith(WRITES):
        return "write"
    return "terminate" if name.startswith("transfer_") else "read"


def depends_on(action: Mapping[str, Any], before: Sequence[Mapping[str, Any]], words: str) -> list[int]:
    """The calls before it that it needs: the first that gave each value which the person did not say, those about the same
    record where one of the two writes, and all of them for the call that ends the work."""
    if action["kind"] == "terminate":
        return [each["id"] for each in before]
    said = words.casefold()
    unsaid = {
        value for value in _values(action["arguments"]) if len(value) >= SHORTEST and value.casefold() not in said
    }
    givers = {next((each["id"] for each in before if value in _given(each)), None) for value in unsaid}
    shared = {
        each["id"] for each in before if _records(action) & _records(each) and "write" in (action["kind"], each["kind"])
    }
    return sorted(shared | {each for each in givers if each is not None})


def _records(action: Mapping[str, Any]) -> set[str]:
    return {str(value) for name, value in action["arguments"].items() if name in RECORDS}


def _given(action: Mapping[str, Any]) -> set[str]:
    try:
        told = json.loads(action["observation"])
    except ValueError:
        told = None
    return set(_values(told, names=True)) if isinstance(told, dict | list) else {str(action["observation"])}


def _values(value: Any, *, names: bool = False) -> Iterator[str]:
    """`names`: also those of fields."""
    if isinstance(value, dict):
        yield from (str(name) for name in value if names)
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _values(each, names=names)
    elif value is not None:
        yield str(value)


def changes(before: Any, after: Any, path: tuple[str | int, ...] = ()) -> Iterator[list[Any]]:
    """What makes the one value the other: `[set | del | delta | append, path, value]`."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for name, value in before.items():
            yield from changes(value, after[name], (*path, name)) if name in after else [["del", [*path, name], None]]
        yield from (["set", [*path, name], value] for name, value in after.items() if name not in before)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from changes(one, other, (*path, place))
    elif isinstance(before, list) and isinstance(after, list) and after[: len(before)] == before:
        yield ["append", [*path], after[len(before) :]]
    elif _is_number(before) and _is_number(after):
        yield ["delta", [*path], after - before]
    else:
        yield ["set", [*path], after]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
