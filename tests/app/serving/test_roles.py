"""Who may run what: the roles, the agents that are open to them, and the settings these may give."""

from uuid import UUID, uuid4

import pytest
from tables import table

from wavegraph.app.agents import AgentEntry, agent, installed
from wavegraph.app.serving.roles import Rules, User, known_user, rules, user_of
from wavegraph.graph.approval import MAY_ANSWER
from wavegraph.graph.settings import Settings

HOTELS = UUID("f738c1c9-89db-5dd9-ad4b-f7547e591f4e")
"""Of the assistant that the LangGraph server makes of a graph `hotel`."""
KNOWN = {"guest", "staff", "manager"}
ZOO = Rules({"zoo": {"visitor": ["language"], "keeper": ["language", "enclosure"]}, "vault": {}})


@table(
    ("roles", "permissions"),
    [
        ([], ["guest"]),
        (["boss"], ["guest"]),
        ([MAY_ANSWER], ["guest"]),
        (["manager", "boss"], ["manager"]),
        (["staff", "manager"], [MAY_ANSWER, "manager", "staff"]),
    ],
)
def test_the_server_is_told_roles_and_whether_approvals_are_theirs(roles: list[str], permissions: list[str]) -> None:
    user = user_of("dana", roles, KNOWN)
    assert user

    told = known_user(user)

    assert told == {
        "identity": "dana",
        "display_name": "dana",
        "is_authenticated": True,
        "permissions": sorted(permissions),
    }


@table("identity", [None, 7, "", " ", "a\x00", "\u202egnirts", "x" * 201, b"dana"])
def test_what_is_no_name_is_nobody(identity: object) -> None:
    assert user_of(identity, ["staff"], KNOWN) is None


def test_names_in_any_alphabet() -> None:
    assert user_of("דנה לוי", [], KNOWN) == User("דנה לוי", frozenset({"guest"}))


def test_the_roles_of_any_agent_are_known_and_their_settings_add_up() -> None:
    assert ZOO.roles == {"guest", "staff", "visitor", "keeper"}
    assert ZOO.settings("zoo", ["visitor"]) == {"language"}
    assert ZOO.settings("zoo", ["visitor", "keeper"]) == {"language", "enclosure"}
    assert [ZOO.settings(graph, ["guest"]) for graph in ("zoo", "vault", "elsewhere", None)] == [None] * 4


def test_only_a_graphs_own_assistant_is_known_by_its_id() -> None:
    assert rules().graph_of(HOTELS) == rules().graph_of(str(HOTELS)) == "hotel"
    assert ZOO.graph_of(HOTELS) is None
    assert rules().graph_of(uuid4()) is None
    assert Rules({"zoo": {}}).graph_of("not an id") is None


def test_a_guest_runs_the_hotel_and_a_manager_the_roster() -> None:
    known = rules()

    assert known.settings("hotel", ["guest"]) == {"country", "language"}
    assert known.settings("hotel", ["manager"]) is None
    assert known.settings("roster", ["guest"]) is None
    assert {"ward", "days", "penalties"} <= (known.settings("roster", ["manager"]) or set())


@pytest.mark.parametrize("name", ["hotel", "roster"])
def test_what_is_open_are_settings_of_the_agent_and_none_of_the_engines_but_the_language(name: str) -> None:
    entry: AgentEntry = installed()[0][name].entry
    model = agent(name).graph().context_schema
    assert model is not None

    opened = {setting for settings in entry.open_to.values() for setting in settings}

    assert opened <= set(model.model_fields)  # type: ignore[attr-defined]
    assert opened & set(Settings.model_fields) == {"language"}
    assert not {setting for setting in opened if "limit" in setting}
