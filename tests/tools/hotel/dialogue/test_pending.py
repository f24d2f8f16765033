"""What goes on from one request to the next: a yes to an open question, to what is done, and to neither."""

from typing import Any

import pytest
from desk_views import availability, booked, offer, plan_of, quote, rendered
from tables import table

from wavegraph.graph.ledger import NOT_FOUND_AFTER, signature
from wavegraph.graph.state import PastRequest, PlanningResult, empty_ledger

QUOTE = quote(offer("DLX", 182_000, 2))
FIRST = "book the sea view January 17-19 for Dana Levi, dana@example.com, 2 adults"
DANA = {"guest_name": "Dana Levi", "guest_email": "dana@example.com"}
ARGS = {"quote_id": "Q-AB12CD34EF", **DANA}
CANCEL = {"reference": "WG-7KQ2M9XA", "surname_or_email": "Levi"}


def after(plan: PlanningResult, results: dict[str, Any], *, outcome: Any = "answered") -> PastRequest:
    """The request that made this plan. `results`: by call id, data, or an error's code; missing = it never ended."""
    ledger = empty_ledger()
    for call in plan["tools"]:
        planned: Any = {**call, "effect": "read", "plan": 1}
        ledger["calls"][call["id"]] = planned
        if call["id"] not in results:
            continue
        found = results[call["id"]]
        args = {name: ARGS["quote_id"] if isinstance(value, dict) else value for name, value in call["args"].items()}
        said = NOT_FOUND_AFTER if found == "tool_error" else "no"
        error = {"code": found, "message": said, "retryable": False} if isinstance(found, str) else None
        ended: Any = {"tool": call["tool"], "args": args, "status": "error" if error else "ok", "error": error}
        ended |= {"data": None if error else found, "attempts": 1, "runs": 1, "plan": 1, "wave": 1, "elapsed_s": 0.0}
        key = signature(call["tool"], args)
        ended["signature"] = key
        ledger["outcomes"][key] = ended
    made: Any = {**plan, "number": 1, "planner": "rules", "adapts": False}
    request: Any = {"id": "p", "number": 1, "text": "", "language": "en"}
    return {"request": request, "plan": made, "ledger": ledger, "outcome": outcome}


def asked() -> PastRequest:
    """The booking was quoted, and the guest asked: no answer yet."""
    return after(plan_of(FIRST), {"quote": QUOTE}, outcome=None)


def done() -> PastRequest:
    return after(plan_of(FIRST), {"quote": QUOTE, "create_booking": booked(QUOTE)})


def failed(code: str) -> PastRequest:
    return after(plan_of(FIRST), {"quote": QUOTE, "create_booking": code})


YES = ["yes", "ok, go ahead", "yes, the sea view", "כן", "מאשר", "👍"]
ANEW = ["Yes, book it", "book it please", "כן, תזמינו"]


@table("text", [*YES, *ANEW])
def test_a_yes_is_the_same_booking_and_no_new_offer(text: str) -> None:
    for before in (asked(), failed("tool_error")):
        (call,) = plan_of(text, previous=before)["tools"]
        assert (call["tool"], call["args"]) == ("create_booking", ARGS)


@table("text", ["yes", "ok, go ahead", "כן", "מאשר", "👍", "let's do it", "ok thanks", "בסדר", "great"])
@table("code", ["", "write_unknown", "rejected", "price_changed", "quote_expired", "sold_out"])
def test_a_yes_where_nothing_is_asked_sends_nothing(text: str, code: str) -> None:
    plan = plan_of(text, previous=failed(code) if code else done())
    assert {call["tool"] for call in plan["tools"]} <= {"get_hotel_info"}  # whom to ask
    assert plan["slots"]["intent"] in ("stands", "unknown", "accept", "thanks")


def test_a_yes_after_an_end_that_is_not_known_is_told_so() -> None:
    assert plan_of("yes", previous=failed("write_unknown"))["slots"]["intent"] == "unknown"


@pytest.mark.parametrize("text", ANEW)
def test_words_that_ask_anew_stay_the_same_booking(text: str) -> None:
    for before in (failed("write_unknown"), done()):
        (call,) = plan_of(text, previous=before)["tools"]
        assert (call["tool"], call["args"]) == ("create_booking", ARGS)


def test_repeated_words_stay_the_same_booking() -> None:
    before = done()
    for text in ("book it", "Yes, book it", "תזמיני"):
        plan = plan_of(text, previous=before)
        assert [call["args"] for call in plan["tools"]] == [ARGS]
        before = after(plan, {"create_booking": booked(QUOTE, repeated=True)})


@table("code", ["rejected", "price_changed", "quote_expired", "sold_out", "approval_impossible"])
def test_a_yes_to_what_came_to_nothing_quotes_anew(code: str) -> None:
    plan = plan_of("yes, book it", previous=failed(code))
    assert rendered(plan) == [
        "quote 2027-01-17 2027-01-19 2 room_type=DLX",
        "create of quote guest_name=Dana Levi guest_email=dana@example.com",
    ]


@pytest.mark.parametrize("text", ["yes, but my e-mail is levi@example.com", "sorry, my e-mail is levi@example.com"])
def test_a_correction_before_the_yes_keeps_the_offer(text: str) -> None:
    (call,) = plan_of(text, previous=asked())["tools"]
    assert call["args"] == {**ARGS, "guest_email": "levi@example.com"}


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("book the sea view January 17-19 for 0 adults, Dana Levi, dana@example.com", "no_adults"),
        ("book the sea view January 17-19 for 90 adults, Dana Levi, dana@example.com", "group"),
        ("book the sea view January 19-17 for 2 adults, Dana Levi, dana@example.com", "bad_dates"),
        ("book it for 30 February", "bad_dates"),
    ],
)
def test_a_party_or_dates_that_cannot_be_are_no_yes(text: str, intent: str) -> None:
    for previous, action in ((asked(), "clarify"), (None, "refuse")):
        plan = plan_of(text, previous=previous)
        assert (plan["action"], plan["slots"]["intent"], plan["tools"]) == (action, intent, [])


@pytest.mark.parametrize("state", ["asked", "rejected"])
def test_another_guest_does_not_get_the_address_of_the_one_before(state: str) -> None:
    before = asked() if state == "asked" else failed(state)
    for text in ("book it for Yossi Cohen", "book a double room March 17-19 for two adults for Yossi Cohen, 050-123"):
        plan = plan_of(text, previous=before)
        assert plan["slots"]["guest"] == {"name": "Yossi Cohen", "email": None, "phone": None}
        assert not [call for call in plan["tools"] if call["tool"] == "create_booking"]
    whole = plan_of("yes, but for Yossi Cohen, 050-1234567", previous=before)["tools"][-1]["args"]
    assert {name: value for name, value in whole.items() if name != "quote_id"} == {
        "guest_name": "Yossi Cohen", "guest_phone": "050-1234567",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["name: 😀🎉", "book it, my name is 12345", "שמי: 12345"])
def test_a_name_that_cannot_be_read_is_asked_for_and_the_one_before_forgotten(text: str) -> None:
    plan = plan_of(text, previous=asked())
    assert (plan["action"], plan["slots"]["guest"]["name"], plan["tools"]) == ("clarify", None, [])


def test_a_name_in_full_keeps_the_address() -> None:
    said = [("user", "book the sea view January 17-19 for 2 adults, dana@example.com"), ("assistant", "…")]
    plan = plan_of("my name is Dana Levi", history=[*said, ("user", "my name is dana"), ("assistant", "…")])
    assert plan["slots"]["guest"] == {"name": "Dana Levi", "email": "dana@example.com", "phone": None}


def test_a_question_before_the_yes_is_answered_and_books_nothing() -> None:
    plan = plan_of("yes but what about parking", previous=asked())
    assert rendered(plan) == ["info parking"]
    assert plan_of("yes", previous=after(plan, {}))["tools"] == []
    assert rendered(plan_of("yes, book it", previous=after(plan, {}))) == [
        "quote 2027-01-17 2027-01-19 2 room_type=DLX",
        "create of quote guest_name=Dana Levi guest_email=dana@example.com",
    ]


@pytest.mark.parametrize("text", ["no, make it three nights", "actually 3 nights", "לא, שיהיה 3 לילות"])
def test_another_length_before_the_yes_is_asked_about_at_its_new_terms(text: str) -> None:
    plan = plan_of(text, previous=asked())
    assert rendered(plan) == ["quote 2027-01-17 2027-01-20 2 room_type=DLX"]  # asked about once it can be had
    assert plan["status"] == "continue"


def test_a_question_about_another_length_is_no_correction() -> None:
    plan = plan_of("what about three nights?", previous=asked())
    assert rendered(plan) == ["availability 2027-01-17 2027-01-20 2 room_type=DLX"]


@table("text", ["no", "No thanks", "cancel", "cancel it", "לא", "לא תודה"])
def test_a_no_books_nothing_and_says_so(text: str) -> None:
    plan = plan_of(text, previous=asked())
    assert (plan["tools"], plan["slots"]["want"]) == ([], None)
    assert ("nothing was booked" in str(plan["reply"])) or ("לא הוזמן דבר" in str(plan["reply"]))


@pytest.mark.parametrize(("text", "says"), [("no thanks", "stays as it is"), ("לא תודה", "נשארת כפי שהיא")])
def test_a_no_after_the_booking_does_not_deny_it(text: str, says: str) -> None:
    told = str(plan_of(text, previous=done())["reply"])
    assert says in told
    assert "WG-7KQ2M9XA" in told


def test_thanks_after_the_booking_is_small_talk() -> None:
    assert plan_of("ok, thank you!", previous=done())["slots"]["intent"] == "thanks"


def test_another_room_is_another_booking() -> None:
    plan = plan_of("book another one, the double", previous=done())
    assert rendered(plan)[0] == "quote 2027-01-17 2027-01-19 2 room_type=DBL"


def test_booked_and_talked_on_is_still_booked() -> None:
    parking = plan_of("is there parking?", previous=done())
    plan = plan_of("book it", previous=after(parking, {}))
    assert rendered(plan) == ["find WG-7KQ2M9XA dana@example.com"]


@pytest.mark.parametrize("text", ["cancel my booking", "please cancel it", "לבטל את ההזמנה"])
def test_what_was_just_booked_can_be_cancelled_without_its_number(text: str) -> None:
    assert rendered(plan_of(text, previous=done())) == ["cancel WG-7KQ2M9XA dana@example.com"]


def test_a_yes_to_a_cancellation_is_the_same_cancellation() -> None:
    first = plan_of("cancel my booking WG-7KQ2M9XA, Levi")
    for before in (after(first, {}, outcome=None), after(first, {"cancel_booking": "tool_error"})):
        (call,) = plan_of("yes", previous=before)["tools"]
        assert (call["tool"], call["args"]) == ("cancel_booking", CANCEL)
    no = plan_of("no", previous=after(first, {}, outcome=None))
    assert (no["tools"], no["slots"]["intent"]) == ([], "kept")


def test_a_booking_looked_up_can_be_cancelled_next() -> None:
    plan = plan_of("show me my booking WG-7KQ2M9XA, Levi")
    then = plan_of("cancel it", previous=after(plan, {"get_booking": booked(QUOTE)}))
    assert rendered(then) == ["cancel WG-7KQ2M9XA Levi"]


def test_after_a_cancellation_nothing_is_left_to_say_yes_to() -> None:
    gone = booked(QUOTE, status="cancelled", fee_agorot=0)
    before = after(plan_of("cancel my booking WG-7KQ2M9XA, Levi"), {"cancel_booking": gone})
    assert plan_of("book it", previous=before)["slots"]["intent"] != "cancel"
    assert plan_of("cancel my booking", previous=after(plan_of("thanks", previous=before), {}))["action"] == "refuse"


def test_rooms_to_choose_from_are_shown_with_the_prices_of_now() -> None:
    shown = availability("2027-01-17", "2027-01-19", offer("DBL", 130_000, 2), offer("SUITE", 182_000, 2))
    before = after(plan_of("January 17-19, 2 adults"), {"check_availability": shown})
    plan = plan_of("book it", previous=before)
    assert rendered(plan) == ["availability 2027-01-17 2027-01-19 2"]
    before = after(plan, {"check_availability": shown})
    for text in ("the second one", "the Sea Front Suite", "the suite"):
        plan = plan_of(f"{text}, Dana Levi, dana@example.com", previous=before)
        assert rendered(plan)[0] == "quote 2027-01-17 2027-01-19 2 room_type=SUITE"


def test_the_only_room_shown_needs_no_choice() -> None:
    shown = availability("2027-01-17", "2027-01-19", offer("DBL", 130_000, 2), offer("DBL", 150_000, 2, board="HB"))
    before = after(plan_of("January 17-19, 2 adults"), {"check_availability": shown})
    plan = plan_of("book it, Dana Levi, dana@example.com", previous=before)
    assert [call["tool"] for call in plan["tools"]] == ["quote_stay", "create_booking"]
