"""The answer in a form of the caller's: filled in by a model when the answer is finished."""

import asyncio
import logging
from functools import cached_property
from typing import Any

from langgraph.errors import GraphBubbleUp

from wavegraph.graph.domain import Domain, ResponseForm
from wavegraph.graph.errors import kind_of_fault
from wavegraph.graph.model.calls import SHARE_OF_TIME, bad_output
from wavegraph.graph.model.clients import Models
from wavegraph.graph.model.prompt_blocks import results_shown, tagged
from wavegraph.graph.model.structured import Form, with_second_try
from wavegraph.graph.tracing.untraced import unheld
from wavegraph.graph.views import AnswerView
from wavegraph.prompts import render

logger = logging.getLogger("wavegraph")

_FIELD = "response"


class Filler:
    """Fills in the domain's form of an answer with the responder's model. A form that does not fit, or has a figure that the
    model made up, is sent back once."""

    def __init__(self, domain: Domain, form: ResponseForm, models: Models) -> None:
        self._domain = domain
        self._form = form
        self._models = models

    async def fill(self, answer: str, view: AnswerView) -> Any:
        """The form as its own type; None, which is logged, where the model does not fill it in: the answer goes without it."""
        try:
            return await with_second_try(lambda problem: self._form_once(answer, view, problem))
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001  a provider's client may raise anything, and the answer is there
            logger.warning("no structured response: %s", kind_of_fault(error))
            return None

    async def _form_once(self, answer: str, view: AnswerView, problem: str) -> Any:
        found = await self._object_form.object_from(
            self._models,
            "responder",
            self._instructions,
            form_message(answer, view, problem),
            settings=view.settings,
            meter=view.meter,
            within_s=view.remaining_s * SHARE_OF_TIME,
        )
        raw = found.get(_FIELD, found)  # some models leave out the field that the form stands in
        form = self._form.read(raw)
        if own := await asyncio.to_thread(unheld, self._domain, self._form.schema, raw, answer, view):
            raise bad_output("unsourced", f"what stands neither in the answer nor in a result: {', '.join(own)}")
        return form

    @cached_property
    def _object_form(self) -> Form:
        """The form as the one field of an object: a function takes nothing else."""
        schema = {name: part for name, part in self._form.schema.items() if name != "$defs"}
        whole = {"type": "object", "properties": {_FIELD: schema}, "required": [_FIELD]}
        defined = {"$defs": self._form.schema["$defs"]} if "$defs" in self._form.schema else {}
        return Form(_FIELD, "Give the answer in the form asked for", {**whole, **defined})

    @cached_property
    def _instructions(self) -> str:
        return render("fill_in", domain=self._domain.prompts.get("respond", ""))


def form_message(answer: str, view: AnswerView, problem: str = "") -> str:
    """What a form is filled in from, as tagged JSON."""
    parts = {
        "results": results_shown(view.ledger, view.limits.max_prompt_bytes),
        "language": view.request["language"],
        "request": view.request["text"],
        "answer": answer,
        "last_form_was_refused": problem or None,
    }
    return tagged(parts)
