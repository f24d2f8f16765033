"""Calls to MiniHotel: the login stays secret, the pace is polite, and what goes wrong is a refusal that says so."""

import logging
import socket
import traceback
from datetime import date
from pathlib import Path

import httpx
import pytest
from minihotel_vendor import PASSWORD, TODAY, USER, Body, CutOff, Keys, Opened, Reply, Vendor, ask, bulk

from wavegraph.graph.errors import SettingsError, ToolRefusal
from wavegraph.tools.hotel.minihotel import connection
from wavegraph.tools.hotel.minihotel.connection import Pace
from wavegraph.tools.hotel.minihotel.property import MiniHotelProperty
from wavegraph.tools.hotel.property.credentials import EnvironmentSecrets
from wavegraph.tools.hotel.property.port import Property
from wavegraph.tools.hotel.records import StayQuery

STAY = StayQuery(check_in=date(2026, 12, 6), check_out=date(2026, 12, 8), adults=2)


def refused(hotel: MiniHotelProperty) -> ToolRefusal:
    with pytest.raises(ToolRefusal) as refusal:
        ask(hotel, lambda hotel: hotel.check())
    return refusal.value


def test_it_is_a_property(opened: Opened) -> None:
    hotel: Property = opened()
    assert isinstance(hotel, Property)


def test_a_check_asks_one_harmless_question_about_tomorrow(vendor: Vendor, opened: Opened, keys: Keys) -> None:
    ask(opened(), lambda hotel: hotel.check())
    assert vendor.kinds() == ["bulk"]
    dates = vendor.last("bulk").find("DateRange")
    assert dates is not None
    assert dates.get("from") == "2026-11-21"
    assert keys.asked == ["sea"]


@pytest.mark.parametrize(
    ("zone", "tomorrow"), [("Pacific/Kiritimati", "2026-11-22"), ("Pacific/Pago_Pago", "2026-11-21")]
)
def test_tomorrow_is_the_hotels_own(vendor: Vendor, opened: Opened, zone: str, tomorrow: str) -> None:
    ask(opened(time_zone=zone), lambda hotel: hotel.check())
    dates = vendor.last("bulk").find("DateRange")
    assert dates is not None
    assert dates.get("from") == tomorrow


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Body("ERR 210: Wrong user", "text/html"), "auth"),
        (Body("ERR A01: IP address is not authorized", "text/html"), "ip_not_allowed"),
        (Body("no", "text/html", 401), "ip_not_allowed"),
        (Body("ERR 010: Wrong hotel id", "text/html"), "bad_hotel"),
        (Body("ERR 308: Wrong rate code", "text/html"), "bad_rate"),
        (Body("ERR 209: Too many requests", "text/html"), "rate_limited"),
        (Body("<html>down</html>", "text/html"), "bad_response"),
        (CutOff(), "timeout"),
    ],
)
def test_a_check_names_what_is_wrong(vendor: Vendor, opened: Opened, reply: Reply, code: str) -> None:
    vendor.bulk = lambda request: reply
    assert refused(opened()).code == code


def test_a_host_where_nothing_listens(opened: Opened) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        refusal = refused(opened(host=f"http://127.0.0.1:{unused.getsockname()[1]}"))
    assert (refusal.code, refusal.retryable) == ("timeout", True)
    assert "nothing was sent" in refusal.message


def test_an_answer_that_does_not_come_in_time(vendor: Vendor, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "TIMEOUT", httpx.Timeout(0.05))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        refusal = refused(opened(host=f"http://127.0.0.1:{silent.getsockname()[1]}"))
    assert (refusal.code, refusal.retryable) == ("timeout", True)


def test_one_adapter_answers_on_several_event_loops_on_kept_connections(vendor: Vendor, opened: Opened) -> None:
    hotel = opened()
    for _ in range(2):
        ask(hotel, lambda hotel: hotel.check(), lambda hotel: hotel.check())
    assert vendor.kinds() == ["bulk"] * 4
    assert vendor.connections == 2


def test_without_a_login_nothing_is_asked(vendor: Vendor, opened: Opened) -> None:
    hotel = opened()
    hotel._connection._secrets = EnvironmentSecrets({})
    with pytest.raises(SettingsError, match="SEA_USERNAME and SEA_PASSWORD"):
        ask(hotel, lambda hotel: hotel.check())
    assert vendor.asked == []


def test_a_redirect_does_not_carry_the_login_elsewhere(vendor: Vendor, opened: Opened) -> None:
    vendor.bulk = lambda request: Body("", status=307, headers={"Location": f"http://localhost:{vendor.port}/gds"})
    assert refused(opened()).code == "bad_response"
    assert vendor.kinds() == ["bulk"]


ECHOES: list[Reply] = [
    Body(f"ERR 863: Wrong User Code {USER} {PASSWORD}", "text/html"),
    Body(f"<html>{PASSWORD}</html>", "text/html"),
    Body(f"<Response><Errors><Error code='{USER}' description=\"{USER}\"/></Errors></Response>"),
    bulk({"DBL": [f'<Day Mdate="{PASSWORD.replace("<", "").replace("&", "")}"/>']}),
    Body(PASSWORD, "text/plain", 500),
    CutOff(),
]


@pytest.mark.parametrize("reply", ECHOES, ids=["code", "page", "error", "date", "status", "cut off"])
def test_the_login_leaves_by_no_door(
    vendor: Vendor, opened: Opened, reply: Reply, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    hotel = opened()
    ask(hotel, lambda hotel: hotel.availability(STAY, today=TODAY))
    vendor.bulk = lambda request: reply
    refusal = refused(hotel)
    shown = (
        f"{refusal!r} {refusal} {''.join(traceback.format_exception(refusal))} {hotel!r} {vars(hotel)} {caplog.text}"
    )
    kept = "".join(path.read_bytes().decode(errors="replace") for path in tmp_path.rglob("*") if path.is_file())
    login = vendor.last("bulk").find("Authentication")
    assert login is not None
    assert (login.get("username"), login.get("password")) == (USER, PASSWORD)
    assert not any(secret in text for secret in (USER, PASSWORD) for text in (shown, kept))


def test_calls_begin_one_after_the_other_and_later_after_too_many() -> None:
    pace = Pace(0.5)
    assert [pace.turn(8.0), pace.turn(8.0), pace.turn(8.25), pace.turn(20.0)] == [8.0, 8.5, 9.0, 20.0]
    pace.slow_down(22.0)
    assert [pace.turn(20.5), pace.turn(20.5)] == [22.0, 22.5]
    pace.slow_down(21.0)
    assert pace.turn(20.5) == 23.0
