"""What verification makes of pretended models where no rule was seen in training.

Usage: python tools/diff_held_out.py RULES-TRAIN.dialogues.jsonl

Trains the finder of rules anew for each group of dialogues, without that group, as
`train_rules.py` does to choose its threshold; needs what that needs. Prints how the scores of words
that give a rule and of messages that give none lie, then what `diff_evidence.py` prints, then the
same for whole imagined days (`rules_extra/days.jsonl`), cut into sessions of 40 messages.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from diff_evidence import ANSWERS, joined, judged, line_of, path_of
from train_rules import (
    EXTRA,
    EXTRA_WEIGHT,
    N_PARTS,
    fit,
    labels,
    load_dialogues,
    load_extra,
    matrix,
)

from longhaul.compaction.diff.items import Diff, RuleItem
from longhaul.compaction.diff.verify import verify_diff
from longhaul.compaction.fold import advance
from longhaul.compaction.rules import finder
from longhaul.compaction.rules.scorer import Model
from longhaul.compaction.state import State
from longhaul.compaction.statements import ASK_TOOLS
from longhaul.compaction.white_space import one_holds_other
from longhaul.evals.labels import Dialogue
from longhaul.evals.labels import load_dialogues as load_labelled
from longhaul.evals.rule_measures import Tally

DAYS = EXTRA / "days.jsonl"
SESSION = 40
"""How many messages of imagined days make a session."""
JOINED = 12
STEPS = (0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.83)
_ARMS = ("offline", "knows every label", "every message a rule", "every sentence a rule")


def fold_models(dialogues: Path) -> Mapping[str, Model]:
    """Return for each group, the first letter of an id, a model that saw nothing of it."""
    examples = list(load_dialogues(dialogues))
    both = [*examples, *load_extra(EXTRA)]
    rows, targets = matrix(both), labels(both)
    sizes = [len(example.labels) for example in both]
    groups = np.repeat([example.group for example in both], sizes)
    n_own = sum(sizes[: len(examples)])
    weights = np.r_[np.ones(n_own), np.full(len(targets) - n_own, EXTRA_WEIGHT)]
    own = finder._MODEL  # noqa: SLF001 - its thresholds hold for the models of the folds too
    models = {}
    for part, group in enumerate(sorted({example.group for example in examples})):
        kept = ~np.isin(groups, (group, str(part % N_PARTS)))
        model = fit(rows[kept], targets[kept], weights[kept])
        models[group] = replace(model, sure=own.sure, sibling=own.sibling)
    return models


def use(model: Model) -> None:
    """Let the finder use a model from here on."""
    finder._MODEL = model  # noqa: SLF001 - it has one model, and no caller chooses another
    finder.score_sentences_of.cache_clear()


def best_score(text: str, words: str) -> float:
    """Return the best score of a sentence of `text` that `words` touch."""
    start = text.find(words)
    scores = finder.score_sentences_of(text)
    touched = (q for one, q in scores if one.start < start + len(words) and one.end > start)
    return max(touched, default=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """Messages of imagined days, with the words of each that give rules."""

    texts: tuple[str, ...]
    quotes: tuple[tuple[str, ...], ...]


def load_days(part: int, n_parts: int) -> Iterator[Day]:
    """Yield the sessions in one part of the imagined days."""
    lines = DAYS.read_text(encoding="utf-8").splitlines()
    chosen = [json.loads(line) for n, line in enumerate(lines) if n * n_parts // len(lines) == part]
    for first in range(0, len(chosen), SESSION):
        messages = chosen[first : first + SESSION]
        yield Day(
            texts=tuple(message["text"] for message in messages),
            quotes=tuple(tuple(message["quotes"]) for message in messages),
        )


def claims_about(day: Day) -> Mapping[str, Diff]:
    """Return the diffs of pretended models that see a day."""

    def rules(chosen: Mapping[int, Sequence[str]]) -> Diff:
        return Diff(
            rules=tuple(
                RuleItem(message=f"u{turn}", quote=words)
                for turn, quotes in chosen.items()
                for words in quotes
            )
        )

    whole = {turn: (text,) for turn, text in enumerate(day.texts, 1)}
    return {
        "offline": Diff(),
        "knows every label": rules(dict(enumerate(day.quotes, 1))),
        "every message a rule": rules(whole),
        "every third message a rule": rules({n: words for n, words in whole.items() if n % 3 == 0}),
        "the first three a rule": rules({n: words for n, words in whole.items() if n <= 3}),  # noqa: PLR2004
    }


def tally_day(day: Day, diff: Diff) -> Tally:
    """Return how many rules of a day code and the diff hold together, and how many strays."""
    path = path_of(day.texts)
    state = advance(State(), path, 0, len(path))
    changes = verify_diff(diff, state, path, start=0, end=len(path), ask_tools=ASK_TOOLS).changes
    found = [rule.quote for rule in state.rules if rule.lifted_by is None]
    held = [*found, *(new.quote for new in changes.new_rules)]
    due = [(turn, words) for turn, quotes in enumerate(day.quotes, 1) for words in quotes]
    kept = [
        any(quote.turn == turn and one_holds_other(quote.text, words) for quote in held)
        for turn, words in due
    ]
    gives = {turn for turn, _ in due}
    strays = sum(quote.turn not in gives for quote in held)
    return Tally(messages=len(day.texts), in_force=len(due), kept=sum(kept), strays=strays)


@dataclass(slots=True)
class Sums:
    """What was counted so far, by what it was counted on and by pretended model."""

    tallies: dict[tuple[str, str], Tally]
    rules: list[float]
    """Scores of words that give a rule."""
    others: list[float]
    """The best score of each message that neither gives nor lifts one."""

    def add(self, where: str, arm: str, tally: Tally) -> None:
        """Add what one dialogue or day gave."""
        self.tallies[where, arm] = self.tallies.get((where, arm), Tally()) + tally


def count_dialogues(dialogues: Sequence[Dialogue], sums: Sums) -> None:
    """Count what the pretended models lead to on dialogues of one group."""
    for arm in _ARMS:
        for dialogue in dialogues:
            tally = judged(dialogue, ANSWERS[arm]).tally
            sums.add("dialogues", arm, tally)
            if dialogue.kind == "ordinary":
                sums.add("ordinary", arm, tally)
        for dialogue in joined(dialogues, JOINED):
            sums.add(f"ordinary, {JOINED} together", arm, judged(dialogue, ANSWERS[arm]).tally)


def count_scores(dialogues: Sequence[Dialogue], sums: Sums) -> None:
    """Note the scores of rules and of other messages."""
    for dialogue in dialogues:
        busy = {turn for rule in dialogue.rules for turn in (rule.turn, rule.lifted_at)}
        for rule in dialogue.rules:
            sums.rules.append(best_score(dialogue.messages[rule.turn - 1], rule.quote))
        for turn, text in enumerate(dialogue.messages, 1):
            if turn not in busy:
                sums.others.append(best_score(text, text))


def print_sums(sums: Sums) -> None:
    """Print how scores lie, and a line for each pretended model."""
    n_rules, n_others = len(sums.rules), len(sums.others)
    print(f"part of {n_rules} rules, and of {n_others} messages without one, from a score on")
    for step in STEPS:
        rules = sum(score >= step for score in sums.rules) / n_rules
        others = sum(score >= step for score in sums.others) / n_others
        print(f"{step:6} {rules:7.1%} {others:7.1%}")
    by_place: dict[str, list[str]] = defaultdict(list)
    for (where, arm), tally in sums.tallies.items():
        by_place[where].append(line_of(arm, tally))
    for where, lines in by_place.items():
        print(where, *lines, sep="\n")


def main() -> None:
    """Train, count and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("dialogues", type=Path)
    options = parser.parse_args()
    models = fold_models(options.dialogues)
    dialogues = list(load_labelled(options.dialogues, None))
    sums = Sums(tallies={}, rules=[], others=[])
    for part, (group, model) in enumerate(sorted(models.items())):
        use(model)
        own = [dialogue for dialogue in dialogues if dialogue.id.startswith(group)]
        count_scores(own, sums)
        count_dialogues(own, sums)
        for day in load_days(part, len(models)):
            for arm, diff in claims_about(day).items():
                sums.add(f"days, {SESSION} messages a session", arm, tally_day(day, diff))
    print_sums(sums)


if __name__ == "__main__":
    main()
