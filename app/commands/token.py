"""`wavegraph token`: tokens for a server with access control that has no identity provider."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from wavegraph.app.serving.roles import GUEST, rules
from wavegraph.app.serving.tokens import add_token
from wavegraph.app.terminal.door import Console, print_text
from wavegraph.app.terminal.exit_errors import exit_on_error

token = typer.Typer(no_args_is_help=True, help="Make the tokens of a server with access control.")


@token.callback()
def _token() -> None:
    """Make the tokens of a server with access control."""


@token.command()
def new(
    identity: Annotated[str, typer.Argument(metavar="IDENTITY", help="Whose it is.", show_default=False)],
    role: Annotated[
        list[str] | None, typer.Option(metavar="ROLE", help="staff, manager or guest; may be repeated.")
    ] = None,
    file: Annotated[
        Path, typer.Option(metavar="FILE", envvar="WAVEGRAPH_AUTH_TOKENS_FILE", help="Where its hash is kept.")
    ] = Path("tokens.jsonl"),
) -> None:
    """Print a new token, once: the file keeps only its hash. Deleting its line ends it."""
    console = Console(stderr=True)
    with exit_on_error(console):
        made = add_token(file, identity, role or [GUEST], rules().roles)
    print_text(made)
    console.print(Text(f"kept as a hash in {file}; the token is not shown again", style="dim"), soft_wrap=True)
