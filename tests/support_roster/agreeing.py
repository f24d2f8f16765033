"""A yes in the words that the open question asks for."""

from typing import Any

from wavegraph.app.run.questions import question_of


async def as_asked(graph: Any, words: Any, thread_id: str = "t") -> Any:
    """`words`, with the code of the terms where a yes or a choice without it is asked about again."""
    question = question_of(await graph.aget_state({"configurable": {"thread_id": thread_id}}))
    if question is None or words not in ("yes", *question["choices"]):
        return words
    return f"{words}{question['agree_with'].removeprefix('yes')}"
