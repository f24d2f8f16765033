"""A text as a chat model streams it, so that a watcher of LangGraph's message stream sees it while it is written."""

from collections.abc import AsyncIterator
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult


class Spoken(BaseChatModel):
    """Streams pieces of text that others make, under one message id; asked nothing, and streamed once.

    LangGraph takes the tokens of chat models for its message stream and nothing else. The model that writes is tagged
    `nostream`; what a gate releases of its text is streamed by this one.
    """

    pieces: Any
    """An async iterator of texts."""
    message_id: str

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
        raise NotImplementedError("it can only be streamed")

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
