"""A whole run of the harness: replay, scores, summary, and the folder that keeps them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from longhaul.evals.cases import NotScored
from longhaul.evals.chains import Awaited
from longhaul.evals.json_lines import RunError
from longhaul.evals.rescoring import CHANGED, GONE, RunLabels, rescore
from longhaul.evals.rows import Row
from longhaul.evals.run_folder import RUN, SUMMARY, RunFolder
from longhaul.evals.score_options import ScoreOptions, require_same_run
from longhaul.evals.score_run import Event, Plan, Replaying
from longhaul.evals.store import Store, find_sessions
from longhaul.evals.summary import Summary, dump_summary, parse_summary
from longhaul.pi.scan import show_file
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import ShapeError


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """Who is told how far a run is."""

    on_event: Callable[[Event], None]
    """Of every event of the replay."""
    on_scoring: Callable[[str], None]
    """Of every session whose rows are judged."""


def run_score(
    folder: RunFolder,
    plan: Plan,
    *,
    options: ScoreOptions,
    provenance: Mapping[str, JsonValue],
    labels: RunLabels,
    watching: Watching,
) -> Summary:
    """Replay what is planned, judge all rows of the folder, and return and keep their summary.

    Rows that the folder holds already are not made again.

    Raises:
        RunError: the folder holds a run that was made otherwise, or a file of it is damaged.
        Exception: whatever an arm cannot be opened for.
    """
    run: dict[str, JsonValue] = {
        "options": options.dump(),
        **provenance,
        "labels": labels.label_hash or None,
        "sessions": [session.name for session in plan.sessions],
    }
    folder.make()
    with folder.held():
        before = folder.load_json(RUN)
        if before:
            require_same_run(show_file(folder.folder), before, options)
        folder.drop_unfinished_row()
        folder.save_json(RUN, run)
        so_far = _replay(folder, plan, run, watching.on_event)
        return _summarise(folder, plan.store, labels, so_far, watching.on_scoring)


def _replay(
    folder: RunFolder,
    plan: Plan,
    run: Mapping[str, JsonValue],
    on_event: Callable[[Event], None],
) -> Summary:
    """Return what is known of a run before its rows are judged."""
    left_out, n_awaited = list(plan.store.left_out), 0
    for event in Replaying(plan, folder).run():
        on_event(event)
        n_awaited += isinstance(event, Awaited)
        left_out += _left_out(event)
    return Summary(run=run, arms={}, sessions={}, not_scored=tuple(left_out), n_awaited=n_awaited)


def rescore_run(
    folder: RunFolder, sessions: Path, labels: RunLabels, *, on_scoring: Callable[[str], None]
) -> Summary:
    """Judge the rows of a run again, by the labels as they are now, and keep the new summary.

    `sessions` is the folder of the recorded sessions. No model is called.

    Raises:
        RunError: the folder holds no run, or a file of it is damaged.
        MarkerError: a marker of the labels takes too long.
    """
    with folder.held():
        before = load_summary(folder)
        run = {**before.run, "labels": labels.label_hash or None}
        kept = tuple(one for one in before.not_scored if one.reason not in (GONE, CHANGED))
        so_far = replace(before, run=run, not_scored=kept)
        summary = _summarise(folder, find_sessions(sessions), labels, so_far, on_scoring)
        folder.save_json(RUN, run)
        return summary


def load_summary(folder: RunFolder) -> Summary:
    """Return the summary that a run's folder keeps.

    Raises:
        RunError: there is none, or it is damaged; the message names file and field.
    """
    fields = folder.load_json(SUMMARY)
    file = show_file(folder.folder / SUMMARY)
    if fields is None:
        raise RunError(f"{file}: no such file; `longhaul score` writes it at the end of a run")
    try:
        return parse_summary(fields)
    except ShapeError as error:
        raise RunError(f"{file}: {error}") from None


def sessions_folder(run: Mapping[str, JsonValue]) -> Path | None:
    """Return where a run found its sessions, as it was given then; None where it does not say."""
    options = run.get("options")
    named = options.get("sessions") if isinstance(options, dict) else None
    return Path(named) if isinstance(named, str) else None


def _summarise(
    folder: RunFolder,
    store: Store,
    labels: RunLabels,
    so_far: Summary,
    on_scoring: Callable[[str], None],
) -> Summary:
    judged = rescore(folder, store.sessions, labels, on_session=on_scoring)
    options = so_far.run.get("options")
    named = options.get("arms") if isinstance(options, dict) else None
    names = [str(name) for name in named] if isinstance(named, list) else []
    summary = replace(
        so_far,
        arms=judged.sums.arms(names),
        sessions=judged.sums.sessions(names),
        not_scored=(*so_far.not_scored, *judged.left_out),
    )
    folder.save_json(SUMMARY, dump_summary(summary))
    return summary


def _left_out(event: Event) -> list[NotScored]:
    """Return what an event leaves out: a compaction, or one at which the arm failed."""
    if isinstance(event, NotScored):
        return [event]
    if isinstance(event, Row) and event.made is None:
        key = event.key
        failed = NotScored(
            session=key.session,
            compaction=key.compaction,
            arm=key.arm,
            reason=f"the arm failed: {event.failure}",
        )
        return [failed]
    return []
