"""Messages that were written beside rules in force, some to lift them, many to look as if."""

import json

import pytest

from longhaul.compaction.rules.lifts import find_lifts
from longhaul.compaction.state import Quote, Rule
from tests.pinned import ROOT

PAIRS = ROOT / "tools" / "lift_pairs"


@pytest.mark.parametrize(("file", "least"), [("developers.jsonl", 60), ("others.jsonl", 40)])
def test_lifts_are_found_and_none_is_made_up(file: str, least: int) -> None:
    due: set[tuple[int, int]] = set()
    lifted: set[tuple[int, int]] = set()
    for n, line in enumerate((PAIRS / file).read_text(encoding="utf-8").splitlines()):
        record = json.loads(line)
        rules = [
            Rule(number=number, quote=Quote(entry_id=f"e{number}", turn=number, text=text))
            for number, text in enumerate(record["rules"], 1)
        ]
        due |= {(n, number) for number in record["lifts"]}
        lifts = find_lifts(record["message"], rules)
        lifted |= {(n, lift.number) for lift in lifts if lift.certain}
    assert lifted <= due
    assert len(lifted) >= least
