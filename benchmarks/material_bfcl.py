"""BFCL's multi-turn dialogues with what their ground-truth calls give, recorded by its own tools."""

import importlib
import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from benchmarks.packed import packed

TOOLS = "bfcl_eval.eval_checker.multi_turn_eval.func_source_code"
MODULES = {
    "GorillaFileSystem": "gorilla_file_system", "MathAPI": "math_api", "MessageAPI": "message_api",
    "TicketAPI": "ticket_api", "TradingBot": "trading_bot", "TravelAPI": "travel_booking", "TwitterAPI": "posting_api",
    "VehicleControlAPI": "vehicle_control",
}  # fmt: skip
STATELESS = "MathAPI"
NO_STATE = ("_last_modified", "parent", "_parent", "_random")
"""Fields that hold a clock, a way back up, or chance."""
Turns = Sequence[Sequence[str]]
"""Calls as BFCL writes them."""
NAME = "BFCL_v4_multi_turn_base.json"


def write(source: Path, folder: Path) -> None:
    data = source / "bfcl_eval/data"
    truth = {each["id"]: each["ground_truth"] for each in _lines(data / "possible_answer" / NAME)}
    dialogues = [_dialogue(each, truth[each["id"]]) for each in _lines(data / NAME)]
    packed(folder / "multi_turn_base.traces.json.gz", dialogues)


def _lines(file: Path) -> Iterator[Any]:
    return (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())


def _dialogue(asked: Mapping[str, Any], calls: Turns) -> dict[str, Any]:
    world, results = _run(asked, calls)
    state = _state(world)
    other_world, backwards = _run(asked, [turn[::-1] for turn in calls])
    told = [[message["content"] for message in turn] for turn in asked["question"]]
    turns = [{"user": "\n".join(words), "calls": list(turn), "results": gave}
             for words, turn, gave in zip(told, calls, results, strict=True)]  # fmt: skip
    sensitive = _state(other_world) != state or [each[::-1] for each in backwards] != results
    return {"id": asked["id"], "turns": turns, "classes": asked["involved_classes"], "order_sensitive": sensitive,
            "final_state": state}  # fmt: skip


def _run(asked: Mapping[str, Any], turns: Turns) -> tuple[Mapping[str, Any], list[list[Any]]]:
    world = {name: _tool_box(name, asked["initial_config"]) for name in asked["involved_classes"]}
    offered = {name: getattr(box, name) for box in world.values() for name in dir(box) if not name.startswith("_")}
    given = [[_result(call, offered) for call in turn] for turn in turns]
    # As it is when the dialogue has ended: some tools give parts of their own state.
    return world, json.loads(json.dumps(given, default=repr))


def _tool_box(name: str, config: Mapping[str, Any]) -> Any:
    box = getattr(importlib.import_module(f"{TOOLS}.{MODULES[name]}"), name)()
    if name != STATELESS:
        box._load_scenario(deepcopy(config.get(name, {})), long_context=False)
    return box


def _result(call: str, offered: Mapping[str, Any]) -> Any:
    """BFCL's calls are Python, as its own runner takes them."""
    try:
        return eval(call, dict(offered))
    except Exception as error:  # noqa: BLE001  whatever its tools raise is what they give
        return f"Error during execution: {error}"


def _state(world: Mapping[str, Any]) -> str:
    return json.dumps({name: _plain(box) for name, box in world.items()}, sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if hasattr(value, "__dict__"):
        return {name: _plain(each) for name, each in vars(value).items() if name not in NO_STATE}
    return value if isinstance(value, str | int | float) or value is None else str(value)
