"""A `longhaul.json` that is no plain file holds up neither half of Longhaul, nor pi."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pi.driving import compact, session_in
from tests.pi.workspace import Workspace, notices


def link_to_device(file: Path) -> None:
    file.symlink_to("/dev/zero")


@pytest.mark.parametrize("make", [os.mkfifo, link_to_device])
def test_a_project_cannot_make_pi_wait_for_its_settings(
    workspace: Workspace, make: Callable[[Path], None]
) -> None:
    workspace.install()
    file = workspace.project / ".pi" / "longhaul.json"
    file.parent.mkdir()
    make(file)
    with workspace.start(session=session_in(workspace)) as pi:
        compact(pi)
        (notice,) = notices(pi)
    assert notice.startswith("Longhaul: kept 1 rule")
    assert f"{file} cannot be read (no plain file)" in notice
