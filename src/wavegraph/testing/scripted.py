"""A scripted chat model and planner: each call returns the next reply that a test wrote down."""

import json
from collections.abc import Callable, Mapping, Sequence
from inspect import isawaitable
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult, LLMResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from wavegraph.graph.state import PlanningResult
from wavegraph.graph.views import PlanningView


class Unscripted(BaseException):
    """A call came for which the script has no reply.

    Not an Exception: an agent goes on where a model fails, and the test would pass.
    """


class _Script:
    """Replies in order: each as it is, an exception raised, a function called with what was asked."""

    def __init__(self, replies: Sequence[Any]) -> None:
        self._left = list(replies)
        self._given = 0

    @property
    def is_over(self) -> bool:
        return not self._left

    def refuse_if_over(self) -> None:
        if self.is_over:
            raise Unscripted(f"a call that nobody scripted: the script is over after {self._given} replies")

    def next(self, asked: Any) -> Any:
        self.refuse_if_over()
        reply = self._left.pop(0)
        self._given += 1
        made = reply(asked) if callable(reply) else reply
        if isinstance(made, BaseException):
            raise made
        return made

    def assert_complete(self) -> None:
        assert not self._left, f"{len(self._left)} scripted replies were never asked for"


class ScriptedModel(BaseChatModel):
    """A chat model that gives its replies in order.

        model = ScriptedModel(planning(call("find", "find_book", title="Emma")), "Two copies are free.")

    A reply is a text, a mapping (JSON, or the arguments of the function that the model is bound to: so structured output
    gets it by either method), an `AIMessage`, an exception to raise, or a function of the messages that makes one of
    these. A plan whose calls do not say which pieces of the request they serve serves them all. The engine falls back to the
    domain's rules if a model fails. At a call that nobody scripted it does not: the run ends with `Unscripted`, and so does
    the test. A model is also asked to judge answers, unless the setting `answer_check` is `rules`.
    """

    calls_tools: bool = True
    """Off: a model without function calling, which reads the schema in its instructions."""
    _script: _Script = PrivateAttr()
    _heard: list[list[BaseMessage]] = PrivateAttr(default_factory=list)
    _tools: list[dict[str, Any]] = PrivateAttr(default_factory=list)

    def __init__(self, *replies: Any, **fields: Any) -> None:
        super().__init__(**fields)
        self._script = _Script(replies)

    @property
    def heard(self) -> Sequence[Sequence[BaseMessage]]:
        """The messages of each call so far."""
        return self._heard

    @property
    def tools(self) -> Sequence[Mapping[str, Any]]:
        """The functions it was bound to so far, as OpenAI writes them."""
        return self._tools

    def assert_complete(self) -> None:
        """Raises AssertionError if replies are left."""
        self._script.assert_complete()

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self._heard.append(messages)
        reply = _accounted(self._script.next(messages), str(messages[-1].text))
        message = _message(reply, kwargs.get("tools") or ())
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def agenerate(self, *args: Any, **kwargs: Any) -> LLMResult:
        self._script.refuse_if_over()  # within, LangChain makes another error of what is no Exception
        return await super().agenerate(*args, **kwargs)

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        if not self.calls_tools:
            raise NotImplementedError("a model without function calling")
        bound = [convert_to_openai_tool(tool) for tool in tools]
        self._tools.extend(bound)
        return self.bind(tools=bound)


def _accounted(reply: Any, asked: str) -> Any:
    """The reply; a plan whose calls and forms do not say what of the request they serve, with all of it."""
    if not isinstance(reply, Mapping) or not isinstance(calls := reply.get("tools"), list):
        return reply
    _, _, behind = asked.partition("<pieces>\n")
    pieces = behind.partition("\n</pieces>")[0]
    every = list(range(1, len(json.loads(pieces) if pieces else "1") + 1))
    forms = reply.get("reply")
    served = {"tools": _served(calls, every), "reply": _served(forms, every) if isinstance(forms, list) else forms}
    return {"context": [], **reply, **served}


def _served(parts: list[Any], every: list[int]) -> list[Any]:
    return [{"serves": every, **part} if isinstance(part, Mapping) else part for part in parts]


def _message(reply: Any, tools: Sequence[Mapping[str, Any]]) -> AIMessage:
    if not isinstance(reply, Mapping):
        return reply if isinstance(reply, AIMessage) else AIMessage(reply)
    if not tools:
        return AIMessage(json.dumps(reply, ensure_ascii=False))
    return AIMessage("", tool_calls=[{"name": tools[0]["function"]["name"], "args": dict(reply), "id": "scripted"}])


class ScriptedPlanner:
    """A planner that gives its plans in order, then what `then` makes of each view.

    In the place of a plan: an exception to raise, or a function of the view (it may be async) that makes the plan. One
    call more than there are plans raises `Unscripted`; where plans are left, `assert_complete` raises AssertionError.
    """

    name = "script"

    def __init__(self, *plans: Any, then: Callable[[PlanningView], PlanningResult] | None = None) -> None:
        self._script = _Script(plans)
        self._then = then
        self.views: list[PlanningView] = []
        """The views it was given, call by call."""

    async def plan(self, view: PlanningView) -> PlanningResult:
        self.views.append(view)
        if self._then and self._script.is_over:
            return self._then(view)
        made = self._script.next(view)
        made = await made if isawaitable(made) else made
        if isinstance(made, BaseException):
            raise made
        return made  # type: ignore[no-any-return]

    def assert_complete(self) -> None:
        self._script.assert_complete()
