"""Write `labels.json` from the labels beside plays and from what their recordings captured.

A play's values (hashes, timings) are other ones in each recording. So the labels beside a play name
them as the play does, `{{first}} ms`, and are filled with what `longhaul record --json` printed.

Usage: python tools/fill_labels.py eval/plays CAPTURES.json... > eval/sessions/labels.json
"""

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


def fill_labels(labels: dict[str, Any], captured: Mapping[str, str]) -> dict[str, Any]:
    """Return the labels of one session with the values that its recording captured.

    Raises:
        KeyError: the recording captured no such value.
    """
    values = [
        {**value, "accept": [_fill(text, captured) for text in value["accept"]]}
        for value in labels["values"]
    ]
    return {**labels, "values": values}


def _fill(text: str, captured: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda found: captured[found[1]], text)


def main(plays: Path, recordings: list[Path]) -> None:
    """Print the labels of every session that one of `recordings` tells of."""
    filled = {}
    for path in recordings:
        recording = json.loads(path.read_text(encoding="utf-8"))
        name = Path(recording["session"]).stem
        labels = json.loads((plays / f"{name}.labels.json").read_text(encoding="utf-8"))
        filled[name] = fill_labels(labels, recording["captured"])
    print(json.dumps(filled, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(one) for one in sys.argv[2:]])
