"""Datasets and experiments, written by the real client to a loopback endpoint."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langsmith import utils
from langsmith_datasets import LangSmithDatasets
from shell import Shell
from typer.testing import CliRunner, Result

from wavegraph.app.main import app

KEY = "dummy-key-4711"


def case(name: str, word: str) -> dict[str, Any]:
    expect = {"action": "tools", "waves": [[{"tool": "look", "args": {"word": word}}]]}
    return {"id": name, "category": "colours", "text": "look:blue", "reference_date": "2026-11-20", "expect": expect}


@pytest.fixture
def langsmith(monkeypatch: pytest.MonkeyPatch) -> Iterator[LangSmithDatasets]:
    """The endpoint, named by the environment with a key."""
    with LangSmithDatasets() as server:
        monkeypatch.setenv("LANGSMITH_ENDPOINT", server.url)
        monkeypatch.setenv("LANGSMITH_API_KEY", KEY)
        forget()
        yield server
    forget()


def forget() -> None:
    """The client reads the environment once."""
    cached: Any = utils.get_env_var
    cached.cache_clear()


def words(folder: Path, *more: str) -> list[str]:
    """An evaluation of two cases, one of which fails."""
    file = folder / "colours.json"
    if not file.exists():
        file.write_text(json.dumps({"cases": [case("right", "blue"), case("wrong", "red")]}), encoding="utf-8")
    return ["eval", str(file), "--domain", "clerk:graph", "--threshold", "0.5", *more]


def evaluated(folder: Path, *more: str) -> Result:
    return CliRunner().invoke(app, words(folder, *more))


def test_a_dataset_and_an_experiment_with_a_score_for_each_run(tmp_path: Path, langsmith: LangSmithDatasets) -> None:
    done = evaluated(tmp_path, "--langsmith", "clerk's colours")

    assert done.exit_code == 0, done.stderr
    (dataset,), (experiment,) = langsmith.datasets.values(), langsmith.sessions.values()
    assert dataset["name"] == "clerk's colours"
    assert experiment["reference_dataset_id"] == dataset["id"]
    assert experiment["extra"]["metadata"]["score"] == 0.5
    assert f"with 2 examples, experiment {experiment['name']!r} with 2 runs" in done.stderr
    assert experiment["end_time"]
    examples = {each["metadata"]["case"]: each for each in langsmith.examples.values()}
    assert examples["right"]["inputs"] == {"text": "look:blue", "reference_date": "2026-11-20"}
    assert examples["wrong"]["outputs"]["waves"] == [[{"tool": "look", "args": {"word": "red"}}]]
    runs = {run["name"]: run for run in langsmith.runs.values()}
    assert {name: run["reference_example_id"] for name, run in runs.items()} == {
        name: example["id"] for name, example in examples.items()
    }
    assert {run["session_name"] for run in runs.values()} == {experiment["name"]}
    assert runs["right"]["outputs"]["calls"] == [{"wave": 1, "tool": "look", "args": {"word": "blue"}}]
    assert runs["right"]["outputs"]["answer"] == "blue: 3 left"
    given = {feedback["run_id"]: feedback for feedback in langsmith.feedback.values()}
    assert {name: given[run["id"]]["score"] for name, run in runs.items()} == {"right": 1, "wrong": 0}
    assert given[runs["wrong"]["id"]]["comment"] == "expected look(word=red); got look(word=blue)"
    assert {feedback["key"] for feedback in given.values()} == {"passed"}
    assert langsmith.keys == {KEY}
    assert KEY not in done.stdout + done.stderr


def test_a_second_evaluation_is_another_experiment_on_the_same_examples(
    tmp_path: Path, langsmith: LangSmithDatasets
) -> None:
    evaluated(tmp_path, "--langsmith", "colours")
    before = set(langsmith.examples)
    (tmp_path / "colours.json").write_text(
        json.dumps({"cases": [case("right", "blue"), case("wrong", "blue"), case("new", "blue")]}), encoding="utf-8"
    )
    done = evaluated(tmp_path, "--langsmith", "colours")

    assert done.exit_code == 0, done.stderr
    assert (len(langsmith.datasets), len(langsmith.sessions), len(langsmith.runs)) == (1, 2, 5)
    assert len(set(langsmith.examples) - before) == 1
    assert [langsmith.examples[name]["metadata"]["case"] for name in langsmith.changed] == ["wrong"]


@pytest.mark.parametrize("part", ["datasets", "examples", "sessions", "runs", "feedback"])
def test_a_failure_is_told_and_loses_nothing(tmp_path: Path, langsmith: LangSmithDatasets, part: str) -> None:
    langsmith.fails_on = part
    done = evaluated(tmp_path, "--json", "--langsmith", "colours")

    assert done.exit_code == 0
    assert json.loads(done.stdout)["score"] == 0.5
    assert "wavegraph: LangSmith: " in done.stderr
    assert "the result above stands" in done.stderr
    assert KEY not in done.stdout + done.stderr


def test_it_is_written_by_itself_where_tracing_is_on(
    shell: Shell, tmp_path: Path, langsmith: LangSmithDatasets
) -> None:
    done = shell.plain(*words(tmp_path), LANGSMITH_TRACING="true")

    assert done.returncode == 0, done.stderr
    assert [dataset["name"] for dataset in langsmith.datasets.values()] == ["wavegraph colours"]


def test_nothing_is_written_unless_asked_for(
    tmp_path: Path, langsmith: LangSmithDatasets, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated(tmp_path)
    monkeypatch.setattr("wavegraph.app.evaluate.langsmith.is_on", lambda environment: True)
    evaluated(tmp_path, "--langsmith", "")

    assert langsmith.keys == set()
