"""What a rendered state keeps of the rules in a labelled dialogue, and whether it honours lifts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields

from longhaul.compaction.ask import Mode
from longhaul.compaction.compact import CompactOptions, Model, compact
from longhaul.evals.judge import (
    bound_turn,
    honours_lift,
    keeps_rule,
    matches,
    rules_section,
    shows_lifted,
    stray_lines,
)
from longhaul.evals.labels import Dialogue, LabelledRule
from longhaul.transcript.entries import MessageEntry, UserMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Whole numbers to add up; more is worse for `false_lifts` and `strays` alone."""

    messages: int = 0
    in_force: int = 0
    kept: int = 0
    """In the rules section, not shown lifted."""
    kept_anywhere: int = 0
    """There, or in any other line of the text."""
    lifts: int = 0
    honoured: int = 0
    """No line shows the rule in force. A rule that was never found counts too."""
    lifts_of_found: int = 0
    """Lifts whose rule stood in the rules section before the message that lifts it."""
    honoured_of_found: int = 0
    false_lifts: int = 0
    """Rules in force that a line shows lifted."""
    strays: int = 0
    """Lines bound to a message that gives no rule and lifts none."""

    def __add__(self, other: "Tally") -> "Tally":
        """Return the sum, number by number."""
        names = [field.name for field in fields(self)]
        return Tally(**{name: getattr(self, name) + getattr(other, name) for name in names})


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One dialogue judged."""

    kind: str
    tally: Tally
    notes: tuple[str, ...]
    """What went wrong, a line each."""


def render_messages(
    messages: Sequence[str], *, model: Model | None = None, mode: Mode = "state"
) -> str:
    """Return the text of a compaction that closes a session of these user messages.

    Raises:
        ReplyAwaitedError: the model's reply is written elsewhere and not there yet.
    """
    path = tuple(
        MessageEntry(id=f"e{turn}", parent_id=None, message=UserMessage(text))
        for turn, text in enumerate(messages, 1)
    )
    options = CompactOptions(mode=mode)
    made = compact(path, first_kept_entry_id="", tokens_before=0, options=options, model=model)
    return made.summary


def judge(
    dialogue: Dialogue, *, render: Callable[[Sequence[str]], str] = render_messages
) -> Judgement:
    """Return how the text that `render` makes from a dialogue's messages fares by its labels.

    Whether a lifted rule was found before its lift is asked of code alone.
    """
    text = render(dialogue.messages)
    section = rules_section(text)
    tally = Tally(messages=len(dialogue.messages))
    notes: list[str] = []
    for rule in dialogue.rules:
        judged = _in_force(rule, text, dialogue) if rule.lifted_at is None else _lift(rule, section)
        if rule.lifted_at is not None and _was_found(rule, dialogue):
            judged += Tally(lifts_of_found=1, honoured_of_found=judged.honoured)
        notes += _notes(rule, judged, dialogue.id)
        tally += judged
    turns = {turn for rule in dialogue.rules for turn in (rule.turn, rule.lifted_at) if turn}
    strays = stray_lines(section, turns)
    notes += [f"stray  {dialogue.id} {line}" for line in strays]
    return Judgement(
        kind=dialogue.kind, tally=tally + Tally(strays=len(strays)), notes=tuple(notes)
    )


def _in_force(rule: LabelledRule, text: str, dialogue: Dialogue) -> Tally:
    section = rules_section(text)
    kept = keeps_rule(section, rule.marker)
    alone = all(other.lifted_at is None for other in dialogue.rules if other.turn == rule.turn)
    lifted = any(
        shows_lifted(line, rule.marker)
        and (matches(line, rule.marker) or (alone and bound_turn(line) == rule.turn))
        for line in section
    )
    anywhere = kept or keeps_rule(text.splitlines(), rule.marker)
    return Tally(
        in_force=1,
        kept=int(kept),
        kept_anywhere=int(anywhere),
        false_lifts=int(lifted and not kept),
    )


def _lift(rule: LabelledRule, section: Sequence[str]) -> Tally:
    honoured = honours_lift(section, rule.marker, rule.lifted_at or 0)
    return Tally(lifts=1, honoured=int(honoured))


def _was_found(rule: LabelledRule, dialogue: Dialogue) -> bool:
    before = dialogue.messages[: (rule.lifted_at or 1) - 1]
    return keeps_rule(rules_section(render_messages(before)), rule.marker)


def _notes(rule: LabelledRule, judged: Tally, name: str) -> Iterator[str]:
    where = f"{name} u{rule.turn} /{rule.marker}/"
    if judged.in_force > judged.kept_anywhere:
        yield f"lost   {where}"
    elif judged.in_force > judged.kept:
        yield f"said   {where}"
    if judged.false_lifts:
        yield f"false  {where}"
    if judged.lifts > judged.honoured:
        yield f"unlift {where} by u{rule.lifted_at}"


def by_kind(judgements: Sequence[Judgement]) -> dict[str, Tally]:
    """Return the sums, of all dialogues under `all` and of each kind."""
    sums = {"all": Tally()}
    for judgement in judgements:
        for kind in ("all", judgement.kind):
            sums[kind] = sums.get(kind, Tally()) + judgement.tally
    return {"all": sums.pop("all"), **dict(sorted(sums.items()))}
