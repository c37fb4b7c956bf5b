"""In pi's terminal interface the line about a compaction stands below it, and stays."""

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from longhaul.pi.install import find_command
from tests.pi.driving import session_in
from tests.pi.workspace import Workspace

ESCAPES = re.compile(
    rb"\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]"
)
BACKSPACE = "\x7f"
START_S = 2
"""How long a slow server takes to start: longer than a line takes to type."""
SIZE = struct.pack("HHHH", 50, 120, 0, 0)
"""Rows and columns of the terminal."""


class Terminal:
    """What pi draws on a terminal, as text."""

    def __init__(self, master: int) -> None:
        self._master = master
        self._drawn = b""

    @property
    def text(self) -> str:
        plain = ESCAPES.sub(b"", self._drawn).decode(errors="replace")
        return " ".join(plain.split())

    def type(self, line: str) -> None:
        os.write(self._master, line.encode() + b"\r")

    def type_slowly(self, line: str) -> None:
        """Type as a person does, so that what pi offers meanwhile has time to appear."""
        self.type_keys(line)
        while self._read(0.6):
            pass
        os.write(self._master, b"\r")

    def type_keys(self, keys: str) -> None:
        """Type slowly, without Enter."""
        for key in keys:
            os.write(self._master, key.encode())
            self._read(0.1)

    def repeat_last_key(self, key: str, until: str, timeout_s: float = 20) -> None:
        """Take back the last key and type it again until these words appear."""
        deadline = time.monotonic() + timeout_s
        while until not in self.text:
            assert time.monotonic() < deadline, f"no {until!r} in: {self.text[-2000:]}"
            self.type_keys(f"{BACKSPACE}{key}")
            self._read(0.5)

    def wait_for(self, words: str, timeout_s: float = 20) -> None:
        deadline = time.monotonic() + timeout_s
        while words not in self.text:
            assert time.monotonic() < deadline, f"no {words!r} in: {self.text[-2000:]}"
            self._read(0.1)

    def quit(self) -> str:
        """Leave pi; returns the screen that it leaves behind."""
        n_before = len(self.text)
        self.type("/quit")
        self.wait_for("To resume this session")
        return self.text[n_before:]

    def paste(self, line: str, pause_s: float) -> None:
        """Put in a line at once, and Enter after a while."""
        os.write(self._master, line.encode())
        time.sleep(pause_s)
        os.write(self._master, b"\r")

    def _read(self, timeout_s: float) -> bool:
        """Read what is drawn; returns whether anything was within the time."""
        is_drawn = bool(select.select([self._master], [], [], timeout_s)[0])
        if is_drawn:
            with contextlib.suppress(OSError):
                self._drawn += os.read(self._master, 65_536)
        return is_drawn


@contextmanager
def terminal(workspace: Workspace) -> Iterator[Terminal]:
    """Run pi on a session in a terminal of its own."""
    session = session_in(workspace)
    master, slave = pty.openpty()
    fcntl.ioctl(master, termios.TIOCSWINSZ, SIZE)
    process = subprocess.Popen(
        [*map(str, workspace.interactive()), "--session", str(session)],
        cwd=workspace.project,
        env=workspace.environment(TERM="xterm-256color"),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    try:
        yield Terminal(master)
    finally:
        process.kill()
        process.wait()
        os.close(master)


def slow_to_start() -> tuple[str, ...]:
    """Return the server's command, which begins only after a while."""
    return ("/bin/sh", "-c", f'sleep {START_S} && exec "$@"', "sh", *find_command())


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (None, "Longhaul: kept 1 rule, "),
        (("/nowhere/python",), "Longhaul: cannot start /nowhere/python (ENOENT)"),
    ],
)
def test_the_line_stands_below_the_compaction(
    workspace: Workspace, command: tuple[str, ...] | None, line: str
) -> None:
    workspace.install(command)
    with terminal(workspace) as screen:
        screen.wait_for("Part 4 is written.")
        screen.type("/compact")
        screen.wait_for(line)
        left = screen.quit()
    assert left.index("[compaction]") < left.index(line)


def test_the_command_shows_the_state_on_the_screen(workspace: Workspace) -> None:
    workspace.install()
    with terminal(workspace) as screen:
        screen.wait_for("Part 4 is written.")
        screen.type("/longhaul")
        screen.wait_for("## Rules")
        assert "Never use pandas in this project." in screen.quit()


def test_one_enter_runs_a_word_that_was_typed_whole(workspace: Workspace) -> None:
    workspace.install()
    with terminal(workspace) as screen:
        screen.wait_for("Part 4 is written.")
        screen.type_slowly("/longhaul off")
        screen.wait_for("Longhaul: off in this session")
        screen.type_slowly("/longhaul on")
        screen.wait_for("Longhaul: on in this session")


def test_the_rules_that_a_correction_may_name_are_offered(workspace: Workspace) -> None:
    workspace.install()
    with terminal(workspace) as screen:
        screen.wait_for("Part 4 is written.")
        screen.type_keys("/longhaul drop r")
        screen.repeat_last_key("r", until="→ r1 Never use pandas in this project.")
        screen.type("")
        screen.wait_for("/longhaul drop r1")
        screen.type("")
        screen.wait_for("Longhaul: r1 dropped: it was no rule")


@pytest.mark.parametrize("pause_s", [0.1, 0.5])
def test_a_correction_waits_for_the_servers_start(workspace: Workspace, pause_s: float) -> None:
    workspace.install(slow_to_start())
    with terminal(workspace) as screen:
        screen.wait_for("Part 4 is written.")
        screen.paste("/longhaul drop r1", pause_s)
        screen.wait_for("Longhaul: r1 dropped: it was no rule")
        assert "busy" not in screen.quit()


def test_a_correction_typed_while_its_rules_are_looked_up_waits_for_them(
    workspace: Workspace,
) -> None:
    workspace.install(slow_to_start())
    with terminal(workspace) as screen:
        screen.wait_for("Part 4 is written.")
        screen.type_slowly("/longhaul drop r1")
        screen.wait_for("Longhaul: r1 dropped: it was no rule")
        assert "busy" not in screen.quit()
