"""The answer in a form of the caller's: filled in by a model when the answer is finished."""

import asyncio
import logging
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


async def filled_form(domain: Domain, form: ResponseForm, models: Models, answer: str, view: AnswerView) -> Any:
    """The form as its own type, filled in by the responder's model; one that does not fit, or has a figure that the model made
    up, is sent back once. None, which is logged, where it is not filled in: the answer goes without it."""

    async def once(problem: str) -> Any:
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
            render("fill_in", domain=domain.prompts.get("respond", "")),
            tagged(parts),
            settings=view.settings,
            meter=view.meter,
            within_s=view.remaining_s * SHARE_OF_TIME,
        )
        raw = found.get(_FIELD, found)  # some models leave out the field that the form stands in
        read = form.read(raw)
        if own := await asyncio.to_thread(unheld, domain, form.schema, raw, answer, view):
            raise bad_output("unsourced", f"what stands neither in the answer nor in a result: {', '.join(own)}")
        return read

    try:
        return await with_second_try(once)
    except GraphBubbleUp:
        raise
    except Exception as error:  # noqa: BLE001  a provider's client may raise anything, and the answer is there
        logger.warning("no structured response: %s", kind_of_fault(error))
        return None


def object_form(form: ResponseForm) -> Form:
    """The form as the one field of an object: a function takes nothing else."""
    schema = {name: part for name, part in form.schema.items() if name != "$defs"}
    whole = {"type": "object", "properties": {_FIELD: schema}, "required": [_FIELD]}
    defined = {"$defs": form.schema["$defs"]} if "$defs" in form.schema else {}
    return Form(_FIELD, "Give the answer in the form asked for", {**whole, **defined})
