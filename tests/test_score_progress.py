from io import StringIO

from rich.console import Console

from longhaul.cli.score_progress import ScoreProgress
from longhaul.evals.cases import NotScored
from longhaul.evals.score_run import SessionBegun, SessionEnded


def test_without_a_terminal_a_line_a_minute_says_how_far_each_session_is() -> None:
    shown, now = StringIO(), [0.0]
    progress = ScoreProgress(Console(file=shown, width=80), 2, clock=lambda: now[-1])
    progress.take(SessionBegun(name="tide", n_steps=3))
    for seconds in (59.0, 61.0, 62.0):
        now.append(seconds)
        progress.take(NotScored(session="tide", compaction=1, arm="", reason="cut"))
    progress.take(SessionEnded(name="tide"))
    assert shown.getvalue().splitlines() == [
        "0 rows, tide 2 of 3 steps",
        "1 of 2 sessions: tide",
    ]
