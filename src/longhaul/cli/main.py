"""The `longhaul` command and its parts."""

import click

from longhaul.cli.batch import batch
from longhaul.cli.check_session import check_session
from longhaul.cli.compact import compact
from longhaul.cli.conventions import Commands
from longhaul.cli.evidence import evidence
from longhaul.cli.inside_pi import doctor, install, serve, uninstall
from longhaul.cli.labels import labels
from longhaul.cli.matrix import matrix
from longhaul.cli.recall import cache, recall
from longhaul.cli.record import record
from longhaul.cli.report import report
from longhaul.cli.score import score
from longhaul.cli.show import show
from longhaul.cli.view import view


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pi-longhaul", prog_name="longhaul")
def main() -> None:
    """Verified state instead of a summary, for long sessions with the pi coding agent."""


for command in (
    compact,
    show,
    recall,
    cache,
    batch,
    record,
    check_session,
    labels,
    evidence,
    matrix,
    score,
    report,
    view,
    install,
    uninstall,
    doctor,
    serve,
):
    main.add_command(command)
