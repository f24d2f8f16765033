"""Keeps this program's own databases small: the steps of finished requests are deleted.

That applies to databases opened with `open_storage`; other checkpointers are left as they are.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, ChannelVersions, Checkpoint, CheckpointMetadata

MESSAGES = "messages"
"""The only channel of which a checkpoint stores just what is new (`graph.state.Messages`)."""
CLOSED = "closed"
"""Marks a request's last checkpoint, in its metadata."""


class CheckpointRow(NamedTuple):
    """What pruning needs to know of one checkpoint."""

    id: str
    parent: str | None
    is_base: bool
    """Whether later messages are counted from here: it holds all of them, or those of another kind of channel."""
    is_closed: bool
    """Whether a request ended here."""


class Pruning(NamedTuple):
    gone: dict[str, str]
    """Ids of checkpoints that are no longer needed, with those that take over their new messages."""
    parents: dict[str, str]
    """New parents, by id, of checkpoints whose parent is gone."""


def closes_request(namespace: str, checkpoint: Checkpoint) -> bool:
    """Whether this checkpoint is the last of a request: its last step set the outcome."""
    is_news = "outcome" in (checkpoint.get("updated_channels") or ())
    return namespace == "" and is_news and checkpoint["channel_values"].get("outcome") is not None


def superseded(steps: Sequence[CheckpointRow], closed: str) -> Pruning:
    """What to delete when the request that ends in `closed` is finished: all after the previous request's end.

    The last checkpoint of each finished request stays. New messages are stored with the checkpoint before them: those
    of a deleted checkpoint move to the nearest that stays. Nothing is deleted if a branch starts among them, unless
    the branch holds all its messages itself.
    """
    known = {step.id: step for step in steps}
    way = _way(closed, known)
    kept = [n for n, step in enumerate(way) if step.is_base or step.is_closed or n == len(way) - 1]
    gone = {step.id: way[next(k for k in kept if k > n)].id for n, step in enumerate(way) if n not in kept}
    passed = {closed, *(step.id for step in way)}
    branches = [s for s in steps if s.id not in passed and (s.parent in gone or s.parent in gone.values())]
    if not all(branch.is_base for branch in branches):
        return Pruning({}, {})
    return Pruning(gone, {s.id: gone[s.parent] for s in steps if s.id not in gone and s.parent in gone})


def _way(closed: str, known: Mapping[str, CheckpointRow]) -> list[CheckpointRow]:
    """The ancestors of `closed`, nearest first, back to the end of the previous request."""
    way: list[CheckpointRow] = []
    step = known.get(closed)
    while step and (step := known.get(step.parent or "")) and step not in way:
        way.append(step)
        if step.is_closed:
            break
    return way


class ForgetfulSaver(BaseCheckpointSaver[str]):
    """A mixin for LangGraph's savers: deletes the steps of a request once it is finished."""

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        if not closes_request(config["configurable"].get("checkpoint_ns", ""), checkpoint):
            return await super().aput(config, checkpoint, metadata, new_versions)
        marked: Any = {**metadata, CLOSED: True}
        saved = await super().aput(config, checkpoint, marked, new_versions)
        await self._prune(str(config["configurable"]["thread_id"]), checkpoint["id"])
        return saved

    async def _prune(self, thread: str, closed: str) -> None:
        """Delete what the checkpoint `closed` supersedes, in the SQL of the database."""
        raise NotImplementedError
