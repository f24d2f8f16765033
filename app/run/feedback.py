"""A person's verdict on an answer: kept with the thread's last closed request, and sent to LangSmith."""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args
from uuid import UUID, uuid5

from langchain_core.tracers.langchain import get_client
from langgraph.store.base import BaseStore
from langsmith import Client
from langsmith.utils import LangSmithError, LangSmithNotFoundError, get_tracer_project, tracing_is_enabled

from wavegraph.app.run.threads import items_of, now
from wavegraph.graph._langgraph import masked_outputs
from wavegraph.graph.background import in_own_thread
from wavegraph.graph.errors import WavegraphError
from wavegraph.graph.guard.cards import mask
from wavegraph.graph.request.records import PersonsVerdict, records_of
from wavegraph.graph.secrets.scrubber import process


class BadVerdict(WavegraphError):
    """An unknown verdict, or a reason that is too long."""


class NothingToJudge(WavegraphError):
    """The thread has no answered request."""


logger = logging.getLogger("wavegraph")

Verdict = Literal["good", "bad"]
LONGEST_WHY = 2000
"""Characters."""
KEY = "user_verdict"
"""Its name in LangSmith."""
POSTED_WITHIN_S = 10.0
"""How long to wait for LangSmith; the post continues after that."""


@dataclass(frozen=True, kw_only=True)
class StoredFeedback:
    """A verdict that was stored."""

    thread_id: str
    request: str
    """The text it is about."""
    feedback: PersonsVerdict
    posted: bool | None
    """Whether LangSmith has it; None = the request was not traced, or this process does not trace."""


async def give_feedback(store: BaseStore, thread_id: str, verdict: str, why: str = "") -> StoredFeedback:
    """Keep a person's verdict with the thread's last closed request; an earlier one is replaced.

    Raises BadVerdict, and NothingToJudge where the thread has no closed request (or is unknown).
    """
    return await keep_verdict(store, thread_id, persons_verdict(verdict, why))


async def keep_verdict(store: BaseStore, thread_id: str, feedback: PersonsVerdict) -> StoredFeedback:
    """The same for a verdict that is a record already. Raises NothingToJudge."""
    records = await closed_requests(store, thread_id)
    key = _last_closed(records, thread_id)
    await store.aput(records_of(thread_id), key, {**records[key], "feedback": feedback}, index=False)
    return await _sent(thread_id, records[key], feedback)


def persons_verdict(verdict: Any, why: Any) -> PersonsVerdict:
    """The record of a verdict, card numbers in its reason masked. Raises BadVerdict."""
    if verdict not in get_args(Verdict):
        raise BadVerdict(f"verdict {verdict!r}: expected one of {', '.join(get_args(Verdict))}")
    if not isinstance(why, str):
        raise BadVerdict(f"why {why!r}: expected text")
    if len(why) > LONGEST_WHY:
        raise BadVerdict(f"why has {len(why)} characters: expected at most {LONGEST_WHY}")
    return {"verdict": verdict, "why": mask(why.strip()), "given_at": now()}


async def closed_requests(store: BaseStore, thread_id: str) -> dict[str, dict[str, Any]]:
    """The records of a thread's closed requests, by the id of the message that asked."""
    return {item.key: item.value for item in await items_of(store, records_of(thread_id))}


def _last_closed(records: Mapping[str, Mapping[str, Any]], thread_id: str) -> str:
    """The key of the last of a thread's closed requests. Raises NothingToJudge."""
    if not records:
        raise NothingToJudge(f"thread {thread_id!r} has no answered request to judge")
    return max(records, key=lambda key: (records[key]["request"]["number"], records[key].get("ended_at", "")))


async def _sent(thread_id: str, record: Mapping[str, Any], feedback: PersonsVerdict) -> StoredFeedback:
    """Post a verdict to LangSmith if its request was traced and this process traces; `record`: as it was before."""
    run_id, posted = record.get("run_id"), None
    if run_id and tracing_is_enabled() is True:
        posted = await _is_posted(UUID(run_id), feedback, replaces=bool(record.get("feedback")))
    return StoredFeedback(thread_id=thread_id, request=record["request"]["text"], feedback=feedback, posted=posted)


async def _is_posted(run_id: UUID, feedback: PersonsVerdict, *, replaces: bool) -> bool:
    try:
        posting = in_own_thread(partial(_post, run_id, feedback, replaces), "wavegraph-feedback")
        await asyncio.wait_for(posting, POSTED_WITHIN_S)
    except TimeoutError:
        logger.warning("feedback is not posted to LangSmith yet: no reply within %g s", POSTED_WITHIN_S)
    except Exception as error:  # noqa: BLE001  a client may raise anything; its text may quote what was sent
        logger.warning("feedback is not posted to LangSmith: %s", type(error).__name__)
    else:
        return True
    return False


def _post(run_id: UUID, feedback: PersonsVerdict, replaces: bool) -> None:
    client, own_id, good = get_client(), uuid5(run_id, KEY), int(feedback["verdict"] == "good")
    # The reason may quote the answer: it is masked as a run's output is.
    why = masked_outputs(client, {"comment": feedback["why"]}).get("comment") if feedback["why"] else None
    comment = process.scrub(why) if isinstance(why, str) else None
    if replaces:
        with suppress(LangSmithNotFoundError):
            client.update_feedback(own_id, score=good, comment=comment or "")
            return
    client.create_feedback(
        run_id,
        KEY,
        score=good,
        comment=comment,
        source_info={"given_at": feedback["given_at"]},
        feedback_id=own_id,
        session_id=_project_id(client),
        stop_after_attempt=1,
    )


def _project_id(client: Client) -> UUID | None:
    """By which LangSmith finds the run sooner; None if it cannot be read."""
    with suppress(LangSmithError):
        return UUID(str(client.read_project(project_name=get_tracer_project()).id))
    return None
