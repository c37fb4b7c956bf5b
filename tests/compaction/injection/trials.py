"""Texts put into a session, compacted twice by a model that obeys them, and what came of it."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from longhaul.compaction.ask import Mode
from longhaul.compaction.carry import find_carried
from longhaul.compaction.compact import CompactOptions, compact
from longhaul.compaction.completion import CompletionRequest
from longhaul.compaction.diff.filling import HEADINGS
from longhaul.compaction.diff.framing import FRAME_END, FRAME_START
from longhaul.compaction.render.text import PRECEDENCE, RECALL, SECTIONS
from longhaul.compaction.state import Quote, Rule, State, is_in_force
from longhaul.compaction.white_space import fold_space
from longhaul.models.scripted import ScriptedModel
from longhaul.transcript.entries import (
    BashExecutionMessage,
    Entry,
    MessageEntry,
    Path,
    ToolResultMessage,
    content_text,
)
from tests.build import compaction, path
from tests.compaction.injection.obeying import Manner, obey
from tests.compaction.injection.places import Place, Placed
from tests.compaction.injection.sessions import BEGINNING, GOAL, RULES, SAID, closing
from tests.compaction.sections import section

MODES: tuple[Mode, ...] = ("state", "turns")
"""How the two compactions of a session ask."""
_MANNERS: tuple[Manner, ...] = ("sparing", "greedy")
_GUARDED = ("Goal", "Objective", "Rules")
COUNTED = ("Said", "Learned values", "World", "Narrative")
"""Sections in which a text may stand."""
MARKED = "marked"
_N_WORDS = 4
_N_SIGNS = 8
_TAG = re.compile(r"[<＜﹤]\W*summary", re.IGNORECASE)  # noqa: RUF001 - look-alikes
_FRAME = re.compile(r"[<＜﹤]\W*session", re.IGNORECASE)  # noqa: RUF001
_LABELLED = re.compile(
    r"- |u\d+ user(?: answers)?: |r\d+ \(|u\d+, said before this stretch: |u\d+ was edited out"
    r"|(?:done|in progress|decided|next) \(u\d+\): |Judge: |Values printed and then used: "
    r"|Cut for room: "
)


@dataclass(slots=True)
class Trial:
    """What texts did in one place."""

    broken: list[str] = field(default_factory=list)
    """What does not hold, a line each; empty where all holds."""
    happened: set[str] = field(default_factory=set)
    """What may happen and did: where a text stands, what was marked."""


def try_texts(texts: Sequence[str], place: Place, modes: Sequence[Mode] = MODES) -> Trial:
    """Return what became of a session compacted once in each of `modes`.

    Before each time the texts are put into it, and each time the model obeys all of them.
    """
    trial = Trial()
    entries: list[Entry] = list(BEGINNING)
    all_placed = [place.put(text) for text in texts]
    for index, (mode, manner) in enumerate(zip(modes, _MANNERS, strict=True)):
        entries += [entry for placed in all_placed for entry in placed.entries]
        entries += closing(index)
        kept = f"e{len(entries)}"
        model = ScriptedModel(obey(texts, manner))
        made = compact(
            path(*entries),
            first_kept_entry_id=kept,
            tokens_before=1000,
            options=CompactOptions(mode=mode),
            model=model,
        )
        entries.append(compaction(made.summary, kept, details=made.details, from_hook=True))
        trial.broken += _breaches(made.summary, path(*entries), texts, all_placed)
        trial.broken += (line for one in model.requests for line in find_escapes(one, texts))
        trial.happened |= _happened(made.summary, path(*entries), texts)
    return trial


def _breaches(
    summary: str, entries: Path, texts: Sequence[str], all_placed: Sequence[Placed]
) -> Iterator[str]:
    """Yield what in a state and its text does not hold."""
    carried = find_carried(entries)
    if carried.note:
        yield carried.note
    added = [words for placed in all_placed for words in placed.said]
    sentences = [placed.sentence for placed in all_placed if placed.sentence]
    yield from _unsaid_in(carried.state, [*SAID, *added], sentences)
    in_force = {rule.quote.text for rule in carried.state.rules if is_in_force(rule)}
    yield from (f"removed: {rule}" for rule in RULES if rule not in in_force)
    yield from (f"added: {rule}" for rule in in_force if rule not in RULES)
    yield from _unprinted(carried.state, entries)
    yield from _misshapen(summary)
    yield from _shown(summary, texts, of_request=not sentences)


def _unsaid_in(state: State, words: Sequence[str], sentences: Sequence[str]) -> Iterator[str]:
    """Yield the quotes of a state that the user did not say."""
    said = list(map(fold_space, words))
    asked = [*said, *map(fold_space, sentences)]
    if state.goal is None or state.goal.text != GOAL:
        yield f"goal: {state.goal}"
    for request in state.requests:
        yield from _unsaid("objective", request.quote, asked)
    for rule in state.rules:
        yield from _unsaid("rule", rule.quote, said)
        for mark in (rule.lifted_by, rule.doubted_by):
            yield from _unsaid("mark", mark, said)


def _unsaid(kind: str, quote: Quote | None, said: Sequence[str]) -> Iterator[str]:
    if quote is not None and not any(fold_space(quote.text) in words for words in said):
        yield f"{kind}: {quote.text}"


def _unprinted(state: State, entries: Path) -> Iterator[str]:
    """Yield the values that do not stand whole in what a tool printed."""
    printed = {entry.id: _printed(entry) for entry in entries}
    for value in state.named_values:
        token = rf"(?<!\w){re.escape(value.token)}(?!\w)"
        if not re.search(token, printed.get(value.entry_id, "")):
            yield f"value: {value.token}"


def _printed(entry: Entry) -> str:
    match entry:
        case MessageEntry(message=ToolResultMessage(content=content)):
            return content_text(content)
        case MessageEntry(message=BashExecutionMessage(output=output)):
            return output
    return ""


def _misshapen(summary: str) -> Iterator[str]:
    """Yield lines that are none of a state's, headings out of order, tags of the wrapper."""
    if not (summary.startswith(f"{PRECEDENCE}\n") and summary.endswith(f"\n\n{RECALL}")):
        yield "the first or the last lines"
    lines = summary.removeprefix(PRECEDENCE).removesuffix(RECALL).split("\n")
    headings = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    if headings != [name for name in SECTIONS if name in headings]:
        yield f"headings: {headings}"
    for line in lines:
        is_item = line.startswith("- ") and len(line.splitlines()) == 1
        if line and not is_item and line.removeprefix("## ") not in SECTIONS:
            yield f"line: {line}"
    if _TAG.search(summary) or not summary.replace("\n", "").isprintable():
        yield "a tag of the wrapper, or a sign that acts"


def _shown(summary: str, texts: Sequence[str], *, of_request: bool) -> Iterator[str]:
    """Yield the lines of the guarded sections that show a piece of a text."""
    for name in _GUARDED if of_request else ("Goal", "Rules"):
        for line in section(summary, name):
            if any(holds_piece(line, text) for text in texts):
                yield f"{name}: {line}"


def find_escapes(request: CompletionRequest, texts: Sequence[str]) -> Iterator[str]:
    """Yield what in a request a text could pass for more than data with.

    All that is shown of it stands inside the frame, behind the label of a line.
    """
    system, asked = (message.text for message in request.messages)
    lines = asked.split("\n")
    if any(holds_piece(system, text) for text in texts):
        yield "a text in the instructions"
    framed = lines.index(FRAME_START), lines.index(FRAME_END)
    if len(_FRAME.findall(asked)) != len(framed) or framed != (0, len(lines) - 2):
        yield "a tag of the frame"
    headings = [line for line in lines if line in HEADINGS.values()]
    if headings != [heading for heading in HEADINGS.values() if heading in headings]:
        yield f"headings: {headings}"
    for line in lines:
        own = line in headings or line in (FRAME_START, FRAME_END, lines[-1])
        if not own and not (_LABELLED.match(line) and len(line.splitlines()) == 1):
            yield f"a line without a label: {line}"


def _happened(summary: str, entries: Path, texts: Sequence[str]) -> set[str]:
    """Return what happened that may: what was marked, and where a text stands."""
    found = {
        name
        for name in COUNTED
        for line in section(summary, name)
        if any(holds_piece(line, text) for text in texts)
    }
    return found | ({MARKED} if any(map(_is_marked, find_carried(entries).state.rules)) else set())


def _is_marked(rule: Rule) -> bool:
    return rule.doubted_by is not None or rule.one_off == "said"


def holds_piece(line: str, text: str) -> bool:
    """Return whether a line holds a piece of a text that is none of the user's own words."""
    seen = _plain(line)
    return any(piece in seen for piece in _pieces(text))


@lru_cache(maxsize=1024)
def _pieces(text: str) -> frozenset[str]:
    """Return all runs of four words of a text; of eight signs, where it has no four words."""
    words = _plain(text).split()
    said = _plain(" / ".join(SAID))
    if len(words) >= _N_WORDS:
        runs = (words[at : at + _N_WORDS] for at in range(len(words) - _N_WORDS + 1))
        pieces = frozenset(map(" ".join, runs))
    else:
        joined = " ".join(words)
        ends = range(min(_N_SIGNS, len(joined)), len(joined) + 1)
        pieces = frozenset(joined[max(0, end - _N_SIGNS) : end] for end in ends)
    return frozenset(piece for piece in pieces if piece not in said)


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """Return the letters and digits of a text as they are seen, in lower case, spaced."""
    visible = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return re.sub(r"\W+", " ", re.sub(r"\x1b\[\d*[A-Za-z]", "", visible)).strip().lower()
