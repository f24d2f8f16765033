"""A client that sends too much waits; the others do not."""

import pytest
from tables import table

from wavegraph.app.serving import rate
from wavegraph.app.serving.rate import Rate, network_of


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def taken(limited: Rate, *clients: str) -> int:
    """Empties the bucket, ten bytes at a time."""
    count = 0
    while not limited.take(clients, 10):
        count += 1
    return count


def test_a_bucket_then_the_rate(clock: Clock) -> None:
    limited = Rate(40, 400, clock)

    assert taken(limited, "a") == 40
    assert limited.take(["a"], 10) == 0.25
    assert limited.take(["a"], 50) == 1.25
    clock.now += 1
    assert taken(limited, "a") == 4
    clock.now += 1_000_000
    assert taken(limited, "a") == 40


def test_what_is_refused_is_not_taken(clock: Clock) -> None:
    limited = Rate(1, 100, clock)

    assert limited.take(["a"], 101) == 1
    assert limited.take(["a"], 100) == 0


def test_all_of_the_clients_have_it_or_none_gives(clock: Clock) -> None:
    limited = Rate(10, 100, clock)
    limited.take(["token"], 90)

    assert limited.take(["address", "token"], 30) == 2
    assert limited.take(["address"], 100) == 0


@table(
    ("first", "second", "is_same"),
    [
        ("10.0.0.1", "10.0.0.1", True),
        ("10.0.0.1", "10.0.0.2", False),
        ("10.0.0.1", "::ffff:10.0.0.1", True),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("127.0.0.1", "::1", False),
        ("", "", True),
        ("unknown", "10.0.0.1", False),
        ("a:b", "10.0.0.1", False),
    ],
)
def test_one_client(first: str, second: str, is_same: bool) -> None:
    assert (network_of(first) == network_of(second)) is is_same


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    """The one that called last is remembered: many others do not give a busy client a full bucket."""
    monkeypatch.setattr(rate, "CLIENTS", 10)
    limited = Rate(1, 100, clock)
    taken(limited, "busy")
    for other in range(500):
        limited.take([f"other {other}"], 10)
        assert limited.take(["busy"], 10) > 0

    assert len(limited._buckets) == 10
