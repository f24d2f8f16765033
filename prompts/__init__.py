"""Prompts are files beside this one; `render` fills them in and refuses what does not fit."""

import re
from collections.abc import Collection
from functools import cache
from importlib.resources import files
from string import Template

from wavegraph.graph.errors import SettingsError

_EXPLAINED = re.compile(r"- ((?:`\w+`(?:, )?)+): ")


def render(name: str, **values: str) -> str:
    """The prompt `name` (`plan`, `hotel/plan`) with its `$variables` filled in.

    Raises SettingsError for a prompt that is not there, and for missing or unused values.
    """
    template = Template(_text(name))
    wanted = set(template.get_identifiers())
    if missing := sorted(wanted - set(values)):
        raise SettingsError(f"prompt {name!r} needs values for {missing}")
    if unused := sorted(set(values) - wanted):
        raise SettingsError(f"prompt {name!r} does not use {unused}")
    return template.substitute(values)


@cache
def read_shared() -> None:
    """Read the prompts of all agents now: where they are rendered, an event loop must not wait for a file."""
    for file in files(__name__).iterdir():
        if file.name.endswith(".md"):
            _text(file.name.removesuffix(".md"))


def of_rules(text: str, rules: Collection[str]) -> str:
    """A prompt without the lines that explain other rules: those that begin "- `rule`, `rule`: "."""
    lines = ((line, _EXPLAINED.match(line)) for line in text.splitlines())
    kept = [line for line, of in lines if of is None or not {*re.findall(r"`(\w+)`", of[1])}.isdisjoint(rules)]
    return "\n".join(kept).strip()


@cache
def _text(name: str) -> str:
    file = files(__name__).joinpath(f"{name}.md")
    if not all(part.isidentifier() for part in name.split("/")) or not file.is_file():
        raise SettingsError(f"there is no prompt {name!r} (looked for prompts/{name}.md)")
    return file.read_text(encoding="utf-8").strip()
