"""How long a compaction of a whole session takes, against decoding its lines with orjson.

`python -m bench.compaction [MEGABYTES …]`; each size is measured in a process of its own. A
takeover reads all that another compactor closed; afterwards the state is carried.
"""

import sys
import tempfile
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from bench.measuring import MEGABYTE, Benchmark, decode, milliseconds, peak_mb
from bench.synthetic import append_after, session_records, write_session
from longhaul.compaction.compact import Compaction, CompactOptions
from longhaul.compaction.cut import CompactionSettings
from longhaul.compaction.preview import preview_compaction
from longhaul.pi.sessions import load_session

REPEATS = 3
N_APPENDED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The measures of one file; times are the best of a few, in milliseconds."""

    size_mb: float
    decode_ms: float
    """Each line through `orjson.loads`, the results dropped."""
    takeover_ms: float
    """Reading, path, cut and compaction, where nothing is carried."""
    carried_ms: float
    """The same, where the newest compaction on the path was Longhaul's."""
    peak_mb: float
    """The process's peak memory after one takeover, less what it was before."""


def measure_compaction(size_mb: int) -> Measured:
    """Return the measures of a synthetic session; run it in a process that did nothing before."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "session.jsonl"
        write_session(file, size_mb * MEGABYTE)
        before_mb = peak_mb()
        compaction = _compact(file)
        used_mb = peak_mb() - before_mb
        decode_ms = min(milliseconds(lambda: decode(file)) for _ in range(REPEATS))
        takeover_ms = min(milliseconds(lambda: _compact(file)) for _ in range(REPEATS))
        _go_on(file, compaction)
        return Measured(
            size_mb=file.stat().st_size / MEGABYTE,
            decode_ms=decode_ms,
            takeover_ms=takeover_ms,
            carried_ms=min(milliseconds(lambda: _compact(file)) for _ in range(REPEATS)),
            peak_mb=used_mb,
        )


def _compact(file: Path) -> Compaction:
    preview = preview_compaction(load_session(file).path, CompactionSettings(), CompactOptions())
    assert preview is not None
    return preview.compaction


def _go_on(file: Path, compaction: Compaction) -> None:
    """Go on in the session after a compaction of Longhaul's."""
    session = load_session(file)
    assert session.leaf_id is not None
    made = {
        "summary": compaction.summary,
        "firstKeptEntryId": compaction.first_kept_entry_id,
        "tokensBefore": compaction.tokens_before,
        "details": compaction.details,
    }
    records = islice(session_records(), 1, 1 + N_APPENDED)
    append_after(file, session.leaf_id, made, records)


def render_compaction(one: Measured) -> str:
    """Return the measures of one file as a row of the table."""
    takeover = f"{one.takeover_ms:11.0f} {one.takeover_ms / one.decode_ms:6.2f}"
    carried = f"{one.carried_ms:11.0f} {one.carried_ms / one.decode_ms:6.2f}"
    return (
        f"{one.size_mb:5.0f} {one.decode_ms:10.0f}  {takeover} {carried}"
        f" {one.peak_mb / one.size_mb:10.2f}"
    )


BENCHMARK = Benchmark(
    module="bench.compaction",
    row=Measured,
    measure=measure_compaction,
    heading="   MB  decode ms  takeover ms  ratio  carried ms  ratio  peak/file",
    render=render_compaction,
    size_and_ms=lambda one: (one.size_mb, one.takeover_ms),
)


if __name__ == "__main__":
    BENCHMARK.run(sys.argv[1:])
