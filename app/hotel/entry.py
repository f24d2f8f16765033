"""The hotel agent, as the command line finds it."""

from wavegraph.app.agents import AgentEntry, AgentOption

entry = AgentEntry(
    graph="wavegraph.graph.hotel:build",
    options=(
        AgentOption(
            flag="--country", setting="country", metavar="XX", read=str.upper,
            help="Country whose holidays and date order the guest means.",
        ),
        AgentOption(flag="--property", setting="property_id", metavar="ID", help="Which hotel answers."),
        AgentOption(
            flag="--properties", variable="WAVEGRAPH_PROPERTIES", metavar="FILE",
            help="The file that lists hotels on property systems of their own.",
        ),
        AgentOption(
            flag="--approver", setting="approver", choices=("guest", "staff"),
            help="Who approves bookings: the guest in the conversation, or staff.",
        ),
    ),
    extra="wavegraph[hotel]",
    commands="wavegraph.app.hotel.commands:hotel",
    further_commands={"properties": "wavegraph.app.hotel.properties:properties"},
    check="wavegraph.app.hotel.commands:check_property",
    erasure="wavegraph.app.hotel.erase:guest_data",
    evaluation="wavegraph.app.hotel.evaluation:subject",
    open_to={"guest": ("country", "language")},
)  # fmt: skip
