"""How the benchmarks measure: time against decoding, memory, growth."""

import gc
import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import orjson

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MEGABYTE = 1_000_000
SIZES_MB = (10, 30, 100)

Row = TypeVar("Row", bound="DataclassInstance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark(Generic[Row]):
    """One that measures sessions of several sizes, each in a process of its own."""

    module: str
    """What `python -m` runs; `--one MEGABYTES` measures one size there."""
    row: Callable[..., Row]
    """The dataclass of the measures of one size."""
    measure: Callable[[int], Row]
    """Measures a session of so many megabytes, in a process that did nothing before."""
    heading: str
    render: Callable[[Row], str]
    size_and_ms: Callable[[Row], tuple[float, float]]
    """What the growth is told of."""

    def run(self, arguments: list[str]) -> None:
        """Print the measures of each size, or those of one as JSON."""
        if {"-h", "--help"} & set(arguments):
            sizes = " ".join(map(str, SIZES_MB))
            sys.stdout.write(
                f"python -m {self.module} [MEGABYTES...]: measures sessions of these sizes"
                f"  [default: {sizes}]\n"
            )
            return
        if arguments[:1] == ["--one"]:
            sys.stdout.write(json.dumps(asdict(self.measure(int(arguments[1])))))
            return
        rows = [self._measure_apart(size) for size in map(int, arguments or SIZES_MB)]
        points = map(self.size_and_ms, rows)
        growth = [exponent_line(small, large) for small, large in pairwise(points)]
        sys.stdout.write("\n".join([self.heading, *map(self.render, rows), *growth]) + "\n")

    def _measure_apart(self, size_mb: int) -> Row:
        command = [sys.executable, "-m", self.module, "--one", str(size_mb)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
        return self.row(**json.loads(done.stdout))


def decode(file: Path) -> None:
    """Decode each line of a file and drop it: the unit of the other times."""
    with file.open("rb") as stream:
        for line in stream:
            orjson.loads(line)


def milliseconds(action: Callable[[], object]) -> float:
    """Return how long `action` takes."""
    gc.collect()
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def peak_mb() -> float:
    """Return the most memory that this process has had."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (MEGABYTE if sys.platform == "darwin" else 1000)


def exponent_line(small: tuple[float, float], large: tuple[float, float]) -> str:
    """Return with which power of the size (first) the time (second) grew, as a line."""
    power = math.log(large[1] / small[1]) / math.log(large[0] / small[0])
    return f"{small[0]:.0f} to {large[0]:.0f} MB: exponent {power:.2f}"
