"""What a page of the documentation shows: its blocks, and which of its lines are not printed."""

import re


def blocks(text: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", text, flags=re.DOTALL)


def missing(block: str, printed: str) -> list[str]:
    """Lines that the block shows and that are not printed, or not in that order; numbers of bookings, clocks and seconds
    are others each time."""
    shown = [line for line in block.splitlines() if line and not line.startswith(("$ ", "you> ", "[…]", "^C"))]
    lines = iter([same_each_time(line) for line in printed.splitlines()])
    return [line for line in shown if same_each_time(line) not in lines]


def same_each_time(line: str) -> str:
    changing = r"\b(?:WG|Q)-[0-9A-Z]+|\d{4}-\d\d-\d\d[T ][\d:.]+(?:[+-]\d\d:\d\d)?|\d+\.\d\d s\b"
    return re.sub(changing, "…", line.rstrip())
