"""The pi of this machine as a command."""

import os
import re
from pathlib import Path

import pytest

from longhaul.errors import PiError
from longhaul.pi.installed_pi import find_installed_pi
from tests.pinned import NODE, PI, PI_PACKAGE

PATH = os.pathsep.join((str(NODE.parent), os.defpath))


def test_the_pinned_pi_is_found_with_its_node() -> None:
    found = find_installed_pi({"PATH": PATH}, pi=PI)
    assert found.node == NODE.resolve()
    assert found.program.is_relative_to(PI_PACKAGE.resolve())
    assert (found.version, found.command) == ("1.6.0", (str(found.node), str(found.program)))


@pytest.mark.parametrize(
    ("path", "pi", "words"),
    [
        ("/nowhere", PI, "found no node on the PATH"),
        (PATH, Path("/nowhere/pi"), "/nowhere/pi is no pi of npm's"),
        (str(NODE.parent), None, "found no pi in "),
    ],
)
def test_what_is_missing_is_named(tmp_path: Path, path: str, pi: Path | None, words: str) -> None:
    with pytest.raises(PiError, match=re.escape(words)):
        find_installed_pi({"PATH": path, "HOME": str(tmp_path)}, pi=pi, only_on_path=True)


def test_a_node_too_old_for_pi_is_named(tmp_path: Path) -> None:
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\necho v18.1.0\n", encoding="utf-8")
    node.chmod(0o755)
    with pytest.raises(PiError, match=re.escape("is v18.1.0; pi needs 22.19 or newer")):
        find_installed_pi({"PATH": str(tmp_path)}, pi=PI, only_on_path=True)


def test_the_node_beside_the_running_python_needs_no_path() -> None:
    assert find_installed_pi({"PATH": "/nowhere"}, pi=PI).node == NODE.resolve()
