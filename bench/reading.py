"""How long reading a session and finding its cut take, against decoding its lines with orjson.

`python -m bench.reading [MEGABYTES …]`; each size is measured in a process of its own.
"""

import gc
import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import islice, pairwise
from pathlib import Path

import orjson

from bench.synthetic import session_records, write_session
from longhaul.compaction.cut import CompactionSettings, prepare_compaction
from longhaul.pi.sessions import SessionReader

SIZES_MB = (10, 30, 100)
MEGABYTE = 1_000_000
N_APPENDED = 200
REPEATS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The measures of one file; times are the best of a few, in milliseconds."""

    size_mb: float
    n_entries: int
    decode_ms: float
    """Each line through `orjson.loads`, the results dropped."""
    read_ms: float
    cut_ms: float
    appended_ms: float
    """Reading, path and cut again after 200 further entries."""
    peak_mb: float
    """The process's peak memory after one reading, less what it was before."""

    @property
    def ratio(self) -> float:
        """Reading and cut in units of decoding."""
        return (self.read_ms + self.cut_ms) / self.decode_ms


def measure_reading(size_mb: int) -> Reading:
    """Return the measures of a synthetic session; run it in a process that did nothing before."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "session.jsonl"
        n_entries = write_session(file, size_mb * MEGABYTE)
        before_mb = _peak_mb()
        _read_and_cut(file)
        peak_mb = _peak_mb() - before_mb
        decode_ms = min(_milliseconds(lambda: _decode(file)) for _ in range(REPEATS))
        reads = [_read_and_cut(file) for _ in range(REPEATS)]
        return Reading(
            size_mb=file.stat().st_size / MEGABYTE,
            n_entries=n_entries,
            decode_ms=decode_ms,
            read_ms=min(read_ms for read_ms, _ in reads),
            cut_ms=min(cut_ms for _, cut_ms in reads),
            appended_ms=_measure_appended(file, n_entries),
            peak_mb=peak_mb,
        )


def _read_and_cut(file: Path) -> tuple[float, float]:
    reader = SessionReader(file)
    read_ms = _milliseconds(reader.read)
    path = reader.read().path
    return read_ms, _milliseconds(lambda: prepare_compaction(path, CompactionSettings()))


def _measure_appended(file: Path, n_entries: int) -> float:
    reader = SessionReader(file)
    reader.read()
    with file.open("ab") as stream:
        for record in islice(session_records(), n_entries + 1, n_entries + 1 + N_APPENDED):
            stream.write(json.dumps(record).encode() + b"\n")
    return _milliseconds(lambda: prepare_compaction(reader.read().path, CompactionSettings()))


def _decode(file: Path) -> None:
    with file.open("rb") as stream:
        for line in stream:
            orjson.loads(line)


def _milliseconds(action: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (MEGABYTE if sys.platform == "darwin" else 1000)


def exponent(small: Reading, large: Reading) -> float:
    """Return the power of the size with which reading grew from one file to a larger one."""
    growth = (large.read_ms + large.cut_ms) / (small.read_ms + small.cut_ms)
    return math.log(growth) / math.log(large.size_mb / small.size_mb)


def measure_apart(size_mb: int) -> Reading:
    """Return the measures of one size, taken in a fresh process."""
    command = [sys.executable, "-m", "bench.reading", "--one", str(size_mb)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return Reading(**json.loads(done.stdout))


def main(arguments: list[str]) -> None:
    """Print the measures of each size, or those of one as JSON."""
    if arguments[:1] == ["--one"]:
        sys.stdout.write(json.dumps(asdict(measure_reading(int(arguments[1])))))
        return
    readings = [measure_apart(size) for size in map(int, arguments or SIZES_MB)]
    lines = ["   MB  entries  decode ms  read ms  cut ms  ratio  +200 ms  peak/file"]
    lines += map(render_reading, readings)
    lines += [
        f"{small.size_mb:.0f} to {large.size_mb:.0f} MB: exponent {exponent(small, large):.2f}"
        for small, large in pairwise(readings)
        if small.size_mb < large.size_mb
    ]
    sys.stdout.write("\n".join(lines) + "\n")


def render_reading(one: Reading) -> str:
    """Return the measures of one file as a row of the table."""
    times = f"{one.decode_ms:10.0f} {one.read_ms:8.0f} {one.cut_ms:7.1f}"
    relative = f"{one.ratio:6.2f} {one.appended_ms:8.1f} {one.peak_mb / one.size_mb:10.2f}"
    return f"{one.size_mb:5.0f} {one.n_entries:8} {times} {relative}"


if __name__ == "__main__":
    main(sys.argv[1:])
