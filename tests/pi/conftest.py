"""What every test on real pi starts from."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pi.scripted_server import ScriptedServer
from tests.pi.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with ScriptedServer() as server:
        made = Workspace(tmp_path, server)
        made.prepare()
        yield made
