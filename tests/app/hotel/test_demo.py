"""`wavegraph demo minihotel` shows the whole way without an account, and nothing of the login."""

import os
import re

import pytest
from typer.testing import CliRunner

from wavegraph.app.main import app
from wavegraph.testing import Canaries, Collected, assert_no_leak


def test_the_demo_shows_the_whole_way(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets, planted = Canaries(), list[str]()

    def login(size: int = 0) -> str:
        planted.append(secrets.plant(f"login {len(planted)}"))
        return planted[-1]

    monkeypatch.setattr("wavegraph.app.hotel.demo.secrets.token_hex", login)
    monkeypatch.setattr("wavegraph.app.hotel.demo.secrets.token_urlsafe", login)
    before = dict(os.environ)
    ended = CliRunner().invoke(app, ["demo", "minihotel"])

    assert ended.exit_code == 0, ended.output
    wire = re.findall(r"^  \| POST (.*?) ->", ended.output, re.MULTILINE)
    made = [line for line in wire if line.startswith("/gds book ")]
    gone = [line for line in wire if line.startswith("/gds cancel ")]
    assert (len(made), len(gone)) == (1, 1)
    assert any(line.startswith("/gds immediate ") for line in wire)
    assert any(line.startswith("/gds bulk ") for line in wire), "the full night is explained"
    reference = made[0].removeprefix("/gds book ")
    assert f"Your booking is confirmed: {reference}." in ended.output
    assert f"Booking {reference} is confirmed:" in ended.output
    assert f"Booking {reference} has been cancelled." in ended.output
    assert "Nothing can be kept for you until you answer" in ended.output
    assert "never run against the vendor" in ended.output
    assert dict(os.environ) == before
    left = Collected()
    left.add("terminal", ended.output)
    assert len(planted) == 2
    assert_no_leak(secrets, left, channels=["terminal"])
