"""The failed check and its replan that docs/start/answers.md shows: its command is run as printed, and prints what is there."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from endpoint import Endpoint, answers, judges, plans
from hotel_plans import about
from plans import call
from plans import verdict as verdict_on
from typer.testing import CliRunner

from wavegraph.app.main import app

PAGE = (Path(__file__).parents[2] / "docs" / "start" / "answers.md").read_text(encoding="utf-8")
STAY = "{{gladly}} On {{s1}}:\n- {{s1.o1.line}}"
PAYMENT = "{{payment.1}} {{payment.2}} {{payment.3}}"
ROOM = {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2, "room_type": "DBL",
        "children_ages": None, "rooms": None, "board": None, "max_price": None, "per": None, "currency": None,
        "refundable": None}  # fmt: skip


def plan(action: str, made: dict[str, Any]) -> dict[str, Any]:
    return {
        "reasoning": "as asked",
        "action": action,
        "status": "done",
        "tools": [made],
        "reply": None,
    }


def verdict(**gaps: str) -> dict[str, Any]:
    reason = next(iter(gaps.values()), "all is answered")
    return verdict_on(reasoning=reason, by="get_hotel_info", **gaps)


def timeless(text: str) -> str:
    return re.sub(r"\d+\.\d\d s", "… s", text)


def walk() -> tuple[list[str], str]:
    """The commands of the walk-through, and what is printed under the last of them."""
    block = re.findall(r"```console\n(.*?)```", PAGE, flags=re.DOTALL)[0]
    lines = block.splitlines()
    commands = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return commands, "\n".join(lines[len(commands) :])


def test_the_failed_check_is_planned_again_as_printed(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAVEGRAPH_ANSWER_CHECK", "on")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (exported, asked), printed = walk()
    environment = dict(word.split("=", 1) for word in shlex.split(exported)[1:])
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    planner, judge = environment["WAVEGRAPH_MODEL"], environment["WAVEGRAPH_VALIDATOR_MODEL"]
    payment = about("payment")
    endpoint.plays(
        plans(plan("check_availability", call("check_availability", "get_availability", **ROOM)), model=planner),
        answers(STAY, model=planner),
        judges(verdict(completeness="the question about cash is not answered"), model=judge),
        plans(plan("hotel_info", payment), model=planner),
        answers(f"{STAY}\n{PAYMENT}", model=planner),
        judges(verdict(), model=judge),
    )

    done = CliRunner().invoke(app, shlex.split(asked)[1:])

    shown = done.stderr.splitlines()
    assert done.exit_code == 0, done.stderr
    assert timeless("\n".join([*shown[:-1], done.stdout.rstrip(), shown[-1]])) == timeless(printed)
