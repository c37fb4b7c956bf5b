"""What Longhaul's requests cost on recorded sessions, and how the measure says so."""

import pytest

from bench.recorded_chain import walk_chain
from bench.request_bounds import BOUND_TOKENS, MEASURES, Sizes, holds, measure, tables, totals
from longhaul.compaction.carry import find_carried
from longhaul.evals.due import find_cuts
from longhaul.pi.sessions import load_session
from longhaul.transcript.entries import CompactionEntry
from tests.pinned import ROOT

SESSIONS = ROOT / "eval" / "sessions"


@pytest.mark.parametrize("name", ["csv-toolkit", "ts-kv"])
def test_where_pi_sends_4000_tokens_a_digest_takes_a_quarter_and_a_request_half(name: str) -> None:
    path = load_session(SESSIONS / f"{name}.jsonl").path
    sizes = list(measure(path, name))
    assert [one.number for one in sizes] == [cut.number for cut in find_cuts(path)]
    for by in MEASURES:
        promised = [one for one in sizes if by.of(one) >= BOUND_TOKENS]
        assert promised
        assert [one for one in promised if not holds(one, by.of(one))] == []


def test_every_compaction_of_a_chain_follows_longhauls_own_states() -> None:
    path = load_session(SESSIONS / "csv-toolkit.jsonl").path
    made: list[CompactionEntry] = []
    for step in walk_chain(path):
        there = [entry for entry in step.before if isinstance(entry, CompactionEntry)]
        carried = find_carried((*step.before, step.made))
        assert there == made
        assert (carried.end, carried.note) == (step.cut.end, "")
        assert step.made.first_kept_entry_id == step.cut.entry.first_kept_entry_id
        made.append(step.made)
    assert len(made) == len(find_cuts(path))
    assert {entry.summary for entry in made}.isdisjoint(
        cut.entry.summary for cut in find_cuts(path)
    )


def size(number: int, **other: int) -> Sizes:
    tokens = {"digest": 500, "request": 1_000, "pi": 4_000, "recorded": 8_000, **other}
    return Sizes(
        session="tide", number=number, span=3_000, clipped=("calls: 2 left out",), **tokens
    )


def test_a_share_holds_up_to_its_last_token() -> None:
    assert holds(size(1, digest=1_000, request=2_000), 4_000)
    assert not holds(size(1, digest=1_001, request=2_000), 4_000)
    assert not holds(size(1, digest=1_000, request=2_001), 4_000)


def test_a_table_tells_the_promised_compactions_from_the_smaller_ones() -> None:
    sizes = [size(1), size(2, pi=5_000, recorded=10_000), size(3, pi=900, recorded=900)]
    assert [" ".join(line.split()) for line in tables(sizes)][2:5] == [
        "tide 2 4,000-5,000 10%-12%, all 11% 20%-25%, all 22% 27%-33%, all 30% 0",
        "4,000 and more 2 4,000-5,000 10%-12%, all 11% 20%-25%, all 22% 27%-33%, all 30% 0",
        "fewer 1 900-900 56%-56%, all 56% 111%-111%, all 111% 149%-149%, all 149% 1",
    ]


def test_what_gave_way_is_counted_over_all_compactions() -> None:
    assert list(totals([size(1), size(2)])) == [
        "Tokens of all 2: digest 1,000, request 2,000, with schema 2,674,"
        " pi 8,000, recorded 16,000, span 6,000",
        "Cut for room: calls 2",
    ]
