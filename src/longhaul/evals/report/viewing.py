"""One session of somebody's own as a page: what its compactions hold, and what Longhaul's would."""

from dataclasses import replace

from longhaul.compaction.report_text import count
from longhaul.compaction.secrets import mask_secrets
from longhaul.evals.arms.listing import OpenArm
from longhaul.evals.arms.longhaul import LonghaulSetup, open_longhaul
from longhaul.evals.arms.plain import make_recorded
from longhaul.evals.cases import find_settings
from longhaul.evals.due import Cut, find_cuts
from longhaul.evals.replay import Prepared, ReplayOptions, replay
from longhaul.evals.report.closed import find_closed, find_messages
from longhaul.evals.report.loading import Run, build_run
from longhaul.evals.report.page import Page
from longhaul.evals.report.sessions import build_sessions
from longhaul.evals.report.tables import build_tables
from longhaul.evals.rows import Row, mask_row
from longhaul.evals.scoring import score_rows
from longhaul.evals.summary import Summary
from longhaul.evals.sums import Sums
from longhaul.pi.sessions import Session

ARMS = (
    OpenArm(name="recorded", run=make_recorded),
    OpenArm(name="state-offline", run=open_longhaul(LonghaulSetup(mode="offline"))),
)
"""What the session holds, and beside it what Longhaul makes of the same entries without a model."""


def build_view(session: Session, *, ask_tools: tuple[str, ...]) -> Page:
    """Return the page of a session; `ask_tools` are the tools by which its user answers.

    A session without a compaction is shown by its user messages alone.
    """
    name = mask_secrets(session.file.stem)
    cuts = find_cuts(session.path)
    run = _make_run(name, session, cuts)
    closed = dict(enumerate(find_closed(session.path, ask_tools=ask_tools), 1))
    n_closed = cuts[-1].n_closed_turns if cuts else 0
    return Page(
        title=name,
        told=_told(session, len(cuts)),
        run_titles=("",),
        settings=(),
        tables=build_tables((run,), ("",)),
        left_out=(),
        sessions=tuple(
            replace(part, name="Its compactions") for part in build_sessions(run, "", closed)
        ),
        open_messages=find_messages(session.path)[n_closed:],
        is_view=True,
    )


def _make_run(name: str, session: Session, cuts: tuple[Cut, ...]) -> Run:
    """Return both arms at every compaction, judged by what needs no labels."""
    prepared = Prepared(
        name=name,
        session=session,
        settings=find_settings(session.path),
        cases=cuts,
        left_out=(),
    )
    outcomes = replay(prepared, ARMS, ReplayOptions(), lambda _: None)
    made = [mask_row(one) for one in outcomes if isinstance(one, Row)]
    sums, by_key = Sums(), {row.key: row for row in made}
    scores = {score.key: score for score in score_rows(session.path, None, made)}
    for key, score in scores.items():
        row = by_key[key]
        assert row.made is not None, "only what was made is scored"
        sums.add(score, replace(row.made, seconds=None))  # time differs, the page does not
    summary = Summary(run={}, arms=sums.arms([arm.name for arm in ARMS]), sessions={})
    return build_run(name, "", summary, made, scores)


def _told(session: Session, n_compactions: int) -> str:
    n_messages = len(find_messages(session.path))
    return (
        f"{count(n_compactions, 'compaction')}, {count(n_messages, 'message')} of the user,"
        f" {count(len(session.path), 'entry', 'entries')} on the path"
    )
