"""What code adds to the plans of a request to the hotel, whoever made them: other dates and hotels, topics of the house that
are asked about, and the slots, which no model is asked for."""

from wavegraph.graph.domain import Script
from wavegraph.graph.request.serving import held_call, words_held
from wavegraph.graph.state import PlanningResult, ToolCall
from wavegraph.graph.views import PlanningView
from wavegraph.tools.hotel.adapt import adapt
from wavegraph.tools.hotel.answers.reply_forms import hotel_replies
from wavegraph.tools.hotel.asked_about import with_look_ups
from wavegraph.tools.hotel.dialogue.derived import derived_slots
from wavegraph.tools.hotel.held import cancelled_unasked
from wavegraph.tools.hotel.noted import with_notes
from wavegraph.tools.hotel.profile import PropertyProfile
from wavegraph.tools.hotel.property.registry import ProfileOf, profile_for


def hotel_script(profile_of: ProfileOf | None = None) -> Script:
    """No step is fixed: a planner is asked for each. `profile_of`: gives the profile of a property; None = from the user's
    data folder."""

    replies = hotel_replies(profile_of)

    def completed(made: PlanningResult, view: PlanningView) -> PlanningResult:
        """The plan with what it misses, the slots that follow from it, and what stands below the terms of its booking."""
        profile = profile_for(view.settings, profile_of)
        whole = with_look_ups(_as_asked(made, view, profile), view, profile, replies)
        slots = derived_slots(whole, view, profile)
        with_slots: PlanningResult = {**whole, "slots": slots.model_dump(mode="json", exclude_defaults=True)}
        return with_notes(with_slots, slots, view, profile)

    return Script(workarounds=adapt, completed=completed)


def _as_asked(made: PlanningResult, view: PlanningView, profile: PropertyProfile) -> PlanningResult:
    """The plan, but the first, with a booking looked up that it would cancel though nobody asks for that: the first is sent back."""
    if view.plan is None and view.feedback is None:
        return made
    calls = [held_call(call, call["args"], words_held(call, view.pieces)) for call in made["tools"]]
    unasked = {each.call for each in cancelled_unasked(calls, view, profile)}
    tools: list[ToolCall] = [
        {**call, "tool": "get_booking"} if call["id"] in unasked else call for call in made["tools"]
    ]
    return {**made, "tools": tools}
