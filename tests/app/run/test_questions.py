"""The question of a waiting thread, as its interrupt holds it."""

from types import SimpleNamespace
from typing import Any

from states import a_question

from wavegraph.app.run.questions import question_of


def waiting(value: Any) -> Any:
    return SimpleNamespace(interrupts=[SimpleNamespace(value=value)])


def test_a_question_of_the_version_before_is_agreed_to_by_its_code() -> None:
    stored: Any = a_question(terms_hash="3f9a02b7c1d4")
    added: Any = {"shown": False, "rivalled": False, "languages": ["en", "he"], "agree_with": "yes 3f9a02"}
    before = {name: value for name, value in stored.items() if name not in added}

    assert question_of(waiting(before)) == {**before, **added}
    assert question_of(waiting(stored)) == stored


def test_what_a_tool_asks_is_no_question_of_an_approval() -> None:
    assert question_of(waiting("which one?")) is None
    assert question_of(waiting({"kind": "form"})) is None
    assert question_of(None) is None
