"""Every text in every place, one at a time, and what came of it, as a table."""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping

from tests.compaction.injection.places import OUTSIDE, PASTED, UNMARKED, Place, fits
from tests.compaction.injection.texts import injections
from tests.compaction.injection.trials import COUNTED, MARKED, Trial, try_texts

_REMOVED = "rules removed"
_ENTERED = "entered"
_OTHER = "other faults"
_COLUMNS = ("tried", _ENTERED, _REMOVED, _OTHER, MARKED, *COUNTED)
_ENTERS = ("goal", "objective", "rule", "mark", "added", "Goal", "Objective", "Rules")


def main() -> int:
    """Print the tables; return 1 where something entered that must not, or a rule was removed."""
    by_place: dict[str, Counter[str]] = {}
    by_pose: dict[str, Counter[str]] = {}
    for place in (*OUTSIDE, *PASTED):
        _try_all(place, by_place, by_pose)
    _print("place", by_place)
    _print("poses as", by_pose)
    unmarked: dict[str, Counter[str]] = {}
    for place in UNMARKED:
        _try_all(place, unmarked, {})
    _print("not to be told from the user's words", unmarked)
    faults = sum(one[name] for one in by_place.values() for name in (_ENTERED, _REMOVED, _OTHER))
    return 1 if faults else 0


def _try_all(
    place: Place, by_place: dict[str, Counter[str]], by_pose: dict[str, Counter[str]]
) -> None:
    for injection in injections():
        if fits(place, injection.text):
            found = {"tried", *_found(try_texts([injection.text], place))}
            by_place.setdefault(place.name, Counter()).update(found)
            by_pose.setdefault(injection.poses_as, Counter()).update(found)


def _found(trial: Trial) -> Iterable[str]:
    """Yield the columns in which a trial counts."""
    yield from trial.happened
    for line in trial.broken:
        kind = line.partition(":")[0]
        yield _REMOVED if kind == "removed" else _ENTERED if kind in _ENTERS else _OTHER


def _print(title: str, rows: Mapping[str, Counter[str]]) -> None:
    total: Counter[str] = Counter()
    for counts in rows.values():
        total.update(counts)
    width = max(len(title), *map(len, rows))
    lines = [f"{title:{width}}  {'  '.join(_COLUMNS)}"]
    for name, counts in (*rows.items(), ("all", total)):
        cells = (f"{counts[column]:{len(column)}}" for column in _COLUMNS)
        lines.append(f"{name:{width}}  {'  '.join(cells)}")
    sys.stdout.write("\n".join(lines) + "\n\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
