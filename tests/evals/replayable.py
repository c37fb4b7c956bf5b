"""A small recorded session that can be replayed: pi would cut where it says that pi did."""

from collections.abc import Iterator
from pathlib import Path

from longhaul.compaction.cut import CompactionSettings, prepare_compaction
from longhaul.evals.arms.arm import Handed, Made
from longhaul.evals.arms.listing import OpenArm
from longhaul.pi.sessions import Session, load_session, session_from_records
from longhaul.transcript.entries import JsonValue
from tests.records import answered, asked, called, chained, compacted, replied, write_chain
from tests.strategies import Record

KEEP_TOKENS = 12
NAME = "tide"
RECORDING: Record = {
    "type": "custom",
    "customType": "recording",
    "data": {"keepRecentTokens": KEEP_TOKENS, "reserveTokens": 100, "window": 50_000},
}
HERE = "compact here"
"""Stands for a compaction whose cut pi's own rules give."""
STEPS: tuple[Record | str, ...] = (
    RECORDING,  # e1
    asked("Build tidewatch, a tide table reader."),
    replied("Built, with one test."),
    asked("Commit subjects in lower case from now on."),
    replied("Understood, in lower case."),
    HERE,  # e6
    asked("How long does it take?"),
    replied("Measuring.", called("bash", command="time ./tide")),
    answered("real 165.7 ms"),
    replied("It takes 166 ms, and that is quick."),
    HERE,  # e11
    asked("Put the time that you measured into README.md."),
    replied("Writing.", called("write", path="README.md", content="takes 166 ms")),
    answered("written"),
    replied("Done, it says 166 ms now."),
    HERE,  # e16
    asked("Which time was it that you measured?"),
    replied("It was 166 ms."),
)
LABELS: dict[str, JsonValue] = {
    "goal": {"turn": "u1", "marker": "tide table"},
    "rules": [{"turn": "u2", "marker": "lower case"}],
    "values": [{"turn": "u3", "accept": ["166 ms"], "usedAt": ["u5"], "history": True}],
}
N_COMPACTIONS = 3


def bodies() -> tuple[Record, ...]:
    """Return the bodies of the session's entries."""
    return tuple(_placed())


def _placed() -> Iterator[Record]:
    placed: list[Record] = []
    settings = CompactionSettings(keep_recent_tokens=KEEP_TOKENS)
    for step in STEPS:
        body = step
        if isinstance(body, str):
            session = session_from_records(chained(placed), file=Path("built"))
            preparation = prepare_compaction(session.path, settings)
            assert preparation is not None
            number = len(placed) + 1
            body = compacted(preparation.first_kept_entry_id, f"summary {number}")
        placed.append(body)
        yield body


def save_replayable(folder: Path, name: str = NAME) -> Session:
    """Write the session into a folder, and read it."""
    return load_session(write_chain(folder / f"{name}.jsonl", *bodies()))


def built() -> Session:
    """Return the session, from no file."""
    return session_from_records(chained(bodies()), file=Path("built"))


def saying(name: str, text: str = "said", *, source: str = "") -> OpenArm:
    """Return an arm whose every text is `text` and how often it ran on its path before."""

    def run(handed: Handed) -> Made:
        return Made(text=f"{text} {handed.cut.number} after {len(handed.made)}")

    return OpenArm(name=name, run=run, source=source)
