"""LangSmith: the traced run of a request, and the feedback posted about it.

One background thread posts. Only the end of the process waits for it, and only briefly; what cannot be posted is
logged, and the answer does not change.
"""

import atexit
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from queue import Full, Queue
from threading import Thread
from typing import Any, Literal
from uuid import UUID, uuid5

from langchain_core.callbacks import BaseCallbackManager
from langchain_core.tracers.langchain import LangChainTracer, get_client
from langgraph.config import get_config
from langsmith import Client
from langsmith.utils import (
    LangSmithConnectionError,
    LangSmithError,
    LangSmithNotFoundError,
    get_tracer_project,
    tracing_is_enabled,
)

from wavegraph.graph._langgraph import UNTRACED, masked_outputs, pass_posts_through
from wavegraph.graph.secrets.scrubber import process
from wavegraph.graph.state import AnswerCheck, AnswerFailure

logger = logging.getLogger("wavegraph")

AT_EXIT_S = 5.0
"""How long the end of the process waits for unposted feedback."""
MOST_WAITING = 200
"""Posts in the queue; more are dropped, with a warning."""
ATTEMPTS = 3
"""Tries of one post: LangSmith may not know a run that began a moment ago."""
PAUSE_S = 1.0
"""Before a new project is looked up again: it appears with its first run."""

DEFAULT_PROJECT = "default"
"""Where LangSmith keeps runs that name no project."""

Source = Literal["api", "model"]
"""LangSmith's word for who judged: a program or a person, or a model."""


_Job = tuple[Callable[[], None], "Future[bool]"]


@dataclass(frozen=True)
class TracedRun:
    """The root run of a trace, and where it is traced to."""

    client: Client
    run_id: UUID
    project: str


@dataclass(frozen=True)
class FeedbackScore:
    """One feedback on a run. A key has one score on a run."""

    key: str
    score: int
    """1 = good, 0 = bad."""
    comment: str | None
    about: Mapping[str, Any] = field(default_factory=dict)
    """Metadata of the score's source."""
    source: Source = "api"
    replaces: bool = False
    """Whether the run had a score of this key before."""


def traced_run() -> TracedRun | None:
    """The trace that the running node is part of; None if nothing is traced. Call inside a node."""
    callbacks = get_config().get("callbacks")
    if not isinstance(callbacks, BaseCallbackManager):
        return None
    for tracer in callbacks.handlers:
        if isinstance(tracer, LangChainTracer) and (run := tracer.run_map.get(str(callbacks.parent_run_id))):
            is_kept = not run.extra.get(UNTRACED)
            return TracedRun(tracer.client, run.trace_id, run.session_name or DEFAULT_PROJECT) if is_kept else None
    return None


def guard_traces() -> None:
    """Have the secrets of this process removed from all that the running trace's client posts. Call inside a node."""
    callbacks = get_config().get("callbacks")
    for tracer in callbacks.handlers if isinstance(callbacks, BaseCallbackManager) else ():
        if isinstance(tracer, LangChainTracer):
            pass_posts_through(tracer.client, process)


def earlier_run(run_id: str) -> TracedRun | None:
    """A run by the id in its record; None if this process does not trace."""
    if tracing_is_enabled() is not True:
        return None
    return TracedRun(get_client(), UUID(run_id), get_tracer_project() or DEFAULT_PROJECT)


def scores(check: AnswerCheck, attempt: int, failures: Sequence[AnswerFailure]) -> list[FeedbackScore]:
    """The verdict on the answer that went out, a score per criterion; the comment says what every attempt lacked."""
    by_rules = check["checked_by"] in ("rules", "unavailable")
    about = {"attempt": attempt, "checked_by": check["checked_by"]}
    return [
        FeedbackScore(
            key=f"answer_{criterion['name']}",
            score=int(criterion["verdict"] == "pass"),
            comment="; ".join(
                f"attempt {each['attempt']}: {each['gap']}"
                for each in failures
                if each["criterion"] == criterion["name"]
            )
            or criterion["gap"],
            about=about,
            source="api" if by_rules else "model",
        )
        for criterion in {each["name"]: each for each in check["criteria"]}.values()
    ]


def post(run: TracedRun, found: Sequence[FeedbackScore]) -> "Future[bool]":
    """Queue scores for posting; the future says whether they were posted. Returns at once and never raises."""
    return _queued(partial(_post, run, found))


def flush(timeout_s: float) -> bool:
    """Wait until everything queued so far is posted or given up; whether that happened in time."""
    try:
        return _queued(lambda: None).result(timeout_s)
    except TimeoutError:
        return False


def _post(run: TracedRun, found: Sequence[FeedbackScore]) -> None:
    try:
        project_id = _project_id(run.client, run.project)
    except LangSmithConnectionError:
        raise
    except LangSmithError:  # the id cannot be read: the run is found without it
        project_id = None
    for score in found:
        own_id, comment = uuid5(run.run_id, score.key), _masked_comment(run.client, score.comment)
        if score.replaces:
            with suppress(LangSmithNotFoundError):
                run.client.update_feedback(own_id, score=score.score, comment=comment or "")
                continue
        run.client.create_feedback(
            run.run_id,
            score.key,
            score=score.score,
            comment=comment,
            source_info=dict(score.about),
            feedback_source_type=score.source,
            feedback_id=own_id,
            session_id=project_id,
            stop_after_attempt=ATTEMPTS,
        )


def _masked_comment(client: Client, comment: str | None) -> str | None:
    """The comment, masked like a run's output, since it quotes the answer."""
    masked = masked_outputs(client, {"comment": comment}).get("comment") if comment else None
    return process.scrub(masked) if isinstance(masked, str) else None


@lru_cache(maxsize=4)
def _project_id(client: Client, project: str) -> UUID:
    """LangSmith finds a run by its project's id. Raises LangSmithError."""
    for _ in range(1, ATTEMPTS):
        with suppress(LangSmithNotFoundError):
            return UUID(str(client.read_project(project_name=project).id))
        client.flush(timeout=PAUSE_S)
        time.sleep(PAUSE_S)
    return UUID(str(client.read_project(project_name=project).id))


def _queued(job: Callable[[], None]) -> "Future[bool]":
    done: Future[bool] = Future()
    try:
        _jobs(os.getpid()).put_nowait((job, done))
    except Full:
        logger.warning("feedback is not posted to LangSmith: %d posts wait already", MOST_WAITING)
        done.set_result(False)
    return done


@cache
def _jobs(process: int) -> "Queue[_Job]":
    """What a process has to post; a thread works it off. A forked child inherits no thread and gets its own. Not an executor's:
    Python would wait for that at exit, however long it takes."""
    jobs: Queue[_Job] = Queue(MOST_WAITING)
    Thread(target=_work, args=(jobs,), name="wavegraph-feedback", daemon=True).start()
    atexit.register(flush, AT_EXIT_S)  # only now: at the end it comes before the client's own way out
    return jobs


def _work(jobs: "Queue[_Job]") -> None:
    while True:
        job, done = jobs.get()
        try:
            job()
        except Exception as error:  # noqa: BLE001  a client may raise anything; its text may quote what was sent
            logger.warning("feedback is not posted to LangSmith: %s", type(error).__name__)
            done.set_result(False)
        else:
            done.set_result(True)
