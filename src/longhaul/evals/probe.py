"""The probe: a model resumed on a compaction says what it does next, and its plan is counted.

The one measure that asks a model. It judges nothing: code counts which names of what really came
next stand in its plan, and a plan that is kept is counted again without a call.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from longhaul.compaction.compact import Model
from longhaul.compaction.completion import CompletionRequest, PromptMessage, ThinkingLevel
from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.white_space import fold_space
from longhaul.errors import ModelError, ReplyAwaitedError
from longhaul.evals.arms.arm import Handed, Made
from longhaul.evals.arms.listing import OpenArm
from longhaul.evals.due import Cut
from longhaul.evals.measures.amounts import Count, count_kept
from longhaul.evals.measures.entry_texts import tool_calls
from longhaul.evals.measures.file_names import names_file
from longhaul.evals.measures.mentions import Wanted
from longhaul.evals.measures.subject import Subject
from longhaul.evals.resumed import show_compaction
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    BranchSummaryMessage,
    CompactionSummaryMessage,
    CustomMessage,
    Message,
    Path,
    ToolResultMessage,
    UserMessage,
    content_text,
)
from longhaul.transcript.projection import project_path

PLAN_TOKENS = 1_024
"""Output limit of a call without thinking; a plan takes a quarter of it."""
PLAN_THINKING_TOKENS = 8_192
SYSTEM = (
    "You are a coding agent that works in a user's project with the tools read, bash, edit and"
    " write. The session is resumed: what came before was compacted into the summary below, and the"
    " messages behind it are the newest ones, verbatim. Nothing else of it is left."
)
ASK = (
    "Before you go on, and without calling any tool: say in at most 200 words what you do next."
    " Name each file that you will read or change and each command that you will run, exactly as"
    " you would write them."
)


@dataclass(frozen=True, slots=True)
class ProbeFailure:
    """There is no plan to count, and why: the compaction has no probe, which is not 0."""

    reason: str


def ask_plan(
    model: Model, text: str, path: Path, cut: Cut, *, thinking: ThinkingLevel | None = None
) -> str | ProbeFailure:
    """Return what a model that is resumed on `text` plans, with secrets masked.

    `path` is the arm's own up to the compaction, which is not on it.

    Raises:
        ReplyAwaitedError: the reply is written elsewhere and not there yet.
    """
    try:
        reply = model.complete(build_probe(text, path, cut, thinking=thinking))
    except ReplyAwaitedError:
        raise
    except ModelError as error:
        return ProbeFailure(str(error))
    if reply.stop_reason in ("refused", "aborted") or not reply.text.strip():
        return ProbeFailure(f"no plan in the reply, which ended with {reply.stop_reason!r}")
    return mask_secrets(reply.text.strip())


def with_probe(arm: OpenArm, model: Model, *, thinking: ThinkingLevel | None = None) -> OpenArm:
    """Return an arm that also asks for the plan of a model resumed on what it made."""

    def run(handed: Handed) -> Made:
        made = arm.run(handed)
        plan = ask_plan(model, made.text, handed.path, handed.cut, thinking=thinking)
        if isinstance(plan, ProbeFailure):
            return replace(made, note=f"{made.note}; no probe: {plan.reason}".lstrip("; "))
        return replace(made, plan=plan)

    return replace(arm, run=run)


def judge_probe(subject: Subject) -> Count | None:
    """Return which files and commands of the next ten messages the plan names; more is better.

    None where no plan was asked for, or none came. What it cannot see: `score_plan`.
    """
    if subject.plan is None:
        return None
    wanted = subject.occasion.mentions.after(subject.occasion.cut)
    return score_plan(subject.plan, probe_names(wanted))


def probe_names(wanted: Wanted) -> tuple[str, ...]:
    """Return what a plan should name: the files, without folders, and the commands used next."""
    return tuple(dict.fromkeys((*wanted.files, *wanted.commands)))


def score_plan(plan: str, names: Sequence[str]) -> Count:
    """Return which of `names` a plan names, white space folded; more is better.

    It cannot see a file or command in other words, nor whether the plan is a good one. A plan that
    lists every file of the project names much: its length is bounded by what was asked.
    """
    folded = fold_space(plan)
    return count_kept((name, names_file(folded, name)) for name in names)


def build_probe(
    text: str, path: Path, cut: Cut, *, thinking: ThinkingLevel | None = None
) -> CompletionRequest:
    """Return the request: the compaction as pi would show it, what it keeps, and the question."""
    compacted = replace(cut.entry, summary=text)
    shown = (
        prompt
        for projected in project_path((*path, compacted))
        for message in projected.messages
        for prompt in _prompts(message)
    )
    return CompletionRequest(
        messages=(PromptMessage("system", SYSTEM), *shown, PromptMessage("user", ASK)),
        schema={},
        thinking=thinking,
        max_output_tokens=PLAN_TOKENS if thinking in (None, "off") else PLAN_THINKING_TOKENS,
    )


def _prompts(message: Message) -> Iterator[PromptMessage]:
    """Yield what a message shows the model; a system prompt gives way to the probe's own."""
    match message:
        case CompactionSummaryMessage(summary=summary):
            yield PromptMessage("user", show_compaction(mask_secrets(summary)))
        case BranchSummaryMessage(summary=summary):
            yield PromptMessage("user", mask_secrets(summary))
        case AssistantMessage():
            lines = (content_text(message.content), *_calls(message))
            yield PromptMessage("assistant", mask_secrets("\n".join(filter(None, lines))))
        case UserMessage() | CustomMessage() | ToolResultMessage():
            yield PromptMessage("user", mask_secrets(content_text(message.content)))
        case BashExecutionMessage(exclude_from_context=False):
            ran = f"Ran `{message.command}`\n{message.output}"
            yield PromptMessage("user", mask_secrets(ran))
        case _:
            return


def _calls(message: AssistantMessage) -> Iterator[str]:
    for call in tool_calls(message):
        shown = ", ".join(f"{key}={value}" for key, value in call.arguments.items())
        yield f"[{call.name}({shown})]"
