"""A page: what was run, the tables, what was left out, and every session."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longhaul.compaction.secrets import mask_secrets
from longhaul.evals.report.closed import Message
from longhaul.evals.report.loading import Run
from longhaul.evals.report.losses import join_ranges
from longhaul.evals.report.sessions import SessionPart, build_sessions
from longhaul.evals.report.tables import Table, build_tables
from longhaul.transcript.entries import JsonValue

_OPTIONS = (
    *(("sessions", "sessions"), ("arms", "arms"), ("model", "model"), ("thinking", "thinking")),
    *(("window", "context window"), ("keep_recent_tokens", "keepRecentTokens")),
    *(("n_repeats", "repeats"), ("with_local_only", "local-only sessions")),
)
"""Options of a run, and what a page calls them; others are shown by their own name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One line of how runs were made."""

    name: str
    values: tuple[str, ...]
    """One a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Compactions that were not scored for one reason."""

    reason: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """All that a page shows."""

    title: str
    told: str
    """What it is about, in a sentence."""
    run_titles: tuple[str, ...]
    settings: tuple[Setting, ...]
    tables: tuple[Table, ...]
    left_out: tuple[LeftOut, ...]
    sessions: tuple[SessionPart, ...]
    open_messages: tuple[Message, ...] = ()
    """Of the user, after what was closed last; only where one session is viewed."""
    is_view: bool = False


def build_page(runs: Sequence[Run]) -> Page:
    """Return the page of some runs that were judged by the same labels.

    Raises:
        MarkerError: a label's marker takes too long.
    """
    titles = run_titles(runs)
    return Page(
        title="Longhaul evaluation",
        told=_told(runs),
        run_titles=titles,
        settings=tuple(_settings(runs)),
        tables=build_tables(runs, titles),
        left_out=tuple(_left_out(runs, titles)),
        sessions=_sessions(runs, titles),
    )


def run_titles(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return what tells runs apart: how they were replayed, and where that is the same, where."""
    modes = ["chained" if run.is_chained else "takeover" for run in runs]
    often = Counter(modes)
    return tuple(
        mode if often[mode] == 1 else f"{mode}, {run.name}"
        for mode, run in zip(modes, runs, strict=True)
    )


def _sessions(runs: Sequence[Run], titles: Sequence[str]) -> tuple[SessionPart, ...]:
    """Return the sessions by name, the runs of each behind each other."""
    named = titles if len(runs) > 1 else ("",)
    parts = (
        part for run, title in zip(runs, named, strict=True) for part in build_sessions(run, title)
    )
    return tuple(sorted(parts, key=lambda part: part.name))


def _told(runs: Sequence[Run]) -> str:
    sessions = {key.session for run in runs for key in run.texts}
    compactions = {(key.session, key.compaction) for run in runs for key in run.texts}
    arms = {arm for run in runs for arm in run.summary.arms}
    return (
        f"{_count(len(arms), 'arm')} at {_count(len(compactions), 'compaction')}"
        f" of {_count(len(sessions), 'recorded session')}"
    )


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}" if number == 1 else f"{number:,} {name}s"


def _settings(runs: Sequence[Run]) -> Iterator[Setting]:
    """Yield how runs were made, lines that say nothing of any left out."""
    made = [dict(_configuration(run)) for run in runs]
    for name in dict.fromkeys(name for one in made for name in one):
        values = tuple(one.get(name, "") for one in made)
        if any(values):
            yield Setting(name=name, values=values)


def _configuration(run: Run) -> Iterator[tuple[str, str]]:
    record = run.summary.run
    options, versions = record.get("options"), record.get("versions")
    given = options if isinstance(options, dict) else {}
    yield "folder", run.name
    yield "replay", "chained" if run.is_chained else "takeover"
    titles = dict(_OPTIONS)
    for name in (*titles, *(name for name in given if name not in titles)):
        if name != "is_chained":
            yield titles.get(name, name), _value_text(given.get(name))
    yield "labels", run.label_hash
    yield "commit", _value_text(record.get("commit"))
    for name, value in (versions if isinstance(versions, dict) else {}).items():
        yield f"version of {name}", _value_text(value)


def _value_text(value: JsonValue) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(map(_value_text, value))
        case _:
            return mask_secrets(str(value))


def _left_out(runs: Sequence[Run], titles: Sequence[str]) -> Iterator[LeftOut]:
    """Yield each reason once, with the places that it holds for."""
    for run, title in zip(runs, titles, strict=True):
        by_reason: dict[str, dict[tuple[str, str], list[int]]] = {}
        for one in run.summary.not_scored:
            places = by_reason.setdefault(one.reason, {})
            places.setdefault((one.session, one.arm), []).append(one.compaction)
        for reason, places in by_reason.items():
            prefix = f"{title}: " if len(runs) > 1 else ""
            yield LeftOut(
                reason=mask_secrets(f"{prefix}{reason}"),
                places=tuple(_place(where, numbers) for where, numbers in places.items()),
            )


def _place(where: tuple[str, str], numbers: Sequence[int]) -> str:
    session, arm = where
    known = sorted(set(numbers) - {0})
    at = f", compaction {join_ranges(known)}" if known else ""
    return f"{session}{at}{f', {arm}' if arm else ''}"
