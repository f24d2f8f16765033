"""The commands by name. The module of one is imported when it runs, so that none waits for what another needs."""

from typing import NamedTuple


class Command(NamedTuple):
    line: str
    """Of help, as the list of commands shows it: the first of the command's own."""
    place: str
    """A function or a `typer.Typer`, as `package.module:attribute`."""


COMMANDS = {
    "erase": Command(
        "Erase a guest's data everywhere, by each hotel's rule, and search for what is left of it.",
        "wavegraph.app.commands.erase:erase",
    ),
    "feedback": Command(
        "Judge a thread's last answer good or bad; a new verdict replaces the earlier one.",
        "wavegraph.app.commands.feedback:feedback",
    ),
    "mcp": Command(
        "Offer an agent to other programs as an MCP server: the whole agent as one tool, and its reads singly.",
        "wavegraph.app.offer.command:offer_",
    ),
    "eval": Command(
        "Score a planner on a file of requests with expectations; exit status 1 if the score is below the threshold.",
        "wavegraph.app.evaluate.command:evaluation",
    ),
    "report": Command(
        "Show what the stored requests teach: outcomes, issues, failed answers, limits, latency, cost.",
        "wavegraph.app.report.command:report_",
    ),
    "console": Command(
        "Serve the console for this machine: conversations, the front desk and rosters in the browser, until Ctrl-C.",
        "wavegraph.app.console.command:console_",
    ),
    "new": Command(
        "Write a project into a new folder: an agent with a read and a write that asks, its tests, langgraph.json.",
        "wavegraph.app.commands.new:new",
    ),
    "ask": Command(
        "Answer one request: the answer on stdout, the work on stderr.",
        "wavegraph.app.commands.ask:ask",
    ),
    "resume": Command(
        "Resume a stopped request, with the options it was started with: only unfinished calls run.",
        "wavegraph.app.commands.ask:resume",
    ),
    "chat": Command(
        "Hold a conversation; --thread continues an earlier one.",
        "wavegraph.app.commands.chat:chat",
    ),
    "graph": Command(
        "Draw an agent's graph.",
        "wavegraph.app.commands.graph:graph",
    ),
    "threads": Command(
        "List conversations, the latest first; show or delete one.",
        "wavegraph.app.commands.threads:threads",
    ),
    "approvals": Command(
        "List the requests that wait for approval, and decide them.",
        "wavegraph.app.commands.approvals:approvals",
    ),
    "token": Command(
        "Make the tokens of a server with access control.",
        "wavegraph.app.commands.token:token",
    ),
}

MOVED = {
    "approvals edit": "approvals approve THREAD --edit NAME=VALUE",
    "demo": "ask REQUEST",
    "hotel holds": "hotel list --holds",
    "hotel move": "hotel import --move",
    "lessons": "report --propose FILE",
    "roster diff": "roster compare V1 V2 --cells",
    "roster discard": "roster publish ROSTER --as discarded",
    "roster draft": "roster publish ROSTER --as draft",
    "roster export": "roster show ROSTER --out FILE.xlsx",
    "roster template": "roster wards WARD --out FILE.xlsx",
    "roster undo": "roster publish WARD --undo",
    "roster versions": "roster wards WARD",
}
"""The command lines that do what commands of earlier versions did."""
DESTRUCTIVE = {"erase"}
"""What a misspelt command is never taken for."""
