"""A client that calls too often waits; the others do not."""

import pytest

from wavegraph.app.serving import rate
from wavegraph.app.serving.rate import BURST_S, Rate


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def taken(limited: Rate, address: str) -> int:
    """Empties the bucket."""
    count = 0
    while not limited.take(address):
        count += 1
    return count


def test_a_burst_then_the_rate(clock: Clock) -> None:
    limited = Rate(4, clock)

    assert taken(limited, "10.0.0.1") == 4 * BURST_S
    assert limited.take("10.0.0.1") == 0.25
    clock.now += 1
    assert taken(limited, "10.0.0.1") == 4
    clock.now += 1_000_000
    assert taken(limited, "10.0.0.1") == 4 * BURST_S


def test_a_slow_rate_lets_the_first_in(clock: Clock) -> None:
    limited = Rate(0.01, clock)

    assert taken(limited, "10.0.0.1") == 1
    assert limited.take("10.0.0.1") == pytest.approx(100)


@pytest.mark.parametrize(
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
def test_one_client(first: str, second: str, is_same: bool, clock: Clock) -> None:
    limited = Rate(1, clock)
    taken(limited, first)

    assert (limited.take(second) > 0) is is_same


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    """The one that called last is remembered: many others do not give a busy client a new burst."""
    monkeypatch.setattr(rate, "CLIENTS", 10)
    limited = Rate(1, clock)
    taken(limited, "10.0.0.1")
    for other in range(500):
        limited.take(f"10.1.{other // 250}.{other % 250}")
        assert limited.take("10.0.0.1") > 0

    assert len(limited._buckets) == 10
