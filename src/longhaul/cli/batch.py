"""`longhaul batch`: the requests that wait in a folder for their replies."""

import json
from pathlib import Path as FilePath

import click
from rich.table import Table
from rich.text import Text

from longhaul.cli.conventions import AS_JSON, output, print_json
from longhaul.cli.terminal import make_console, print_texts, print_verbatim
from longhaul.compaction.completion import CompletionRequest
from longhaul.compaction.render.quoting import plain
from longhaul.compaction.report_text import count
from longhaul.errors import ModelError
from longhaul.models.batch_files import BatchEntry, list_requests, load_request
from longhaul.models.batch_records import dump_request
from longhaul.transcript.entries import JsonValue

_SHOWN_HASH_CHARS = 12
_CHARS_A_TOKEN = 4
"""Roughly; how many there are depends on who answers."""


@click.command()
@click.argument("folder", type=click.Path(path_type=FilePath))
@click.argument("name", metavar="[HASH]", required=False)
@AS_JSON
def batch(folder: FilePath, name: str | None, *, as_json: bool) -> None:
    """List what waits in FOLDER, or print the request HASH.

    HASH may be the beginning of one; without it, all that wait are listed. FOLDER is what
    a model named batch:FOLDER writes to.
    """
    entries = list_requests(folder)
    if name is None:
        _print_waiting(entries, as_json=as_json)
    else:
        _print_request(_find(entries, name), as_json=as_json)


def _find(entries: tuple[BatchEntry, ...], name: str) -> BatchEntry:
    found = [entry for entry in entries if entry.name.startswith(name)]
    if len(found) == 1:
        return found[0]
    amount = "no request" if not found else "more than one request"
    raise ModelError(f"{amount} begins with {name!r}; `longhaul batch FOLDER` lists what waits")


def _print_waiting(entries: tuple[BatchEntry, ...], *, as_json: bool) -> None:
    waiting = [entry for entry in entries if not entry.is_answered]
    loaded = [(entry, load_request(entry.request_file)) for entry in waiting]
    n_answered = len(entries) - len(waiting)
    with output():
        if as_json:
            print_json(
                {
                    "waiting": [_record(entry, request) for entry, request in loaded],
                    "answered": n_answered,
                }
            )
            return
        console = make_console()
        if loaded:
            console.print(_table(loaded))
        replies = count(n_answered, "reply", "replies")
        console.print(f"{count(len(waiting), 'request')} waiting, {replies} there")


def _table(loaded: list[tuple[BatchEntry, CompletionRequest]]) -> Table:
    table = Table("request", "messages", "tokens", "at most out", "thinking", "repeat")
    for entry, request in loaded:
        table.add_row(
            plain(entry.name[:_SHOWN_HASH_CHARS]),
            str(len(request.messages)),
            f"{_tokens(request):,}",
            f"{request.max_output_tokens:,}",
            request.thinking or "",
            str(request.repeat),
        )
    return table


def _record(entry: BatchEntry, request: CompletionRequest) -> dict[str, JsonValue]:
    return {
        "hash": entry.name,
        "requestFile": str(entry.request_file),
        "replyFile": str(entry.reply_file),
        "messages": len(request.messages),
        "estimatedTokens": _tokens(request),
        "maxOutputTokens": request.max_output_tokens,
        "thinking": request.thinking,
        "repeat": request.repeat,
    }


def _tokens(request: CompletionRequest) -> int:
    return sum(len(message.text) for message in request.messages) // _CHARS_A_TOKEN


def _print_request(entry: BatchEntry, *, as_json: bool) -> None:
    request = load_request(entry.request_file)
    with output():
        if as_json:
            details = {**_record(entry, request), **dump_request(request)}
            print_json({**details, "answered": entry.is_answered})
        else:
            _print_whole(entry, request)


def _print_whole(entry: BatchEntry, request: CompletionRequest) -> None:
    console = make_console()
    head = (
        f"request {plain(entry.name)}",
        f"reply {'in' if entry.is_answered else 'awaited in'} {plain(str(entry.reply_file))}",
        f"at most {count(request.max_output_tokens, 'token')} out,"
        f" thinking {request.thinking or 'as the model does'}, repeat {request.repeat}",
    )
    print_texts(console, head)
    for message in request.messages:
        print_texts(console, ["", Text(message.role, style="bold")])
        print_verbatim(console, message.text)
    schema = json.dumps(dict(request.schema), indent=2)
    print_texts(console, ["", Text("schema of the reply", style="bold"), *schema.splitlines()])
