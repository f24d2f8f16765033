"""Of an error that nobody meant to show only its kind leaves a tool."""

from inspect import signature
from typing import Any, get_type_hints

import pytest
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import ToolException, tool
from langgraph.errors import GraphInterrupt
from runs import wait

from wavegraph import ToolRefusal, read
from wavegraph.graph.execution.tool_call import QuietError, quiet_tool

MEANT = [ToolRefusal("closed", "it is closed"), ToolException("try another"), GraphInterrupt(())]


def raising(error: Exception) -> tuple[Any, Any]:
    """The same tool, sync and async."""

    @tool("fail")
    def fail(word: str) -> str:
        """Fail."""
        raise error

    @tool("fail")
    async def fail_async(word: str) -> str:
        """Fail."""
        raise error

    return fail, fail_async


def raised(kind: type[BaseException], error: Exception) -> list[BaseException]:
    sync, is_async = (quiet_tool(read(made)) for made in raising(error))
    with pytest.raises(kind) as first:
        sync.invoke({"word": "x"})
    with pytest.raises(kind) as second:
        wait(is_async.ainvoke({"word": "x"}))
    return [first.value, second.value]


def test_a_text_that_nobody_meant_to_show_is_kept_back() -> None:
    error = ValueError("password=hunter2")
    for stand_in in raised(QuietError, error):
        assert isinstance(stand_in, QuietError)
        assert (str(stand_in), stand_in.error) == ("ValueError", error)
        assert stand_in.__suppress_context__


@pytest.mark.parametrize("error", MEANT, ids=lambda error: type(error).__name__)
def test_what_is_meant_to_be_shown_is(error: Exception) -> None:
    assert raised(type(error), error) == [error, error]


def test_results_pass_and_the_tool_itself_stays_as_it_was() -> None:
    @tool
    def double(n: int) -> int:
        """Twice as many."""
        return 2 * n

    @tool
    async def triple(n: int) -> int:
        """Three times as many."""
        return 3 * n

    assert quiet_tool(read(double)).invoke({"n": 4}) == 8
    assert wait(quiet_tool(read(triple)).ainvoke({"n": 4})) == 12
    fail, _ = raising(ValueError("as it was"))
    quiet_tool(read(fail))
    with pytest.raises(ValueError, match="as it was"):
        fail.invoke({"word": "x"})


def test_langchain_is_told_what_it_would_read_of_a_tool_at_each_call() -> None:
    @tool
    async def look(item: str, config: RunnableConfig) -> str:
        """How much is left."""
        return f"{item}: {config['metadata']['left']}"

    held = read(look)
    quiet = quiet_tool(held)
    assert quiet is quiet_tool(held)
    assert quiet is not quiet_tool(read(look))
    assert signature(quiet._arun) == signature(look._arun)
    assert get_type_hints(quiet._arun)["config"] is RunnableConfig
    assert wait(quiet.ainvoke({"item": "tea"}, {"metadata": {"left": 3}})) == "tea: 3"
