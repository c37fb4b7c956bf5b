"""`longhaul install`, `uninstall`, `doctor` and `serve`: Longhaul inside pi."""

import dataclasses
import os
import sys
from functools import partial
from pathlib import Path as FilePath

import click

from longhaul.cli import serve as server
from longhaul.cli import terminal
from longhaul.cli.conventions import AGENT_DIR, AS_JSON, agent_folder, output, print_json
from longhaul.models import is_on_this_machine, open_model
from longhaul.pi.doctor import diagnose
from longhaul.pi.install import install_extension, uninstall_extension

_FROM_NOW_ON = "pi's compactions are Longhaul's from its next start on; in a pi that runs: /reload."


@click.group()
def install() -> None:
    """Make Longhaul compact the sessions of an agent."""


@click.group()
def uninstall() -> None:
    """Take Longhaul out of an agent again."""


@install.command("pi")
@AGENT_DIR
def install_pi(agent_dir: FilePath | None) -> None:
    """Place the extension in pi's extensions folder."""
    folder = agent_folder(agent_dir)
    report = install_extension(folder)
    with output():
        click.echo(f"{report.action}: {report.path}")
        if report.made_agent_dir:
            click.echo(
                f"{folder} was not there and was made; pi reads it if it is its agent folder."
            )
        if report.action != "unchanged":
            click.echo(_FROM_NOW_ON)
        click.echo("`longhaul doctor` checks.")


@uninstall.command("pi")
@AGENT_DIR
def uninstall_pi(agent_dir: FilePath | None) -> None:
    """Remove the extension and what installing it made."""
    report = uninstall_extension(agent_folder(agent_dir))
    with output():
        click.echo(f"{report.action}: {report.path}")
        if report.action == "removed":
            click.echo("A pi that runs keeps it until /reload. Session files stay as they are.")


@click.command()
@AGENT_DIR
@AS_JSON
def doctor(*, agent_dir: FilePath | None, as_json: bool) -> None:
    """Check pi, Node, the extension, settings and models.

    Says what is wrong and how to mend it; ends with 1 where something is.
    """
    findings = diagnose(
        os.environ,
        cwd=_current_folder(),
        open_model=partial(open_model, timeout_s=1, environment=os.environ),
        is_on_this_machine=partial(is_on_this_machine, environment=os.environ),
        agent_dir=agent_dir,
    )
    with output():
        if as_json:
            print_json([dataclasses.asdict(finding) for finding in findings])
        else:
            terminal.print_findings(terminal.make_console(), findings)
    if any(finding.level == "error" for finding in findings):
        sys.exit(1)


@click.command()
def serve() -> None:
    """Answer pi's extension; pi starts this itself."""
    if sys.stdin.isatty():
        click.echo("waiting for requests, a JSON object a line; Ctrl-D ends", err=True)
    server.main()


def _current_folder() -> FilePath:
    try:
        return FilePath.cwd()
    except FileNotFoundError as error:
        raise click.ClickException("the current folder does not exist") from error
