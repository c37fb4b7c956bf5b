"""`longhaul report`: runs of the harness as a page to look at."""

from pathlib import Path as FilePath

import click

from longhaul.cli import terminal
from longhaul.compaction.render.quoting import plain
from longhaul.evals.json_lines import OWNER_ONLY
from longhaul.evals.report.loading import load_run, require_one_labelling
from longhaul.evals.report.page import Page, build_page
from longhaul.evals.report.rendering import render_page
from longhaul.pi.whole_file import write_whole

FILE_NAME = "report.html"
OUT = click.option(
    "--out",
    type=click.Path(path_type=FilePath, dir_okay=False),
    help="The file that is written.  [default: beside what is shown]",
)


@click.command()
@click.argument(
    "runs",
    metavar="RUN…",
    nargs=-1,
    required=True,
    type=click.Path(path_type=FilePath, exists=True, file_okay=False),
)
@OUT
def report(*, runs: tuple[FilePath, ...], out: FilePath | None) -> None:
    """Write the runs in folders RUN of `longhaul score` as one HTML page that needs nothing else.

    Tables, plots over the compactions of each session, and every text with what it keeps marked. A
    chained and a takeover run stand side by side. The page quotes the sessions: its owner alone may
    read it. It goes into the first RUN as report.html.

    Only the runs' own files are read. Ends with 1 where they were judged by different labels.
    """
    loaded = [load_run(run) for run in runs]
    require_one_labelling(loaded)
    save_page(build_page(loaded), out or runs[0] / FILE_NAME)


def save_page(page: Page, file: FilePath) -> None:
    """Write a page whole, and say where it is; where that cannot be done, name the file."""
    rendered = render_page(page)
    try:
        write_whole(file, rendered, mode=OWNER_ONLY)
    except OSError as error:
        raise click.ClickException(f"cannot write {plain(str(file))}: {error.strerror}") from error
    terminal.print_texts(terminal.make_console(stderr=True), [f"written: {plain(str(file))}"])
