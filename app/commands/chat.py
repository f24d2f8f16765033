"""`wavegraph chat`: a conversation, at the prompt."""

import asyncio
from typing import Any

from rich.text import Text

from wavegraph.app.run.questions import question_text
from wavegraph.app.run.runner import conversation
from wavegraph.app.run.thread_ids import new_thread_id
from wavegraph.app.terminal.chat import Chat, drop_typed_ahead
from wavegraph.app.terminal.door import Console
from wavegraph.app.terminal.exit_errors import exit_on_error
from wavegraph.app.terminal.options import Options, ThreadOption, takes_options, thread_or_new
from wavegraph.app.terminal.session import Session, session_on
from wavegraph.app.terminal.show import ResultRecord


@takes_options
def chat(
    options: Options,
    thread: ThreadOption = None,
) -> None:
    """Hold a conversation; --thread continues an earlier one."""
    console = Console(stderr=True)
    with exit_on_error(console), asyncio.Runner() as runner, session_on(runner, options, console) as session:
        _converse(session, runner, thread_or_new(thread))


def _converse(session: Session, runner: asyncio.Runner, thread_id: str) -> None:
    seen = {"terms": ""}  # hash of the terms on the screen that a plain yes agrees to

    def show_end(record: ResultRecord) -> None:
        seen["terms"] = _agreed_by_a_yes(record.get("question"))
        if record.get("question"):
            drop_typed_ahead(session.console)
        if record.get("can_resume") and (line := _next_in_chat(record, session.options)):
            session.console.print(Text(line, style="dim"), soft_wrap=True)

    async def answer(text: str, thread: str) -> None:
        show_end(await session.answer(text, thread, seen["terms"]))

    async def go_on(thread: str) -> None:
        show_end(await session.resume(thread))

    talk = Chat(runner, answer, go_on, thread_id=thread_id, new_thread_id=new_thread_id, console=session.console)
    question = runner.run(session.question(thread_id))
    talk.greet(runner.run(conversation(session.graph, thread_id)), question_text(question) if question else "")
    seen["terms"] = _agreed_by_a_yes(question)
    if question:
        drop_typed_ahead(session.console)
    talk.loop()
    if again := session.options.again("chat", talk.thread_id):
        session.console.print(Text(f"go on with: {again}", style="dim"), soft_wrap=True)


def _agreed_by_a_yes(question: Any) -> str:
    return question["terms_hash"] if question and question["agree_with"] == "yes" else ""


def _next_in_chat(record: ResultRecord, options: Options) -> str:
    """What to do about a request that did not end or waits; empty if its question says so itself."""
    question = record.get("question")
    if question is None and record["outcome"] != "awaiting_approval":
        return "stopped; /resume continues it, or change the request: finished calls are kept"
    if question is None or question["by_asker"]:
        return ""
    way = options.decides(record["thread_id"])
    return f"decide it with: {way}" if way else ""
