"""`longhaul recall` and `longhaul cache clear`: searching a session, and the indexes of it."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, get_args

import click

from longhaul.cli.conventions import (
    AGENT_DIR,
    AS_JSON,
    SESSION,
    agent_folder,
    output,
    print_json,
    print_notes,
)
from longhaul.compaction.recall.answer import PAGE_HITS, Answer
from longhaul.compaction.recall.documents import Kind
from longhaul.compaction.recall.query import Turns, parse_turns
from longhaul.compaction.recall.wording import Wording
from longhaul.compaction.render.quoting import plain
from longhaul.config import Config, load_config
from longhaul.pi.recall import Recaller, RecallRequest
from longhaul.pi.recall_cache import clear_cache, find_cache_dir
from longhaul.pi.sessions import Session, load_session
from longhaul.transcript.entries import JsonValue

_WORDING = Wording(page="--page {}", around="--around {}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallCommand:
    """What the user asked for."""

    session: FilePath
    query: str
    limit: int
    page: int
    around: str
    turns: Turns | None
    kind: Kind | None
    closed: bool
    agent_dir: FilePath | None
    as_json: bool


def _parse_turn_option(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> Turns | None:
    turns = parse_turns(value) if value is not None else None
    if value is not None and turns is None:
        raise click.BadParameter("expected u7 or u7-u12", context, parameter)
    return turns


@click.command()
@SESSION
@click.argument("query", default="")
@click.option("--limit", type=click.IntRange(1, 100), default=PAGE_HITS, show_default=True)
@click.option("--page", type=click.IntRange(min=1), default=1, help="Further hits, from 2 on.")
@click.option("--around", default="", metavar="ENTRY", help="Show what stands around an entry.")
@click.option("--turn", "turns", callback=_parse_turn_option, help="Only u7, or u7-u12.")
@click.option("--kind", type=click.Choice(get_args(Kind)), help="Only texts of this kind.")
@click.option("--closed", is_flag=True, help="Only what the context no longer shows, as in pi.")
@AGENT_DIR
@AS_JSON
def recall(**given: Any) -> None:
    """Search all that the path of SESSION ever held.

    QUERY is words, "an exact string" in quotes of its own, a file path, a command, a value, or a
    turn such as u7. Ends with 1 where nothing is found.
    """
    command = RecallCommand(**given)
    if not (command.query.strip() or command.around or command.turns or command.kind):
        raise click.UsageError("nothing is asked; give a QUERY, --around, --turn or --kind")
    config = load_config(agent_folder(command.agent_dir))
    session = load_session(command.session.absolute())
    recaller = Recaller(find_cache_dir(os.environ))
    answer = recaller.recall(session, session.path, _request(command, config))
    notes = [plain(recaller.note)] if recaller.note else []
    with output():
        if command.as_json:
            print_json(_record(session, answer))
        else:
            click.echo(answer.told(_WORDING))
        print_notes(session, [*notes, *config.complaints])
    if not answer.n_hits:
        sys.exit(1)


def _request(command: RecallCommand, config: Config) -> RecallRequest:
    return RecallRequest(
        text=command.query,
        page=command.page,
        limit=command.limit,
        around=command.around,
        turns=command.turns,
        kind=command.kind,
        closed_only=command.closed,
        ask_tools=config.ask_tools,
    )


def _record(session: Session, answer: Answer) -> dict[str, JsonValue]:
    """Return an answer for programs."""
    hits: list[JsonValue] = [
        {
            "entry": one.entry_id,
            "turn": one.turn,
            "kind": one.kind,
            "tool": one.tool,
            "quote": one.quote,
            "same": [*one.same],
        }
        for one in answer.shown
    ]
    return {
        "session": session.header.id,
        "hits": answer.n_hits,
        "page": answer.page,
        "pages": answer.n_pages,
        "shown": hits,
    }


@click.group()
def cache() -> None:
    """The indexes that recall keeps in the user's cache."""


@cache.command()
def clear() -> None:
    """Remove all indexes; each is made anew when it is next needed."""
    n_removed = clear_cache(find_cache_dir(os.environ))
    click.echo(f"{n_removed} removed" if n_removed else "nothing to remove")
