"""A label file and the recorded session beside it, small enough to read."""

import copy
import json
from pathlib import Path
from typing import Any

from longhaul.evals.session_labels import SessionLabels, parse_labels
from longhaul.pi.sessions import Session, load_session
from tests.records import answered, asked, called, compacted, replied, write_chain
from tests.strategies import Record

NAME = "tide"

LABELS: dict[str, Any] = {
    "goal": {"turn": "u1", "marker": "tide"},
    "rules": [
        {"turn": "u2", "marker": "lower case", "liftedAt": "u5"},
        {"turn": "u3", "marker": r"one decimal"},
    ],
    "values": [{"turn": "u3", "accept": ["165.7 ms", "166 ms"], "usedAt": ["u6"], "history": True}],
    "oneOffs": ["u4"],
}
"""Labels of `BODIES` that hold."""

BODIES: tuple[Record, ...] = (
    asked("Build tidewatch, a tide table reader."),  # e1, line 2
    replied("Built."),
    asked("Commit subjects in lower case."),  # e3
    replied("Understood."),
    compacted("e3"),  # e5, cuts after u1
    asked("How long does it take? Always round to\none decimal."),  # e6, line 7
    replied("Measuring.", called("bash", command="time ./tide")),  # e7
    answered("real 165.7 ms"),
    replied("It takes 166 ms."),
    asked("Never mind the docs for now."),  # e10, line 11
    replied("Fine."),
    compacted("e10"),  # e12, cuts after u3
    asked("Capitals are fine again in subjects."),  # e13, line 14
    replied("Good."),
    asked("Put the time that you measured first into the README."),  # e15, line 16
    replied("Writing.", called("write", path="README", content="takes 166 ms")),
    answered("written"),
    replied("Done."),
    compacted("e18"),  # e19, cuts inside u6
)
"""A session of six turns and three compactions."""


def changed(**fields: Any) -> dict[str, Any]:
    """Return the labels with other fields."""
    return {**copy.deepcopy(LABELS), **fields}


def parsed(record: object) -> SessionLabels:
    """Return the labels of one session, decoded."""
    return parse_labels({NAME: json.loads(json.dumps(record))})[NAME]


def save_session(folder: Path, *bodies: Record, name: str = NAME) -> Session:
    """Write a session into `folder`, `BODIES` where none is given, and read it."""
    return load_session(write_chain(folder / f"{name}.jsonl", *(bodies or BODIES)))


def save_labels(folder: Path, **sessions: object) -> Path:
    """Write a label file for these sessions into `folder`; return the file."""
    file = folder / "labels.json"
    file.write_text(json.dumps(sessions), encoding="utf-8")
    return file
