"""The `longhaul` command: parses options, calls one function, prints what it gives."""

import dataclasses
import os
import sys
import time
from pathlib import Path as FilePath

import click
import orjson

from longhaul import terminal
from longhaul.compaction.compact import CompactOptions
from longhaul.compaction.cut import CompactionSettings
from longhaul.compaction.history import find_steps
from longhaul.compaction.preview import preview_compaction
from longhaul.compaction.render.escape import escape_text
from longhaul.config import load_config
from longhaul.errors import LonghaulError
from longhaul.pi import serve as server
from longhaul.pi.agent_dir import find_agent_dir
from longhaul.pi.doctor import diagnose
from longhaul.pi.install import install_extension, uninstall_extension
from longhaul.pi.sessions import load_session
from longhaul.pi.settings import load_compaction_settings


class _Commands(click.Group):
    """Commands whose expected errors end in one line."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; an expected error is said and ends with 1."""
        try:
            return super().invoke(ctx)
        except LonghaulError as error:
            raise click.ClickException(escape_text(str(error))) from error


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
    """Show what compacting SESSION now would give; nothing is written."""
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
    notes = terminal.problem_lines(loaded)
    if preview is None:
        notes.append(_nothing_to_compact(settings))
    else:
        notes += terminal.preview_lines(loaded, preview, seconds=seconds)
        if as_json:
            _print_json(terminal.preview_record(loaded, preview, seconds=seconds))
            return
        click.echo(preview.compaction.summary)
    terminal.print_texts(terminal.make_console(stderr=True), notes)
    if preview is None:
        sys.exit(1)


@main.command()
@SESSION
@AGENT_DIR
@AS_JSON
def show(*, session: FilePath, agent_dir: FilePath | None, as_json: bool) -> None:
    """Show each compaction of SESSION: its cut and what the state gained, lost and lifted."""
    config = load_config(agent_dir or find_agent_dir(os.environ))
    loaded = load_session(session)
    steps = list(enumerate(find_steps(loaded.path, ask_tools=config.ask_tools), 1))
    if as_json:
        _print_json([terminal.step_record(number, step) for number, step in steps])
        return
    console = terminal.make_console()
    if steps:
        console.print(terminal.steps_table(step for _, step in steps))
    else:
        console.print("no compaction yet; `longhaul compact` shows what one would give")
    for number, step in steps:
        terminal.print_texts(console, terminal.step_lines(number, step))
    terminal.print_texts(terminal.make_console(stderr=True), terminal.problem_lines(loaded))


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
    click.echo(f"{report.action}: {report.path}")
    click.echo("Start pi: every compaction is Longhaul's now. `longhaul doctor` checks.")


@uninstall.command("pi")
@AGENT_DIR
def uninstall_pi(agent_dir: FilePath | None) -> None:
    """Remove the extension and what installing it made."""
    report = uninstall_extension(agent_dir or find_agent_dir(os.environ))
    click.echo(f"{report.action}: {report.path}")


@main.command()
@AS_JSON
def doctor(*, as_json: bool) -> None:
    """Look at pi, Node, the extension and the settings; say what is wrong and how to mend it."""
    findings = diagnose(os.environ, cwd=FilePath.cwd())
    if as_json:
        _print_json([dataclasses.asdict(finding) for finding in findings])
    else:
        terminal.make_console().print(terminal.findings_table(findings))
    if any(finding.level == "error" for finding in findings):
        sys.exit(1)


@main.command()
def serve() -> None:
    """Answer pi's extension on stdin and stdout; pi starts this by itself."""
    server.main()


def _settings(agent_dir: FilePath, keep_recent_tokens: int | None) -> CompactionSettings:
    """Return pi's settings for every project, with the option in their place where it is given."""
    settings = load_compaction_settings(agent_dir)
    if keep_recent_tokens is None:
        return settings
    return CompactionSettings(
        reserve_tokens=settings.reserve_tokens, keep_recent_tokens=keep_recent_tokens
    )


def _nothing_to_compact(settings: CompactionSettings) -> str:
    return (
        f"nothing to compact: the newest {settings.keep_recent_tokens:,} tokens stay as they are,"
        " and there is nothing before them; try a smaller --keep-recent-tokens"
    )


def _print_json(value: object) -> None:
    click.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2))
