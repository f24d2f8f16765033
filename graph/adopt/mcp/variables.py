"""Values by name in a file of servers: `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `${input:id}`, `${workspaceFolder}`."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wavegraph.graph.errors import SettingsError
from wavegraph.graph.secrets.known import names_secret
from wavegraph.graph.secrets.scrubber import process

_VARIABLE = re.compile(r"\$\{([^${}]*)\}")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


@dataclass(frozen=True)
class Variables:
    """What the names in one file stand for."""

    folder: Path
    """Of the project that the file belongs to."""
    inputs: Mapping[str, Mapping[str, Any]]
    """What an editor would ask for, by id."""

    def filled(self, text: str, where: str) -> str:
        """The text with each name replaced, once. Raises SettingsError for a name that stands for nothing."""
        return _VARIABLE.sub(lambda found: self._value(found[1], where), text)

    def _value(self, name: str, where: str) -> str:
        kind, colon, rest = name.partition(":")
        if colon and kind == "env":
            return self._from_environment(rest, None, where)
        if colon and kind == "input":
            return self._from_input(rest, where)
        places = {
            "workspaceFolder": str(self.folder),
            "workspaceFolderBasename": self.folder.name,
            "userHome": os.path.expanduser("~"),
            "pathSeparator": os.sep,
            "/": os.sep,
        }
        if name in places:
            return places[name]
        variable, has_default, default = name.partition(":-")
        if not _NAME.fullmatch(variable):
            raise SettingsError(
                f"{where}: ${{{name}}} cannot be read here; write ${{NAME}} for an environment variable"
            )
        return self._from_environment(variable, default if has_default else None, where)

    def _from_environment(self, name: str, default: str | None, where: str) -> str:
        value = os.environ.get(name)
        if not value and default is not None:
            return default
        if value is None:
            raise SettingsError(f"{where}: the environment variable {name} is not set")
        if names_secret(name):
            process.learn(value)
        return value

    def _from_input(self, name: str, where: str) -> str:
        """An editor would ask; here it is an environment variable of the same name, in capitals."""
        asked = self.inputs.get(name, {})
        variable = re.sub(r"\W", "_", name).upper()
        value = os.environ.get(variable) or asked.get("default")
        if not isinstance(value, str) or not value:
            what = f" ({asked['description']})" if isinstance(asked.get("description"), str) else ""
            raise SettingsError(
                f"{where}: ${{input:{name}}}{what} is not known; set the environment variable {variable}"
            )
        if asked.get("password") or names_secret(variable):
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
