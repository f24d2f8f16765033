"""An answer's pieces are said to those who follow the run's models, and to nobody where there is none."""

from typing import Any

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.runnables import RunnableLambda

from wavegraph.graph.model.responder import Speech


class Follower(AsyncCallbackHandler):
    def __init__(self) -> None:
        self.heard: list[str] = []

    async def on_llm_end(self, response: Any, **kwargs: Any) -> None:
        self.heard.append(response.generations[0][0].text)


async def speak(_: str) -> None:
    async with Speech(hidden=False) as speech:
        speech.say("Two are ")
        speech.say("free.")


async def test_who_follows_hears_the_whole_answer() -> None:
    follower = Follower()
    await RunnableLambda(speak).ainvoke("", {"callbacks": [follower]})
    assert follower.heard == ["Two are free."]
