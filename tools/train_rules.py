"""Train the model that finds standing rules, and report how well it does on dialogues held out.

    python tools/train_rules.py RULES-TRAIN.dialogues.jsonl [--extra FILE] [--out FILE]

Needs numpy, scipy and scikit-learn, which Longhaul itself does not. The same input gives the same
weights.
"""

import argparse
import json
import re
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, vstack
from sklearn.linear_model import LogisticRegression

from longhaul.compaction.rules.features import Message, sentence_features
from longhaul.compaction.rules.scorer import Model, dump_model, read_message, score_sentences
from longhaul.compaction.rules.sentences import split_sentences

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "src/longhaul/compaction/rules/model_data.py"
EXTRA = ROOT / "tools/rules_extra.jsonl"
N_WEIGHTS = 1 << 17
C = 10.0
EXTRA_WEIGHT = 0.7
STRAYS = 0.009
"""Part of the ordinary messages that may get a sure line, on dialogues held out."""
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
            yield Example(
                group=dialogue["id"][0],
                kind=dialogue["kind"],
                **_read(entry["text"], [rule["quote"] for rule in given]),
                markers=tuple(rule["marker"] for rule in given if not rule["liftedAt"]),
                quiet=not given and entry["id"] not in lifting,
            )


def load_extra(path: Path) -> Iterator[Example]:
    """Yield the messages written for training alone."""
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        read = _read(entry["text"], entry["quotes"])
        yield Example(group="extra", kind="extra", **read, markers=(), quiet=not entry["quotes"])


def _read(text: str, quotes: Sequence[str]) -> Mapping[str, object]:
    sentences = split_sentences(text)
    spans = [(text.index(quote), text.index(quote) + len(quote)) for quote in quotes]
    labels = tuple(_overlaps(s.start, s.end, spans) for s in sentences)
    return {"message": read_message(text, sentences), "labels": labels}


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
    rows, more = matrix(examples), matrix(extra)
    sizes = [len(example.labels) for example in examples]
    groups = np.repeat([example.group for example in examples], sizes)
    targets, more_targets = labels(examples), labels(extra)

    def fitted(kept: np.ndarray) -> Model:
        weights = np.r_[np.ones(int(kept.sum())), np.full(len(more_targets), EXTRA_WEIGHT)]
        return fit(vstack([rows[kept], more]), np.r_[targets[kept], more_targets], weights)

    scores: list[tuple[float, ...]] = [()] * len(examples)
    for group in sorted(set(groups)):
        model = fitted(groups != group)
        for index, example in enumerate(examples):
            if example.group == group:
                scores[index] = score_sentences(example.message, model)
    sure = round(threshold(examples, scores), 3)
    model = fitted(np.ones(len(groups), dtype=bool))
    model = Model(
        weights=model.weights, step=model.step, bias=model.bias, sure=sure, sibling=sure - SIBLING
    )
    return model, report(examples, scores, model)


def threshold(examples: Sequence[Example], scores: Sequence[Sequence[float]]) -> float:
    """Return the log odds that few enough messages of ordinary dialogues exceed."""
    best = sorted(
        (max(found, default=-np.inf))
        for example, found in zip(examples, scores, strict=True)
        if example.kind == "ordinary"
    )
    allowed = int(len(best) * STRAYS)
    return float(best[-1 - allowed] + best[-allowed]) / 2


def report(examples: Sequence[Example], scores: Sequence[Sequence[float]], model: Model) -> str:
    """Return, by kind, rules matched by a sure sentence of rules in force, and stray messages."""
    lines = [f"sure above {model.sure:.3f}, {sum(map(len, scores))} sentences, held out by group"]
    kinds = sorted({example.kind for example in examples})
    for kind in ["all", *kinds]:
        chosen = [
            (example, found)
            for example, found in zip(examples, scores, strict=True)
            if kind in ("all", example.kind)
        ]
        kept = sum(_kept(example, found, model) for example, found in chosen)
        due = sum(len(example.markers) for example, _ in chosen)
        strays = sum(example.quiet and max(s, default=-9) > model.sure for example, s in chosen)
        lines.append(
            f"{kind:10} kept {kept:3} of {due:3}, stray {strays:2} of {len(chosen):4} messages"
        )
    return "\n".join(lines)


def _kept(example: Example, scores: Sequence[float], model: Model) -> int:
    least = model.sibling if max(scores, default=-9) > model.sure else model.sure
    sentences = zip(example.message.sentences, scores, strict=True)
    sure = [sentence.text for sentence, score in sentences if score > least]
    return sum(any(re.search(m, text, re.IGNORECASE) for text in sure) for m in example.markers)


if __name__ == "__main__":
    main()
