"""Which sessions and compactions `longhaul score` was asked for."""

from dataclasses import replace

import click

from longhaul.cli.score_command import ScoreCommand, find_refuse, named_in_errors
from longhaul.evals.selecting import (
    Chosen,
    find_newest,
    load_candidates,
    parse_places,
    without_missing,
)
from longhaul.evals.store import Store, find_sessions, keep_only


def find_store(command: ScoreCommand) -> Store:
    """Return the sessions to replay; the run's own folder is no part of them.

    Raises:
        click.UsageError: there is no such folder, or no session of a name that is asked for.
    """
    if not command.sessions.is_dir():
        raise click.BadParameter(
            f"{command.sessions} is no folder", param_hint="DIR (SCORE_SESSIONS)"
        )
    store = find_sessions(command.sessions, excluded=(command.out,))
    with named_in_errors("--only", "SCORE_ONLY"):
        return keep_only(store, command.only_names) if command.only_names else store


def choose(command: ScoreCommand, store: Store) -> tuple[Store, Chosen | None]:
    """Return which compactions are picked, None for all, behind the store with what that left out.

    Raises:
        click.UsageError: what picks them is of another form.
    """
    chosen = _find_chosen(command, store)
    if chosen is None:
        return store, None
    there = without_missing(chosen, store)
    return replace(store, left_out=(*store.left_out, *there.left_out)), there


def _find_chosen(command: ScoreCommand, store: Store) -> Chosen | None:
    if command.newest:
        return find_newest(store.sessions, command.newest, find_refuse(command))
    if command.at:
        with named_in_errors("--at", "SCORE_AT"):
            return parse_places(command.at)
    if command.candidates_from:
        with named_in_errors("--candidates-from", "SCORE_CANDIDATES_FROM"):
            return load_candidates(command.candidates_from)
    return None
