"""Recorded sessions, held against what may be published."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath

from longhaul.compaction.render.quoting import plain
from longhaul.pi.sessions import Session, load_session
from longhaul.record.reviewed import FILE_NAME, Place, Reviewed, load_reviewed
from longhaul.record.session_files import SUFFIX, find_session_files
from longhaul.record.session_format import find_tree_faults
from longhaul.record.session_lines import read_lines
from longhaul.record.session_rules import KINDS, RULES, Expected, Kind
from longhaul.record.session_wording import CLIPPED

_PRIVATE = ("deny", "secret")
STALE = "reviewed"
"""The kind of a finding about an exception; none excuses it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFinding:
    """One thing that keeps a session from being published."""

    file: FilePath
    line: int
    """Counted from 1."""
    kind: str
    text: str
    """What is wrong and what to do, on one line; without denied words and secrets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vetting:
    """What came of vetting sessions."""

    findings: tuple[SessionFinding, ...]
    n_sessions: int
    n_lines: int
    n_reviewed: int
    """Findings that an exception let stand; not among `findings`."""


def vet_sessions(
    given: Sequence[FilePath], expected: Expected, *, exceptions: FilePath | None = None
) -> Vetting:
    """Return what is found in session files, or folders of them.

    `exceptions` names the file of reviewed findings; without it, a `reviewed.txt` beside the
    sessions is read where there is one. Of one kind there is one finding a line at most.

    Raises:
        CheckError: a file given is no session, or an exception is malformed.
        SessionError: a session cannot be read at all.
        OSError: the same.
    """
    files = find_session_files(given)
    reviewed = _load_exceptions(files.values(), exceptions)
    vetted = [_vet(file, name, expected) for name, file in files.items()]
    found = {
        Place(finding.kind, name, finding.line): finding
        for name, one in zip(files, vetted, strict=True)
        for finding in one.findings
    }
    excused = {one.place for one in reviewed} & found.keys()
    standing = [finding for place, finding in found.items() if place not in excused]
    stale = (one for one in reviewed if one.place.session in files and one.place not in found)
    folders = {file.parent for file in files.values()}
    astray = (one for one in reviewed if not _has_session(one, folders))
    return Vetting(
        findings=(*standing, *map(_stale_finding, stale), *map(_astray_finding, astray)),
        n_sessions=len(files),
        n_lines=sum(one.n_lines for one in vetted),
        n_reviewed=len(excused),
    )


@dataclass(frozen=True, slots=True)
class _Vetted:
    findings: tuple[SessionFinding, ...]
    n_lines: int


def _load_exceptions(sessions: Iterable[FilePath], named: FilePath | None) -> list[Reviewed]:
    if named is not None:
        return [*load_reviewed(named)]
    folders = dict.fromkeys(session.parent for session in sessions)
    beside = (folder / FILE_NAME for folder in folders)
    return [one for file in beside if file.exists() for one in load_reviewed(file)]


def _vet(file: FilePath, name: str, expected: Expected) -> _Vetted:
    session = load_session(file)
    found = _faults(file, name, session, expected)
    private = {line for line, rank in found if KINDS[rank] in _PRIVATE}
    findings = (
        SessionFinding(
            file=file,
            line=line,
            kind=KINDS[rank],
            text=_shown(_text(KINDS[rank], found[line, rank]), expected, hides=line in private),
        )
        for line, rank in sorted(found)
    )
    return _Vetted(tuple(findings), session.n_lines)


def _faults(
    file: FilePath, name: str, session: Session, expected: Expected
) -> dict[tuple[int, int], list[str]]:
    """Return what is wrong, by line and the place of its rule."""
    found: dict[tuple[int, int], list[str]] = {}
    for problem in find_tree_faults(session):
        found.setdefault((problem.line, KINDS.index("format")), []).append(problem.reason)
    for number, rank, text in _line_faults(file, name, expected):
        found.setdefault((number, rank), []).append(text)
    return found


def _text(kind: Kind, faults: Iterable[str]) -> str:
    """Return what is wrong with a line; a damaged file is all that the format can be told of."""
    text = "; ".join(faults)
    return f"{text}: record again, or restore the file" if kind == "format" else text


def _line_faults(file: FilePath, name: str, expected: Expected) -> Iterator[tuple[int, int, str]]:
    """Yield for each fault of a line its number, the place of its rule, and what is wrong."""
    for line in read_lines(file):
        for rank, rule in enumerate(RULES):
            text = rule.find(line, name, expected)
            if text is not None:
                yield line.number, rank, text


def _shown(text: str, expected: Expected, *, hides: bool) -> str:
    """Return a finding's text as it may stand in a public log.

    `hides` says that its line holds something denied or secret: of what was clipped, the end that
    is left may be the beginning of that, which nothing recognises.
    """
    safe = plain(expected.deny.mask(plain(text)))
    if expected.scanner.types_in(safe) or (hides and CLIPPED in safe):
        return "not shown, for it may quote what is denied or secret"
    return safe


def _has_session(reviewed: Reviewed, folders: Iterable[FilePath]) -> bool:
    """Return whether there is a session of an exception's, checked now or not."""
    name = f"{reviewed.place.session}{SUFFIX}"
    return any((folder / name).exists() for folder in (reviewed.file.parent, *folders))


def _astray_finding(reviewed: Reviewed) -> SessionFinding:
    name = reviewed.place.session
    bare = name.removesuffix(SUFFIX)
    mend = "mend the name, or remove this line" if bare == name else f"write {bare}"
    text = f"no session is called {name}; {mend}"
    return SessionFinding(file=reviewed.file, line=reviewed.number, kind=STALE, text=plain(text))


def _stale_finding(reviewed: Reviewed) -> SessionFinding:
    kind, session, line = reviewed.place
    text = f"nothing of kind {kind} is found in line {line} of {session} any more; remove this line"
    return SessionFinding(file=reviewed.file, line=reviewed.number, kind=STALE, text=plain(text))
