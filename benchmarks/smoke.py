"""A small task set of our own in the form of the public material, to try every benchmark on in seconds.

    python -m benchmarks.smoke FOLDER

writes `tau/`, `nestful/` and `bfcl/` into the folder; `--data FOLDER` then runs on it. Its figures say nothing of anybody.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.packed import packed
from benchmarks.report import parser_of

Record = Mapping[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("smoke", __doc__)
    parser.add_argument("folder", type=Path)
    write(parser.parse_args(arguments).folder)
    return 0


def write(folder: Path) -> None:
    for part in ("tau", "nestful", "bfcl"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for name, traces in (("retail", RETAIL), ("airline", AIRLINE)):
        packed(folder / f"tau/{name}-test.traces.json.gz", traces)
        packed(folder / f"tau/{name}.db.json.gz", SHOP)
        _plain(folder / f"tau/{name}.tools.json", TOOLS)
        (folder / f"tau/{name}.wiki.md").write_text("Help customers of the shop with their orders.\n", encoding="utf-8")
    for part, records in NESTFUL.items():
        _plain(folder / f"nestful/{part}-spec.json", SPEC)
        _plain(folder / f"nestful/{part}-data.json", records)
    packed(folder / "bfcl/multi_turn_base.traces.json.gz", DIALOGUES)


def _plain(file: Path, content: Any) -> None:
    file.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


# tau-bench: a bicycle shop


def _tool(name: str, about: str, /, **properties: str) -> Record:
    shape = {"type": "object", "properties": {key: {"type": kind, "description": key} for key, kind in properties.items()},
             "required": list(properties)}  # fmt: skip
    return {"type": "function", "function": {"name": name, "description": about, "parameters": shape}}


TOOLS = [
    _tool("find_customer", "Find a customer's id by name.", name="string"),
    _tool("get_customer", "A customer's orders and address.", customer_id="string"),
    _tool("get_order", "An order's items, status and payment.", order_id="string"),
    _tool("cancel_order", "Cancel a pending order.", order_id="string", reason="string"),
    _tool("change_address", "Change the address of an order.", order_id="string", street="string"),
    _tool("return_item", "Return an item of an order.", order_id="string", item_id="string", pay_to="string"),
]
BELL = {"name": "Bell", "item_id": "i-100", "price": 12.5}
LAMP = {"name": "Lamp", "item_id": "i-200", "price": 30.0}
CHAIN = {"name": "Chain", "item_id": "i-300", "price": 18.0}


def _order(order_id: str, status: str, *items: Record) -> Record:
    return {"order_id": order_id, "status": status, "street": "1 Mill Lane", "items": list(items), "paid_by": "card_77"}


SHOP: Record = {
    "customers": {"ada_1": {"customer_id": "ada_1", "orders": ["#W11", "#W22"]}, "ben_2": {"customer_id": "ben_2", "orders": ["#W33"]}},
    "orders": {"#W11": _order("#W11", "pending", BELL), "#W22": _order("#W22", "delivered", LAMP, CHAIN),
               "#W33": _order("#W33", "pending", BELL, LAMP)},
}  # fmt: skip


def _action(
    number: int, name: str, args: Record, gave: Any, needs: Sequence[int] = (), level: int = 1, *patch: Any
) -> Record:
    return {"id": number, "name": name, "arguments": args, "kind": "write" if patch else "read", "depends_on": list(needs),
            "level": level, "observation": gave if isinstance(gave, str) else json.dumps(gave), "patch": list(patch)}  # fmt: skip


def _trace(number: int, words: str, *actions: Record) -> Record:
    return {"task": number, "user_id": "", "instruction": words, "outputs": [], "actions": list(actions),
            "final_patch": [step for action in actions for step in action["patch"]]}  # fmt: skip


def _set(order_id: str, field: str, value: Any) -> list[Any]:
    return ["set", ["orders", order_id, field], value]


def _with(order_id: str, **changes: Any) -> Record:
    return {**SHOP["orders"][order_id], **changes}


FIND_ADA = _action(0, "find_customer", {"name": "Ada"}, "ada_1")
GET_ADA = _action(1, "get_customer", {"customer_id": "ada_1"}, SHOP["customers"]["ada_1"], [0], 2)
ADAS_ORDERS = [
    _action(2 + n, "get_order", {"order_id": each}, SHOP["orders"][each], [1], 3)
    for n, each in enumerate(("#W11", "#W22"))
]
CANCELLED = _set("#W11", "status", "cancelled")
RETURNED = _set("#W22", "status", "return requested")
MOVED = _set("#W33", "street", "9 Hill Road")
RETAIL = [
    _trace(0, "You are Ada. Cancel your pending order, you no longer need it, and return the lamp.",
           FIND_ADA, GET_ADA, *ADAS_ORDERS,
           _action(4, "cancel_order", {"order_id": "#W11", "reason": "no longer needed"}, _with("#W11", status="cancelled"),
                   [2], 4, CANCELLED),
           _action(5, "return_item", {"order_id": "#W22", "item_id": "i-200", "pay_to": "card_77"},
                   _with("#W22", status="return requested"), [3], 4, RETURNED)),
    _trace(1, "You are Ben with order #W33. Send it to 9 Hill Road, then say what it holds.",
           _action(0, "change_address", {"order_id": "#W33", "street": "9 Hill Road"}, _with("#W33", street="9 Hill Road"), [], 1, MOVED),
           _action(1, "get_order", {"order_id": "#W33"}, _with("#W33", street="9 Hill Road"), [0], 2)),
    _trace(2, "Only say hello."),
]  # fmt: skip
AIRLINE = [
    _trace(0, "You are Ben with order #W33. What is in it? Then cancel it: ordered by mistake.",
           _action(0, "get_order", {"order_id": "#W33"}, SHOP["orders"]["#W33"]),
           _action(1, "cancel_order", {"order_id": "#W33", "reason": "ordered by mistake"}, _with("#W33", status="cancelled"),
                   [0], 2, _set("#W33", "status", "cancelled"))),
]  # fmt: skip

# NESTFUL: a library

SPEC: Sequence[Record] = [
    {"name": "find_book", "description": "Find a book.", "query_parameters": {"title": {"type": "string", "required": True}},
     "output_parameters": {"book_id": {"type": "string"}, "shelf": {"type": "object", "properties": {"row": {"type": "integer"}}}}},
    {"name": "lend_book", "description": "Lend it.",
     "query_parameters": {"book": {"type": "string", "required": True}, "days": {"type": "integer", "required": True}},
     "output_parameters": {"due": {"type": "string"}, "price": {"type": "number"}}},
    {"name": "remind", "description": "Send a note.", "query_parameters": {"text": {"type": "string", "required": True}},
     "output_parameters": {"sent": {"type": "boolean"}}},
]  # fmt: skip


def _step(label: str, name: str, /, **arguments: Any) -> Record:
    return {"name": name, "label": label, "arguments": arguments}


LEND = [_step("var1", "find_book", title="Emma"), _step("var2", "lend_book", book="$var1.book_id$", days=14)]
NESTFUL: Mapping[str, Sequence[Record]] = {
    "executable": [
        {"input": "Lend me Emma.", "output": [*LEND, {"name": "var_result", "arguments": {"due": "$var2.due$"}}]},
        {"input": "Lend me Emma and remind me.", "output": [*LEND, _step("var3", "remind", text="due {$var2.due$}")]},
    ],
    "non-executable-glaive": [
        {"input": "Lend me Emma for as many days as its row.",
         "output": [LEND[0], _step("var2", "lend_book", book="$var1.book_id$", days="$var1.shelf.row$")]},
    ],
    "non-executable-sgd": [
        {"input": "What the specification lacks.", "output": [LEND[0], _step("var2", "remind", text="$var1.author$")]},
    ],
}  # fmt: skip

# BFCL: a folder of files


def _turn(words: str, calls: Mapping[str, Any]) -> Record:
    return {"user": words, "calls": list(calls), "results": list(calls.values())}


DIALOGUES = [
    {"id": "smoke_0", "order_sensitive": True, "classes": ["GorillaFileSystem"], "final_state": "{}", "turns": [
        _turn("Make a folder and put a note into it.", {"mkdir(dir_name='notes')": None, "cd(folder='notes')": {"current_working_directory": "notes"},
              "touch('today.txt')": None, "ls()": {"current_directory_content": ["today.txt"]}}),
        _turn("Write into it and read it.", {"echo(content='tea', file_name='today.txt')": {"terminal_output": None},
              "cat(file_name='today.txt')": {"file_content": "tea"}})]},
    {"id": "smoke_1", "order_sensitive": False, "classes": ["MathAPI"], "final_state": "{}", "turns": [
        _turn("Means of two lists.", {"mean(numbers=[1, 2])": {"result": 1.5}, "mean(numbers=[3, 4])": {"result": 3.5}})]},
]  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
