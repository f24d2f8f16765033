"""Writes the scores to LangSmith: the file as a dataset, one example per case, and an experiment, one score per run.

Each request to LangSmith is awaited before the next: no background thread can fail unnoticed.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4, uuid5

from langsmith import Client
from langsmith.schemas import Dataset, TracerSession
from langsmith.utils import LangSmithError, LangSmithNotFoundError

from wavegraph.app.evaluate.file import Case
from wavegraph.app.evaluate.run import CaseResult
from wavegraph.app.run.threads import shortened
from wavegraph.graph.errors import WavegraphError, error_text
from wavegraph.graph.guard.cards import mask_json


class LangSmithFailed(WavegraphError):
    """LangSmith could not be written to. The message holds no key."""


PASSED = "passed"
"""Feedback key; its score is 1 or 0."""
KEYS = ("LANGSMITH_API_KEY", "LANGCHAIN_API_KEY")
LONGEST_REASON = 300
"""Characters of a LangSmith error that are printed."""


@dataclass(frozen=True)
class Posted:
    dataset: str
    examples: int
    experiment: str
    runs: int


def is_on(environment: Mapping[str, str]) -> bool:
    """Whether the environment has a key and asks for traces."""
    asked = [
        environment.get(name, "").lower() in ("1", "true") for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2")
    ]
    return any(asked) and any(environment.get(name) for name in KEYS)


def post(dataset: str, results: Sequence[CaseResult], *, planner: str, about: Mapping[str, Any]) -> Posted:
    """Update the dataset to these cases and add an experiment with their results. `about`: its metadata.

    Raises LangSmithFailed; what was written before stays there.
    """
    try:
        with closing(Client(auto_batch_tracing=False)) as client:
            return _post(client, dataset, results, planner, about)
    except (LangSmithError, OSError, ValueError, TypeError) as error:  # the last two: a reply that is not LangSmith's
        raise LangSmithFailed(f"LangSmith: {type(error).__name__}: {_bare(error_text(error))}") from None


def _post(client: Client, name: str, results: Sequence[CaseResult], planner: str, about: Mapping[str, Any]) -> Posted:
    dataset = _dataset(client, name)
    _examples(client, dataset, [each.case for each in results])
    ran = [each for each in results if each.seen]
    experiment = client.create_project(
        f"{name}-{planner}-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}",
        reference_dataset_id=dataset.id,
        metadata=dict(about),
        num_examples=len(ran),
        evaluator_keys=[PASSED],
    )
    for each in ran:
        _run(client, dataset, experiment, each)
    client.update_project(experiment.id, metadata=dict(about), end_time=datetime.now(UTC))
    return Posted(name, len(results), str(experiment.name), len(ran))


def _dataset(client: Client, name: str) -> Dataset:
    try:
        found: Dataset = client.read_dataset(dataset_name=name)
    except LangSmithNotFoundError:
        found = client.create_dataset(name, description="Requests with expectations, by `wavegraph eval`")
    return found


def _examples(client: Client, dataset: Dataset, cases: Iterable[Case]) -> None:
    """Add new cases and update changed ones; those of other files and selections stay."""
    known = {example.id: example for example in client.list_examples(dataset_id=dataset.id)}
    new = [_example(dataset, case) for case in cases]
    if missing := [example for example in new if example["id"] not in known]:
        client.create_examples(dataset_id=dataset.id, examples=missing)
    for example in new:
        old = known.get(example["id"])
        if old and (example["inputs"], example["reference_outputs"]) != (old.inputs, old.outputs):
            client.update_example(
                example["id"],
                inputs=example["inputs"],
                outputs=example["reference_outputs"],
                metadata=example["metadata"],
                dataset_id=dataset.id,
            )


def _example(dataset: Dataset, case: Case) -> dict[str, Any]:
    return {
        "id": _example_id(dataset, case),
        "inputs": _inputs(case),
        "reference_outputs": case.expect.model_dump(mode="json", exclude_unset=True),
        "metadata": {"case": case.id, "category": case.category, "lang": case.lang},
    }


def _example_id(dataset: Dataset, case: Case) -> UUID:
    """The same in every run: a case is one example however often it is scored."""
    return uuid5(UUID(str(dataset.id)), case.id)


def _inputs(case: Case) -> dict[str, Any]:
    asked = case.model_dump(mode="json", include={"text", "reference_date", "country", "settings", "history"})
    return _masked({name: value for name, value in asked.items() if value})


def _run(client: Client, dataset: Dataset, experiment: TracerSession, result: CaseResult) -> None:
    run_id, started = uuid4(), datetime.fromtimestamp(result.started_at, UTC)
    client.create_run(
        result.case.id,
        _inputs(result.case),
        "chain",
        id=run_id,
        trace_id=run_id,
        dotted_order=f"{started:%Y%m%dT%H%M%S%fZ}{run_id}",
        project_name=experiment.name,
        reference_example_id=_example_id(dataset, result.case),
        start_time=started,
        end_time=started + timedelta(seconds=result.elapsed_s),
        outputs=_outputs(result),
        error=result.seen.error if result.seen else None,
        extra={"metadata": {"category": result.case.category, "planner": result.planner}},
    )
    if result.verdict in ("passed", "failed"):
        client.create_feedback(
            run_id,
            PASSED,
            score=int(result.verdict == "passed"),
            comment="\n".join(result.score.failures) or None,
            session_id=experiment.id,
            start_time=started,
        )


def _outputs(result: CaseResult) -> dict[str, Any]:
    seen = result.seen
    outputs = {"outcome": seen.outcome, "answer": seen.answer} if seen else {}
    figures = {"calls": result.calls, "failures": list(result.score.failures), "llm_tokens": dict(result.llm_tokens)}
    return _masked(outputs | figures)


def _masked(content: dict[str, Any]) -> dict[str, Any]:
    masked: dict[str, Any] = mask_json(content)
    return masked


def _bare(text: str) -> str:
    """An error's text in one line."""
    return shortened(" ".join(text.split()), LONGEST_REASON)
