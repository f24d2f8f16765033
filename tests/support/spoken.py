"""Chat models that say what a test wrote down, as models of other providers do: with tools, and without."""

from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from pydantic import PrivateAttr


class Plain(BaseChatModel):
    """Says what is scripted, as text; it knows no tools."""

    _says: Iterator[Any] = PrivateAttr()
    _heard: list[list[BaseMessage]] = PrivateAttr(default_factory=list)

    def __init__(self, *says: Any, **fields: Any) -> None:
        super().__init__(**fields)
        self._says = iter(says)

    @property
    def _llm_type(self) -> str:
        return "plain"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self._heard.append(messages)
        said = next(self._says)
        if isinstance(said, BaseException):
            raise said
        message = said if isinstance(said, AIMessage) else AIMessage(said)
        return ChatResult(generations=[ChatGeneration(message=message)])


class Caller(Plain):
    """The same, with function calling."""

    _tools: list[Any] = PrivateAttr(default_factory=list)

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        self._tools.extend(tools)
        return self.bind(tools=tools)
