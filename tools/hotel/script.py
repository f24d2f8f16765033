"""What belongs to every plan of a request to the hotel, whoever planned it: the slots, which no model is asked for."""

from wavegraph.graph.state import PlanningResult
from wavegraph.graph.views import PlanningView
from wavegraph.tools.hotel.dialogue.derived import derived_slots
from wavegraph.tools.hotel.noted import with_notes
from wavegraph.tools.hotel.property.registry import ProfileOf, profile_for


class HotelScript:
    """No step is fixed: a planner is asked for each."""

    def __init__(self, profile_of: ProfileOf | None = None) -> None:
        """`profile_of`: gives the profile of a property; None = from the user's data folder."""
        self._profile_of = profile_of

    def whole(self, made: PlanningResult, view: PlanningView) -> PlanningResult:
        """The plan with the slots that follow from it, and what stands below the terms of its booking."""
        profile = profile_for(view.settings, self._profile_of)
        slots = derived_slots(made, view, profile)
        whole: PlanningResult = {**made, "slots": slots.model_dump(mode="json", exclude_defaults=True)}
        return with_notes(whole, slots, view, profile)

    def follows(self, view: PlanningView) -> bool:
        return False
