"""Settings that hold for every test, and the flag that rewrites what tests compare whole."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# A shared, busy machine makes any deadline for one example a source of chance failures. CI judges
# a change by the same examples each time; everywhere else each run draws new ones.
settings.register_profile(
    "longhaul", deadline=None, print_blob=True, derandomize="CI" in os.environ
)
settings.load_profile("longhaul")

GOLDEN = Path(__file__).parent / "golden"


def pytest_configure() -> None:
    """Let what tests start heed signals, also where the tests run in the background or by nohup.

    A signal that is ignored stays so in a program that is started; one with a handler does not.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden", action="store_true", help="rewrite tests/golden/*.txt instead of comparing"
    )


class Golden:
    """Whole texts kept in `tests/golden`, or written there."""

    def __init__(self, *, rewrite: bool) -> None:
        self._rewrite = rewrite

    def check(self, name: str, text: str) -> None:
        """Compare `text` with `tests/golden/<name>.txt`, or write it there under `--golden`."""
        file = GOLDEN / f"{name}.txt"
        if self._rewrite:
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    return Golden(rewrite=bool(request.config.getoption("--golden")))
