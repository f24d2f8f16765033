"""The roster generator, as the command line finds it."""

from wavegraph.app.agents import AgentEntry

entry = AgentEntry(
    graph="wavegraph.graph.roster:build",
    extra="wavegraph[roster]",
    commands="wavegraph.app.roster.commands:roster",
    erasure="wavegraph.app.roster.erase:guest_data",
    routes="wavegraph.app.roster.served.routes:routes",
    open_to={
        "manager": (
            "after",
            "change_weight",
            "days",
            "freeze_until",
            "language",
            "ordered",
            "penalties",
            "repair",
            "seed",
            "start",
            "ward",
        ),
    },
)
