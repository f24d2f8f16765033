"""The client that takes long to import: what is asked after while it is not loaded, and that nothing else loads it."""

import importlib
import sys

import pytest

import wavegraph.graph.model
from wavegraph.graph.model.clients import ModelEnvironment, Models


def forgotten(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Of what is loaded, these modules and all in them are not."""
    for loaded in list(sys.modules):
        if loaded.startswith(tuple(f"{name}." for name in names)) or loaded in names:
            monkeypatch.delitem(sys.modules, loaded)


@pytest.mark.parametrize("name", ["calls", "clients"])
def test_no_module_loads_it_with_itself(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wavegraph.graph.model, name, getattr(wavegraph.graph.model, name))  # which an import sets anew
    forgotten(monkeypatch, "openai", "langchain_openai", f"wavegraph.graph.model.{name}")
    importlib.import_module(f"wavegraph.graph.model.{name}")

    assert "openai" not in sys.modules


@pytest.mark.parametrize(
    ("environment", "loads"),
    [
        (ModelEnvironment(), False),
        (ModelEnvironment(model="m"), False),
        (ModelEnvironment(base_url="http://model/v1"), True),
        (ModelEnvironment(validator_url="http://judge/v1"), True),
    ],
    ids=["none", "a name alone", "an address", "the judge's alone"],
)
def test_it_is_loaded_with_the_graph_where_the_environment_names_a_model(
    environment: ModelEnvironment, loads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "langchain_openai")
    Models(None, environment)

    assert ("langchain_openai" in sys.modules) is loads
