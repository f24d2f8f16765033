"""The tools around a booking, called as the engine calls them: arguments, terms, look-ups, and who agrees."""

import asyncio
import shutil
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest
from pydantic import ValidationError

from wavegraph import Domain, ResolvedCall
from wavegraph.graph.approval import hash_of
from wavegraph.graph.errors import SettingsError, ToolRefusal, explain
from wavegraph.tools.hotel.checks import CHECKS
from wavegraph.tools.hotel.domain import APPROVER, hotel_domain
from wavegraph.tools.hotel.property.credentials import Credential, Secrets
from wavegraph.tools.hotel.property.port import Property, open_property
from wavegraph.tools.hotel.property.sqlite_property import SqliteProperty, build
from wavegraph.tools.hotel.records import Booking, Quote
from wavegraph.tools.hotel.settings import HotelSettings

TODAY = date(2026, 11, 20)
NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
STAY = {"check_in": "2027-01-17", "check_out": "2027-01-19", "adults": 2, "room_type": "DBL"}
DANA = {"guest_name": "Dana Levi", "guest_email": "dana@example.com"}
CARD = "4111 1111 1111 1111"
T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


class Desk:
    """The domain's tools over one data folder, at a fixed time."""

    def __init__(self, folder: Path, **given: Any) -> None:
        self.at = NOW
        self.domain: Domain = hotel_domain(folder, opener=partial(open_property, now=lambda: self.at), **given)

    def settings(self, **changes: Any) -> HotelSettings:
        return HotelSettings(**{"today": TODAY, **changes})

    def call(self, name: str, args: dict[str, Any], **settings: Any) -> Any:
        tool = self.domain.registry[name]
        given = {**tool.checked_args(args), "settings": self.settings(**settings)}
        return run(tool.tool.ainvoke(given))

    def quote(self, **changes: Any) -> Quote:
        return self.call("quote_stay", {**STAY, **changes})  # type: ignore[no-any-return]

    def booked(self, **changes: Any) -> Booking:
        return self.call("create_booking", {"quote_id": self.quote(**changes).quote_id, **DANA})  # type: ignore[no-any-return]

    def prepared(self, name: str, args: dict[str, Any], **settings: Any) -> Any:
        tool = self.domain.registry[name]
        assert tool.approval
        return run(tool.approval.prepare(tool.checked_args(args), self.settings(**settings)))

    def looked_up(self, name: str, args: dict[str, Any]) -> Any:
        tool = self.domain.registry[name]
        assert tool.look_up
        return run(tool.look_up(tool.checked_args(args), self.settings()))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("built") / "sandbox.sqlite"
    build(path, TODAY)
    return path


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    """A demo hotel of one's own, to book in."""
    shutil.copy(built, tmp_path)
    return tmp_path


@pytest.fixture
def desk(folder: Path) -> Desk:
    return Desk(folder)


@contextmanager
def refused(code: str) -> Iterator[None]:
    with pytest.raises(ToolRefusal) as refusal:
        yield
    assert refusal.value.code == code


def test_reads_and_writes(desk: Desk) -> None:
    effects = {name: tool.effect for name, tool in desk.domain.registry.items()}
    writes = {"create_booking", "cancel_booking"}
    assert {name for name, effect in effects.items() if effect == "write"} == writes
    for name in writes:
        assert desk.domain.registry[name].approval
        assert desk.domain.registry[name].look_up
    assert desk.domain.registry["create_booking"].sources["quote_id"] == "results"
    # The number may be that of a result, as of the booking just made; whose it is, a person says.
    assert desk.domain.registry["cancel_booking"].sources == {"reference": "either", "surname_or_email": "person"}


def test_from_a_quote_to_a_cancelled_booking(desk: Desk) -> None:
    quote = desk.quote(refundable=True)
    args = {"quote_id": quote.quote_id, **DANA}
    assert desk.looked_up("create_booking", args) is None
    desk.prepared("create_booking", args)
    booking = desk.call("create_booking", args)
    assert (booking.status, booking.total_agorot) == ("confirmed", quote.total_agorot)
    assert desk.looked_up("create_booking", args) == booking.model_copy(update={"repeated": True})
    assert desk.looked_up("create_booking", {**args, "notes": "late"}) is None

    known = {"reference": booking.reference.lower(), "surname_or_email": "levi"}
    assert desk.call("get_booking", known) == booking
    assert desk.looked_up("cancel_booking", known) is None
    terms = desk.prepared("cancel_booking", known)
    assert (terms["details"]["booking"]["fee_agorot"], terms["valid_until"]) == (0, None)
    cancelled = desk.call("cancel_booking", known)
    assert (cancelled.status, cancelled.fee_agorot) == ("cancelled", 0)
    assert desk.looked_up("cancel_booking", known) == cancelled.model_copy(update={"repeated": True})


def test_the_terms_of_a_booking_do_not_move_by_themselves(desk: Desk) -> None:
    quote = desk.quote()
    args = {"quote_id": quote.quote_id, **DANA}
    first = desk.prepared("create_booking", args)
    desk.at = NOW + timedelta(minutes=5)
    second = desk.prepared("create_booking", args)
    assert first["details"] == second["details"]
    assert set(first["details"]) == {"property_id", "quote", "guest"}
    assert "expires_at" not in first["details"]["quote"]
    assert (first["valid_until"], second["valid_until"]) == ("2026-11-20T09:15:00+00:00", "2026-11-20T09:20:00+00:00")
    other = desk.prepared("create_booking", {**args, "guest_name": "Dana Lev"})
    hashes = {hash_of("create_booking", args, terms["details"]) for terms in (first, second, other)}
    assert len(hashes) == 2


def test_what_a_rejection_lets_go_is_free_again(desk: Desk) -> None:
    tool = desk.domain.registry["create_booking"]
    assert tool.approval
    before = desk.quote().parts[0].rooms_left
    args = {"quote_id": desk.quote().quote_id, **DANA}
    desk.prepared("create_booking", args)
    assert desk.quote().parts[0].rooms_left == before - 1
    for _ in range(2):
        run(tool.approval.release(args, desk.settings()))
    assert desk.quote().parts[0].rooms_left == before


@pytest.mark.parametrize("language", ["en", "he", "fr"])
def test_terms_are_restated_with_all_that_counts(desk: Desk, language: str) -> None:
    tools = desk.domain.registry
    quote = desk.quote(refundable=True, board="BB")
    args = {"quote_id": quote.quote_id, **DANA, "notes": "a quiet room"}
    book, cancel = tools["create_booking"].approval, tools["cancel_booking"].approval
    assert book
    assert cancel
    said = book.restate(desk.prepared("create_booking", args)["details"], language)
    for fact in (
        "Dana Levi",
        "dana@example.com",
        "a quiet room",
        f"{quote.total_agorot // 100:,}",
        "17",
        "19",
        "15",
        "2027",
    ):
        assert fact in said
    booking = desk.call("create_booking", args)
    known = {"reference": booking.reference, "surname_or_email": "Levi"}
    said = cancel.restate(desk.prepared("cancel_booking", known)["details"], language)
    assert booking.reference in said
    assert "Dana Levi" in said


@pytest.mark.parametrize(
    ("name", "args", "code"),
    [
        ("create_booking", {"quote_id": "Q-UNKNOWN234", **DANA}, "not_found"),
        ("cancel_booking", {"reference": "WG-22222222", "surname_or_email": "Levi"}, "not_found"),
    ],
)
def test_refusals_keep_their_codes(desk: Desk, name: str, args: dict[str, Any], code: str) -> None:
    with refused(code):
        desk.prepared(name, args)
    with refused(code):
        desk.call(name, args)
    assert desk.looked_up(name, args) is None


def test_a_quote_for_a_full_night_is_refused(desk: Desk) -> None:
    with refused("sold_out"):
        desk.call("quote_stay", {"check_in": "2026-12-25", "check_out": "2026-12-26", "adults": 2})


# Arguments

BAD = [
    ({"guest_email": None}, "the guest's e-mail address or phone number"),
    ({"guest_email": "dana at example"}, "guest_email is not an e-mail address"),
    ({"guest_phone": "12345"}, "at least six digits"),
    ({"guest_name": "x" * 121}, "at most 120 characters"),
    ({"guest_name": "  "}, "at least 1 character"),
    ({"guest_name": "Dana\x1b[2J"}, "control characters"),
    ({"notes": "n" * 501}, "at most 500 characters"),
]


@pytest.mark.parametrize(("changes", "words"), BAD)
def test_arguments_are_bounded(desk: Desk, changes: dict[str, Any], words: str) -> None:
    args = {"quote_id": "Q-AAAAAAAAAA", **DANA, **changes}
    with pytest.raises(ValidationError) as wrong:
        desk.domain.registry["create_booking"].checked_args(args)
    assert words in explain(wrong.value)


@pytest.mark.parametrize("reference", [True, False])
@pytest.mark.parametrize("field", ["quote_id", "guest_name", "guest_email", "guest_phone", "notes"])
def test_a_card_number_is_refused_and_not_repeated(desk: Desk, field: str, reference: bool) -> None:
    """Also beside other faults, and where another argument is a reference that is checked alone."""
    args: dict[str, Any] = {"quote_id": "Q-AAAAAAAAAA", **DANA, field: f"pay with {CARD} 12/29 123"}
    if reference and field != "quote_id":
        args["quote_id"] = {"ref": {"call": "quote", "path": "quote_id"}}
    else:
        args.pop("guest_name" if field != "guest_name" else "guest_email")
    with pytest.raises(ValidationError) as wrong:
        desk.domain.registry["create_booking"].checked_args(args)
    told = explain(wrong.value)
    assert f"{field} = '(not shown)': looks like a payment card number" in told
    assert "1111" not in f"{told} {wrong.value}"


@pytest.mark.parametrize("name", ["get_booking", "cancel_booking"])
def test_a_card_number_is_no_reference(desk: Desk, name: str) -> None:
    with pytest.raises(ValidationError, match="payment card number"):
        desk.domain.registry[name].checked_args({"reference": CARD, "surname_or_email": "Levi"})


# Who agrees


@pytest.mark.parametrize(
    ("hotel_asks", "run_asks", "guest_agrees"),
    [(None, "guest", True), (None, "staff", False), ("guest", "guest", True), ("guest", "staff", False),
     ("staff", "guest", False), ("staff", "staff", False)],
)  # fmt: skip
@pytest.mark.parametrize("way", ["parameter", "environment"])
def test_a_run_can_ask_for_more_care_and_never_for_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hotel_asks: Any, run_asks: Any, guest_agrees: bool, way: str
) -> None:
    monkeypatch.delenv(APPROVER, raising=False)
    if hotel_asks and way == "environment":
        monkeypatch.setenv(APPROVER, hotel_asks)
    domain = hotel_domain(tmp_path, approver=hotel_asks if way == "parameter" else None)
    for name in ("create_booking", "cancel_booking"):
        approval = domain.registry[name].approval
        assert approval
        assert approval.by_asker(HotelSettings(approver=run_asks)) is guest_agrees


def test_an_unknown_approver_stops_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(APPROVER, "nobody")
    with pytest.raises(SettingsError, match="WAVEGRAPH_APPROVER = 'nobody': expected guest or staff"):
        hotel_domain(tmp_path)


@pytest.mark.parametrize(
    ("given", "settings", "until"),
    [({}, {}, "09:15"), ({}, {"hold_minutes": 40}, "09:40"), ({"approver": "staff"}, {"hold_minutes": 5}, "09:05")],
)
def test_how_long_rooms_are_held(folder: Path, given: Any, settings: Any, until: str) -> None:
    desk = Desk(folder, **given)
    args = {"quote_id": desk.quote().quote_id, **DANA}
    assert desk.prepared("create_booking", args, **settings)["valid_until"] == f"2026-11-20T{until}:00+00:00"


def test_staff_has_a_day(folder: Path) -> None:
    desk = Desk(folder, approver="staff")
    terms = desk.prepared("create_booking", {"quote_id": desk.quote().quote_id, **DANA})
    assert terms["valid_until"] == "2026-11-21T09:00:00+00:00"


@pytest.mark.parametrize("minutes", [0, 2881])
def test_a_hold_is_bounded(minutes: int) -> None:
    with pytest.raises(SettingsError, match="hold_minutes"):
        HotelSettings(hold_minutes=minutes)


# Adapters of another kind


class Keys:
    """A resolver that counts."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def credential(self, source: str) -> Credential:
        self.asked.append(source)
        return Credential(username="clerk", password="s3cret")  # type: ignore[arg-type]


class Remote(SqliteProperty):
    """Logs in for every look-up of a booking."""

    secrets: Secrets

    async def booking(self, reference: str, surname_or_email: str) -> Booking:
        self.secrets.credential("pms")
        return await super().booking(reference, surname_or_email)


def test_another_adapter_gets_the_resolver_and_asks_it_at_the_call(desk: Desk, folder: Path) -> None:
    booking, keys = desk.booked(), Keys()

    def opener(property_id: str, *, data_dir: Path | None, secrets: Secrets) -> Property:
        assert (property_id, data_dir) == ("sandbox", folder)
        adapter = Remote(folder / "sandbox.sqlite", open_property(data_dir=folder).record)
        adapter.secrets = secrets
        return adapter

    remote = hotel_domain(folder, secrets=keys, opener=opener)
    assert keys.asked == []
    args = {"reference": booking.reference, "surname_or_email": "Levi", "settings": HotelSettings(today=TODAY)}
    assert run(remote.registry["get_booking"].tool.ainvoke(args)) == booking
    assert keys.asked == ["pms"]


# Checks


def issues(name: str, result: Any, **args: Any) -> list[Any]:
    call = ResolvedCall("call", name, args)
    return [issue["rule"] for check in CHECKS[name] for issue in check(result, call)]


def test_good_results_pass(desk: Desk) -> None:
    quote = desk.quote()
    assert issues("quote_stay", quote, **STAY) == []
    booking = desk.call("create_booking", {"quote_id": quote.quote_id, **DANA})
    assert issues("create_booking", booking, quote_id=quote.quote_id, **DANA) == []
    known = {"reference": booking.reference.lower(), "surname_or_email": "Levi"}
    assert issues("get_booking", booking, **known) == []
    assert issues("cancel_booking", desk.call("cancel_booking", known), **known) == []


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"check_in": date(2027, 1, 16)}, ["stay_matches", "nights_match"]),
        ({"adults": 3}, ["party_matches"]),
        ({"children_ages": [4]}, ["party_matches"]),
        ({"total_agorot": 1}, ["parts_sum_to_total"]),
        ({"parts": []}, ["rooms_match", "parts_sum_to_total"]),
        ({"nights": 3}, ["nights_match", "one_price_a_night"]),
    ],
)
def test_a_quote_must_answer_its_call(desk: Desk, changes: dict[str, Any], rules: list[str]) -> None:
    assert issues("quote_stay", desk.quote().model_copy(update=changes), **STAY) == rules


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"guest_name": "Omer"}, ["guest_matches"]),
        ({"total_agorot": 0}, ["price_positive"]),
        ({"nights": 5}, ["nights_match"]),
        ({"rooms": []}, ["some_room"]),
    ],
)
def test_a_booking_must_be_whole(desk: Desk, changes: dict[str, Any], rules: list[str]) -> None:
    assert issues("create_booking", desk.booked().model_copy(update=changes), **DANA) == rules


def test_a_look_up_must_give_the_booking_asked_for(desk: Desk) -> None:
    booking = desk.booked()
    known = {"reference": "WG-22222222", "surname_or_email": "Levi"}
    assert issues("get_booking", booking, **known) == ["reference_matches"]
    assert issues("cancel_booking", booking, **{**known, "reference": booking.reference}) == [
        "status_cancelled",
        "fee_within_total",
    ]


def test_an_earlier_booking_is_told_while_it_stands_for_the_same_guest_and_nights(desk: Desk) -> None:
    approval = desk.domain.registry["create_booking"].approval
    alike = approval and approval.alike
    assert alike
    first = desk.booked()

    def told(**changes: Any) -> Any:
        guest = {name: changes.pop(name, value) for name, value in DANA.items()}
        args = {"quote_id": desk.quote(**changes).quote_id, **guest}
        details = desk.prepared("create_booking", args)["details"]
        return asyncio.run(cast(Any, alike)(details, [first.reference, "WG-22222222"], desk.settings()))

    assert told() == told(board="BB") == {"booked_before": [first.reference]}
    assert told(check_in="2027-01-18") == told(guest_name="Noa Bar", guest_email="noa@example.com") == {}
    desk.call("cancel_booking", {"reference": first.reference, "surname_or_email": "levi"})
    assert told() == {}
