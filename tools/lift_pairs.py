"""Messages beside the rules in force when they are sent, and what the lift finder makes of them.

Usage: python tools/lift_pairs.py [FILE …]

Each line of a FILE holds `rules`, a `message`, the numbers of the rules that it `lifts`, and its
`kind`. Without FILE both of `tools/lift_pairs/` are read. Prints lifts that were found, marked and
missed, and false ones, by file and kind; then each false one.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from longhaul.compaction.rules.lifts import find_lifts
from longhaul.compaction.state import Quote, Rule

FOLDER = Path(__file__).with_name("lift_pairs")
OUTCOMES = ("lifted", "marked", "missed", "false lift", "false mark")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A rule in force and a message, with what the finder makes of the two."""

    kind: str
    outcome: str
    """One of `OUTCOMES`."""
    rule: str
    message: str


def read_pairs(file: Path) -> Iterator[Pair]:
    """Yield what is due or found among the lines of `file`."""
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        rules = tuple(_rules(record["rules"]))
        found = {lift.number: lift.certain for lift in find_lifts(record["message"], rules)}
        for rule in rules:
            outcome = _outcome(found.get(rule.number), is_due=rule.number in record["lifts"])
            if outcome:
                yield Pair(
                    kind=record["kind"],
                    outcome=outcome,
                    rule=rule.quote.text,
                    message=record["message"],
                )


def _rules(texts: Sequence[str]) -> Iterator[Rule]:
    for number, text in enumerate(texts, 1):
        yield Rule(number=number, quote=Quote(entry_id=f"e{number}", turn=number, text=text))


def _outcome(certain: bool | None, *, is_due: bool) -> str:  # noqa: FBT001 - what a lift says
    if is_due:
        return "missed" if certain is None else "lifted" if certain else "marked"
    return "" if certain is None else "false lift" if certain else "false mark"


def _print(name: str, pairs: Sequence[Pair]) -> None:
    print(f"{name:<22}" + "".join(f"{outcome:>12}" for outcome in OUTCOMES))
    for kind in (*sorted({pair.kind for pair in pairs}), "all"):
        counts = Counter(pair.outcome for pair in pairs if kind in (pair.kind, "all"))
        print(f"{kind:<22}" + "".join(f"{counts[outcome]:>12}" for outcome in OUTCOMES))
    for pair in pairs:
        if pair.outcome.startswith("false"):
            print(f"{pair.outcome}: {pair.rule!r} by {pair.message!r}")


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]) if sys.argv[1:] else sorted(FOLDER.glob("*.jsonl")):
        _print(path.name, [*read_pairs(path)])
