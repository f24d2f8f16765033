"""What a provider is told of its prompt cache."""

from langchain_core.language_models.fake_chat_models import FakeListChatModel

from wavegraph.graph.model.clients import system_message


def test_nobody_else_is_sent_a_field_it_may_not_know() -> None:
    assert system_message(FakeListChatModel(responses=["x"]), "You plan.").content == "You plan."


def test_anthropic_is_told_where_the_beginning_ends() -> None:
    class OfAnthropic(FakeListChatModel):
        __module__ = "langchain_anthropic.chat_models"

    content = system_message(OfAnthropic(responses=[]), "You plan.").content
    assert content == [{"type": "text", "text": "You plan.", "cache_control": {"type": "ephemeral"}}]
