"""The state as a fold over the entries of a path, one after another.

`advance(advance(s, path, a, b), path, b, c) == advance(s, path, a, c)`: a state does not depend on
where compactions fell, so carrying it and rebuilding it give the same.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from longhaul.compaction.corrected import correct
from longhaul.compaction.corrections import find_correction
from longhaul.compaction.goal import advance_goal
from longhaul.compaction.ledger import advance_world, find_runs
from longhaul.compaction.requests import advance_requests
from longhaul.compaction.rules.advance import advance_rules
from longhaul.compaction.rules.finder import find_rules
from longhaul.compaction.said import advance_said
from longhaul.compaction.state import Note, Quote, Request, State, quotes_of
from longhaul.compaction.statements import ASK_TOOLS, Statement, count_turns, find_statements
from longhaul.compaction.values import advance_values
from longhaul.transcript.entries import AssistantMessage, ContextEditEntry, MessageEntry, Path


def advance(
    state: State, path: Path, start: int, end: int, *, ask_tools: tuple[str, ...] = ASK_TOOLS
) -> State:
    """Return the state after `path[start:end]`, where `state` holds what stands before `start`.

    Entries before `start` may be looked at, those from `end` on are not.
    """
    n_turns = state.n_turns
    values = advance_values(state.values, path, start, end, n_turns, ask_tools=ask_tools)
    world = advance_world(state.world, find_runs(path, start, end, n_turns))
    for piece_start, piece_end in _pieces(path, start, end):
        state = _advance_piece(state, path, piece_start, piece_end, ask_tools)
        state = drop_edited(state, path, piece_start, piece_end)
        state = correct(state, path[piece_end - 1])
    return replace(state, values=values, world=world)


def _pieces(path: Path, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield ranges that end behind an edit or a correction, so that it acts where it stands."""
    for index in range(start, end):
        if isinstance(path[index], ContextEditEntry) or find_correction(path[index]):
            yield start, index + 1
            start = index + 1
    if start < end:
        yield start, end


def _advance_piece(
    state: State, path: Path, start: int, end: int, ask_tools: tuple[str, ...]
) -> State:
    """Return `state` after what was typed and replied; tools know nothing of edits."""
    n_turns = state.n_turns
    statements = tuple(find_statements(path, start, end, n_turns=n_turns, ask_tools=ask_tools))
    events = _events(path, start, end, statements)
    find = cache(find_rules)  # three parts ask the same of each statement
    rules = advance_rules(state.rules, statements, n_numbered=state.n_rules, find=find)
    n_more_turns = count_turns(path, start, end)
    return replace(
        state,
        goal=advance_goal(state.goal, statements),
        requests=advance_requests(state.requests, events, find=find),
        rules=rules,
        n_rules=max(state.n_rules, *(rule.number for rule in rules), 0),
        said=advance_said(state.said, statements, find=find),
        notes=_still_open(state.notes) if n_more_turns else state.notes,
        n_turns=n_turns + n_more_turns,
    )


def _still_open(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """Return the notes that a new message of the user leaves true: what was to come may not."""
    return tuple(note for note in notes if note.kind in ("done", "decided"))


def advance_window(
    state: State, path: Path, start: int, *, ask_tools: tuple[str, ...] = ASK_TOOLS
) -> tuple[Request, ...]:
    """Return the requests up to the end of the path, where `state` holds `path[:start]`."""
    end = len(path)
    typed = find_statements(path, start, end, n_turns=state.n_turns, ask_tools=ask_tools)
    return advance_requests(state.requests, _events(path, start, end, tuple(typed)))


def _events(
    path: Path, start: int, end: int, statements: tuple[Statement, ...]
) -> Iterator[Statement | AssistantMessage]:
    """Yield what was typed and what was replied in the order in which it happened."""
    typed = {statement.entry_id: statement for statement in statements if not statement.is_answer}
    for entry in path[start:end]:
        if isinstance(entry, MessageEntry):
            if isinstance(entry.message, AssistantMessage):
                yield entry.message
            elif entry.id in typed:
                yield typed[entry.id]


def drop_edited(state: State, path: Path, start: int, end: int) -> State:
    """Return `state` without the words of messages that edits in `path[start:end]` change.

    A message that was left out or rewritten no longer stands as what the user typed.
    """
    edited = {entry.target_id for entry in path[start:end] if isinstance(entry, ContextEditEntry)}
    if not edited or edited.isdisjoint(quote.entry_id for quote in quotes_of(state)):
        return state

    def stays(quote: Quote | None) -> bool:
        return quote is not None and quote.entry_id not in edited

    return replace(
        state,
        goal=state.goal if stays(state.goal) else None,
        requests=tuple(request for request in state.requests if stays(request.quote)),
        rules=tuple(
            replace(
                rule,
                lifted_by=rule.lifted_by if stays(rule.lifted_by) else None,
                doubted_by=rule.doubted_by if stays(rule.doubted_by) else None,
            )
            for rule in state.rules
            if stays(rule.quote)
        ),
        said=tuple(line for line in state.said if stays(line.quote)),
    )
