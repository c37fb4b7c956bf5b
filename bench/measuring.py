"""How the benchmarks measure: time against decoding, memory, growth."""

import gc
import math
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import orjson

MEGABYTE = 1_000_000


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
