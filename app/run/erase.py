"""Erases a guest, or one conversation, everywhere: what there is is found first, then erased, then searched for."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from typing import Any, Protocol

from langchain_core.messages import BaseMessage

from wavegraph.app.run.contact import Contact
from wavegraph.app.storage.traces import Needle
from wavegraph.graph.errors import WavegraphError


class Unfinished(WavegraphError):
    """The thread has a request that is running, or was cut off."""


SHORTEST_MESSAGE = 16
"""Characters from which a message is searched for afterwards: others may have said a shorter one too."""
CONTACT_KINDS = ("e-mail", "phone")


@dataclass(frozen=True, kw_only=True)
class Item:
    """Something that an agent keeps of a guest outside of conversations."""

    what: str
    """What it is, for the person who erases it."""
    becomes: str
    """What happens to it; and until when which part of it is kept, and why."""
    texts: Sequence[Needle] = ()
    """The personal data in it."""
    key: Any = None
    """By which its keeper finds it again."""


@dataclass(frozen=True, kw_only=True)
class Left:
    """A place that still holds a text of the guest's."""

    what: str
    where: str
    thread_id: str | None = None
    """The other conversation that holds it; None = it should be gone."""


class GuestData(Protocol):
    """What one kind of agent keeps of guests (`AgentEntry.erasure` names a function that makes it)."""

    async def find(self, threads: Mapping[str, Sequence[Any]], contact: Contact | None) -> Sequence[Item]:
        """What these threads made, and what is the contact's. `threads`: by id, all values that are stored of each."""
        ...

    async def erase(self, items: Sequence[Item]) -> None:
        """Erase them; erasing again what is gone already does nothing."""
        ...

    async def left(self, needles: Sequence[Needle], items: Sequence[Item]) -> Sequence[Left]:
        """Where the texts are still found, but for what is kept of `items` on purpose."""
        ...


@dataclass(frozen=True)
class Unloadable:
    """Stands in for an agent that cannot be loaded: what it keeps is left."""

    error: Exception

    async def find(self, threads: Mapping[str, Sequence[Any]], contact: Contact | None) -> Sequence[Item]:
        return []

    async def erase(self, items: Sequence[Item]) -> None:
        pass

    async def left(self, needles: Sequence[Needle], items: Sequence[Item]) -> Sequence[Left]:
        return [Left(what="whatever it keeps", where=str(self.error))]


class Conversations(Protocol):
    """Where conversations are kept."""

    async def naming(self, contact: Contact) -> list[str]:
        """Ids of the threads in which the contact is named."""
        ...

    async def values(self, thread_id: str) -> list[Any]:
        """All values stored of a thread; empty = it is unknown."""
        ...

    async def records(self, thread_id: str) -> list[Mapping[str, Any]]:
        """The records of its closed requests."""
        ...

    async def is_unfinished(self, thread_id: str) -> bool:
        """Whether a request of the thread is running, or was cut off."""
        ...

    async def erase(self, thread_ids: Collection[str]) -> None:
        """Delete all that is stored of the threads; erasing again what is gone already does nothing. Raises ThreadBusy."""
        ...

    async def left(self, needles: Sequence[Needle], thread_ids: Collection[str]) -> Sequence[Left]:
        """Where the texts, or anything else of these threads, is still found."""
        ...


@dataclass(frozen=True, kw_only=True)
class Erasure:
    """What would be erased."""

    threads: Mapping[str, int]
    """Ids of the conversations, with how many messages each has."""
    items: Mapping[int, Sequence[Item]]
    """By the number of the agent that keeps them."""
    needles: Sequence[Needle]
    """What is searched for afterwards."""
    langsmith_runs: Sequence[str]
    """Ids of the runs that were traced: LangSmith's copies are erased there."""
    unfinished: Sequence[str] = field(default_factory=list)
    """Conversations with a request that is running, or was cut off."""

    @property
    def all_items(self) -> list[Item]:
        return [item for items in self.items.values() for item in items]

    @property
    def is_empty(self) -> bool:
        return not self.threads and not self.all_items


async def find(
    conversations: Conversations, keepers: Sequence[GuestData], *, threads: Iterable[str] = (), guest: str | None = None
) -> Erasure:
    """What is stored of these threads, and of the guest with this e-mail address or phone number. Raises BadContact."""
    contact = Contact.of(guest) if guest else None
    names = dict.fromkeys([*threads, *(await conversations.naming(contact) if contact else ())])
    values = {name: await conversations.values(name) for name in names}
    records = [record for name in names for record in await conversations.records(name)]
    items = {number: await keeper.find(values, contact) for number, keeper in enumerate(keepers)}
    messages = {name: _messages(found) for name, found in values.items() if found}
    texts = [Needle("a message", text) for said in messages.values() for text in said.values()]
    own = [needle for found in items.values() for item in found for needle in item.texts]
    asked = [Needle("e-mail" if contact.is_address else "phone", str(guest).strip())] if contact else []
    return Erasure(
        threads={name: len(messages.get(name, ())) for name in names if values[name] or name in messages},
        items=items,
        needles=list(dict.fromkeys([*asked, *own, *(each for each in texts if len(each.text) >= SHORTEST_MESSAGE)])),
        langsmith_runs=[str(record["run_id"]) for record in records if record.get("run_id")],
        unfinished=[name for name in names if await conversations.is_unfinished(name)],
    )


async def erase(
    conversations: Conversations,
    keepers: Sequence[GuestData],
    erasure: Erasure,
    *,
    threads: Iterable[str] = (),
    unfinished: bool = False,
) -> list[Left]:
    """Erase what was found, then search for it; the result is what is still there.

    Conversations go last, since they lead to the rest: after a crash in between, the same call finds it again.
    `threads`: more threads to make sure of. `unfinished`: also those whose last request did not end.
    Raises Unfinished, ThreadBusy.
    """
    if erasure.unfinished and not unfinished:
        raise Unfinished(
            f"thread {erasure.unfinished[0]!r} has a request that is running, or was cut off: stop it, or let it end; "
            "if nothing works on it any more, erase it with --unfinished"
        )
    names = list(dict.fromkeys([*threads, *erasure.threads]))
    for number, keeper in enumerate(keepers):
        await keeper.erase(erasure.items.get(number, ()))
    await conversations.erase(names)
    left = list(await conversations.left(erasure.needles, names))
    for number, keeper in enumerate(keepers):
        left += await keeper.left(erasure.needles, erasure.items.get(number, ()))
    return list(dict.fromkeys(left))


def record(found: Erasure, left: Sequence[Left], *, erased: bool) -> dict[str, Any]:
    """The report of an erasure, as JSON."""
    return {
        "erased": erased,
        "threads": list(found.threads),
        "items": [{"what": item.what, "becomes": item.becomes} for item in found.all_items],
        "left": [asdict(each) for each in left],
        "langsmith_runs": list(found.langsmith_runs),
    }


def _messages(values: Sequence[Any]) -> dict[str, str]:
    """What the person said, by id of the message."""
    said = [each for each in parts(values) if isinstance(each, Mapping) and each.get("type") == "human"]
    return {
        str(each.get("id")): "".join(part for part in parts(each.get("content")) if isinstance(part, str))
        for each in said
        if "content" in each
    }


def parts(value: Any) -> Iterator[Any]:
    """Every record, message and text in a stored value, at any depth."""
    if isinstance(value, str | BaseMessage):
        yield value
    if isinstance(value, BaseMessage):
        value = value.model_dump()
    if isinstance(value, Mapping):
        yield value
        yield from (part for key, inner in value.items() for part in (*parts(key), *parts(inner)))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (part for inner in value for part in parts(inner))
    elif is_dataclass(value) and not isinstance(value, type):
        yield from (part for each in fields(value) for part in parts(getattr(value, each.name, None)))
    elif hasattr(value, "__dict__") or hasattr(value, "__slots__"):
        yield repr(value)


def names(value: Any, contact: Contact) -> bool:
    """Whether a stored value names the contact."""
    return any(contact.is_in(part) for part in parts(value) if isinstance(part, str))
