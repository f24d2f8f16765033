"""A form is told to a model once, and remembered for as many models as one graph uses at a time."""

from wavegraph.graph.model.structured import MOST_TOLD, Form
from wavegraph.testing import ScriptedModel

NOTE = {"type": "object", "properties": {"text": {"type": "string"}}}


def test_a_form_is_told_to_a_model_once() -> None:
    form, model = Form("note", "Write a note", NOTE), ScriptedModel()
    assert form.bound_to(model) is form.bound_to(model)
    assert [each["function"]["name"] for each in model.tools] == ["note"]


def test_models_of_long_ago_are_forgotten_first() -> None:
    form, models = Form("note", "Write a note", NOTE), [ScriptedModel() for _ in range(MOST_TOLD + 1)]
    for model in models:
        form.bound_to(model)
    for model in reversed(models):
        form.bound_to(model)
    assert [len(model.tools) for model in models] == [2, *[1] * MOST_TOLD]
