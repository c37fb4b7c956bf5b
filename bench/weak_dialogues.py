"""What a weak model's word makes of the rules in labelled dialogues, beside the offline states.

`python -m bench.weak_dialogues FILE [--model local:…] [--first N] [--max-output TOKENS]`

Each dialogue is closed by one compaction; what stands in its text is judged by the labels. In so
few messages a careless model has the most to gain: see `docs/diff.md`.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from longhaul.compaction.compact import Model
from longhaul.compaction.completion import Completion, CompletionRequest
from longhaul.evals.dialogues import render_table
from longhaul.evals.labels import Dialogue, load_dialogues
from longhaul.evals.rule_measures import Judgement, by_kind, judge, render_messages
from longhaul.models import open_model

TIMEOUT_S = 1_800


@dataclass(frozen=True, slots=True)
class Brief:
    """A model that is asked for short replies: a weak one fills whatever room it gets."""

    model: Model
    max_output_tokens: int

    def complete(self, request: CompletionRequest) -> Completion:
        """Return the model's reply, cut off where it is longer.

        Raises:
            ModelError: there is none.
        """
        return self.model.complete(replace(request, max_output_tokens=self.max_output_tokens))


def judge_all(
    dialogues: Sequence[Dialogue], render: Callable[[Sequence[str]], str]
) -> tuple[Judgement, ...]:
    """Return how the texts that `render` makes of the dialogues fare by their labels."""
    return tuple(judge(dialogue, render=render) for dialogue in dialogues)


def main(arguments: Sequence[str]) -> None:
    """Print both tables, and what went wrong with the model and not without."""
    parser = argparse.ArgumentParser(prog="python -m bench.weak_dialogues", description=__doc__)
    parser.add_argument("dialogues", type=Path)
    parser.add_argument("--model", default="local:smollm2")
    parser.add_argument("--first", type=int, default=10, help="how many dialogues")
    parser.add_argument("--max-output", type=int, default=200, help="most tokens of a reply")
    asked = parser.parse_args(arguments)
    model = open_model(asked.model, timeout_s=TIMEOUT_S, environment=os.environ)
    dialogues = list(load_dialogues(asked.dialogues))[: asked.first]
    offline = judge_all(dialogues, render_messages)
    brief = Brief(model, asked.max_output)
    with_model = judge_all(dialogues, partial(render_messages, model=brief))
    for title, judgements in (("offline", offline), (asked.model, with_model)):
        sys.stdout.write(f"{title}\n{render_table({'all': by_kind(judgements)['all']})}\n")
    before = {note for judgement in offline for note in judgement.notes}
    notes = [note for judgement in with_model for note in judgement.notes if note not in before]
    sys.stdout.write("".join(f"only with the model: {note}\n" for note in notes))


if __name__ == "__main__":
    main(sys.argv[1:])
