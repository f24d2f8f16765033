"""Settings and limits: read once, bounded, unknown keys refused."""

from dataclasses import dataclass, fields
from datetime import date
from typing import Any

import pytest
from langgraph.runtime import Runtime
from pydantic import Field

from wavegraph import Limits, Settings, SettingsError
from wavegraph.graph.limits import remaining_s, spent
from wavegraph.graph.settings import settings


class Own(Settings):
    dock: str = Field(default="north", description="Which dock")


@dataclass
class Foreign:
    """The context of somebody's graph that holds ours."""

    user_id: str = "u1"
    language: str = "he"


def read(context: Any, model: type[Settings] = Settings) -> Any:
    return settings(Runtime(context=context), model)


@dataclass(frozen=True)
class Bad:
    id: str
    context: dict[str, Any]
    says: str


BAD = [
    Bad("unknown key", {"max_wavs": 3}, "unknown setting 'max_wavs'; known: "),
    Bad("below its range", {"max_waves": 0}, "setting 'max_waves' = 0"),
    Bad("above its range", {"tool_timeout_s": 10_000}, "setting 'tool_timeout_s' = 10000"),
    Bad("no time at all", {"answer_check_timeout_s": 0}, "setting 'answer_check_timeout_s' = 0"),
    Bad("no run at all", {"max_runs": 0}, "setting 'max_runs' = 0"),
    Bad("more runs than are allowed", {"max_runs": 21}, "setting 'max_runs' = 21"),
    Bad("wrong type", {"max_tool_calls": "many"}, "setting 'max_tool_calls' = 'many'"),
    Bad("wrong choice", {"planner": "oracle"}, "setting 'planner' = 'oracle'"),
    Bad("no date", {"today": "tomorrow"}, "setting 'today' = 'tomorrow'"),
    Bad("not a number", {"request_timeout_s": float("nan")}, "setting 'request_timeout_s' = nan"),
]


@pytest.mark.parametrize("case", BAD, ids=lambda case: case.id)
def test_a_bad_setting_is_named(case: Bad) -> None:
    with pytest.raises(SettingsError) as refused:
        read(case.context)

    assert case.says in str(refused.value)


def test_two_bad_settings_are_both_named() -> None:
    with pytest.raises(SettingsError, match=r"'a'.*'max_waves'|'max_waves'.*'a'"):
        read({"a": 1, "max_waves": -1})


@pytest.mark.parametrize("context", [None, {}, Settings()], ids=["none", "empty", "default"])
def test_every_default_is_supplied(context: Any) -> None:
    assert read(context) == Settings()


def test_a_dict_and_a_model_say_the_same() -> None:
    assert read({"today": "2026-01-17", "max_waves": 2}) == Settings(today=date(2026, 1, 17), max_waves=2)


def test_a_domains_own_settings() -> None:
    assert read({"dock": "south"}, Own).dock == "south"
    assert read(Own(dock="east"), Own).dock == "east"
    with pytest.raises(SettingsError, match="dock"):
        read({"dock": "south"})


def test_plain_settings_serve_a_domain_with_its_own() -> None:
    found = read(Settings(max_waves=2), Own)

    assert (found.max_waves, found.dock) == (2, "north")


def test_the_context_of_a_graph_around_ours_is_no_setting_of_ours() -> None:
    assert read(Foreign()).max_waves is None


def test_settings_cannot_be_changed_in_a_run() -> None:
    with pytest.raises(Exception, match="frozen"):
        read({}).max_waves = 3


def test_every_limit_can_be_set_per_run() -> None:
    assert {field.name for field in fields(Limits)} <= set(Settings.model_fields)
    assert Limits().under(Settings(max_waves=2, max_adaptations=0)) == Limits(max_waves=2, max_adaptations=0)
    assert Limits(max_waves=7).under(Settings()) == Limits(max_waves=7)


def test_every_setting_is_described() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


@dataclass(frozen=True)
class Spent:
    id: str
    state: dict[str, Any]
    names: list[str]


LIMITS = Limits(max_waves=2, max_tool_calls=1, request_timeout_s=1.0)
ONE_RUN = {"calls": {}, "artifacts": {}, "outcomes": {"x": {"runs": 1}}}
SPENT = [
    Spent("nothing", {}, []),
    Spent("waves", {"waves": 2}, ["max_waves"]),
    Spent("calls", {"ledger": ONE_RUN}, ["max_tool_calls"]),
    Spent("time", {"times": {"plan_1": 0.6, "execute_wave_1": 0.6}}, ["request_timeout_s"]),
    Spent("steps", {"remaining_steps": 1}, ["recursion_limit"]),
    Spent("two at once", {"waves": 3, "ledger": ONE_RUN}, ["max_waves", "max_tool_calls"]),
]


@pytest.mark.parametrize("case", SPENT, ids=lambda case: case.id)
def test_spent(case: Spent) -> None:
    ledger = {"calls": {}, "artifacts": {}, "outcomes": {}}
    state: Any = {"waves": 0, "ledger": ledger, "times": {}, "remaining_steps": 50, **case.state}

    assert spent(state, LIMITS, "plan") == case.names
    assert remaining_s(state, LIMITS) >= 0
