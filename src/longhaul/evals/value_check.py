"""Whether labelled values stand where they are made and used, and are due in between."""

from collections.abc import Iterable, Iterator

from longhaul.evals.due import is_turn_closed, judging_cut
from longhaul.evals.judge import find_spelling
from longhaul.evals.labelled_session import LabelFinding, LabelledSession, turn_names
from longhaul.evals.session_labels import ValueLabel
from longhaul.evals.turns import Turn, TurnTexts, turn_texts


def check_values(session: LabelledSession) -> Iterator[LabelFinding]:
    """Yield what is wrong with the values of a session.

    A value is made where a tool printed it or the assistant said it; it is used there too, and in
    the arguments of tool calls. What the user says in the using turn is no use of it.
    """
    for index, value in enumerate(session.labels.values):
        place = f"values[{index}]"
        yield from _made(session, place, value)
        for use, number in enumerate(value.used_at):
            turn = session.turn(number)
            if turn is not None:
                yield from _used(session, f"{place}.usedAt[{use}]", value, turn)
        yield from _spelled(session, place, value)
        yield from _due(session, place, value)


def _made(session: LabelledSession, place: str, value: ValueLabel) -> Iterator[LabelFinding]:
    turn = session.turn(value.turn)
    if turn is None:
        return
    texts = turn_texts(session.path, turn)
    if not _holds((*texts.printed, *texts.said), value):
        where = _elsewhere(turn, texts, value)
        text = f"{_spellings(value)}: no tool printed it in u{turn.number}, and nobody said it"
        yield session.error(f"{place}.accept", f"{text}{where}", turn.number)


def _used(
    session: LabelledSession, place: str, value: ValueLabel, turn: Turn
) -> Iterator[LabelFinding]:
    texts, number = turn_texts(session.path, turn), turn.number
    if not _holds((*texts.said, *texts.called, *texts.printed), value):
        where = _elsewhere(turn, texts, value)
        text = f"{_spellings(value)}: u{number} does not use it as a whole token{where}"
        yield session.error(place, text, number)
    elif _holds((turn.text,), value):
        yield session.note(place, f"the user's own message says it in u{number}", number)
    if value.history and _holds(texts.printed, value):
        text = f"a tool printed it in u{number}: the workspace gave it back"
        yield session.note(place, text, number)


def _spelled(session: LabelledSession, place: str, value: ValueLabel) -> Iterator[LabelFinding]:
    """Yield a note for each spelling that stands in none of the value's turns."""
    turns = [turn for turn in map(session.turn, (value.turn, *value.used_at)) if turn is not None]
    held = [text for turn in turns for text in _all_texts(turn_texts(session.path, turn))]
    stands = [any(find_spelling(text, (one,)) for text in held) for one in value.accept]
    for index, spelling in enumerate(value.accept):
        if any(stands) and not stands[index]:
            text = f'"{spelling}" stands neither where it is made nor where it is used'
            yield session.note(f"{place}.accept[{index}]", text)


def _due(session: LabelledSession, place: str, value: ValueLabel) -> Iterator[LabelFinding]:
    turns = session.turns
    uses = [number for number in value.used_at if session.turn(number)]
    if session.turn(value.turn) is None or (value.used_at and not uses):
        return
    cuts = {number: judging_cut(number, session.cuts, turns) for number in uses}
    due = [use for use, cut in cuts.items() if cut and is_turn_closed(value.turn, cut, turns)]
    if not due:
        text = f"due nowhere: no use comes after a compaction that closed all of u{value.turn}"
        yield session.error(f"{place}.usedAt", text, value.turn)
        return
    not_due = [number for number in cuts if number not in due]
    if not_due:
        text = f"not due for {turn_names(not_due)}: no compaction before it closed u{value.turn}"
        yield session.note(f"{place}.usedAt", text)


def _holds(texts: Iterable[str], value: ValueLabel) -> bool:
    return any(find_spelling(text, value.accept) for text in texts)


def _all_texts(texts: TurnTexts) -> tuple[str, ...]:
    return (*texts.said, *texts.printed, *texts.called)


def _elsewhere(turn: Turn, texts: TurnTexts, value: ValueLabel) -> str:
    """Return where else a turn holds a value, or a longer token around it; empty for nowhere."""
    if _holds((turn.text,), value):
        return "; the user's own message says it"
    if _holds(texts.called, value):
        return "; only the arguments of a call hold it"
    if any(one in text for text in _all_texts(texts) for one in value.accept):
        return "; it stands inside a longer token only"
    return ""


def _spellings(value: ValueLabel) -> str:
    return " or ".join(f'"{spelling}"' for spelling in value.accept)
