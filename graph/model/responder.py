"""A language model as responder, over any chat model: it writes the answer, and fills in the form that a caller wants of it."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from functools import cached_property
from typing import Any
from uuid import uuid4

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.errors import GraphBubbleUp

from wavegraph.graph._langgraph import UNHEARD, is_watched, unheard_pieces
from wavegraph.graph.answer.gate import Gate
from wavegraph.graph.answer.replies import remarks_of, with_remarks
from wavegraph.graph.answer.statements import Catalogue
from wavegraph.graph.dialogue.last_resort import LastResort
from wavegraph.graph.domain import Domain, Draft, ResponseForm
from wavegraph.graph.errors import ModelUnavailable, PlanError, UnusableAnswer, kind_of_fault, logger
from wavegraph.graph.guard.replies import catalogue_for
from wavegraph.graph.model.calls import (
    SHARE_OF_TIME,
    Form,
    bad_output,
    has_ended,
    repeats,
    why_withheld,
    with_retries,
    with_second_try,
    without_thoughts,
)
from wavegraph.graph.model.clients import Models, model_name, system_message
from wavegraph.graph.model.lessons import with_lessons
from wavegraph.graph.model.prompt_blocks import (
    blocks,
    calls_shown,
    conversation_of,
    decisions_of,
    json_texts,
    last_answer,
    latest_messages,
    not_done,
    now_asked,
    orders_in,
    results_shown,
    tagged,
    weekdays_of,
    with_blocks,
)
from wavegraph.graph.references.declared_values import as_meant
from wavegraph.graph.references.shapes import options_of
from wavegraph.graph.settings import request_settings
from wavegraph.graph.tracing.untraced import unheld
from wavegraph.graph.views import AnswerView
from wavegraph.prompts import render

# A text as a chat model streams it, so that a watcher of LangGraph's message stream sees it while it is written


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


_DATA = re.compile(r"(?:```\w*\s*)?(?!\{\{\s*\w)[\[{]\s*[\"{}\[\]]")
"""How JSON begins, but no sentence does, nor the id of a statement."""


# The answer


class LlmResponder:
    """Answers with a model from results only, streamed; a rewrite is not streamed.

    For a domain with statements the model writes their ids, and a gate releases its text sentence by sentence.
    """

    name = "llm"

    def __init__(self, domain: Domain, models: Models) -> None:
        self._domain = domain
        self._models = models

    @cached_property
    def instructions(self) -> str:
        """Without lessons."""
        own = self._domain.prompts.get("respond", "")
        if self._domain.catalogue is not None:
            return render("respond_by_id", domain=own)
        sources = render("respond_strict" if self._domain.figures == "strict" else "respond_checked")
        return render("respond", domain=own, sources=sources, form=_form_of_answer(self._domain))

    async def respond(self, view: AnswerView) -> Draft:
        """Raises ModelUnavailable for a model that stays down, UnusableAnswer for one that gives no complete answer in words,
        PlanError for an answer that its client withheld.
        """
        if self._domain.catalogue is None:
            return await self._free_draft(view)
        return await self._draft_of_statements(view, await asyncio.to_thread(catalogue_for, self._domain, view))

    async def _free_draft(self, view: AnswerView) -> Draft:
        async def once() -> Draft:
            """Text that was streamed once is not streamed again under another id: a later text replaces it."""
            async with Speech(hidden=bool(view.meter.streamed_id) or _is_hidden(view)) as speech:
                written = await self._message_of_model(
                    answer_message(view), view, lambda piece: _say(piece, speech, view)
                )
            return Draft(self._answer_in(written), speech.message_id)

        return await with_retries(once, settings=view.settings, within_s=view.remaining_s * SHARE_OF_TIME)

    async def _draft_of_statements(self, view: AnswerView, catalogue: Catalogue) -> Draft:
        """Once something was released, a fault costs only what the model did not say: the rest is told without it."""
        gate = Gate(catalogue, may_ask=not view.question_follows)
        async with Speech(hidden=_is_hidden(view)) as speech:

            async def once() -> None:
                nonlocal gate
                if gate.text:
                    return
                gate = Gate(catalogue, may_ask=not view.question_follows)
                message = statements_message(view, catalogue)
                written = await self._message_of_model(
                    message, view, lambda piece: _say(gate.feed(piece), speech, view)
                )
                _say(gate.rest(), speech, view)
                if not gate.text:
                    self._answer_in(written)

            try:
                await with_retries(once, settings=view.settings, within_s=view.remaining_s * SHARE_OF_TIME)
            except (ModelUnavailable, PlanError) as error:
                if not gate.text:
                    raise
                logger.warning("the answer goes on without the model: %s", kind_of_fault(error))
            before = gate.text
            ending = await self._ending(gate, view)
            _say(ending, speech, view)
        return Draft(before + ending, speech.message_id, [*gate.told] if gate.has_told else [])

    async def _message_of_model(self, message: str, view: AnswerView, take: Callable[[str], None]) -> AIMessage | None:
        """All that the model writes; `take` gets each piece as it comes. Watchers do not hear the model itself."""
        model = await self._models.get("responder", view.settings)
        own = await with_lessons(self.instructions, self._domain.name, "writer")
        instructions = own + orders_in(view, self._domain)
        begin, name = self._models.spending.begin, model_name(model)
        count = await begin("responder", view.settings, view.meter, name, instructions, message)
        messages = [system_message(model, instructions), HumanMessage(with_blocks(message, view, self._domain))]
        written: AIMessageChunk | None = None
        async for chunk in unheard_pieces(model.astream(messages, UNHEARD)):
            written = chunk if written is None else written + chunk
            take(str(chunk.text))
        if written is not None:
            await count(written)
        return written

    def _answer_in(self, written: AIMessage | None) -> str:
        """Raises ConnectionError for a text that broke off, UnusableAnswer for one that is no answer."""
        if written is None or not has_ended(written):
            raise ConnectionError("the stream broke off")
        text = without_thoughts(str(written.text))
        if withheld := why_withheld(written):
            raise UnusableAnswer(f"the answer is incomplete: {withheld}")
        if not text:
            raise UnusableAnswer("the answer was empty")
        if self._domain.answer_format == "plain" and _DATA.match(text):
            raise UnusableAnswer("the answer was data, not words")
        if repeats(text, self.instructions):
            raise UnusableAnswer("the answer repeated its instructions")
        return text

    async def _ending(self, gate: Gate, view: AnswerView) -> str:
        """What must be told and was not: all of it, in the templates' words, if the model told nothing."""
        if gate.refused:
            logger.info("%d sentences of the answer did not stand", len(gate.refused))
            view.meter.struck += gate.refused
        if gate.has_told:
            return gate.owed()
        template = await asyncio.to_thread((self._domain.offline or LastResort()).respond, view)
        template = with_remarks(template, remarks_of(view.plan))
        return f"\n\n{template}" if gate.text else template


def _form_of_answer(domain: Domain) -> str:
    if domain.answer_format == "free":
        return render("respond_free")
    longest = f", at most {domain.longest_answer} characters" if domain.longest_answer else ""
    return render("respond_plain", longest=longest)


def _is_hidden(view: AnswerView) -> bool:
    """Whether a watcher has seen an earlier answer to this request, which one event then replaces."""
    return bool(last_answer(view.conversation, view.request))


def _say(piece: str, speech: Speech, view: AnswerView) -> None:
    if not piece:
        return
    speech.say(piece)
    if not speech.hidden:
        view.meter.streamed_id = speech.message_id
        view.meter.streamed_text += piece


def statements_message(view: AnswerView, catalogue: Catalogue) -> str:
    """What an answer is made of, as tagged JSON: its statements by id, the question last."""
    before, asked = now_asked(view)
    unsaid = (why for each in view.struck for why in catalogue.why_not(each))
    return tagged(
        {
            "conversation": latest_messages(before, most=view.limits.max_messages),
            "statements": catalogue.shown(),
            "decision": decisions_of(view),
            "last_answer": last_answer(view.conversation, view.request) or None,
            "gaps": list(dict.fromkeys([*_gaps(view), *unsaid])),
            "language": view.request["language"],
            "request": asked or view.request["text"],
        }
    )


def _gaps(view: AnswerView) -> list[str]:
    """What the answer that was sent back lacked."""
    found = view.feedback["issues"] if view.feedback and view.feedback["source"] == "answer" else []
    return [issue["message"] for issue in found]


def answer_message(view: AnswerView) -> str:
    """What an answer may draw on, as tagged JSON."""
    shown = calls_shown if view.issues else results_shown  # issues name calls by id
    parts: dict[str, Any] = {
        "settings": request_settings(view.settings),
        "conversation": conversation_of(view.conversation, view.request, view.limits.max_messages),
        "understood": {name: given for name in ("action", "slots", "reply") if (given := view.plan[name])},
        "results": shown(view.ledger, view.limits.max_prompt_bytes),
        "issues": [{**issue, "open": issue in view.open_issues} for issue in view.issues],
        "not_done": not_done(view),
        "work_so_far": view.details,
        "last_answer": last_answer(view.conversation, view.request) or None,
        "unsupported_claims": list(view.unsupported),
        "gaps": _gaps(view),
        "question_follows": view.question_follows or None,
    }
    texts = json_texts(parts)
    rest = {"weekdays": weekdays_of(texts), "language": view.request["language"], "request": view.request["text"]}
    return blocks({**texts, **json_texts(rest)})


# The answer in a form of the caller's

_FIELD = "response"


async def filled_form(
    domain: Domain, form: ResponseForm, models: Models, answer: str, view: AnswerView
) -> tuple[Any, list[str]]:
    """The form as its own type, filled in by the responder's model, and the places in it whose figures have no source; one that
    does not fit, or has such a figure where the domain is strict, is sent back once. None, which is logged, where it is not
    filled in: the answer goes without it. Raises what the form says for one that does not fit."""

    sources = render("fill_in_strict" if domain.figures == "strict" else "fill_in_checked")

    async def once(problem: str) -> tuple[Any, list[str]]:
        parts = {
            "results": results_shown(view.ledger, view.limits.max_prompt_bytes),
            "language": view.request["language"],
            "request": view.request["text"],
            "answer": answer,
            "last_form_was_refused": problem or None,
        }
        found = await object_form(form).object_from(
            models,
            "responder",
            render("fill_in", domain=domain.prompts.get("respond", ""), sources=sources),
            tagged(parts),
            settings=view.settings,
            meter=view.meter,
            within_s=view.remaining_s * SHARE_OF_TIME,
        )
        raw = found.get(_FIELD, found)  # some models leave out the field that the form stands in
        read = form.read(as_meant(raw, options_of(form.schema, form.schema), form.schema))
        own = await asyncio.to_thread(unheld, domain, form.schema, raw, answer, view)
        if own and domain.figures == "strict":
            listed = ", ".join(f"{place}: {part!r}" for place, part in own.items())
            raise bad_output("unsourced", f"what stands neither in the answer nor in a result: {listed}")
        return read, [*own]

    try:
        return await with_second_try(once)
    except GraphBubbleUp:
        raise
    except Exception as error:
        if form.refused and isinstance(error, UnusableAnswer):
            raise form.refused(error) from error
        logger.warning("no structured response: %s", kind_of_fault(error))
        return None, []


def object_form(form: ResponseForm) -> Form:
    """The form as the one field of an object: a function takes nothing else."""
    schema = {name: part for name, part in form.schema.items() if name != "$defs"}
    whole = {"type": "object", "properties": {_FIELD: schema}, "required": [_FIELD]}
    defined = {"$defs": form.schema["$defs"]} if "$defs" in form.schema else {}
    return Form(_FIELD, "Give the answer in the form asked for", {**whole, **defined})
