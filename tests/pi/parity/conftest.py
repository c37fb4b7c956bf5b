"""The oracle that every parity test asks."""

from collections.abc import Iterator

import pytest

from tests.pi.parity.oracle import Oracle


@pytest.fixture(scope="session")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Oracle]:
    with Oracle(tmp_path_factory.mktemp("oracle")) as started:
        yield started
