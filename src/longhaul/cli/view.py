"""`longhaul view`: one session as a page to look at."""

from pathlib import Path as FilePath

import click

from longhaul.cli.conventions import AGENT_DIR, SESSION, agent_folder, print_notes
from longhaul.cli.report import OUT, save_page
from longhaul.cli.terminal import reading_lines
from longhaul.config import load_config
from longhaul.evals.report.viewing import build_view
from longhaul.pi.sessions import load_session


@click.command()
@SESSION
@AGENT_DIR
@OUT
def view(*, session: FilePath, agent_dir: FilePath | None, out: FilePath | None) -> None:
    """Write SESSION as one HTML page that needs nothing else.

    For each compaction what it closed, the text that the session holds, and the state that Longhaul
    makes of the same entries without a model; each text beside the one before it. Secrets are
    masked, no model is asked, and its owner alone may read the page. It goes into the working
    folder, named as the session.
    """
    config = load_config(agent_folder(agent_dir))
    loaded = load_session(session)
    page = build_view(loaded, ask_tools=config.ask_tools)
    save_page(page, out or FilePath(f"{session.stem}.html"))
    print_notes(loaded, [*reading_lines(loaded), *config.complaints])
