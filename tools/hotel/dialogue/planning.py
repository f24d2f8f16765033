"""Which step comes next: the first rule that fits."""

import re
from collections.abc import Callable

from wavegraph.tools.hotel.dialogue import booking_rules, house_rules, reception_rules, stay_rules, waiting_rules
from wavegraph.tools.hotel.dialogue.next_step import Context, NextStep
from wavegraph.tools.hotel.dialogue.understanding import answers_read_back


def decide(context: Context) -> NextStep:
    """The first rule that fits; the ones that must not be missed come first.

    Where it is not certain what to search, or whom to book for, what was understood is read back first.
    """
    step = next(step for rule in _RULES if (step := rule(context)) is not None)
    searches = step.intent in ("availability", "book") and not step.again
    if not searches or answers_read_back(context.message, context.before) or not _doubtful(step, context):
        return step
    return NextStep("read_back", "clarify", f"not accounted for: {', '.join(context.message.unplaced)}")


def _doubtful(step: NextStep, context: Context) -> bool:
    """The one rule of doubt. Guests who are counted are searched for in spite of words beside them that are not
    understood: the answer asks about those, unless a yes to it could be one to the booking that waits. Words of dates
    that are left may mean another stay."""
    message = context.message
    if message.doubtful or not message.unplaced or context.asked or step.action != "availability":
        return message.doubtful or bool(message.unplaced)
    known, named = context.slots.adults, any(not re.search(r"\d", words) for words in message.strangers)
    countless = known is None or (known == 1 and named)  # `my brothers and I`
    return countless or {*message.unplaced} != {*message.strangers}


_RULES: tuple[Callable[[Context], NextStep | None], ...] = (
    reception_rules.gives_orders,
    stay_rules.answered,
    booking_rules.guest_changed,
    waiting_rules.shown_again,
    waiting_rules.of_the_fee,
    waiting_rules.of_the_price,
    booking_rules.status,
    reception_rules.complains,
    booking_rules.noted,
    booking_rules.kept,
    waiting_rules.put_off,
    booking_rules.waits,
    waiting_rules.refused_part,
    waiting_rules.with_note,
    booking_rules.repeats,
    booking_rules.stopped,
    reception_rules.elsewhere,
    reception_rules.for_reception,
    reception_rules.told_before,
    house_rules.calendar_day,
    booking_rules.own_bookings,
    reception_rules.private,
    booking_rules.declined,
    reception_rules.past_price,
    house_rules.of_that_fact,
    reception_rules.asks_why,
    reception_rules.some_nights,
    stay_rules.broken_dates,
    stay_rules.party_limits,
    stay_rules.rooms_apart,
    house_rules.day_visit,
    waiting_rules.changed,
    waiting_rules.said_again,
    booking_rules.books,
    stay_rules.dated,
    stay_rules.moved,
    stay_rules.one_of_the_offers,
    house_rules.room_question,
    house_rules.of_a_room,
    stay_rules.same_stay,
    house_rules.house_facts,
    house_rules.about_hotel,
    stay_rules.undated,
    waiting_rules.unsure,
    reception_rules.small_talk,
    reception_rules.unread,
)
