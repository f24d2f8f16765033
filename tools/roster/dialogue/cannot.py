"""What the roster generator cannot do: one list, which the planning prompt, the replies' forms and the talk read."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Thing = Literal["in_file", "several", "undo_decision", "discard", "tell_people"]


class Limit(NamedTuple):
    """One thing that it cannot do."""

    when: str
    """What managers ask for, as a planner is told."""
    phrase: str


CANNOT: Mapping[Thing, Limit] = {
    "in_file": Limit(
        "a change of the ward itself: contracts, how many are needed, limits, rest, skills, people, shifts",
        "limit_in_file",
    ),
    "several": Limit("a second roster, of another ward or period, beside the one you plan", "one_at_a_time"),
    "undo_decision": Limit("a publication or a draft is to be taken back", "undo_decision"),
    "discard": Limit("a roster is to be deleted", "cannot_discard"),
    "tell_people": Limit("somebody is to be told, asked, called or paid", "cannot_tell"),
}
