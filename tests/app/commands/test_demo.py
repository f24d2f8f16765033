"""`wavegraph demo`: the demos that installed agents bring, by name."""

from typer.testing import CliRunner

from wavegraph.app.commands.demo import known_demos
from wavegraph.app.main import app


def test_an_unknown_demo_is_refused_with_the_known_ones() -> None:
    ended = CliRunner().invoke(app, ["demo", "grand-hotel"])
    assert ended.exit_code == 2
    assert "unknown demo 'grand-hotel'; known: minihotel" in ended.output


def test_every_demo_can_be_loaded() -> None:
    assert {name: callable(agent.demo(name)) for name, agent in known_demos().items()} == {"minihotel": True}
