"""Settings and limits: read once, bounded, unknown keys refused."""

import gc
import logging
import weakref
from dataclasses import dataclass, fields
from datetime import date
from typing import Any, Literal, NotRequired

import pytest
from langgraph.runtime import ExecutionInfo, Runtime
from pydantic import Field
from runs import compiled, human, run
from tables import table
from typing_extensions import TypedDict
from warehouse import Warehouse

from wavegraph import Limits, Settings, SettingsError
from wavegraph.graph.adopt.schemas import settings_from
from wavegraph.graph.limits import SPENDING_LIMITS, is_spending_cap, remaining_s, spent, spent_scope
from wavegraph.graph.settings import (
    FIRST_DAY,
    LAST_DAY,
    RETIRED_CAPS,
    _warn_of_retired,
    as_stored,
    request_settings,
    settings,
)
from wavegraph.graph.state import MOST_MESSAGE_CHARS


class Own(Settings):
    dock: str = Field(default="north", description="Which dock")


@dataclass
class Foreign:
    """The context of somebody's graph that holds ours."""

    user_id: str = "u1"
    language: str = "he"


class Visit(TypedDict):
    """The context of an agent made of somebody's tools."""

    town: NotRequired[str]


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
    Bad("before the calendar", {"today": "0001-01-01"}, "setting 'today' = '0001-01-01': Input should be greater than or equal to 1900-01-01"),
    Bad("the day before it", {"today": "1899-12-31"}, "setting 'today' = '1899-12-31': Input should be greater"),
    Bad("the day after it", {"today": date(2200, 1, 1)}, "setting 'today' = '2200-01-01': Input should be less than or equal to 2199-12-31"),
    Bad("after the calendar", {"today": "9999-12-31"}, "setting 'today' = '9999-12-31': Input should be less"),
    Bad("not a number", {"request_timeout_s": float("nan")}, "setting 'request_timeout_s' = nan"),
]  # fmt: skip


@table("case", BAD)
def test_a_bad_setting_is_named(case: Bad) -> None:
    with pytest.raises(SettingsError) as refused:
        read(case.context)

    assert case.says in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value"), [("structured_output", "json_schema"), ("max_thread_cost", 2.5), ("max_day_cost", 100)]
)
def test_what_an_earlier_version_stored_opens_and_the_log_says_what_is_dropped(
    name: str, value: Any, caplog: pytest.LogCaptureFixture
) -> None:
    _warn_of_retired.cache_clear()
    stored = {name: value, "max_waves": 2}
    with caplog.at_level(logging.WARNING, "wavegraph"):
        assert read(stored) == Settings.model_validate(stored) == Settings(max_waves=2)
    assert name not in Settings.model_validate(stored).model_dump()
    assert [record.message for record in caplog.records] == [
        f"the setting {name!r} of an earlier version is dropped: it does nothing any more"
    ]


def test_of_a_threads_settings_what_is_gone_is_dropped_and_the_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    """Whichever it was: a run that goes on with the thread gives none of them."""
    _warn_of_retired.cache_clear()
    stored = {"dock": "south", "crane": "blue", "max_waves": 2, "max_message_chars": 100_000}
    with caplog.at_level(logging.WARNING, "wavegraph"):
        assert as_stored(stored, Own) == {"dock": "south", "max_waves": 2, "max_message_chars": MOST_MESSAGE_CHARS}
        assert as_stored({"dock": "south"}, Settings) == {}
    assert [record.message for record in caplog.records] == [
        f"the setting {name!r} of an earlier version is dropped: it does nothing any more" for name in ("crane", "dock")
    ]


def test_two_bad_settings_are_both_named() -> None:
    with pytest.raises(SettingsError, match=r"'a'.*'max_waves'|'max_waves'.*'a'"):
        read({"a": 1, "max_waves": -1})


@pytest.mark.parametrize("context", [None, {}, Settings()], ids=["none", "empty", "default"])
def test_every_default_is_supplied(context: Any) -> None:
    assert read(context) == Settings()


def test_a_dict_and_a_model_say_the_same() -> None:
    assert read({"today": "2026-01-17", "max_waves": 2}) == Settings(today=date(2026, 1, 17), max_waves=2)


@pytest.mark.parametrize("day", [FIRST_DAY, LAST_DAY], ids=str)
def test_both_ends_of_the_calendar_belong_to_it(day: date) -> None:
    assert read({"today": day.isoformat()}).today == day


def test_a_clock_outside_the_calendar_is_named() -> None:
    graph = compiled(Warehouse().domain(clock=lambda settings: date.max))

    with pytest.raises(
        SettingsError, match=r"the clock says 9999-12-31, out of range: a day from 1900-01-01 to 2199-12-31"
    ):
        run(graph, human())


def test_a_domains_own_settings() -> None:
    assert read({"dock": "south"}, Own).dock == "south"
    assert read(Own(dock="east"), Own).dock == "east"
    with pytest.raises(SettingsError, match="dock"):
        read({"dock": "south"})


def test_plain_settings_serve_a_domain_with_its_own() -> None:
    found = read(Settings(max_waves=2), Own)

    assert (found.max_waves, found.dock) == (2, "north")


class Hebrew(Settings):
    language: Literal["auto", "en", "he"] = Field(default="he", description="Language")


def test_what_plain_settings_left_open_is_the_domains_to_say() -> None:
    assert read(Settings(max_waves=2), Hebrew).language == "he"
    assert read(Settings(language="auto"), Hebrew).language == "auto"


def test_what_is_no_table_of_settings_is_named() -> None:
    with pytest.raises(SettingsError, match="setting 'context' = "):
        Settings.model_validate(["max_waves"])


def test_the_context_of_a_graph_around_ours_is_no_setting_of_ours() -> None:
    inside = ExecutionInfo("c", "desk:1|plan:2", "t")
    assert settings(Runtime(context=Foreign(), execution_info=inside)).max_waves is None


@pytest.mark.parametrize("given", [Foreign(), ["max_waves"], "ann", 3], ids=lambda each: type(each).__name__)
def test_a_context_of_another_kind_is_refused(given: Any) -> None:
    with pytest.raises(
        SettingsError, match=f"wrong kind \\({type(given).__name__}\\): give a dict of settings; its fields"
    ):
        settings(Runtime(context=given, execution_info=ExecutionInfo("c", "plan:2", "t")))


def test_settings_cannot_be_changed_in_a_run() -> None:
    with pytest.raises(Exception, match="frozen"):
        read({}).max_waves = 3


def test_every_limit_can_be_set_per_run() -> None:
    assert {field.name for field in fields(Limits)} <= set(Settings.model_fields)
    assert Limits().under(Settings(max_waves=2, max_adaptations=0)) == Limits(max_waves=2, max_adaptations=0)
    assert Limits(max_waves=7).under(Settings()) == Limits(max_waves=7)


NUMBERS: list[tuple[str, float | None, float, float, float]] = [
    # the value without a setting (None = the domain's), the least and the greatest, and what is just below the least
    ("model_attempts", 3, 1, 10, 0), ("model_timeout_s", 60, 0.001, 3600, 0),
    ("max_message_chars", 20_000, 100, 20_000, 99), ("max_result_bytes", 1_000_000, 1000, 100_000_000, 999),
    ("max_adaptations", None, 0, 10, -1), ("max_waves", None, 1, 100, 0), ("max_tool_calls", None, 1, 100, 0),
    ("max_answer_replans", None, 0, 5, -1), ("max_retries_per_issue", None, 0, 10, -1),
    ("tool_timeout_s", None, 0.001, 3600, 0), ("tool_attempts", None, 1, 10, 0),
    ("max_messages", None, 1, 1000, 0), ("max_request_calls", None, 0, 10**9, -1),
    ("max_thread_calls", None, 0, 10**9, -1), ("max_thread_tokens", None, 0, 10**12, -1),
    ("max_day_calls", None, 0, 10**9, -1), ("max_day_tokens", None, 0, 10**12, -1),
    ("answer_check_timeout_s", 15, 0.001, 3600, 0), ("max_runs", None, 1, 20, 0),
    ("request_timeout_s", None, 0.001, 86_400, 0), ("max_prompt_bytes", None, 1000, 10_000_000, 999),
]  # fmt: skip


@table(("name", "default", "least", "greatest", "below"), NUMBERS)
def test_a_number_is_taken_within_its_bounds(
    name: str, default: float | None, least: float, greatest: float, below: float
) -> None:
    assert getattr(read({}), name) == default
    for taken in (least, greatest):
        assert getattr(read({name: taken}), name) == taken
    for refused in (below, greatest + 1):
        with pytest.raises(SettingsError, match=name):
            read({name: refused})


def test_every_number_has_its_row() -> None:
    kinds = {name: field["type"] for name, field in Settings.model_json_schema()["properties"].items()}

    assert {row[0] for row in NUMBERS} == {name for name, kind in kinds.items() if kind in ("integer", "number")}


@pytest.mark.parametrize("name", ["planner_model", "responder_model", "validator_model"])
def test_a_models_name_is_no_novel(name: str) -> None:
    assert getattr(read({name: "m" * 200}), name) == "m" * 200
    with pytest.raises(SettingsError, match=name):
        read({name: "m" * 201})


def test_an_emptied_field_of_a_form_is_no_setting() -> None:
    assert read({"max_waves": "", "today": "", "language": ""}) == Settings()
    assert read({}).model_fallback is True


def test_a_form_shows_one_type_and_a_title_with_its_unit() -> None:
    fields = Settings.model_json_schema()["properties"]

    assert fields["max_waves"] == {
        "title": "Max waves", "type": "integer", "minimum": 1, "maximum": 100,
        "description": "Most waves of tool calls in one request; empty = the agent's own",
    }  # fmt: skip
    assert fields["tool_timeout_s"]["title"] == "Tool timeout (seconds)"
    assert (fields["planner"]["type"], fields["planner"]["default"]) == ("string", "auto")
    assert not any("anyOf" in field for field in fields.values())


def test_a_domains_own_fields_are_titled_alike() -> None:
    class Dock(Settings):
        dock_id: str = Field(default="north", description="Which dock")
        open_for_s: float = Field(default=60, description="How long it is open")

    fields = Dock.model_json_schema()["properties"]
    assert [fields[name]["title"] for name in ("dock_id", "open_for_s")] == ["Dock", "Open for (seconds)"]


def test_what_of_the_settings_bears_on_a_request() -> None:
    assert request_settings(Own(today=date(2026, 11, 20), max_waves=2, dock="east")) == {
        "today": "2026-11-20", "weekday": "Friday", "dock": "east",
    }  # fmt: skip
    assert request_settings(Own()) == {"dock": "north"}
    assert request_settings(Settings(max_waves=2)) == {}


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


@table("case", SPENT)
def test_spent(case: Spent) -> None:
    ledger = {"calls": {}, "artifacts": {}, "outcomes": {}}
    state: Any = {"waves": 0, "ledger": ledger, "times": {}, "remaining_steps": 50, **case.state}

    assert spent(state, LIMITS, "plan") == case.names
    assert remaining_s(state, LIMITS) >= 0


def test_settings_of_an_agent_that_is_gone_are_gone() -> None:
    """A server may make an agent, and so a class of its settings, for each run."""

    def made() -> weakref.ref[type[Settings]]:
        own = settings_from(Visit)
        assert request_settings(own(town="Haifa")) == {"town": "Haifa"}
        return weakref.ref(own)

    gone = made()
    gc.collect()

    assert gone() is None


def test_a_cap_on_spending_is_told_from_a_limit_of_the_work() -> None:
    assert all(map(is_spending_cap, [*SPENDING_LIMITS, *RETIRED_CAPS]))
    assert not any(is_spending_cap(field.name) for field in fields(Limits))
    assert [spent_scope(["max_waves", name]) for name in RETIRED_CAPS] == ["thread", "day"]
    assert spent_scope(["max_waves"]) is None
