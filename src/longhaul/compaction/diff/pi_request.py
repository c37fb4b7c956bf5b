"""How much pi's own compaction would send to a model for the same span: the measure of a request.

Only lengths are worked out; the texts are pi's. Source: pi 1.6.0, `compact`, `generateSummary`,
`serializeConversation` and `convertToLlm`; `tests/pi/parity` compares them with the real ones.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from longhaul.compaction.cut import TURN_START
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    BranchSummaryMessage,
    CompactionEntry,
    CompactionSummaryMessage,
    Content,
    CustomMessage,
    Message,
    Path,
    SystemMessage,
    TextBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)
from longhaul.transcript.json_units import json_units, utf16_units
from longhaul.transcript.projection import project_path
from longhaul.transcript.tokens import estimate_tokens

_SYSTEM_CHARS = 310
_PROMPT_CHARS = 879
_UPDATE_PROMPT_CHARS = 1_257
_PREFIX_PROMPT_CHARS = 664
_CONVERSATION = "<conversation>\n\n</conversation>\n\n"
_PREVIOUS = "<previous-summary>\n\n</previous-summary>\n\n"
_PREFIX = "# Conversation\n\n\n# Instructions\n"
_FOCUS = "\n\nAdditional focus: "
_MOST_RESULT_CHARS = 2_000
_CUT_RESULT = "\n\n[... {} more characters truncated]"
_SUMMARY = (
    "The conversation history before this point was compacted into the following summary:\n\n"
    "<summary>\n\n</summary>"
)
_BRANCH = (
    "The following is a summary of a branch that this conversation came back from:\n\n"
    "<summary>\n</summary>"
)
_JOINT = len("\n\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class PiRequest:
    """What pi's own compaction of a span costs, as pi estimates tokens."""

    tokens: int
    """Of all that it sends: system prompts, conversation, earlier summary, instructions; of both
    requests where the cut splits a turn."""
    span_tokens: int
    """Of the span as the session's model saw it, nothing clipped."""


def estimate_pi_request(path: Path, *, start: int, end: int, instructions: str = "") -> PiRequest:
    """Return what pi would send to compact `path[start:end]`, where the cut falls before `end`.

    Of `path`, which ends where the compaction is asked for, what the context still shows counts.
    """
    ids = {entry.id for entry in path[start:end]}
    projection = project_path(path)
    first = projection[0].entry if projection and projection[0].messages else None
    summary = first.summary if isinstance(first, CompactionEntry) else None
    shown = [one for one in projection if not isinstance(one.entry, CompactionEntry)]
    closed = [one.messages for one in shown if one.entry.id in ids]
    kept = next(
        (one.messages for one in shown if path[end:] and one.entry.id == path[end].id), None
    )
    # An entry that shows nothing begins no turn either: pi then takes the turn before as split.
    splits = kept is not None and not any(isinstance(message, TURN_START) for message in kept)
    history_end = _turn_start(closed) if splits else len(closed)
    history, prefix = _flat(closed[:history_end]), _flat(closed[history_end:])
    focus = len(_FOCUS) + utf16_units(instructions) if instructions else 0
    chars = []
    if history or not prefix:
        chars.append(_history_chars(history, summary) + focus)
    if prefix:
        chars.append(len(_PREFIX) + _conversation_chars(prefix) + _PREFIX_PROMPT_CHARS + focus)
    return PiRequest(
        tokens=sum(-(-(_SYSTEM_CHARS + n_chars) // 4) for n_chars in chars),
        span_tokens=sum(map(estimate_tokens, (*history, *prefix))),
    )


def _turn_start(shown: Sequence[Sequence[Message]]) -> int:
    """Return where the newest turn begins; the end where none does, as then none is split."""
    for index in range(len(shown) - 1, -1, -1):
        if any(isinstance(message, TURN_START) for message in shown[index]):
            return index
    return len(shown)


def _flat(shown: Iterable[Iterable[Message]]) -> list[Message]:
    return [one for messages in shown for one in messages if not isinstance(one, SystemMessage)]


def _history_chars(history: Iterable[Message], summary: str | None) -> int:
    chars = len(_CONVERSATION) + _conversation_chars(history)
    if not summary:
        return chars + _PROMPT_CHARS
    return chars + len(_PREVIOUS) + utf16_units(summary) + _UPDATE_PROMPT_CHARS


def _conversation_chars(messages: Iterable[Message]) -> int:
    parts = [chars for message in messages for chars in _parts(message)]
    return sum(parts) + _JOINT * max(len(parts) - 1, 0)


def _parts(message: Message) -> Iterator[int]:
    """Yield the length of each part that pi writes for a message, its label included."""
    match message:
        case UserMessage() | CustomMessage():
            yield from _labelled("[User]: ", _text_chars(message.content, 0))
        case BashExecutionMessage(exclude_from_context=False):
            yield len("[User]: ") + _ran_chars(message)
        case BranchSummaryMessage(summary=summary):
            yield len("[User]: ") + len(_BRANCH) + utf16_units(summary)
        case CompactionSummaryMessage(summary=summary):
            yield len("[User]: ") + len(_SUMMARY) + utf16_units(summary)
        case ToolResultMessage():
            yield from _labelled("[Tool result]: ", _clipped(_text_chars(message.content, 0)))
        case AssistantMessage():
            yield from _reply_parts(message.content)


def _labelled(label: str, chars: int) -> Iterator[int]:
    if chars:
        yield len(label) + chars


def _reply_parts(content: Content) -> Iterator[int]:
    blocks = content if isinstance(content, tuple) else ()
    if any(isinstance(block, TextBlock) for block in blocks):
        yield len("[Assistant]: ") + _text_chars(content, 1)
    calls = [_call_chars(block) for block in blocks if isinstance(block, ToolCall)]
    if calls:
        yield len("[Assistant tool calls]: ") + sum(calls) + len("; ") * (len(calls) - 1)


def _call_chars(call: ToolCall) -> int:
    pairs = [utf16_units(key) + 1 + json_units(value) for key, value in call.arguments.items()]
    return utf16_units(call.name) + len("()") + sum(pairs) + len(", ") * max(len(pairs) - 1, 0)


def _text_chars(content: Content, joint: int) -> int:
    if isinstance(content, str):
        return utf16_units(content)
    texts = [utf16_units(block.text) for block in content if isinstance(block, TextBlock)]
    return sum(texts) + joint * max(len(texts) - 1, 0)


def _clipped(chars: int) -> int:
    if chars <= _MOST_RESULT_CHARS:
        return chars
    return _MOST_RESULT_CHARS + len(_CUT_RESULT.format(chars - _MOST_RESULT_CHARS))


def _ran_chars(message: BashExecutionMessage) -> int:
    output = f"```\n{message.output}\n```" if message.output else "(no output)"
    ending = ""
    if message.cancelled:
        ending = "\n\n(command cancelled)"
    elif message.exit_code:
        ending = f"\n\nCommand exited with code {message.exit_code}"
    return utf16_units(f"Ran `{message.command}`\n{output}{ending}")
