"""What commands share: their options, their errors, how they print."""

import errno
import json
import math
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import Any

import click

from longhaul.cli import terminal
from longhaul.compaction.render.escape import escape_text
from longhaul.errors import LonghaulError, ReplyAwaitedError
from longhaul.pi.agent_dir import find_agent_dir
from longhaul.pi.sessions import Session


class Commands(click.Group):
    """Commands whose expected errors end in one line."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; an expected error is said and ends with 1, an awaited reply with 3."""
        try:
            return super().invoke(ctx)
        except ReplyAwaitedError as error:
            click.echo(f"Waiting: {escape_text(str(error))}", err=True)
            ctx.exit(error.exit_code)
        except LonghaulError as error:
            raise click.ClickException(escape_text(str(error))) from error
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            raise click.ClickException(escape_text(str(error))) from error


class Minutes(click.FloatRange):
    """A time that ends; `nan`, which is in no range and out of none, is refused too."""

    def __init__(self, *, most: float) -> None:
        """Take more than no time, and at most `most` minutes."""
        super().__init__(min=0, min_open=True, max=most)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number of minutes that was typed."""
        minutes: float = super().convert(value, param, ctx)
        if math.isnan(minutes):
            self.fail(f"{minutes} is no number of minutes", param, ctx)
        return minutes


@contextmanager
def output() -> Iterator[None]:
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


def agent_folder(named: FilePath | None) -> FilePath:
    """Return pi's agent folder: the one that an option names, or the one that pi would use."""
    return named or find_agent_dir(os.environ)


def print_notes(session: Session, notes: Sequence[str]) -> None:
    """Print what is damaged in a session, and `notes`, beside the result."""
    lines = [*terminal.problem_lines(session), *notes]
    terminal.print_texts(terminal.make_console(stderr=True), lines)


def print_json(value: object) -> None:
    """Print a JSON value for programs."""
    # Escaped to ASCII: a terminal shows it, and a session's lone surrogates do no harm.
    click.echo(json.dumps(value, indent=2))


def local_pi() -> FilePath | None:
    """Return the pi of the current folder's node_modules, which a clone has, or None."""
    local = FilePath("node_modules", ".bin", "pi")
    return local if local.exists() else None
