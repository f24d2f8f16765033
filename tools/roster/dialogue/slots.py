"""What was understood of a manager's request: the roster generator's slots."""

from typing import TypedDict


class RosterSlots(TypedDict, total=False):
    """Of a model's plan they are derived from its calls; what is not known is left out."""

    ward: str
    start_date: str
    num_days: int
    not_held: list[str]
    """What was asked for and no change can say, in the person's words."""
    publish: bool
    """Whether the request itself asks to publish the roster it asks for."""
    chosen: str
    """How the ward was chosen where the request names none: `demo`, `only`. Of the rules' plans alone."""
