"""Labelled rule dialogues as the lift finder meets them, and what it lifts in them.

Usage: python tools/lift_dialogues.py DIALOGUES [--kinds FILE] [--found] [--list]

Gives lifts found of lifts, doubtful ones, and false lifts, by kind. Rules are the labelled ones, or
with `--found` what the whole fold keeps: rules found by code, lifts among them.
"""

import argparse
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from longhaul.compaction.rules.advance import advance_rules
from longhaul.compaction.rules.lift_weights import WEIGHTS
from longhaul.compaction.rules.lifts import find_lifts
from longhaul.compaction.rules.sentences import split_sentences
from longhaul.compaction.state import Quote, Rule
from longhaul.compaction.statements import Statement
from longhaul.evals.labels import Dialogue, DialogueError, LabelledRule, load_dialogues


def rules_in_force(dialogue: Dialogue, turn: int) -> list[Rule]:
    """Return the rules that earlier messages gave and none before message `turn` lifted."""
    return [
        rule
        for rule, label in zip(rules_of(dialogue), dialogue.rules, strict=True)
        if label.turn < turn and (label.lifted_at is None or label.lifted_at >= turn)
    ]


def lifted_numbers(dialogue: Dialogue, turn: int) -> set[int]:
    """Return the numbers of the rules that message `turn` lifts."""
    return {n for n, rule in enumerate(dialogue.rules, 1) if rule.lifted_at == turn}


def lift_label(dialogue: Dialogue, turn: int, number: int, sentence: str) -> bool | None:
    """Return whether `sentence` of a message lifts a rule; None where the labels do not say."""
    rules, due = rules_of(dialogue), lifted_numbers(dialogue, turn)
    if number in due:
        words = dialogue.rules[number - 1].lift_quote
        return True if _overlap(dialogue.messages[turn - 1], sentence, words) else None
    if number <= len(rules):
        same = {r.number for r in rules if r.quote.text == rules[number - 1].quote.text}
        return None if same & due else False
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one lift, or of a rule shown lifted."""

    kind: str
    name: str
    found: str
    """`lifted`, `doubted`, `missed`, `false lift` or `false doubt`."""
    rule: str
    words: str


def rules_of(dialogue: Dialogue) -> tuple[Rule, ...]:
    """Return the labelled rules, each with the whole sentences that state it."""
    return tuple(
        Rule(
            number=number,
            quote=Quote(
                entry_id=f"e{rule.turn}",
                turn=rule.turn,
                text=_stated(dialogue.messages[rule.turn - 1], rule),
            ),
        )
        for number, rule in enumerate(dialogue.rules, 1)
    )


def _stated(text: str, rule: LabelledRule) -> str:
    words = rule.quote
    if not words:
        match = re.search(rule.marker, text, re.IGNORECASE)
        words = match[0] if match else ""
    return _sentences_around(text, words)


@lru_cache(maxsize=8192)
def _sentences_around(text: str, words: str) -> str:
    start = text.find(words)
    end = start + len(words)
    hit = [s for s in split_sentences(text) if s.start < end and s.end > start]
    return text[min(start, hit[0].start) : max(end, hit[-1].end)] if hit else words


def _overlap(text: str, sentence: str, words: str) -> bool:
    one, other = text.find(sentence), text.find(words)
    return one < other + len(words) and other < one + len(sentence)


def measure_dialogues(
    dialogues: Iterable[Dialogue], *, weights: Mapping[str, float] = WEIGHTS
) -> Iterator[Outcome]:
    """Yield what becomes of each labelled lift, and each false one, with the labelled rules."""
    for dialogue in dialogues:
        texts = {rule.number: rule.quote.text for rule in rules_of(dialogue)}
        for turn, text in enumerate(dialogue.messages, 1):
            in_force = rules_in_force(dialogue, turn)
            lifts = {x.number: x for x in find_lifts(text, in_force, weights=weights)}
            due = lifted_numbers(dialogue, turn)
            excused = {r.number for r in in_force if r.quote.text in {texts[n] for n in due}}
            for number in sorted(due | set(lifts) - (excused - due)):
                lift = lifts.get(number)
                found = "missed" if lift is None else "lifted" if lift.certain else "doubted"
                if number not in due:
                    found = "false lift" if found == "lifted" else "false doubt"
                words = lift.quote if lift else text
                yield Outcome(
                    kind=dialogue.kind, name=dialogue.id, found=found, rule=texts[number],
                    words=words,
                )  # fmt: skip


def measure_found(dialogues: Iterable[Dialogue]) -> Iterator[Outcome]:
    """Yield what becomes of each labelled lift, and each false one, when code finds the rules.

    As the labels are judged: by lines that match a rule's marker. `missed` is a lift after which a
    rule still stands in force; `lifted` one after which none does, found as a rule or not.
    """
    for dialogue in dialogues:
        statements = [
            Statement(entry_id=f"e{turn}", turn=turn, text=text)
            for turn, text in enumerate(dialogue.messages, 1)
        ]
        rules = advance_rules((), statements)
        for label in dialogue.rules:
            yield from _judged(dialogue, label, rules)


def _judged(dialogue: Dialogue, label: LabelledRule, rules: Sequence[Rule]) -> Iterator[Outcome]:
    same = [rule for rule in rules if re.search(label.marker, rule.quote.text, re.IGNORECASE)]
    force = [rule for rule in same if not rule.lifted_by and rule.quote.turn != label.lifted_at]
    doubted = [rule for rule in force if rule.doubted_by]
    lifted = [rule for rule in same if rule.lifted_by]
    found = ""
    if label.lifted_at:
        found = "missed" if len(force) > len(doubted) else "doubted" if doubted else "lifted"
    elif lifted and not force:
        found = "false lift"
    elif doubted and doubted == force:
        found = "false doubt"
    if found:
        words = next((r.lifted_by.text for r in lifted if r.lifted_by), "")
        yield Outcome(
            kind=dialogue.kind,
            name=dialogue.id,
            found=found,
            rule=label.marker,
            words=words,
        )


def measure_crowded(
    dialogues: Sequence[Dialogue],
    strangers: Sequence[str],
    *,
    n_strangers: int,
    weights: Mapping[str, float] = WEIGHTS,
) -> Iterator[Outcome]:
    """Yield the false lifts of rules that other dialogues gave, with their words in force.

    `strangers` are the rules to draw from; each dialogue gets `n_strangers` before its own.
    """
    chance = random.Random(n_strangers)
    for dialogue in dialogues:
        own = {rule.quote.text for rule in rules_of(dialogue)}
        drawn = [text for text in chance.sample(strangers, n_strangers) if text not in own]
        crowd = tuple(
            Rule(number=1000 + i, quote=Quote(entry_id=f"other {i}", turn=0, text=text))
            for i, text in enumerate(drawn)
        )
        for turn, text in enumerate(dialogue.messages, 1):
            due = lifted_numbers(dialogue, turn)
            rules = (*crowd, *rules_in_force(dialogue, turn))
            said = {rule.number: rule.quote.text for rule in rules}
            excused = {said[number] for number in due if number in said}
            for lift in find_lifts(text, rules, weights=weights):
                if said[lift.number] not in excused:
                    found = "false lift" if lift.certain else "false doubt"
                elif lift.number in due:
                    found = "lifted" if lift.certain else "doubted"
                else:
                    continue
                yield Outcome(
                    kind=dialogue.kind, name=dialogue.id, found=found, rule=said[lift.number],
                    words=lift.quote,
                )  # fmt: skip


def print_tally(title: str, outcomes: Sequence[Outcome]) -> None:
    """Print counts of outcomes by kind."""
    columns = ("lifted", "doubted", "missed", "false lift", "false doubt")
    counts: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(columns, 0))
    for outcome in outcomes:
        kind = outcome.kind.partition(" ")[0]
        counts[kind][outcome.found] += 1
        counts["all"][outcome.found] += 1
    print(f"{title:<20}" + "".join(f"{column:>13}" for column in columns))
    for kind in sorted(counts, key=lambda kind: (kind == "all", kind)):
        print(f"{kind:<20}" + "".join(f"{counts[kind][column]:>13}" for column in columns))


def main() -> int:
    """Measure the dialogues that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dialogues", type=Path)
    parser.add_argument("--found", action="store_true", help="judge rules that code finds")
    parser.add_argument("--kinds", type=Path, help="JSON of dialogue id to kind")
    parser.add_argument(
        "--list", action="store_true", help="list what was missed and what is false"
    )
    options = parser.parse_args()
    kinds = json.loads(options.kinds.read_text(encoding="utf-8")) if options.kinds else None
    measure = measure_found if options.found else measure_dialogues
    try:
        outcomes = list(measure(load_dialogues(options.dialogues, kinds)))
    except DialogueError as error:
        parser.exit(1, f"{error}\n")
    print_tally(options.dialogues.name, outcomes)
    for outcome in outcomes if options.list else ():
        if outcome.found != "lifted":
            print(
                f"{outcome.found} {outcome.name} {outcome.kind}",
                outcome.words,
                outcome.rule,
                sep="\n  ",
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
