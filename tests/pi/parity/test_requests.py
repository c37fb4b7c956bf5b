"""The size of what pi's own compaction sends, worked out here, is that of what pi sends."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from longhaul.compaction.diff.pi_request import estimate_pi_request
from longhaul.pi.sessions import load_session, path_to
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.json_units import utf16_units
from longhaul.transcript.projection import find_kept_index
from tests.pi.parity.oracle import Oracle, PiError
from tests.pinned import DEMO
from tests.records import answered, asked, called, compacted, edited, replied, said, write_chain
from tests.strategies import dump_lines, linear_records

HEADER: JsonValue = {"type": "session", "version": 3, "id": "s", "cwd": "/p"}


def tokens_here_and_in_pi(
    oracle: Oracle, file: Path, keep: int, *, n_entries: int | None = None, instructions: str = ""
) -> tuple[int, int] | None:
    """Return the tokens as estimated and as sent; None where pi has nothing to compact."""
    session = load_session(file)
    leaf = session.path[n_entries - 1].id if n_entries else None
    path = path_to(session, leaf or session.leaf_id)
    answer = oracle.ask("requests", file=str(file), keep=keep, leaf=leaf, instructions=instructions)
    if not isinstance(answer, dict):
        return None
    sent, first_kept = answer["sent"], answer["firstKept"]
    assert isinstance(sent, list)
    assert isinstance(first_kept, str)
    end = find_kept_index(path, len(path), first_kept)
    assert end is not None
    estimated = estimate_pi_request(path, start=0, end=end, instructions=instructions)
    return estimated.tokens, sum(map(tokens_of, sent))


def tokens_of(texts: JsonValue) -> int:
    assert isinstance(texts, list)
    return -(-sum(utf16_units(text) for text in texts if isinstance(text, str)) // 4)


@pytest.mark.parametrize(
    ("keep", "n_entries"),
    [(500, 50), (3_000, 50), (500, 118), (8_000, 118), (3_000, 149), (20_000, 165), (3_000, None)],
)
def test_the_recorded_session_costs_pi_what_is_worked_out_here(
    oracle: Oracle, keep: int, n_entries: int | None
) -> None:
    tokens = tokens_here_and_in_pi(oracle, DEMO, keep, n_entries=n_entries)
    assert tokens is not None
    assert tokens[0] == tokens[1]


def test_the_users_focus_is_counted_in_both_requests_of_a_split_turn(oracle: Oracle) -> None:
    tokens = tokens_here_and_in_pi(oracle, DEMO, 3_000, instructions="mind the tide 🌊")
    assert tokens is not None
    assert tokens[0] == tokens[1]


def test_an_earlier_summary_long_output_commands_and_edits_are_counted(
    oracle: Oracle, tmp_path: Path
) -> None:
    file = write_chain(
        tmp_path / "s.jsonl",
        asked("first"),
        replied("on it", called("bash", command="make 🌊", timeout=5)),
        answered("🌊" * 1_500),
        compacted("e2", summary="so far"),
        said("bashExecution", command="ls", output="a\nb", exitCode=2, cancelled=False),
        said("bashExecution", command="env", output="", excludeFromContext=True),
        {"type": "custom_message", "customType": "note", "content": "by an extension"},
        {"type": "branch_summary", "summary": "tried", "fromId": "e1"},
        asked("second"),
        replied("done"),
        edited("e10", "done, but shorter"),
        asked("third"),
        replied("x" * 400),
    )
    tokens = tokens_here_and_in_pi(oracle, file, 50)
    assert tokens is not None
    assert tokens[0] == tokens[1]


@settings(
    max_examples=80,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(records=linear_records())
def test_a_generated_session_costs_pi_what_is_worked_out_here(
    oracle: Oracle, tmp_path: Path, records: list[dict[str, JsonValue]]
) -> None:
    file = tmp_path / "session.jsonl"
    file.write_bytes(dump_lines([HEADER, *records]))
    for keep in (1, 40, 1_200):
        try:
            tokens = tokens_here_and_in_pi(oracle, file, keep)
        except PiError:
            continue  # pi itself fails on what it would send
        assert tokens is None or tokens[0] == tokens[1]
