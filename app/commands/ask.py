"""`wavegraph ask` and `wavegraph resume`: one request, to its end."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated

import typer
from rich.text import Text

from wavegraph.app.process_start import started_at_ms
from wavegraph.app.quitting import INTERRUPTED
from wavegraph.app.terminal.door import Console
from wavegraph.app.terminal.exit_errors import BAD_USAGE, FAILED, exit_on_error, stop
from wavegraph.app.terminal.options import Options, ThreadOption, shows_options, takes_options, thread_or_new
from wavegraph.app.terminal.session import Session, open_session
from wavegraph.app.terminal.shell_words import shell_word
from wavegraph.app.terminal.show import ResultRecord
from wavegraph.app.terminal.stdin_text import request_text


@shows_options
def ask(
    options: Options,
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT", help="The request, in English or Hebrew; - reads it from stdin.", show_default=False
        ),
    ],
    thread: ThreadOption = None,
) -> None:
    """Answer one request: the answer on stdout, the work on stderr."""
    thread_id, request = thread_or_new(thread), request_text(text)
    _end(options, lambda session: session.answer(request, thread_id, sent_at_ms=started_at_ms()))


@takes_options
def resume(
    options: Options,
    thread: Annotated[str, typer.Argument(metavar="THREAD", help="The conversation to continue.", show_default=False)],
    reply: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Your reply, if the request waits for one."),
    ] = None,
) -> None:
    """Resume a stopped request, with the options it was started with: only unfinished calls run."""
    _end(options, lambda session: session.resume(thread, reply, sent_at_ms=started_at_ms()))


def _end(options: Options, work: Callable[[Session], Awaitable[ResultRecord]]) -> None:
    """Run one request to its end, or to Ctrl-C; then print how to continue, and exit."""
    console = Console(stderr=True)

    async def opened() -> ResultRecord:
        async with open_session(options, console) as session:
            return await work(session)

    with exit_on_error(console):
        try:
            record = asyncio.run(opened())
        except KeyboardInterrupt:  # before the request started, or after it ended
            stop(console, "stopped; nothing was running.", INTERRUPTED)
        if record.get("can_resume"):
            line = _way_on(record, options) or "it cannot be resumed: --db :memory: keeps nothing"
            console.print(Text(line, style="dim"), soft_wrap=True)
    if status := {"cancelled": INTERRUPTED, "failed": FAILED}.get(record["outcome"]):
        raise typer.Exit(status)
    if (record.get("question") or {}).get("problem"):
        raise typer.Exit(BAD_USAGE)


def _way_on(record: ResultRecord, options: Options) -> str:
    """How to continue a request that did not end."""
    again = options.resumes(record["thread_id"])
    question = record.get("question")
    if not again:
        return ""
    if question and not question["by_asker"]:
        return f"decide it with: {options.decides(record['thread_id'])}"
    if question:
        return f"go on with: {again} --reply {shell_word(question['agree_with'])}"
    return f"go on with: {again}{' --reply TEXT' if record['outcome'] == 'awaiting_approval' else ''}"
