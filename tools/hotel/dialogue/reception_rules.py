"""Rules for what no search answers: reception's matters, other hotels, other guests' data, small talk."""

from wavegraph.tools.hotel.dialogue.next_step import Context, NextStep, all_as_before, as_before, wants_booking


def gives_orders(context: Context) -> NextStep | None:
    message = context.message
    if message.ordered and not (message.stays or message.topics or "lodging" in context.intents):
        return NextStep("order", "refuse", "it gives orders to the system and asks nothing about the hotel")
    return None


def for_reception(context: Context) -> NextStep | None:
    """What only people of the hotel deal with: lost things, the press, letters, a room held without a booking."""
    intents, before = context.intents, context.before
    under_way = before is not None and before.want in ("cancel", "find", "modify")
    if "no_number" in intents and not context.message.reference and (under_way or not intents & {"find", "cancel"}):
        return NextStep("no_number", "refuse", "a booking is not looked up without its number")
    asks_hour = "late check out" in context.message.topics
    if "to_hold" in intents and not (asks_hour or context.message.party.given or intents & {"for_reception"}):
        as_before(context)
        return NextStep("to_hold", "refuse", "a room is not held without a booking")
    if "for_reception" in intents and not wants_booking(context):
        as_before(context)
        return NextStep("for_reception", "refuse", "nothing a guest looks up: somebody of the hotel deals with it")
    return None


def told_before(context: Context) -> NextStep | None:
    """What was offered elsewhere or earlier is not known here."""
    if "told_before" not in context.intents or context.known_stays or context.message.stays:
        return None
    return NextStep("told_before", "refuse", "an earlier talk or offer, of which nothing is known here")


def asks_why(context: Context) -> NextStep | None:
    message = context.message
    if "why" not in context.intents or message.stays or message.topics or not context.known_stays:
        return None
    return NextStep("why", "refuse", "a reason that no price or fact gives")


def private(context: Context) -> NextStep | None:
    if "privacy" in context.intents and not (context.message.stays and context.message.party.given):
        return NextStep("privacy", "refuse", "it asks for other guests' data")
    return None


def elsewhere(context: Context) -> NextStep | None:
    """Outside the house: what it names is for no stay here."""
    message, step = context.message, None
    if "elsewhere" in context.intents and not (message.recalls and message.stays):
        step = NextStep("elsewhere", "refuse", "it is about another hotel")
    elif (
        "off_topic" in context.intents
        and not (message.topics or message.reference)
        and "lodging" not in context.intents
    ):
        step = NextStep("off_topic", "refuse", "it is not about this hotel")
    if step and context.known_stays:
        all_as_before(context)
    return step


def complains(context: Context) -> NextStep | None:
    """What went wrong is for reception, whatever else it names."""
    if "complaint" not in context.intents or (context.message.stays and context.message.party.given):
        return None
    return NextStep("complaint", "refuse", "a complaint")


def some_nights(context: Context) -> NextStep | None:
    """Guests or meals of some of the nights only."""
    if "some_nights" in context.intents and context.known_stays and not context.message.stays:
        return NextStep("some_nights", "reply", "a wish for some of the nights")
    return None


def past_price(context: Context) -> NextStep | None:
    asks = context.intents & {"was_price"} and any(p.error == "past" for p in context.slots.problems)
    return NextStep("past_price", "refuse", "a price of a past date") if asks and not context.message.stays else None


def small_talk(context: Context) -> NextStep | None:
    if "agrees" in context.intents:
        if context.pending and context.pending.may_have_happened:
            return NextStep("unknown", "hand_over", "whether it was done is not known")
        return NextStep("stands" if context.slots.booking.made else "accept", "reply", "a yes that is to nothing asked")
    for intent in ("thanks", "help", "greeting", "accept", "decline"):
        if intent in context.intents:
            return NextStep(intent, "reply", "small talk")
    return NextStep("later", "reply", "the guest asks for a moment") if "wait" in context.intents else None


def unread(context: Context) -> NextStep:
    return NextStep("unread", "refuse", "nothing in it is about a stay here")
