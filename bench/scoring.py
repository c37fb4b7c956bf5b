"""What scoring a store of sessions with the offline arm takes, against decoding it.

`python -m bench.scoring [MEGABYTES...]`: time, beside decoding the same lines, and memory, for
stores of several sizes, each of sessions of 2 MB that were compacted where pi would.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import orjson

from bench.measuring import MEGABYTE, Benchmark
from bench.synthetic import write_session
from longhaul.compaction.cut import CompactionSettings, prepare_compaction
from longhaul.evals.arms.listing import ArmSetup, open_arms
from longhaul.evals.replay import ReplayOptions
from longhaul.evals.rescoring import hash_labels
from longhaul.evals.run_folder import RunFolder
from longhaul.evals.runs import Watching, run_score
from longhaul.evals.score_options import ScoreOptions
from longhaul.evals.score_run import Plan
from longhaul.evals.store import find_sessions
from longhaul.evals.summary import Summary
from longhaul.pi.sessions import session_from_records

SESSION_BYTES = 2 * MEGABYTE
ARM = "state-offline"
_KIBIBYTE = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The measures of one store."""

    megabytes: float
    compactions: int
    not_scored: int
    decode_s: float
    score_s: float
    memory_mb: float
    """Most that the process held."""


def write_store(folder: Path, n_bytes: int) -> None:
    """Write sessions of 2 MB into a folder until they make up `n_bytes`."""
    for number in range(max(1, n_bytes // SESSION_BYTES)):
        file = folder / f"s{number:04}.jsonl"
        write_session(file, SESSION_BYTES, seed=number + 1)
        _cut_as_pi_does(file)


def _cut_as_pi_does(file: Path) -> None:
    """Move each compaction's cut to where pi would have made it."""
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    places = [at for at, record in enumerate(records) if record["type"] == "compaction"]
    for at in places:
        path = session_from_records(records[:at], file=file).path
        preparation = prepare_compaction(path, CompactionSettings())
        assert preparation is not None, "a session that is due has something to compact"
        records[at]["firstKeptEntryId"] = preparation.first_kept_entry_id
    lines = (json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in records)
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def measure(size_mb: int) -> Row:
    """Write a store of so many megabytes, and score it."""
    with tempfile.TemporaryDirectory() as place:
        folder, out = Path(place, "sessions"), Path(place, "out")
        folder.mkdir()
        # Apart: what writing takes would count as memory of this process.
        command = [sys.executable, "-m", "bench.scoring", "--write", str(folder), str(size_mb)]
        subprocess.run(command, check=True)
        start = time.perf_counter()
        n_bytes = sum(map(decode, folder.iterdir()))
        decoded = time.perf_counter()
        summary = score(folder, out)
        scored = time.perf_counter()
        return Row(
            megabytes=n_bytes / MEGABYTE,
            compactions=summary.arms[ARM][0].n_compactions,
            not_scored=len(summary.not_scored),
            decode_s=decoded - start,
            score_s=scored - decoded,
            memory_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KIBIBYTE / MEGABYTE,
        )


def decode(file: Path) -> int:
    """Decode every line of a file; return its bytes."""
    n_bytes = 0
    with file.open("rb") as stream:
        for line in stream:
            orjson.loads(line)
            n_bytes += len(line)
    return n_bytes


def score(folder: Path, out: Path) -> Summary:
    """Score a store with the offline arm, as `longhaul score` does."""
    options = ScoreOptions(
        sessions=str(folder),
        arms=(ARM,),
        model=None,
        thinking=None,
        window=None,
        max_output_tokens=None,
        keep_recent_tokens=None,
        is_chained=True,
        n_repeats=1,
        with_local_only=True,
        with_probe=False,
    )
    store = find_sessions(folder)
    plan = Plan(
        store=store,
        sessions=store.sessions,
        options=ReplayOptions(),
        open_arms=lambda: open_arms([ARM], ArmSetup(), is_chained=True),
        n_jobs=os.cpu_count() or 1,
        refuse=None,
    )
    return run_score(
        RunFolder(out),
        plan,
        options=options,
        provenance={},
        labels=hash_labels({}),
        watching=Watching(on_event=lambda _: None, on_scoring=lambda _: None),
    )


def render(row: Row) -> str:
    """Return a row of the table."""
    ratio = row.score_s / row.decode_s
    return (
        f"{row.megabytes:7.1f} {row.compactions:11,} {row.not_scored:10,} {row.decode_s:8.2f}"
        f" {row.score_s:8.1f} {ratio:6.1f} {row.memory_mb:10.0f}"
    )


BENCHMARK = Benchmark(
    module="bench.scoring",
    row=Row,
    measure=measure,
    heading=f"{'MB':>7} {'compactions':>11} {'not scored':>10} {'decode s':>8} {'score s':>8}"
    f" {'ratio':>6} {'memory MB':>10}",
    render=render,
    size_and_ms=lambda row: (row.megabytes, row.score_s * 1000),
)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write_store(Path(sys.argv[2]), int(sys.argv[3]) * MEGABYTE)
    else:
        BENCHMARK.run(sys.argv[1:])
