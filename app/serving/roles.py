"""Who may do what on a server with access control.

`staff` may do everything. Any other role runs the agents that are open to it (`AgentEntry.open_to`), on threads of its
own, with the settings named there. Whoever has no role that is known here is a guest.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict
from uuid import UUID, uuid5

from wavegraph.app.agents import installed
from wavegraph.graph.approval import MAY_ANSWER

GUEST, STAFF = "guest", "staff"
GRAPHS = UUID("6ba7b821-9dad-11d1-80b4-00c04fd430c8")
"""The LangGraph server's namespace for the assistants it makes by itself, one of each graph."""
OPEN_TO = "open_to"
"""In an assistant's metadata: a list of the roles that may use it, with the settings staff gave it."""
LONGEST_IDENTITY = 200


class User(NamedTuple):
    identity: str
    roles: frozenset[str]


class KnownUser(TypedDict):
    """What the server is told of a user. It keeps this with each run, so it holds no secret."""

    identity: str
    display_name: str
    is_authenticated: bool
    permissions: list[str]
    """The user's roles; for staff also `answer_approvals`."""


def user_of(identity: Any, roles: Collection[str], known: Collection[str]) -> User | None:
    """None = the identity is no name."""
    if not isinstance(identity, str) or not identity.isprintable() or not 0 < len(identity.strip()) <= LONGEST_IDENTITY:
        return None
    return User(identity, frozenset(roles) & {*known, STAFF} or frozenset({GUEST}))


def known_user(user: User) -> KnownUser:
    permissions = sorted([*user.roles, *([MAY_ANSWER] if STAFF in user.roles else [])])
    return {
        "identity": user.identity,
        "display_name": user.identity,
        "is_authenticated": True,
        "permissions": permissions,
    }


@dataclass(frozen=True)
class Rules:
    """What each role may run."""

    open_to: Mapping[str, Mapping[str, Collection[str]]]
    """By graph, then by role: the settings it may give. A graph that is not named is staff's."""

    @property
    def roles(self) -> set[str]:
        return {GUEST, STAFF, *(role for roles in self.open_to.values() for role in roles)}

    def settings(self, graph: str | None, roles: Collection[str]) -> set[str] | None:
        """The settings that these roles may give to a graph; None = they may not run it."""
        given = [settings for role, settings in self.open_to.get(graph or "", {}).items() if role in roles]
        return set().union(*given) if given else None

    def graph_of(self, assistant_id: Any) -> str | None:
        """The graph whose own assistant this is; None = it is another one, or of a graph that is staff's."""
        return next((graph for graph in self.open_to if str(uuid5(GRAPHS, graph)) == str(assistant_id)), None)


def rules() -> Rules:
    """Of the installed agents: the server's graphs bear their names."""
    agents, _ = installed()
    return Rules({name: each.entry.open_to for name, each in agents.items()})
