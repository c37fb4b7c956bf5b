"""How long recall takes: its first index against decoding, and its answers in a running server.

`python -m bench.recall [MEGABYTES …]` measures indexes; `python -m bench.recall --serve
[MEGABYTES]` measures answers. Both of the first index: of the session as it is synthesized, whose
lines come again and again as those of real tools do, and of one in which no line stands twice.
"""

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

from bench.measuring import MEGABYTE, Benchmark, decode, milliseconds, peak_mb
from bench.serving import Server
from bench.synthetic import write_session
from longhaul.compaction.statements import ASK_TOOLS
from longhaul.pi.recall_texts import load_texts
from longhaul.pi.sessions import Session, load_session
from longhaul.transcript.entries import MessageEntry, ToolResultMessage, content_text

REPEATS = 3
N_EXACT = 20
MOST_EXACT_CHARS = 40
WORD_QUERIES = (
    *("buffer", "retries", "rename", "PASSED", "fixture"),
    *("test_tides", "split_cache", "review_lock", "port_the_parser", "simplify_config"),
    *("src/cache_12.py", "tests/index", "tides_31.py", "pytest"),
    *("7919", "a1b2c3d", "4711 rows", "vendor"),
    *("rename lock", "fix the buffer", "why is the parser read before the lock", "nowhere"),
)
"""Common words, names, paths, numbers, some of them together, and words that stand nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexing:
    """The measures of one file; times are the best of a few, in milliseconds."""

    size_mb: float
    decode_ms: float
    """Each line through `orjson.loads`, the results dropped."""
    first_ms: float
    """The first index, from the read session to the file on disk."""
    again_ms: float
    """The same texts with the index that is there, as in a new process."""
    distinct_ms: float
    """The first index of a session in which no line stands twice."""
    distinct_decode_ms: float
    index_mb: float
    peak_mb: float
    """The process's peak memory with the session and its first index, less what it was before."""

    @property
    def ratio(self) -> float:
        """The first index in units of decoding."""
        return self.first_ms / self.decode_ms

    @property
    def distinct_ratio(self) -> float:
        """The same where no line stands twice."""
        return self.distinct_ms / self.distinct_decode_ms


def measure_indexing(size_mb: int) -> Indexing:
    """Return the measures of a synthetic session; run it in a process that did nothing before."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "session.jsonl"
        write_session(file, size_mb * MEGABYTE)
        before_mb = peak_mb()
        session = load_session(file)
        load_texts(session, Path(folder) / "cache", ASK_TOOLS)
        used_mb = peak_mb() - before_mb
        decode_ms, first_ms = _measure_first(file, session)
        again_ms = milliseconds(lambda: load_texts(session, Path(folder) / "cache", ASK_TOOLS))
        size = file.stat().st_size / MEGABYTE
        index_mb = sum(one.stat().st_size for one in Path(folder, "cache").iterdir()) / MEGABYTE
        distinct = Path(folder) / "distinct.jsonl"
        _write_distinct(file, distinct)
        distinct_decode_ms, distinct_ms = _measure_first(distinct, load_session(distinct))
        return Indexing(
            size_mb=size,
            decode_ms=decode_ms,
            first_ms=first_ms,
            again_ms=again_ms,
            distinct_ms=distinct_ms,
            distinct_decode_ms=distinct_decode_ms,
            index_mb=index_mb,
            peak_mb=used_mb,
        )


def _measure_first(file: Path, session: Session) -> tuple[float, float]:
    """Return decoding and the first index, measured in turn; the best of a few of each."""
    decoding, indexing = [], []
    for _ in range(REPEATS):
        decoding.append(milliseconds(lambda: decode(file)))
        with tempfile.TemporaryDirectory() as folder:
            index = partial(load_texts, session, Path(folder) / "cache", ASK_TOOLS)
            indexing.append(milliseconds(index))
    return min(decoding), min(indexing)


def _write_distinct(file: Path, other: Path) -> None:
    """Write a session again so that no line of its texts stands twice."""
    numbers = count()
    with file.open("rb") as source, other.open("wb") as target:
        for line in source:
            record = json.loads(line)
            for block in record.get("message", {}).get("content", ()):
                for name in ("text", "thinking"):
                    if name in block:
                        block[name] = _numbered(block[name], numbers)
            target.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")


def _numbered(text: str, numbers: Iterator[int]) -> str:
    return "\n".join(f"{line} {next(numbers)}" for line in text.split("\n"))


def render_indexing(one: Indexing) -> str:
    """Return the measures of one file as a row of the table."""
    first = f"{one.decode_ms:10.0f} {one.first_ms:8.0f} {one.ratio:6.2f} {one.again_ms:8.0f}"
    space = f"{one.index_mb:9.1f} {one.peak_mb / one.size_mb:10.2f}"
    return f"{one.size_mb:5.0f} {first} {space} {one.distinct_ms:12.0f} {one.distinct_ratio:6.2f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """The measures of a server, in milliseconds."""

    decode_ms: float
    """Each line of its session through `orjson.loads`: how fast the machine is just now."""
    first_ms: float
    """The first answer, with reading and the first index."""
    words_ms: tuple[float, ...]
    exact_ms: tuple[float, ...]


def measure_answers(size_mb: int) -> Answering:
    """Return how long a server takes for queries about a synthetic session."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "session.jsonl"
        write_session(file, size_mb * MEGABYTE)
        session = load_session(file)
        exact = [f'"{piece}"' for piece in _pieces(session)]
        decode_ms = min(milliseconds(lambda: decode(file)) for _ in range(REPEATS))
        os.environ["XDG_CACHE_HOME"] = folder
        server = Server(file)
        (first_ms,) = _ask(server, session, ["harbour"])
        words_ms, exact_ms = (_ask(server, session, queries) for queries in (WORD_QUERIES, exact))
        server.stop()
        return Answering(
            decode_ms=decode_ms, first_ms=first_ms, words_ms=words_ms, exact_ms=exact_ms
        )


def _pieces(session: Session) -> list[str]:
    """Return pieces of what tools printed, from the middle of a word to the middle of another."""
    chance = Random(1)
    texts = [
        content_text(entry.message.content)
        for entry in session.entries
        if isinstance(entry, MessageEntry) and isinstance(entry.message, ToolResultMessage)
    ]
    pieces = []
    for text in chance.sample([text for text in texts if len(text) > MOST_EXACT_CHARS], N_EXACT):
        start = chance.randrange(len(text) - MOST_EXACT_CHARS)
        pieces.append(text[start : start + chance.randint(8, MOST_EXACT_CHARS)])
    return pieces


def _ask(server: Server, session: Session, queries: Sequence[str]) -> tuple[float, ...]:
    times = []
    for query in queries:
        start = time.perf_counter()
        server.ask("recall", session.header.id, session.leaf_id or "", query=query)
        times.append((time.perf_counter() - start) * 1000)
    return tuple(times)


def main(arguments: list[str]) -> None:
    """Print how long answers take."""
    if {"-h", "--help"} & set(arguments):
        sys.stdout.write(
            "python -m bench.recall --serve [MEGABYTES]: measures the answers of a server about a"
            " session of this size  [default: 100]\n"
        )
        return
    size_mb = int(arguments[0]) if arguments else 100
    made = measure_answers(size_mb)
    sys.stdout.write(
        f"decoding {size_mb} MB: {made.decode_ms:.0f} ms; first answer, with reading and the first"
        f" index: {made.first_ms:.0f} ms\n"
    )
    for name, times in (("words", made.words_ms), ("an exact string", made.exact_ms)):
        sys.stdout.write(
            f"{name}: {statistics.median(times):.0f} ms (median of {len(times)} queries),"
            f" {max(times):.0f} ms (most)\n"
        )


BENCHMARK = Benchmark(
    module="bench.recall",
    row=Indexing,
    measure=measure_indexing,
    heading="   MB  decode ms first ms  ratio again ms  index MB  peak/file  distinct ms  ratio",
    render=render_indexing,
    size_and_ms=lambda one: (one.size_mb, one.first_ms),
)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        main(sys.argv[2:])
    else:
        BENCHMARK.run(sys.argv[1:])
        if {"-h", "--help"} & set(sys.argv[1:]):
            main(["--help"])
