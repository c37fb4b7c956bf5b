"""How long reading a session and finding its cut take, against decoding its lines with orjson.

`python -m bench.reading [MEGABYTES …]`; each size is measured in a process of its own.
"""

import json
import sys
import tempfile
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from bench.measuring import MEGABYTE, Benchmark, decode, milliseconds, peak_mb
from bench.synthetic import session_records, write_session
from longhaul.compaction.cut import CompactionSettings, prepare_compaction
from longhaul.pi.sessions import SessionReader

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
    def total_ms(self) -> float:
        """Reading and cut together."""
        return self.read_ms + self.cut_ms

    @property
    def ratio(self) -> float:
        """Reading and cut in units of decoding."""
        return self.total_ms / self.decode_ms


def measure_reading(size_mb: int) -> Reading:
    """Return the measures of a synthetic session; run it in a process that did nothing before."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "session.jsonl"
        n_entries = write_session(file, size_mb * MEGABYTE)
        before_mb = peak_mb()
        _read_and_cut(file)
        used_mb = peak_mb() - before_mb
        decode_ms = min(milliseconds(lambda: decode(file)) for _ in range(REPEATS))
        reads = [_read_and_cut(file) for _ in range(REPEATS)]
        return Reading(
            size_mb=file.stat().st_size / MEGABYTE,
            n_entries=n_entries,
            decode_ms=decode_ms,
            read_ms=min(read_ms for read_ms, _ in reads),
            cut_ms=min(cut_ms for _, cut_ms in reads),
            appended_ms=_measure_appended(file, n_entries),
            peak_mb=used_mb,
        )


def _read_and_cut(file: Path) -> tuple[float, float]:
    reader = SessionReader(file)
    read_ms = milliseconds(reader.read)
    path = reader.read().path
    return read_ms, milliseconds(lambda: prepare_compaction(path, CompactionSettings()))


def _measure_appended(file: Path, n_entries: int) -> float:
    reader = SessionReader(file)
    reader.read()
    with file.open("ab") as stream:
        for record in islice(session_records(), n_entries + 1, n_entries + 1 + N_APPENDED):
            stream.write(json.dumps(record).encode() + b"\n")
    return milliseconds(lambda: prepare_compaction(reader.read().path, CompactionSettings()))


def render_reading(one: Reading) -> str:
    """Return the measures of one file as a row of the table."""
    times = f"{one.decode_ms:10.0f} {one.read_ms:8.0f} {one.cut_ms:7.1f}"
    relative = f"{one.ratio:6.2f} {one.appended_ms:8.1f} {one.peak_mb / one.size_mb:10.2f}"
    return f"{one.size_mb:5.0f} {one.n_entries:8} {times} {relative}"


BENCHMARK = Benchmark(
    module="bench.reading",
    row=Reading,
    measure=measure_reading,
    heading="   MB  entries  decode ms  read ms  cut ms  ratio  +200 ms  peak/file",
    render=render_reading,
    size_and_ms=lambda one: (one.size_mb, one.total_ms),
)


if __name__ == "__main__":
    BENCHMARK.run(sys.argv[1:])
