"""Train the model that finds standing rules, and report how well it does on dialogues held out.

    python tools/train_rules.py RULES-TRAIN.dialogues.jsonl [--extra FOLDER] [--out FILE]

Needs numpy, scipy and scikit-learn, which Longhaul itself does not. The same input gives the same
weights.
"""

import argparse
import json
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from longhaul.compaction.rules.features import Message, sentence_features
from longhaul.compaction.rules.scorer import Model, dump_model, read_message, score_sentences
from longhaul.compaction.rules.sentences import split_sentences

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "src/longhaul/compaction/rules/model_data.py"
EXTRA = ROOT / "tools/rules_extra"
N_PARTS = 4
"""In how many parts each file of further messages is held out."""
N_WEIGHTS = 1 << 17
C = 10.0
EXTRA_WEIGHT = 0.7
STRAYS = 0.0095
"""Part of the ordinary messages that may get a sure line, on messages held out."""
ORDINARY = frozenset(("ordinary", "days"))
"""What is as people talk: one kind of dialogues, one file of further messages."""
SIBLING = 2.0
"""How much less a sentence needs beside a sure rule, in log odds."""
STEPS = 127
TYPICAL_FEATURES = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One message with its labels."""

    group: str
    """What is held out together."""
    kind: str
    message: Message
    labels: tuple[bool, ...]
    """For each sentence, whether it states a rule."""
    markers: tuple[str, ...]
    """Of the rules it gives that stay in force."""
    quiet: bool
    """Whether it neither gives a rule nor lifts one."""


def main() -> None:
    """Train, print the cross-validated figures, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dialogues", type=Path)
    parser.add_argument("--extra", type=Path, default=EXTRA)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    examples = list(load_dialogues(options.dialogues))
    extra = list(load_extra(options.extra))
    model, report = train(examples, extra)
    sys.stdout.write(report + "\n")
    options.out.write_text(module(dump_model(model)), encoding="ascii")


def module(data: str) -> str:
    """Return the source of the module that holds a model."""
    pieces = [data[at : at + 92] for at in range(0, len(data), 92)]
    lines = "\n".join(f'    "{piece}"' for piece in pieces)
    title = "The model that finds rules, written by `tools/train_rules.py`."
    return f'"""{title}"""\n\nDATA = (\n{lines}\n)\n'


def load_dialogues(path: Path) -> Iterator[Example]:
    """Yield the messages of labelled dialogues; the first letter of the id is the group."""
    for line in path.read_text(encoding="utf-8").splitlines():
        dialogue = json.loads(line)
        rules = dialogue["rules"]
        lifting = {rule["liftedAt"] for rule in rules}
        for entry in dialogue["messages"]:
            given = [rule for rule in rules if rule["message"] == entry["id"]]
            message, labels = _read(entry["text"], [rule["quote"] for rule in given])
            yield Example(
                group=dialogue["id"][0],
                kind=dialogue["kind"],
                message=message,
                labels=labels,
                markers=tuple(rule["marker"] for rule in given if not rule["liftedAt"]),
                quiet=not given and entry["id"] not in lifting,
            )


def load_extra(folder: Path) -> Iterator[Example]:
    """Yield the messages written for training alone; a quarter of a file is a group.

    Neighbours in a file are often on one subject, so a group is a run of lines. A text that stands
    twice counts once.
    """
    seen: set[str] = set()
    for path in sorted(folder.glob("*.jsonl")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            entry = json.loads(line)
            if entry["text"] not in seen:
                seen.add(entry["text"])
                message, labels = _read(entry["text"], entry["quotes"])
                yield Example(
                    group=str(number * N_PARTS // len(lines)),
                    kind=path.stem,
                    message=message,
                    labels=labels,
                    markers=(),
                    quiet=not entry["quotes"],
                )


def _read(text: str, quotes: Sequence[str]) -> tuple[Message, tuple[bool, ...]]:
    sentences = split_sentences(text)
    spans = [(text.index(quote), text.index(quote) + len(quote)) for quote in quotes]
    labels = tuple(_overlaps(s.start, s.end, spans) for s in sentences)
    return read_message(text, sentences), labels


def _overlaps(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    needed = min(10, (end - start) / 2)
    return any(min(end, right) - max(start, left) >= needed for left, right in spans)


def matrix(examples: Sequence[Example]) -> csr_matrix:
    """Return the features of every sentence of the examples, a row each."""
    data: list[float] = []
    columns: list[int] = []
    rows = [0]
    for example in examples:
        for at in range(len(example.labels)):
            found = sorted(_columns(example.message, at))
            columns.extend(column for column, _ in found)
            data.extend(value for _, value in found)
            rows.append(len(columns))
    return csr_matrix((data, columns, rows), shape=(len(rows) - 1, N_WEIGHTS))


def _columns(message: Message, at: int) -> Iterator[tuple[int, float]]:
    for group in sentence_features(message, at):
        for name in group.names:
            yield zlib.crc32(name.encode()) % N_WEIGHTS, group.scale / TYPICAL_FEATURES**0.5


def labels(examples: Sequence[Example]) -> np.ndarray:
    """Return whether each sentence states a rule."""
    return np.array([label for example in examples for label in example.labels])


def fit(rows: csr_matrix, targets: np.ndarray, weights: np.ndarray) -> Model:
    """Return a linear model with weights in whole steps and no threshold yet."""
    regression = LogisticRegression(C=C, solver="liblinear", random_state=0)
    regression.fit(rows, targets, sample_weight=weights)
    exact = regression.coef_[0] / TYPICAL_FEATURES**0.5
    step = float(np.abs(exact).max()) / STEPS
    whole = np.rint(exact / step).astype(int).tolist()
    return Model(weights=whole, step=step, bias=float(regression.intercept_[0]), sure=0, sibling=0)


def train(examples: Sequence[Example], extra: Sequence[Example]) -> tuple[Model, str]:
    """Return the model trained on everything, and the report on what was held out."""
    both = [*examples, *extra]
    rows, targets = matrix(both), labels(both)
    sizes = [len(example.labels) for example in both]
    groups = np.repeat([example.group for example in both], sizes)
    n_own = sum(sizes[: len(examples)])
    weights = np.r_[np.ones(n_own), np.full(len(targets) - n_own, EXTRA_WEIGHT)]

    def fitted(kept: np.ndarray) -> Model:
        return fit(rows[kept], targets[kept], weights[kept])

    scores: list[tuple[float, ...]] = [()] * len(both)
    for part, group in enumerate(sorted({example.group for example in examples})):
        out = (group, str(part % N_PARTS))
        model = fitted(~np.isin(groups, out))
        for index, example in enumerate(both):
            if example.group in out:
                scores[index] = score_sentences(example.message, model)
    sure = round(threshold(both, scores), 3)
    model = fitted(np.ones(len(groups), dtype=bool))
    model = Model(
        weights=model.weights, step=model.step, bias=model.bias, sure=sure, sibling=sure - SIBLING
    )
    return model, "\n".join((report(both, scores, model), report_extra(both, scores, model)))


def threshold(examples: Sequence[Example], scores: Sequence[Sequence[float]]) -> float:
    """Return the log odds that few enough messages of ordinary talk exceed."""
    best = sorted(
        (max(found, default=-np.inf))
        for example, found in zip(examples, scores, strict=True)
        if example.kind in ORDINARY and example.quiet
    )
    allowed = int(len(best) * STRAYS)
    return float(best[-1 - allowed] + best[-allowed]) / 2


def report(examples: Sequence[Example], scores: Sequence[Sequence[float]], model: Model) -> str:
    """Return, by kind, rules matched by a sure sentence of rules in force, and stray messages."""
    lines = [f"sure above {model.sure:.3f}, {sum(map(len, scores))} sentences, held out by group"]
    kinds = sorted({example.kind for example in examples if example.group.isalpha()})
    for kind in ["all", *kinds]:
        chosen = [
            (example, found)
            for example, found in zip(examples, scores, strict=True)
            if kind == example.kind or (kind == "all" and example.group.isalpha())
        ]
        kept = sum(_kept(example, found, model) for example, found in chosen)
        due = sum(len(example.markers) for example, _ in chosen)
        strays = sum(example.quiet and _is_sure(found, model) for example, found in chosen)
        lines.append(
            f"{kind:10} kept {kept:3} of {due:3}, stray {strays:2} of {len(chosen):4} messages"
        )
    return "\n".join(lines)


def report_extra(
    examples: Sequence[Example], scores: Sequence[Sequence[float]], model: Model
) -> str:
    """Return, by file of further messages, in how many a rule is found, with and without one."""
    lines = []
    for kind in sorted({example.kind for example in examples if not example.group.isalpha()}):
        found: dict[bool, list[bool]] = {False: [], True: []}
        for example, its_scores in zip(examples, scores, strict=True):
            if example.kind == kind:
                found[example.quiet].append(_is_sure(its_scores, model))
        given, quiet = found[False], found[True]
        lines.append(
            f"{kind:10} found in {sum(given):4} of {len(given):4} messages with a rule,"
            f" {sum(quiet):3} of {len(quiet):4} without"
        )
    return "\n".join(lines)


def _is_sure(scores: Sequence[float], model: Model) -> bool:
    return max(scores, default=-np.inf) > model.sure


def _kept(example: Example, scores: Sequence[float], model: Model) -> int:
    least = model.sibling if max(scores, default=-9) > model.sure else model.sure
    sentences = zip(example.message.sentences, scores, strict=True)
    sure = [sentence.text for sentence, score in sentences if score > least]
    return sum(any(re.search(m, text, re.IGNORECASE) for text in sure) for m in example.markers)


if __name__ == "__main__":
    main()
