"""Values by name in a file of servers: `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `${input:id}`, `${workspaceFolder}`."""

import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wavegraph.graph.errors import SettingsError
from wavegraph.graph.secrets.known import names_secret
from wavegraph.graph.secrets.scrubber import process

_VARIABLE = re.compile(r"\$\{([^${}]*)\}")
_NAMED = re.compile(r"(?P<kind>env:|input:)?(?P<name>[\w-]+)(?::-(?P<default>.*))?", re.ASCII | re.DOTALL)


@dataclass(frozen=True)
class Variables:
    """What the names in one file stand for."""

    folder: Path
    """Of the project that the file belongs to."""
    passwords: Collection[Any]
    """The inputs that an editor would hide."""

    @classmethod
    def of_file(cls, folder: Path, inputs: Any) -> "Variables":
        return cls(folder, [each.get("id") for each in inputs if isinstance(each, dict) and each.get("password")])

    def filled(self, value: Any, where: str) -> Any:
        """JSON with each name in its texts replaced, once. Raises SettingsError for a name that stands for nothing."""
        if isinstance(value, dict):
            return {name: self.filled(part, where) for name, part in value.items()}
        if isinstance(value, list):
            return [self.filled(part, where) for part in value]
        if not isinstance(value, str):
            return value
        text = _VARIABLE.sub(lambda found: self._value(found[1], where), value)
        if "\0" in text:
            raise SettingsError(f"{where}: a value has the sign \\0")
        return text

    def _value(self, written: str, where: str) -> str:
        """An editor would ask for an input; here it is an environment variable of the same name, in capitals."""
        places = {"workspaceFolder": str(self.folder), "userHome": os.path.expanduser("~")}
        if written in places:
            return places[written]
        if not (found := _NAMED.fullmatch(written)):
            raise SettingsError(
                f"{where}: ${{{written}}} cannot be read here; write ${{NAME}} for an environment variable"
            )
        name = found["name"]
        variable = name.replace("-", "_").upper() if found["kind"] == "input:" else name
        value = os.environ.get(variable)
        if not value and found["default"] is not None:
            return found["default"]
        if value is None:
            raise SettingsError(f"{where}: the environment variable {variable} is not set, for ${{{written}}}")
        if names_secret(variable) or (found["kind"] == "input:" and name in self.passwords):
            process.learn(value)
        return value


def read_env_file(path: Path, where: str) -> dict[str, str]:
    """The variables of a `.env` file. Raises SettingsError for a file that cannot be read."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{where}: its envFile {str(path)!r} cannot be read ({type(error).__name__})") from None
    pairs = (line.strip().removeprefix("export ").partition("=") for line in lines)
    return {name.strip(): _without_quotes(value.strip()) for name, equals, value in pairs if equals and name[:1] != "#"}


def _without_quotes(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value
