"""A text as a chat model streams it, so that a watcher of LangGraph's message stream sees it while it is written."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Any
from uuid import uuid4

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from wavegraph.graph._langgraph import is_watched


class Spoken(BaseChatModel):
    """Streams pieces of text that somebody else writes, under one message id. It is called once, without a prompt.

    LangGraph's message stream shows the tokens of chat models and nothing else. The model that writes is hidden from it, and
    this one streams what may be shown of its text. It is awaited, not streamed: then both of LangGraph's protocols see the
    tokens; the newer one sees none of a model that its node streams.
    """

    pieces: Any
    """An async iterator of texts."""
    message_id: str
    cache: bool | None = False
    """Also where the process caches its models' answers: all of these have the same empty prompt."""

    @property
    def _llm_type(self) -> str:
        return "spoken"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        raise NotImplementedError("it can only be awaited")

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        text = "".join([piece async for piece in self.pieces])
        return ChatResult(generations=[ChatGeneration(message=AIMessage(content=text, id=self.message_id))])

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        async for piece in self.pieces:
            yield self._chunk(piece)
        yield self._chunk("", chunk_position="last")  # without it LangChain adds one under another id

    def _chunk(self, text: str, **more: Any) -> ChatGenerationChunk:
        return ChatGenerationChunk(message=AIMessageChunk(content=text, id=self.message_id, **more))


class Speech(AbstractAsyncContextManager["Speech", None]):
    """One message that is streamed piece by piece within `async with`; at its end every watcher has all of it.

    Nothing is sent before the first piece, so an answer that never came leaves no empty message. Nothing is sent at all where
    nobody follows the run, and nothing of one that is `hidden`.
    """

    def __init__(self, *, hidden: bool) -> None:
        self._run_id = uuid4()
        self.message_id = f"lc_run--{self._run_id}"  # what both protocols call the message of a run of that id
        self.hidden = hidden
        self._pieces: asyncio.Queue[str | None] = asyncio.Queue()
        self._speaking: asyncio.Task[Any] | None = None

    def say(self, piece: str) -> None:
        if self.hidden or not is_watched():
            return
        if self._speaking is None and piece:
            spoken = Spoken(pieces=self._queued_pieces(), message_id=self.message_id)
            self._speaking = asyncio.create_task(spoken.ainvoke([], {"run_id": self._run_id}))
        self._pieces.put_nowait(piece)

    async def __aexit__(self, *_: object) -> None:
        if self._speaking is not None:
            self._pieces.put_nowait(None)
            await self._speaking

    async def _queued_pieces(self) -> AsyncIterator[str]:
        while (piece := await self._pieces.get()) is not None:
            yield piece
