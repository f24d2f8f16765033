"""`wavegraph demo`: an installed agent shows what it does, without an account, a key or a service."""

from collections.abc import Mapping
from typing import Annotated

import typer

from wavegraph.app.agents import NamedAgent, installed
from wavegraph.app.terminal.door import Console
from wavegraph.app.terminal.exit_errors import exit_on_error
from wavegraph.graph.errors import SettingsError


def demo(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Which one; any other name lists them.", show_default=False)
    ],
) -> None:
    """Show an agent at work, with everything it needs made up for it and removed after it."""
    with exit_on_error(Console(stderr=True)):
        demos = known_demos()
        if name not in demos:
            raise SettingsError(f"unknown demo {name!r}; known: {', '.join(demos) or 'none'}")
        demos[name].demo(name)()


def known_demos() -> Mapping[str, NamedAgent]:
    """Who brings each demo, by the demo's name."""
    agents, _ = installed()
    return {name: agent for agent in agents.values() for name in sorted(agent.entry.demos)}
