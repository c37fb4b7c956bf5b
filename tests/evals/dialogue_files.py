"""A labelled dialogue as its file holds it."""

from pathlib import Path
from typing import Any

import orjson

RECORD: dict[str, Any] = {
    "id": "x1",
    "messages": [
        {"id": "u1", "text": "From now on always write commit messages in Dutch."},
        {"id": "u2", "text": "add a button"},
    ],
    "rules": [{"message": "u1", "marker": "in dutch", "liftedAt": None}],
}


def save_dialogues(folder: Path, *records: object) -> Path:
    """Return a dialogues file in `folder` that holds `records`."""
    path = folder / "some.dialogues.jsonl"
    path.write_bytes(b"\n".join(orjson.dumps(record) for record in records))
    return path
