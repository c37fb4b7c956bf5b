"""The evidence check: does a resumed model run the tests again that only the narrative has passing?

The same state is resumed with the precedence line's evidence clause and without it; what each plan
does first is read off its commands.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import get_args

from longhaul.compaction.compact import DIFF_TOKENS, THINKING_TOKENS, Model
from longhaul.compaction.completion import CompletionRequest, PromptMessage, ThinkingLevel
from longhaul.errors import ModelError, ReplyAwaitedError
from longhaul.evals.evidence_plan import COMMANDS_KEY, Verdict, find_commands, judge_plan
from longhaul.evals.evidence_state import build_state, render_state
from longhaul.evals.resumed import show_compaction
from longhaul.transcript.entries import JsonValue

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

_SYSTEM = (
    "You are a coding agent. You work in a project folder with the tools read, write, edit and"
    " bash."
)
_ASK = (
    "Go on with the work. Run nothing yet: answer with your plan alone, the shell commands that you"
    ' will run next, in order, as one JSON object: {"commands": ["…"]}'
)
_SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {COMMANDS_KEY: {"type": "array", "items": {"type": "string"}}},
    "required": [COMMANDS_KEY],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One plan of a resumed model."""

    with_clause: bool
    repeat: int
    """From 1."""
    verdict: Verdict | None
    """None where the model gave no reply."""
    commands: tuple[str, ...] = ()
    """The plan, in order."""
    reply: str = ""
    """What the model wrote."""
    failure: str = ""
    """Why there is no reply; empty where there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceOptions:
    """How the check runs."""

    k: int = 5
    """Plans asked for of each variant."""
    thinking: ThinkingLevel | None = None
    """None leaves it to the model."""


def run_evidence(
    model: Model,
    options: EvidenceOptions,
    *,
    on_trial: Callable[[Trial], None] = lambda _: None,
) -> tuple[Trial, ...]:
    """Return the plans of `model`, each repeat with the clause and then without.

    A call that fails is a trial without a verdict, and the others go on. So it is with replies that
    are awaited, until all have been asked for.

    Raises:
        ReplyAwaitedError: a reply is not there yet.
    """
    trials: list[Trial] = []
    awaited: ReplyAwaitedError | None = None
    for repeat, with_clause in _variants(options.k):
        request = build_request(with_clause=with_clause, repeat=repeat, thinking=options.thinking)
        try:
            trial = _ask(model, request, with_clause=with_clause)
        except ReplyAwaitedError as error:
            awaited = error
            continue
        trials.append(trial)
        on_trial(trial)
    if awaited:
        raise awaited
    return tuple(trials)


def count_verdicts(trials: Iterable[Trial], *, with_clause: bool) -> dict[Verdict, int]:
    """Return how many plans of one variant came to each verdict; all four are there."""
    found = [one.verdict for one in trials if one.with_clause is with_clause]
    return {verdict: found.count(verdict) for verdict in VERDICTS}


def build_request(
    *, with_clause: bool, repeat: int, thinking: ThinkingLevel | None = None
) -> CompletionRequest:
    """Return what a model is asked that is resumed on the state of the check."""
    text = render_state(build_state(), with_clause=with_clause)
    return CompletionRequest(
        messages=(
            PromptMessage("system", _SYSTEM),
            # One message: some models' templates refuse two of the user in a row.
            PromptMessage("user", f"{show_compaction(text)}\n\n{_ASK}"),
        ),
        schema=_SCHEMA,
        thinking=thinking,
        max_output_tokens=DIFF_TOKENS if thinking in (None, "off") else THINKING_TOKENS,
        repeat=repeat,
    )


def _variants(k: int) -> Iterator[tuple[int, bool]]:
    for repeat in range(1, k + 1):
        yield repeat, True
        yield repeat, False


def _ask(model: Model, request: CompletionRequest, *, with_clause: bool) -> Trial:
    try:
        completion = model.complete(request)
    except ReplyAwaitedError:
        raise
    except ModelError as error:
        return Trial(
            with_clause=with_clause, repeat=request.repeat, verdict=None, failure=str(error)
        )
    commands = find_commands(completion.text)
    return Trial(
        with_clause=with_clause,
        repeat=request.repeat,
        verdict=judge_plan(commands),
        commands=commands,
        reply=completion.text,
    )
