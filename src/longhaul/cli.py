"""The `longhaul` command: parses options, calls one function, prints what it gives."""

import dataclasses
import errno
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path as FilePath

import click

from longhaul import json_records, terminal
from longhaul.compaction.compact import CompactOptions, render_whole
from longhaul.compaction.cut import CompactionSettings
from longhaul.compaction.history import Step, find_steps
from longhaul.compaction.preview import preview_compaction
from longhaul.compaction.render.escape import escape_text
from longhaul.config import load_config
from longhaul.errors import LonghaulError
from longhaul.pi import serve as server
from longhaul.pi.agent_dir import find_agent_dir
from longhaul.pi.doctor import diagnose
from longhaul.pi.install import install_extension, uninstall_extension
from longhaul.pi.sessions import Session, load_session
from longhaul.pi.settings import load_compaction_settings


class _Commands(click.Group):
    """Commands whose expected errors end in one line."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; an expected error is said and ends with 1."""
        try:
            return super().invoke(ctx)
        except LonghaulError as error:
            raise click.ClickException(escape_text(str(error))) from error
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            raise click.ClickException(escape_text(str(error))) from error


@contextmanager
def _output() -> Iterator[None]:
    """Print inside it: what cannot be written is said in one line, and ends with 1."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        raise click.ClickException(f"cannot write: {error.strerror}") from error


SESSION = click.argument("session", type=click.Path(path_type=FilePath))
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
AGENT_DIR = click.option(
    "--agent-dir",
    type=click.Path(path_type=FilePath),
    help="pi's agent folder.  [default: PI_CODING_AGENT_DIR, else ~/.pi/agent]",
)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pi-longhaul", prog_name="longhaul")
def main() -> None:
    """Verified state instead of a summary, for long sessions with the pi coding agent."""


@main.command()
@SESSION
@AGENT_DIR
@click.option(
    "--keep-recent-tokens",
    type=click.IntRange(min=0),
    help="Tokens that stay verbatim.  [default: pi's setting]",
)
@click.option("--window", type=click.IntRange(min=1), help="The model's context window, in tokens.")
@click.option("--instructions", default="", help="What `/compact` would be told.")
@AS_JSON
def compact(
    *,
    session: FilePath,
    agent_dir: FilePath | None,
    keep_recent_tokens: int | None,
    window: int | None,
    instructions: str,
    as_json: bool,
) -> None:
    """Show what compacting SESSION would give.

    Nothing is written. The state goes to stdout, what there is to say about it to stderr.
    """
    start = time.perf_counter()
    agent_dir = agent_dir or find_agent_dir(os.environ)
    loaded = load_session(session)
    settings = _settings(agent_dir, keep_recent_tokens)
    options = CompactOptions(
        instructions=instructions,
        window_tokens=window,
        ask_tools=load_config(agent_dir).ask_tools,
    )
    preview = preview_compaction(loaded.path, settings, options)
    seconds = time.perf_counter() - start
    with _output():
        if preview is None:
            _print_notes(loaded, [terminal.nothing_text(loaded, settings)])
            sys.exit(1)
        if as_json:
            notes = []
            _print_json(json_records.preview_record(loaded, preview, seconds=seconds))
        else:
            notes = terminal.preview_lines(loaded, preview, seconds=seconds)
            click.echo(preview.compaction.summary)
        _print_notes(loaded, notes)


@main.command()
@SESSION
@AGENT_DIR
@AS_JSON
@click.option("--state", is_flag=True, help="Show the state as it stands at the end instead.")
def show(*, session: FilePath, agent_dir: FilePath | None, as_json: bool, state: bool) -> None:
    """List the compactions of SESSION.

    For each its cut, its span, and what the state gained, lost and lifted there, whoever made it.
    """
    config = load_config(agent_dir or find_agent_dir(os.environ))
    loaded = load_session(session)
    with _output():
        if state:
            options = CompactOptions(ask_tools=config.ask_tools)
            _print_state(loaded, render_whole(loaded.path, options).text, as_json=as_json)
        else:
            steps = list(find_steps(loaded.path, ask_tools=config.ask_tools))
            _print_steps(steps, as_json=as_json)
        _print_notes(loaded, terminal.reading_lines(loaded))


@main.group()
def install() -> None:
    """Make Longhaul compact the sessions of an agent."""


@main.group()
def uninstall() -> None:
    """Take Longhaul out of an agent again."""


@install.command("pi")
@AGENT_DIR
def install_pi(agent_dir: FilePath | None) -> None:
    """Place the extension in pi's extensions folder."""
    report = install_extension(agent_dir or find_agent_dir(os.environ))
    with _output():
        click.echo(f"{report.action}: {report.path}")
        click.echo(
            "pi's compactions are Longhaul's from its next start on; in a pi that runs: /reload."
        )
        click.echo("`longhaul doctor` checks.")


@uninstall.command("pi")
@AGENT_DIR
def uninstall_pi(agent_dir: FilePath | None) -> None:
    """Remove the extension and what installing it made."""
    report = uninstall_extension(agent_dir or find_agent_dir(os.environ))
    with _output():
        click.echo(f"{report.action}: {report.path}")
        if report.action == "removed":
            click.echo("A pi that runs keeps it until /reload. Session files stay as they are.")


@main.command()
@AGENT_DIR
@AS_JSON
def doctor(*, agent_dir: FilePath | None, as_json: bool) -> None:
    """Check pi, Node, the extension and settings.

    Says what is wrong and how to mend it; ends with 1 where something is.
    """
    findings = diagnose(os.environ, cwd=_current_folder(), agent_dir=agent_dir)
    with _output():
        if as_json:
            _print_json([dataclasses.asdict(finding) for finding in findings])
        else:
            terminal.print_findings(terminal.make_console(), findings)
    if any(finding.level == "error" for finding in findings):
        sys.exit(1)


@main.command()
def serve() -> None:
    """Answer pi's extension; pi starts this itself."""
    if sys.stdin.isatty():
        click.echo("waiting for requests, a JSON object a line; Ctrl-D ends", err=True)
    server.main()


def _settings(agent_dir: FilePath, keep_recent_tokens: int | None) -> CompactionSettings:
    """Return pi's settings for every project, with the option in their place where it is given."""
    settings = load_compaction_settings(agent_dir)
    if keep_recent_tokens is None:
        return settings
    return CompactionSettings(
        reserve_tokens=settings.reserve_tokens, keep_recent_tokens=keep_recent_tokens
    )


def _current_folder() -> FilePath:
    try:
        return FilePath.cwd()
    except FileNotFoundError as error:
        raise click.ClickException("the current folder does not exist") from error


def _print_state(session: Session, text: str, *, as_json: bool) -> None:
    if as_json:
        _print_json(json_records.state_record(session, text))
    else:
        click.echo(text)


def _print_steps(steps: Sequence[Step], *, as_json: bool) -> None:
    if as_json:
        _print_json(
            [json_records.step_record(number, step) for number, step in enumerate(steps, 1)]
        )
    else:
        terminal.print_steps(terminal.make_console(), steps)


def _print_notes(session: Session, notes: Sequence[str]) -> None:
    """Print what is damaged in a session, and `notes`, beside the result."""
    lines = [*terminal.problem_lines(session), *notes]
    terminal.print_texts(terminal.make_console(stderr=True), lines)


def _print_json(value: object) -> None:
    # Escaped to ASCII: a terminal shows it, and a session's lone surrogates do no harm.
    click.echo(json.dumps(value, indent=2))
