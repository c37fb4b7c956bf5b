"""Which values of a diff are believed: whole tokens that a tool printed, and no secrets."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from longhaul.compaction.diff.changes import Dropped, DropReason
from longhaul.compaction.diff.heard import Heard, Output, find_outputs, turn_of
from longhaul.compaction.diff.items import ValueItem
from longhaul.compaction.diff.verified_items import VerifiedItems, drop
from longhaul.compaction.render.quoting import safe_line
from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.state import NamedValue
from longhaul.compaction.values.learned import stands_as_secret
from longhaul.compaction.values.search import find_token
from longhaul.compaction.values.tokens import Mention, find_mentions
from longhaul.compaction.values.words import is_word
from longhaul.compaction.white_space import fold_space

N_VALUES = 60
"""Most values that one diff can name: those of the newest turns."""
WHAT_CHARS = 80
"""Most characters of what a value is."""
_VALUE_CHARS = 120
"""Something longer is a text."""
_N_TRIED = 100
"""How many values of one diff are looked for, those of the newest turns."""
_FEWEST_DIGITS = 3
"""A number with fewer stands in an output by chance."""
_SEARCHED_CHARS = 5_000_000
"""How much output outside a value's own turn is searched for it, the newest of it."""
_LITERAL = re.compile(r"[a-z][a-z0-9+.-]{1,9}://\S{3,}|[0-9]{2,} ?[^\W\d_]+")
"""An address, or a number with what it counts."""
_EDGES = " \t`\"'“”"
"""What a model puts around a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """A value that an item names, and the spellings to look for."""

    item: ValueItem
    turn: int
    mentions: tuple[Mention, ...]


def verify_values(items: Iterable[ValueItem], heard: Heard) -> VerifiedItems[NamedValue, ValueItem]:
    """Return the values that stand as whole tokens in a tool's output, by turn and token."""
    wanted: list[_Wanted] = []
    dropped: list[Dropped] = []
    for item in items:
        result = _wanted(item, heard)
        if isinstance(result, _Wanted):
            wanted.append(result)
        else:
            dropped.append(_dropped(item, result))
    wanted.sort(key=lambda one: -one.turn)
    found, missing = _find_all(wanted[:_N_TRIED], heard)
    values = _one_each(found)
    dropped.extend(_dropped(item, reason) for item, reason in missing)
    dropped.extend(_dropped(one.item, "too many") for one in wanted[_N_TRIED:])
    dropped.extend(_dropped(_item(value), "too many") for value in values[:-N_VALUES])
    kept = values[-N_VALUES:]
    return VerifiedItems(changes=kept, kept=tuple(map(_item, kept)), dropped=tuple(dropped))


def _wanted(item: ValueItem, heard: Heard) -> _Wanted | DropReason:
    turn = turn_of(item.message)
    if turn is None or turn > heard.n_turns:
        return "unknown name"
    value = item.value.strip(_EDGES)
    what = safe_line(item.what, WHAT_CHARS)
    mentions = tuple(_mentions(value, what)) if len(value) <= _VALUE_CHARS else ()
    if not mentions or mask_secrets(value) != value:
        return "no value"
    if not what:
        return "says nothing"
    item = ValueItem(value=value, message=f"u{turn}", what=what)
    return _Wanted(item=item, turn=turn, mentions=mentions)


def _mentions(value: str, what: str) -> Iterator[Mention]:
    """Yield what `value` may mean in an output; nothing where it is a name, a word or a phrase.

    What it is helps to tell: `42` alone is nothing, `42`, `tests passed` is a count.
    """
    if not value or value != fold_space(value):
        return
    sayings = (value, f"{value} {what}", f"{what} {value}")
    said = list(chain.from_iterable(map(find_mentions, sayings)))
    whole = [mention for mention in said if _is_whole(mention, value)]
    if whole:
        yield from dict.fromkeys(whole)
    elif value.isascii() and value.isdecimal():
        yield from _integers(value, what)
    elif _LITERAL.fullmatch(value) or any(find_mentions(value)):
        yield Mention(core=value)


def _integers(value: str, what: str) -> Iterator[Mention]:
    """Yield a bare number; a small one must stand beside a word of what it is."""
    beside = tuple(word for word in what.split() if is_word(word))
    if len(value) >= _FEWEST_DIGITS:
        yield Mention(core=value)
    elif len(value) > 1 and beside:
        yield Mention(core=value, neighbours=beside)


def _is_whole(mention: Mention, value: str) -> bool:
    spelled = (mention.core, *(mention.core + suffix for suffix in mention.suffixes))
    return value in spelled or value.lstrip("#") == mention.core


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hit:
    """A token in an output."""

    output: Output
    token: str


def _find_all(
    wanted: Sequence[_Wanted], heard: Heard
) -> tuple[list[NamedValue], list[tuple[ValueItem, DropReason]]]:
    """Return the values that an output holds, and the items of which none does."""
    hits = _hits(wanted, heard)
    found: list[NamedValue] = []
    missing: list[tuple[ValueItem, DropReason]] = []
    for one in wanted:
        hit = hits.get(one.item)
        if hit is None:
            missing.append((one.item, "not in the tool output"))
        elif stands_as_secret(hit.output.text, hit.token):
            missing.append((one.item, "no value"))
        else:
            found.append(_named(one.item, hit))
    return found, missing


def _hits(wanted: Sequence[_Wanted], heard: Heard) -> Mapping[ValueItem, _Hit]:
    """Return for each value the first output of its turn that holds it, else the first at all."""
    if not wanted:
        return {}
    outputs = list(find_outputs(heard))
    by_turn: dict[int, list[Output]] = {}
    for output in outputs:
        by_turn.setdefault(output.turn, []).append(output)
    near = _newest(outputs)
    hits = ((one.item, _hit(one, (*by_turn.get(one.turn, ()), *near))) for one in wanted)
    return {item: hit for item, hit in hits if hit is not None}


def _newest(outputs: Sequence[Output]) -> Sequence[Output]:
    left = _SEARCHED_CHARS
    for index in range(len(outputs) - 1, -1, -1):
        left -= len(outputs[index].text)
        if left < 0:
            return outputs[index + 1 :]
    return outputs


def _hit(wanted: _Wanted, outputs: Iterable[Output]) -> _Hit | None:
    for output in outputs:
        for mention in wanted.mentions:
            token = find_token(output.text, mention)
            if token is not None:
                return _Hit(output=output, token=token)
    return None


def _named(item: ValueItem, hit: _Hit) -> NamedValue:
    output = hit.output
    return NamedValue(token=hit.token, what=item.what, entry_id=output.entry_id, turn=output.turn)


def _one_each(values: Iterable[NamedValue]) -> tuple[NamedValue, ...]:
    """Return the values by turn and token; of several names for one, the first by the alphabet."""
    by_token: dict[tuple[int, str], NamedValue] = {}
    for value in sorted(values, key=lambda value: (value.turn, value.token, value.what)):
        by_token.setdefault((value.turn, value.token), value)
    return tuple(by_token.values())


def _item(value: NamedValue) -> ValueItem:
    return ValueItem(value=value.token, message=f"u{value.turn}", what=value.what)


def _dropped(item: ValueItem, reason: DropReason) -> Dropped:
    words = f"{item.value} ({item.message[:12]}): {item.what}"
    return drop("value", words, reason)
