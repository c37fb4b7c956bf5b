"""What pi sent for the compactions of the published sessions is worked out to the token."""

from pathlib import Path

import pytest

from longhaul.compaction.diff.pi_request import estimate_pi_request
from longhaul.evals.cases import find_settings
from longhaul.evals.due import find_cuts
from longhaul.pi.sessions import load_session
from tests.pi.parity.oracle import Oracle
from tests.pi.parity.test_requests import tokens_of
from tests.pinned import ROOT

SESSIONS = sorted((ROOT / "eval" / "sessions").glob("*.jsonl"))


@pytest.mark.parametrize("file", SESSIONS, ids=lambda file: file.stem)
def test_every_compaction_of_a_published_session_costs_pi_what_is_worked_out_here(
    oracle: Oracle, file: Path
) -> None:
    path = load_session(file).path
    keep = find_settings(path).keep_recent_tokens
    for cut in find_cuts(path):
        leaf = path[cut.index - 1].id
        answer = oracle.ask("requests", file=str(file), keep=keep, leaf=leaf, instructions="")
        assert isinstance(answer, dict)
        assert answer["firstKept"] == cut.entry.first_kept_entry_id
        assert isinstance(answer["sent"], list)
        estimated = estimate_pi_request(path[: cut.index], start=cut.start, end=cut.end)
        assert estimated.tokens == sum(map(tokens_of, answer["sent"]))
