"""How long a running server takes: to its first answer, and for the next compaction.

`python -m bench.serving [MEGABYTES]`
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from bench.measuring import MEGABYTE
from bench.synthetic import append_after, session_records, write_session
from longhaul.compaction.cut import CompactionSettings, prepare_compaction
from longhaul.pi.greeting import greet
from longhaul.pi.install import find_command
from longhaul.pi.sessions import load_session

N_ENTRIES = 200
N_ROUNDS = 5
N_STARTS = 5


class Server:
    """A running server, asked as the extension asks it."""

    def __init__(self, file: Path) -> None:
        """Start it for one session file."""
        self._file = file
        self._process = subprocess.Popen(
            find_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/"
        )
        self._n_asked = 0

    def ask(
        self, method: str, session_id: str, leaf_id: str, **params: object
    ) -> dict[str, object]:
        """Return what it answers about the session at a leaf."""
        self._n_asked += 1
        source = {"sessionId": session_id, "sessionFile": str(self._file), "leafId": leaf_id}
        request = {
            "jsonrpc": "2.0",
            "id": self._n_asked,
            "method": method,
            "params": {**source, "contextWindow": None, **params},
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        answer: dict[str, dict[str, object]] = json.loads(self._process.stdout.readline())
        return answer["result"]

    def compact(self, session_id: str, leaf_id: str, kept_id: str) -> dict[str, object]:
        """Return the compaction of the session at its present leaf."""
        cut = {"firstKeptEntryId": kept_id, "tokensBefore": 180_000, "instructions": ""}
        return self.ask("compact", session_id, leaf_id, **cut)

    def stop(self) -> None:
        """End it as pi does: by closing its input."""
        self._process.communicate()


def measure_rounds(size_mb: int) -> tuple[float, list[float]]:
    """Return the first compaction of a session and the next ones, in milliseconds.

    Before each of the next ones the compaction before it and 200 new entries are appended.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "session.jsonl"
        n_entries = write_session(file, size_mb * MEGABYTE)
        later = islice(session_records(), n_entries + 1, None)
        records = (record for record in later if record["type"] != "compaction")
        server = Server(file)
        times = []
        for _ in range(N_ROUNDS + 1):
            session = load_session(file)
            preparation = prepare_compaction(session.path, CompactionSettings())
            assert preparation is not None
            assert session.leaf_id is not None
            kept_id = preparation.first_kept_entry_id
            start = time.perf_counter()
            made = server.compact(session.header.id, session.leaf_id, kept_id)
            times.append((time.perf_counter() - start) * 1000)
            append_after(file, session.leaf_id, made, islice(records, N_ENTRIES))
        server.stop()
        return times[0], times[1:]


def main(arguments: list[str]) -> None:
    """Print both measures."""
    if {"-h", "--help"} & set(arguments):
        sys.stdout.write(
            "python -m bench.serving [MEGABYTES]: measures a server's answers about a session of"
            " this size  [default: 100]\n"
        )
        return
    size_mb = int(arguments[0]) if arguments else 100
    starts = [greet(find_command()).elapsed_ms for _ in range(N_STARTS)]
    sys.stdout.write(f"start to first answer: {statistics.median(starts):.0f} ms (median)\n")
    first, following = measure_rounds(size_mb)
    sys.stdout.write(
        f"first compaction of {size_mb} MB: {first:.0f} ms; next, after {N_ENTRIES} new entries:"
        f" {statistics.median(following):.0f} ms (median), {max(following):.0f} ms (most)\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
