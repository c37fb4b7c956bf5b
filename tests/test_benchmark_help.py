"""The benchmarks that take sizes say so, and measure nothing then."""

import subprocess
import sys

import pytest

from tests.pinned import ROOT


@pytest.mark.parametrize(
    ("module", "options"),
    [
        ("bench.recall", ("--help",)),
        ("bench.recall", ("--serve", "-h")),
        ("bench.reading", ("--help",)),
        ("bench.compaction", ("-h",)),
        ("bench.serving", ("--help",)),
    ],
)
def test_help_is_one_of_the_benchmark_itself(module: str, options: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", module, *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(line.startswith(f"python -m {module} ") for line in done.stdout.splitlines())
    assert "MEGABYTES" in done.stdout
