"""`longhaul check-session`: vets recorded sessions before they are published."""

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path as FilePath
from typing import ClassVar

import click

from longhaul.cli.conventions import AS_JSON, output, print_json
from longhaul.compaction.render.escape import escape_text
from longhaul.compaction.report_text import count
from longhaul.errors import LonghaulError
from longhaul.record.deny_list import DenyList, load_deny_list
from longhaul.record.reviewed import FILE_NAME
from longhaul.record.script import LABEL
from longhaul.record.session_check import STALE, SessionFinding, Vetting, vet_sessions
from longhaul.record.session_files import SUFFIX
from longhaul.record.session_rules import Expected
from longhaul.record.session_secrets import open_secret_scanner


class CannotCheckError(click.ClickException):
    """Nothing was checked; ends with 2, for 1 says that something was found."""

    exit_code: ClassVar[int] = 2


@click.command("check-session")
@click.argument(
    "sessions", nargs=-1, required=True, metavar="SESSION...", type=click.Path(path_type=FilePath)
)
@click.option(
    "--model",
    "labels",
    multiple=True,
    metavar="LABEL",
    default=(LABEL,),
    show_default=True,
    help="A model that may be named, as provider/model-id; repeatable.",
)
@click.option(
    "--exceptions",
    type=click.Path(path_type=FilePath),
    help="Findings reviewed and let stand.  [default: reviewed.txt beside the sessions]",
)
@click.option(
    "--deny",
    type=click.Path(path_type=FilePath),
    help="Words that must not stand in a session, one a line; never printed.",
)
@AS_JSON
def check_session(
    *,
    sessions: tuple[FilePath, ...],
    labels: tuple[str, ...],
    exceptions: FilePath | None,
    deny: FilePath | None,
    as_json: bool,
) -> None:
    """Say what keeps recorded SESSIONs, or all in a folder, from being published.

    Each finding is a line, `file:line: kind: what and what to do`. Ends with 0 where nothing is
    found, 1 where something is, 2 where a session or a file to go by cannot be read.
    """
    try:
        expected = Expected(
            labels=labels,
            deny=DenyList() if deny is None else load_deny_list(deny),
            scanner=open_secret_scanner(),
        )
        vetting = vet_sessions(sessions, expected, exceptions=exceptions)
    except (LonghaulError, OSError) as error:
        raise CannotCheckError(escape_text(str(error))) from error
    with output():
        if as_json:
            print_json(_record(vetting))
        else:
            _print_findings(vetting.findings)
        click.echo(_summary(vetting), err=True)
        for line in _review_lines(vetting.findings, exceptions):
            click.echo(line, err=True)
    if vetting.findings:
        sys.exit(1)


def _print_findings(findings: Sequence[SessionFinding]) -> None:
    for one in findings:
        click.echo(f"{escape_text(str(one.file))}:{one.line}: {one.kind}: {one.text}")


def _summary(vetting: Vetting) -> str:
    found = count(len(vetting.findings), "finding") if vetting.findings else "nothing found"
    parts = [count(vetting.n_sessions, "session"), count(vetting.n_lines, "line"), found]
    if vetting.n_reviewed:
        parts.append(f"{vetting.n_reviewed:,} reviewed")
    return ", ".join(parts)


def _review_lines(findings: Sequence[SessionFinding], exceptions: FilePath | None) -> Iterator[str]:
    """Yield what to write into which file for findings that may stand, those of a file together."""
    by_file: defaultdict[FilePath, list[str]] = defaultdict(list)
    for one in findings:
        if one.kind != STALE:
            place = f"{one.kind} {one.file.name.removesuffix(SUFFIX)}:{one.line}"
            by_file[exceptions or one.file.parent / FILE_NAME].append(place)
    for file, places in by_file.items():
        yield f"what may stand goes into {escape_text(str(file))}, each with your reason:"
        yield from (f"  {escape_text(place)} REASON" for place in places)


def _record(vetting: Vetting) -> dict[str, object]:
    """Return a check for programs."""
    return {
        "sessions": vetting.n_sessions,
        "lines": vetting.n_lines,
        "reviewed": vetting.n_reviewed,
        "findings": [
            {"file": str(one.file), "line": one.line, "kind": one.kind, "text": one.text}
            for one in vetting.findings
        ],
    }
