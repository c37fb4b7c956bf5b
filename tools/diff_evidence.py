"""What verification makes of models that know every label, and of models that claim everything.

Usage: python tools/diff_evidence.py DIALOGUES [--kinds FILE] [--joined N] [--list]

Each dialogue is folded into a state; a pretended model answers with a diff, which is verified and
applied; the text of the state is judged by the labels. `--joined` strings so many dialogues that
give no rule together into one session, as long as sessions are.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from longhaul.compaction.compact import CompactOptions, render_at
from longhaul.compaction.diff.apply import apply_changes
from longhaul.compaction.diff.changes import Verified
from longhaul.compaction.diff.items import Diff, LiftItem, OneOffItem, RuleItem
from longhaul.compaction.diff.verify import verify_diff
from longhaul.compaction.fold import advance
from longhaul.compaction.rules.sentences import split_sentences
from longhaul.compaction.state import State
from longhaul.compaction.statements import ASK_TOOLS
from longhaul.evals.labels import Dialogue, LabelledRule, load_dialogues
from longhaul.evals.rule_measures import Judgement, Tally, by_kind, judge
from longhaul.transcript.entries import MessageEntry, UserMessage
from longhaul.transcript.entries import Path as EntryPath

Answer = Callable[[Dialogue, int, State], Diff]
"""A pretended model: the diff for the first so many messages of a dialogue, and its state."""


def say_nothing(dialogue: Dialogue, n_messages: int, state: State) -> Diff:
    """Return the empty diff: what code finds by itself."""
    del dialogue, n_messages, state
    return Diff()


def know_everything(dialogue: Dialogue, n_messages: int, state: State) -> Diff:
    """Return every labelled rule and lift, in the labelled words where there are any."""
    labels = [label for label in dialogue.rules if label.turn <= n_messages]
    return Diff(
        rules=tuple(
            RuleItem(message=f"u{label.turn}", quote=words_of(dialogue, label)) for label in labels
        ),
        lifts=tuple(
            LiftItem(
                rule=name_of(dialogue, label, state),
                message=f"u{label.lifted_at}",
                quote=label.lift_quote or dialogue.messages[label.lifted_at - 1],
            )
            for label in labels
            if label.lifted_at and label.lifted_at <= n_messages
        ),
    )


def call_all_rules(dialogue: Dialogue, n_messages: int, state: State) -> Diff:
    """Return every message whole as a rule."""
    del state
    texts = enumerate(dialogue.messages[:n_messages], 1)
    return Diff(rules=tuple(RuleItem(message=f"u{n}", quote=text) for n, text in texts))


def call_sentences_rules(dialogue: Dialogue, n_messages: int, state: State) -> Diff:
    """Return every sentence of every message as a rule."""
    del state
    return Diff(
        rules=tuple(
            RuleItem(message=f"u{n}", quote=sentence.text)
            for n, text in enumerate(dialogue.messages[:n_messages], 1)
            for sentence in split_sentences(text)
        )
    )


def lift_all(dialogue: Dialogue, n_messages: int, state: State) -> Diff:
    """Return every labelled rule, and every later message as a lift of each of them."""
    known = know_everything(dialogue, n_messages, state)
    return Diff(
        rules=known.rules,
        lifts=tuple(
            LiftItem(rule=name_of(dialogue, label, state), message=f"u{turn}", quote=text)
            for label in dialogue.rules
            for turn, text in enumerate(dialogue.messages[:n_messages], 1)
            if turn > label.turn
        ),
    )


def call_all_one_offs(dialogue: Dialogue, n_messages: int, state: State) -> Diff:
    """Return every rule that code found, and every message, as a one-off."""
    del dialogue
    rules = [OneOffItem(name=f"r{rule.number}") for rule in state.rules]
    return Diff(one_offs=(*rules, *(OneOffItem(name=f"u{n}") for n in range(1, n_messages + 1))))


ANSWERS: Mapping[str, Answer] = {
    "offline": say_nothing,
    "knows every label": know_everything,
    "every message a rule": call_all_rules,
    "every sentence a rule": call_sentences_rules,
    "every pair a lift": lift_all,
    "everything a one-off": call_all_one_offs,
}


def words_of(dialogue: Dialogue, label: LabelledRule) -> str:
    """Return the words that state a rule: the labelled ones, or the sentences of its marker."""
    text = dialogue.messages[label.turn - 1]
    if label.quote:
        return label.quote
    match = re.search(label.marker, text, re.IGNORECASE)
    if match is None:
        return text
    touched = [s for s in split_sentences(text) if s.start < match.end() and s.end > match.start()]
    return text[touched[0].start : touched[-1].end] if touched else match[0]


def name_of(dialogue: Dialogue, label: LabelledRule, state: State) -> str:
    """Return the name of a labelled rule: of the state's rule, where code found it."""
    words = words_of(dialogue, label)
    for rule in state.rules:
        text = rule.quote.text
        if rule.quote.turn == label.turn and (text in words or words in text):
            return f"r{rule.number}"
    return f"u{label.turn}"


def path_of(messages: Sequence[str]) -> EntryPath:
    """Return the path of a session of these user messages."""
    return tuple(
        MessageEntry(id=f"e{turn}", parent_id=None, message=UserMessage(text))
        for turn, text in enumerate(messages, 1)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A state with a diff verified and applied."""

    path: EntryPath
    state: State
    verified: Verified


def make(dialogue: Dialogue, messages: Sequence[str], answer: Answer) -> Made:
    """Return what a pretended model makes of the first `messages` of a dialogue."""
    path = path_of(messages)
    state = advance(State(), path, 0, len(path))
    diff = answer(dialogue, len(messages), state)
    verified = verify_diff(diff, state, path, start=0, end=len(path), ask_tools=ASK_TOOLS)
    return Made(path=path, state=apply_changes(state, verified.changes), verified=verified)


def judged(dialogue: Dialogue, answer: Answer) -> Judgement:
    """Return how the text that a pretended model leads to fares by the labels."""

    def render(messages: Sequence[str]) -> str:
        made = make(dialogue, messages, answer)
        return render_at(made.state, made.path, len(made.path), CompactOptions()).text

    return judge(dialogue, render=render)


def joined(dialogues: Sequence[Dialogue], n: int) -> Iterator[Dialogue]:
    """Yield the dialogues that give no rule, `n` strung together into one."""
    quiet = [dialogue for dialogue in dialogues if dialogue.kind == "ordinary"]
    for first in range(0, len(quiet), n):
        chosen = quiet[first : first + n]
        messages = tuple(text for dialogue in chosen for text in dialogue.messages)
        yield Dialogue(id=chosen[0].id, kind="ordinary", messages=messages, rules=())


def lift_outcomes(dialogues: Sequence[Dialogue], answer: Answer) -> Counter[str]:
    """Count what becomes of each claimed lift: certain, marked or dropped, true and false."""
    counts: Counter[str] = Counter()
    for dialogue in dialogues:
        made = make(dialogue, dialogue.messages, answer)
        rules = [rule for rule in made.state.rules if rule.lifted_by or rule.doubted_by]
        due = {(label.turn, label.lifted_at) for label in dialogue.rules if label.lifted_at}
        for rule in rules:
            words = rule.lifted_by or rule.doubted_by
            kind = "certain" if rule.lifted_by else "marked"
            true = words is not None and (rule.quote.turn, words.turn) in due
            counts[f"{kind}, {'true' if true else 'false'}"] += 1
        counts["due"] += sum(label.lifted_at is not None for label in dialogue.rules)
        counts["pairs"] += sum(len(dialogue.messages) - label.turn for label in dialogue.rules)
    return counts


def line_of(name: str, tally: Tally) -> str:
    """Return one line of the table."""
    strays = f"{100 * tally.strays / tally.messages:.2f}" if tally.messages else "-"
    return (
        f"{name:24} rules {tally.kept:4}/{tally.in_force:<4} lifts {tally.honoured:4}/"
        f"{tally.lifts:<4} false lifts {tally.false_lifts:3} strays {tally.strays:4}"
        f" of {tally.messages:5} messages, {strays} of 100"
    )


def print_answers(dialogues: Sequence[Dialogue], *, list_notes: bool) -> None:
    """Print a line for each pretended model."""
    for name, answer in ANSWERS.items():
        judgements = [judged(dialogue, answer) for dialogue in dialogues]
        print(line_of(name, by_kind(judgements)["all"]))
        for judgement in judgements if list_notes else ():
            for note in judgement.notes:
                print("   ", note.replace("\n", " ")[:240])


def main() -> int:
    """Measure the dialogues that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dialogues", type=Path)
    parser.add_argument("--kinds", type=Path, help="JSON of dialogue id to kind")
    parser.add_argument("--joined", type=int, default=12, help="dialogues strung together")
    parser.add_argument("--list", action="store_true", help="list what went wrong")
    options = parser.parse_args()
    kinds = json.loads(options.kinds.read_text(encoding="utf-8")) if options.kinds else None
    dialogues = list(load_dialogues(options.dialogues, kinds))
    for title, chosen in {
        "all": dialogues,
        "ordinary": [dialogue for dialogue in dialogues if dialogue.kind == "ordinary"],
        f"ordinary, {options.joined} together": list(joined(dialogues, options.joined)),
    }.items():
        if chosen:
            print(title)
            print_answers(chosen, list_notes=options.list)
    for name in ("knows every label", "every pair a lift"):
        print(name, dict(sorted(lift_outcomes(dialogues, ANSWERS[name]).items())))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
