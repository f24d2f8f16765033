"""The list of commands says of each what the command itself says."""

import pytest

from wavegraph.app.command_table import COMMANDS
from wavegraph.app.terminal.named_commands import NamedCommand


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_s_line_is_the_first_of_its_own_help(name: str) -> None:
    command = NamedCommand(name, COMMANDS[name]).whole()

    assert (command.name, " ".join(command.help.partition("\n\n")[0].split())) == (name, COMMANDS[name].line)
