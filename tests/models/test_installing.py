import shlex
import sys

from longhaul.models.installing import pip_command


def test_the_command_is_one_of_the_running_python_that_a_shell_takes_as_it_is() -> None:
    command = pip_command("--no-deps", "pi-longhaul[local]")
    assert command.endswith(" -m pip install --no-deps 'pi-longhaul[local]'")
    assert shlex.split(command)[0] == sys.executable
