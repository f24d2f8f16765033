"""The command line `wavegraph`.

Exit status: 0 for any answer, 1 for a failure, 2 for bad usage (settings, domain, database), 130 for Ctrl-C.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.text import Text

from wavegraph.app.agents import COMMON_COMMANDS, DEFAULT_DOMAIN, agent, installed
from wavegraph.app.commands.approvals import approvals
from wavegraph.app.commands.demo import demo
from wavegraph.app.commands.erase import erase
from wavegraph.app.commands.feedback import feedback
from wavegraph.app.commands.new import new
from wavegraph.app.commands.threads import threads
from wavegraph.app.commands.token import token
from wavegraph.app.console.command import console_
from wavegraph.app.evaluate.command import evaluation
from wavegraph.app.lessons.command import lessons
from wavegraph.app.offer.command import offer_
from wavegraph.app.pages.files import write_page
from wavegraph.app.report.command import report_
from wavegraph.app.run.questions import question_text
from wavegraph.app.run.runner import conversation, new_thread_id
from wavegraph.app.terminal.chat import Chat
from wavegraph.app.terminal.door import Console, print_text, stand_before_the_streams
from wavegraph.app.terminal.exit_errors import BAD_USAGE, FAILED, CommandGroup, exit_on_error, os_fault, stop
from wavegraph.app.terminal.interrupt import INTERRUPTED
from wavegraph.app.terminal.options import DomainOption, ThreadOption, takes_options, thread_or_new
from wavegraph.app.terminal.session import Options, Session, open_session, session_on
from wavegraph.app.terminal.shell_words import shell_word
from wavegraph.app.terminal.show import ResultRecord
from wavegraph.app.terminal.stdin_text import request_text
from wavegraph.graph.dialogue.answers import plain_yes
from wavegraph.graph.errors import SettingsError
from wavegraph.graph.secrets.ways_out import cleaned_errors, error_text, guard

app = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # they print around the door, and locals may hold personal data
    help="Agents that plan in waves, check what came back, and correct themselves.",
)
app.add_typer(threads, name="threads")
app.add_typer(approvals, name="approvals")
app.command("erase")(erase)
app.add_typer(token, name="token")
app.command("feedback")(feedback)
app.command("mcp")(offer_)
app.command("eval")(evaluation)
app.command("report")(report_)
app.command("console")(console_)
app.command("new")(new)
app.command("demo")(demo)
app.add_typer(lessons, name="lessons")


def _add_commands_of_agents() -> None:
    """The command of an agent that cannot be used says why; everything else works without it."""
    agents, unusable = installed()
    unusable = dict(unusable)
    for name, each in agents.items():
        try:
            for word, commands in each.commands().items():
                app.add_typer(commands, name=word)
        except SettingsError as error:
            unusable[name] = error
    for name in sorted(unusable.keys() - COMMON_COMMANDS):
        refuse = app.command(name, help=escape(str(unusable[name])), context_settings={"ignore_unknown_options": True})
        refuse(_refusal(unusable[name]))


def _refusal(error: SettingsError) -> Callable[..., None]:
    def refuse(words: Annotated[list[str] | None, typer.Argument(hidden=True)] = None) -> None:
        stop(Console(stderr=True), error_text(error), BAD_USAGE)

    return refuse


_add_commands_of_agents()


def _print_version(wanted: bool) -> None:
    if wanted:
        print_text(f"wavegraph {version('wavegraph')}")
        raise typer.Exit


@app.callback()
def _root(
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
@takes_options
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
    _end(options, lambda session: session.answer(request, thread_id))


@app.command()
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
    _end(options, lambda session: session.resume(thread, reply))


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
        return f"go on with: {again} --reply {shell_word(plain_yes(question))}"
    return f"go on with: {again}{' --reply TEXT' if record['outcome'] == 'awaiting_approval' else ''}"


@app.command()
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
    seen = {"terms": ""}  # hash of the terms on the screen: a yes agrees to those

    def show_end(record: ResultRecord) -> None:
        question = record.get("question")
        if question and record["outcome"] != "awaiting_approval" and question["terms_hash"] != seen["terms"]:
            session.console.print(Text(question_text(question)), soft_wrap=True)
        asked_back = record["outcome"] == "clarify"  # a yes may answer that instead
        seen["terms"] = question["terms_hash"] if question and not asked_back else ""
        if record.get("can_resume") and (line := _next_in_chat(record, session.options)):
            session.console.print(Text(line, style="dim"), soft_wrap=True)

    async def answer(text: str, thread: str) -> None:
        show_end(await session.answer(text, thread, seen["terms"]))

    async def go_on(thread: str) -> None:
        show_end(await session.resume(thread))

    talk = Chat(runner, answer, go_on, thread_id=thread_id, new_thread_id=new_thread_id, console=session.console)
    question = runner.run(session.question(thread_id))
    talk.greet(runner.run(conversation(session.graph, thread_id)), question_text(question) if question else "")
    seen["terms"] = question["terms_hash"] if question else ""
    talk.loop()
    if again := session.options.again("chat", talk.thread_id):
        session.console.print(Text(f"go on with: {again}", style="dim"), soft_wrap=True)


def _next_in_chat(record: ResultRecord, options: Options) -> str:
    """What to do about a request that did not end or waits; empty if its question says so itself."""
    question = record.get("question")
    if question is None and record["outcome"] != "awaiting_approval":
        return "stopped; /resume continues it, or change the request: finished calls are kept"
    if question is None or question["by_asker"]:
        return ""
    way = options.decides(record["thread_id"])
    return f"decide it with: {way}" if way else ""


@app.command()
def graph(
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write Mermaid to a .mmd file; else to stdout.")
    ] = None,
    domain: DomainOption = DEFAULT_DOMAIN,
) -> None:
    """Draw an agent's graph."""
    console = Console(stderr=True)
    with exit_on_error(console):
        drawing = agent(domain).graph().compile(name=domain).get_graph().draw_mermaid()
        if out is None:
            print_text(drawing.removesuffix("\n"))
            return
        if out.suffix.lower() != ".mmd":
            stop(console, f"cannot draw to {str(out)!r}: drawings are Mermaid, so the name must end in .mmd", BAD_USAGE)
        try:
            write_page(out, drawing)
        except OSError as error:
            stop(console, os_fault(error, "write"), BAD_USAGE)
    console.print(Text(f"wrote {out}"), soft_wrap=True)


def main() -> None:
    """Run the command that the arguments name, and exit."""
    guard()
    logging.getLogger("wavegraph").addHandler(
        logging.NullHandler()
    )  # events are already printed: no second copy on stderr
    stand_before_the_streams()
    try:
        with cleaned_errors():
            app()
    except ModuleNotFoundError as error:  # an agent's own command, whose extra is not installed
        way_out = "pip install 'wavegraph[hotel,roster]' installs what its agents need"
        Console(stderr=True).print(Text(f"wavegraph: {error_text(error)}; {way_out}"), soft_wrap=True)
        sys.exit(FAILED)
    except SystemExit as ended:
        if ended.code == INTERRUPTED:
            # A tool may still run in a thread that cannot be stopped, and Python would wait for it.
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, AttributeError):  # gone, or closed from the start
                    stream.flush()
            os._exit(INTERRUPTED)
        raise
