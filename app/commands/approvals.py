"""`wavegraph approvals`: list the requests that wait for approval, and decide them."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, TypeVar

import typer
from rich.text import Text

from wavegraph.app.agents import DEFAULT_DOMAIN
from wavegraph.app.run.approvals import Pending, decide, edited, pending, pending_on
from wavegraph.app.run.result import Result, result_record
from wavegraph.app.terminal import show
from wavegraph.app.terminal.door import Console, print_json
from wavegraph.app.terminal.exit_errors import BAD_USAGE, FAILED, exit_on_error, tell_left_out
from wavegraph.app.terminal.options import EXPERTS, DatabaseOption, DomainOption, JsonOption, Options, ThreadArgument
from wavegraph.app.terminal.session import Session, open_session
from wavegraph.app.terminal.shell_words import shown_id
from wavegraph.graph.approval import Answer
from wavegraph.graph.errors import WavegraphError


class NotYours(WavegraphError):
    """The approval must come from the person who made the request."""


approvals = typer.Typer(no_args_is_help=True, help="List the requests that wait for approval, and decide them.")

_T = TypeVar("_T")

TermsOption = Annotated[
    str | None,
    typer.Option(
        metavar="HASH",
        help="Hash of the terms you read (`list --json`); if they have changed, you are asked again.",
        rich_help_panel=EXPERTS,
    ),
]


@approvals.command("list")
def list_(as_json: JsonOption = False, database: DatabaseOption = None, domain: DomainOption = DEFAULT_DOMAIN) -> None:
    """List the requests that wait for approval, with their exact terms."""
    options = Options(domain=domain, database=database)
    found = _with_session(options, lambda session: pending(session.graph, session.threads, tell_left_out))
    if as_json:
        print_json([_record(waiting) for waiting in found])
        return
    console = Console()
    for waiting in found:
        console.print(Text(_heading(waiting), style="bold"), soft_wrap=True)
        console.print(Text(waiting.question["summary"]), soft_wrap=True)
    if not found:
        console.print(Text("nothing waits for approval", style="dim"))


@approvals.command()
def approve(
    thread: ThreadArgument,
    terms: TermsOption = None,
    choice: Annotated[
        str | None, typer.Option(metavar="NAME", help="One of the other choices that the question offers.")
    ] = None,
    for_asker: Annotated[
        bool, typer.Option("--for-asker", help="Approve on behalf of the person who asked: you have their word.")
    ] = False,
    edits: Annotated[
        list[str] | None,
        typer.Option(
            "--edit",
            metavar="NAME=VALUE",
            help="Change an argument of the call instead: its new terms need approval again. A text, or JSON where the "
            "argument is no text; may be repeated.",
        ),
    ] = None,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    domain: DomainOption = DEFAULT_DOMAIN,
) -> None:
    """Approve: the request continues if its terms are unchanged; else it asks again, and --terms is needed."""
    if edits:
        _decide(thread, {"decision": "edit"}, as_json, database, domain, edits=dict(map(_change, edits)))
        return
    answer: Answer = {"decision": "approve"}
    if terms:
        answer["terms_hash"] = terms
    if choice:
        answer["choice"] = choice
    _decide(thread, answer, as_json, database, domain, in_place_of_asker=for_asker)


@approvals.command()
def reject(
    thread: ThreadArgument,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="The reason, for the answer.")] = "",
    changes: Annotated[
        str | None, typer.Option(metavar="JSON", help="What to change, if the question takes changes.")
    ] = None,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    domain: DomainOption = DEFAULT_DOMAIN,
) -> None:
    """Reject: the request ends with an answer that says so, and what was held is released; with --changes it is planned
    again."""
    answer: Answer = {"decision": "reject", "reason": reason}
    if changes is not None:
        answer["changes"] = _json_object(changes)
    _decide(thread, answer, as_json, database, domain)


def _json_object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise typer.BadParameter(f'{text!r} is not a JSON object; write --changes \'{{"name": "value"}}\'')
    return found


def _change(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or not name.strip():
        raise typer.BadParameter(f"{text!r} is not a change; write NAME=VALUE, such as guest_name='Dana Levi'")
    return name.strip(), value


def _decide(
    thread: str,
    answer: Answer,
    as_json: bool,
    database: str | None,
    domain: str,
    *,
    in_place_of_asker: bool = True,
    edits: Mapping[str, str] | None = None,
) -> None:
    async def work(session: Session) -> Result:
        waiting = await pending_on(session.graph, session.threads, thread)
        if waiting.question["by_asker"] and not in_place_of_asker:
            raise NotYours(f"thread {thread!r} waits for the person who asked; --for-asker approves on their behalf")
        if edits is not None:
            answer["args"] = edited(session.graph, waiting, edits)
        return await decide(session.graph, waiting, answer)

    options = Options(domain=domain, database=database)
    result = _with_session(options, work)
    record = result_record(result)
    console = Console(stderr=True)
    show.result(record, console, as_json=as_json)
    if result.outcome == "failed":
        raise typer.Exit(FAILED)
    question = result.question
    if question and (question["changed"] or question["problem"]):
        line = options.decides(thread, "approve", "--terms", question["terms_hash"])
        console.print(Text(f"agree to these terms with: {line}", style="dim"), soft_wrap=True)
    if question and question["problem"]:
        raise typer.Exit(BAD_USAGE)


def _with_session(options: Options, work: Callable[[Session], Awaitable[_T]]) -> _T:
    console = Console(stderr=True)

    async def opened() -> _T:
        async with open_session(options, console) as session:
            return await work(session)

    with exit_on_error(console):
        return asyncio.run(opened())


def _heading(waiting: Pending) -> str:
    whose = f" · user {shown_id(waiting.row.user_id)}" if waiting.row.user_id else ""
    until = f" · held until {waiting.question['valid_until']}" if waiting.question["valid_until"] else ""
    who = "the person who asked" if waiting.question["by_asker"] else "you"
    return f"thread {shown_id(waiting.row.thread_id)}{whose} · waits for {who} since {waiting.row.updated}{until}"


def _record(waiting: Pending) -> dict[str, Any]:
    row = waiting.row
    return {"thread_id": row.thread_id, "user_id": row.user_id, "request": row.request, "since": row.updated,
            **waiting.question}  # fmt: skip
