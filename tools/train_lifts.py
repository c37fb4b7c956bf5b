"""Train the model that says which rule a message withdraws, and write its weights.

Usage: python tools/train_lifts.py DIALOGUES [--write]

DIALOGUES holds labelled rule dialogues with `quote` and `liftQuote`. Without `--write` the model is
only cross-validated, whole dialogues held out, and what it would lift is printed by kind.
Everything is deterministic: the same files give the same weights.
"""

import argparse
import math
import random
import sys
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lift_dialogues import (
    lift_label,
    measure_crowded,
    measure_dialogues,
    print_tally,
    rules_in_force,
    rules_of,
)

from longhaul.compaction.rules.lift_lookalikes import WARNINGS
from longhaul.compaction.rules.lift_phrases import TRIGGERS
from longhaul.compaction.rules.lifts import find_pairs
from longhaul.compaction.rules.overlap import read_topic
from longhaul.compaction.state import Quote, Rule
from longhaul.evals.labels import Dialogue, LabelledRule, load_dialogues

EXAMPLES = Path(__file__).with_name("lift_examples.txt")
WEIGHTS = Path(__file__).parents[1] / "src/longhaul/compaction/rules/lift_weights.py"
N_OTHER_RULES = (0, 3, 8)
"""How many rules of other dialogues stand beside a dialogue's own, in each pass over them."""
PASS_WEIGHTS = {0: 1.0, 3: 0.5, 8: 0.5}
LIFT_WEIGHT = 2.0
FEWEST = 4
L2 = 2.0
N_PASSES = 40
N_FOLDS = 5
CROWDS = (8, 20)
"""How many rules of other dialogues are put in force when false lifts are counted."""
COMMON_FROM = 6
"""In how many dialogues a stem stands to count as common."""

AT_MOST = {
    "exception": -2.0,
    "condition": -1.0,
    "question": -3.0,
    "once": -2.0,
    "keeps": -1.5,
    "negated": -2.0,
    "relapse": -1.5,
    "unreal": -1.0,
    "asks": -0.5,
    "scope": -0.5,
    "sentence keeps": -1.0,
    "tail once": -2.0,
    "tail exception": -1.0,
    "head_condition": -2.0,
    "limited": -1.5,
    "replaces other": -1.0,
    "swap passing": -0.3,
    "lead head_condition": -2.0,
    "lead exception": -0.5,
}
"""What warns of a false lift does so at least this much, however few examples show it."""


NEVER_FOR = (*WARNINGS, "other ordinal", "behind", "object", "long", "replaces other")
ALWAYS_FOR = ("here", "end", "near", "best", "name")
OTHERS_FROM = 1000
"""Number of the first rule that is not the dialogue's own."""
LEAST_WEIGHT = 0.005
LINE_CHARS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One clause and one rule."""

    group: str
    features: Mapping[str, float]
    lifts: bool
    weight: float


@dataclass(frozen=True, slots=True)
class Bounds:
    """The range of one weight."""

    low: float
    high: float


def bounds_of(name: str) -> Bounds:
    """Return the range of one weight: a sign that sense gives is not left to few examples."""
    if name in AT_MOST:
        return Bounds(-5.0, AT_MOST[name])
    if name in NEVER_FOR or name.startswith(("lead ", "tail ")):
        return Bounds(-4.0, 0.0)
    if name.startswith("ground "):
        return Bounds(0.5, 3.0)
    if name.startswith(("also ", "link>")) or name in ALWAYS_FOR:
        return Bounds(0.0, 1.0 if name.startswith("also ") else 1.5)
    if name == "ordinal":
        return Bounds(6.0, 7.0)
    return Bounds(0.0, 2.5) if name in TRIGGERS else Bounds(-3.0, 3.0)


def read_examples(path: Path) -> list[Dialogue]:
    """Return the invented examples as dialogues: one for each message, with the rule before it."""
    dialogues: list[Dialogue] = []
    rules: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        if line.startswith("R: "):
            rules = [line[3:]]
        elif line.startswith(("+ ", "- ")):
            lifts = line.startswith("+")
            rule = LabelledRule(
                turn=1,
                marker="",
                lifted_at=2 if lifts else None,
                quote=rules[0],
                lift_quote=line[2:] if lifts else "",
            )
            dialogues.append(
                Dialogue(
                    id=f"example {rules[0]}",
                    kind=f"invented {number}",
                    messages=(rules[0], line[2:]),
                    rules=(rule,),
                )
            )
    return dialogues


def build_examples(dialogues: Sequence[Dialogue], *, n_other: int) -> Iterator[Example]:
    """Yield every clause and rule of `dialogues`, with rules of others in force beside theirs."""
    chance = random.Random(7 + n_other)
    pool = sorted({rule.quote.text for dialogue in dialogues for rule in rules_of(dialogue)})
    for dialogue in dialogues:
        for turn, text in enumerate(dialogue.messages, 1):
            own = rules_in_force(dialogue, turn)
            texts = chance.sample(pool, n_other)
            others = [
                Rule(number=OTHERS_FROM + i, quote=Quote(entry_id=f"other {i}", turn=0, text=other))
                for i, other in enumerate(texts)
            ]
            yield from _message_examples(dialogue, turn, text, [*others, *own])


def _message_examples(
    dialogue: Dialogue, turn: int, text: str, rules: Sequence[Rule]
) -> Iterator[Example]:
    n_other = sum(rule.number >= OTHERS_FROM for rule in rules)
    for pairs in find_pairs(text, rules):
        for pair in pairs:
            label = lift_label(dialogue, turn, pair.rule.number, pair.place.sentence)
            if label is not None:
                yield Example(
                    group=dialogue.id,
                    features=pair.features,
                    lifts=label,
                    weight=PASS_WEIGHTS[n_other] * (LIFT_WEIGHT if label else 1.0),
                )


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """Return the weights of a logistic regression, by coordinate descent within bounds."""
    counts = Counter(name for example in examples for name in example.features)
    columns: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for row, example in enumerate(examples):
        for name, value in example.features.items():
            if value and counts[name] >= FEWEST:
                columns[name].append((row, value))
    weights = dict.fromkeys(sorted(columns), 0.0)
    totals = [0.0] * len(examples)
    for _ in range(N_PASSES):
        for name in weights:
            _improve(name, weights, columns[name], totals, examples)
    return weights


def _improve(
    name: str,
    weights: dict[str, float],
    column: Sequence[tuple[int, float]],
    totals: list[float],
    examples: Sequence[Example],
) -> None:
    slope, bend = L2 * weights[name], L2
    for row, value in column:
        example = examples[row]
        chance = 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, totals[row]))))
        slope += example.weight * (chance - example.lifts) * value
        bend += example.weight * max(chance * (1.0 - chance), 0.02) * value * value
    bounds = bounds_of(name)
    step = max(-1.0, min(1.0, -slope / bend))
    new = max(bounds.low, min(bounds.high, weights[name] + step))
    step, weights[name] = new - weights[name], new
    if step:
        for row, value in column:
            totals[row] += step * value


def cross_validate(dialogues: Sequence[Dialogue], invented: Sequence[Dialogue]) -> None:
    """Print what a model lifts in dialogues that it was not trained on."""
    names = sorted({dialogue.id for dialogue in (*dialogues, *invented)})
    random.Random(1).shuffle(names)
    fold_of = {name: index % N_FOLDS for index, name in enumerate(names)}
    examples = list(all_examples([*dialogues, *invented]))
    for title, kept in (("labelled dialogues", dialogues), ("invented examples", invented)):
        found = []
        for fold in range(N_FOLDS):
            weights = _fold_weights(examples, fold_of, fold)
            held_out = [dialogue for dialogue in kept if fold_of[dialogue.id] == fold]
            found += list(measure_dialogues(held_out, weights=weights))
        print_tally(title, found)
    strangers = sorted({rule.quote.text for dialogue in dialogues for rule in rules_of(dialogue)})
    for n_strangers in CROWDS:
        found = []
        for fold in range(N_FOLDS):
            weights = _fold_weights(examples, fold_of, fold)
            held_out = [dialogue for dialogue in dialogues if fold_of[dialogue.id] == fold]
            found += measure_crowded(held_out, strangers, n_strangers=n_strangers, weights=weights)
        print_tally(f"with {n_strangers} others", found)


_FITTED: dict[int, dict[str, float]] = {}


def _fold_weights(
    examples: Sequence[Example], fold_of: Mapping[str, int], fold: int
) -> dict[str, float]:
    if fold not in _FITTED:
        _FITTED[fold] = fit([example for example in examples if fold_of[example.group] != fold])
    return _FITTED[fold]


def all_examples(dialogues: Sequence[Dialogue]) -> Iterator[Example]:
    """Yield the examples of every pass."""
    for n_other in N_OTHER_RULES:
        yield from build_examples(dialogues, n_other=n_other)


def common_stems(dialogues: Iterable[Dialogue]) -> dict[float, list[str]]:
    """Return the stems that stand in many dialogues, by how much each says, in tenths."""
    seen: Counter[str] = Counter()
    n_dialogues = 0
    for dialogue in dialogues:
        n_dialogues += 1
        seen.update({s for text in dialogue.messages for s in read_topic(text).weights})
    stems: dict[float, list[str]] = defaultdict(list)
    for stem, count in sorted(seen.items()):
        weight = round(math.log(n_dialogues / count) / math.log(n_dialogues / 5), 1)
        if count >= COMMON_FROM and weight < 1:
            stems[max(0.2, weight)].append(stem)
    return dict(sorted(stems.items()))


def write_weights(weights: Mapping[str, float], stems: Mapping[float, Sequence[str]]) -> None:
    """Write the weights module, formatted as the formatter leaves it."""
    lines = ['"""Weights of the lift finder; written by `tools/train_lifts.py`."""', ""]
    lines += ["_COMMON = {", *_stem_lines(stems), "}"]
    lines += ['"""Stems found in many conversations, by how much one says."""', ""]
    lines += ["COMMON_STEMS = {", "    stem: weight for weight, stems in _COMMON.items()"]
    lines += [
        "    for stem in stems.split()",
        "}  # fmt: skip",
        "",
        "WEIGHTS: dict[str, float] = {",
    ]
    lines += [
        f'    "{name}": {weight:.2f},'
        for name, weight in weights.items()
        if abs(weight) >= LEAST_WEIGHT
    ]
    WEIGHTS.write_text("\n".join([*lines, "}", ""]), encoding="utf-8")


def _stem_lines(stems: Mapping[float, Sequence[str]]) -> Iterator[str]:
    for weight, words in stems.items():
        first, *others = textwrap.wrap(" ".join(words), LINE_CHARS)
        if not others:
            yield f'    {weight}: ("{first}"),'
            continue
        yield f"    {weight}: ("
        yield from (f'        "{line} "' for line in (first, *others[:-1]))
        yield f'        "{others[-1]}"'
        yield "    ),"


def main() -> int:
    """Train, cross-validate, and write the weights if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dialogues", type=Path)
    parser.add_argument("--write", action="store_true", help="write the weights module")
    options = parser.parse_args()
    dialogues = list(load_dialogues(options.dialogues))
    invented = read_examples(EXAMPLES)
    if not options.write:
        cross_validate(dialogues, invented)
        return 0
    weights = fit(list(all_examples([*dialogues, *invented])))
    write_weights(weights, common_stems(dialogues))
    print(f"{len(weights)} weights written", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
