"""`wavegraph roster …` in this process: what it prints, refuses, or gives as JSON."""

import json
from typing import Any

from typer.testing import CliRunner, Result

from wavegraph.app.main import app


def roster(*words: str) -> Result:
    return CliRunner().invoke(app, ["roster", *words])


def lines(*words: str) -> list[str]:
    done = roster(*words)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout.splitlines()


def refused(*words: str) -> str:
    done = roster(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    return done.stderr


def record(*words: str) -> Any:
    return json.loads("\n".join(lines(*words, "--json")))
