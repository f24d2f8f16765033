"""`wavegraph graph`: a drawing of an agent's graph."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from wavegraph.app.agents import DEFAULT_DOMAIN, agent
from wavegraph.app.pages.files import write_page
from wavegraph.app.terminal.door import Console, print_text
from wavegraph.app.terminal.exit_errors import BAD_USAGE, exit_on_error, os_fault, stop
from wavegraph.app.terminal.options import DomainOption


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
