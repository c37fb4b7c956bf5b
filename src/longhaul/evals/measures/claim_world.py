"""The claims of a section in the form of Longhaul's World, held against the tool results."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from longhaul.evals.measures.claim_checks import Said
from longhaul.evals.measures.claim_commits import judge_hash, newest_made, title_behind
from longhaul.evals.measures.claim_lines import Line
from longhaul.evals.measures.claim_verdicts import Verdict
from longhaul.evals.measures.run_commits import is_same_hash
from longhaul.evals.measures.run_steps import plain_step
from longhaul.evals.measures.runs import Runs, StepRun, before, find_seen

SECTION = "world"
_SHOWN = r"(?:`(?P<code>[^`]+)`|\"(?P<a>[^\"]+)\"|“(?P<b>[^”]+)”|«(?P<c>[^»]+)»)"
_CHECK = re.compile(
    rf"- {_SHOWN} (?P<said>passed|failed|unproven) in u(?P<turn>\d{{1,9}}) \(.*\)"
    r"(?P<since>; files changed since)?$"
)
_RAN = re.compile(rf"- ran {_SHOWN} \(u(?P<turn>\d{{1,9}})(?P<failed>, failed)?\)$")
_HEAD = re.compile(r"- HEAD `(?P<hash>[0-9a-f]+)`")
_COMMIT = re.compile(r"- commit `(?P<hash>[0-9a-f]+)`.* \(u(?P<turn>\d{1,9})\)$")
_FOLDER = re.compile(r"cd (?P<folder>\S+|\"[^\"]*\"|'[^']*') && (?P<step>.*)", re.DOTALL)
_CUT = "…"
_MOST_ALIKE = 100
"""A beginning that more commands have says too little of one of them."""
_ALTERED = re.compile(r"\[masked: |&lt;")


def judge_world(line: Line, runs: Runs, end: int, index: int) -> Iterator[Verdict]:
    """Yield what becomes of the claims of one line, as of the cut at `end`.

    A hash may have appeared up to the compaction itself, which stands at `index`.
    """
    if found := _CHECK.match(line.text):
        yield from _judge_check(found, runs, end)
    elif found := _RAN.match(line.text):
        yield from _judge_ran(found, runs, end)
    elif found := _HEAD.match(line.text):
        yield _judge_head(found["hash"], title_behind(line.text, found["hash"]), runs, end)
    elif found := _COMMIT.match(line.text):
        yield _judge_commit(found, title_behind(line.text, found["hash"]), runs, index)


def _command(found: re.Match[str]) -> str:
    return found["code"] or found["a"] or found["b"] or found["c"]


def _judge_check(found: re.Match[str], runs: Runs, end: int) -> Iterator[Verdict]:
    """Judge `npm test passed in u7 (…)`: the outcome, the turn and the changes since."""
    command, turn = _command(found), int(found["turn"])
    steps = _steps(command, runs, end)
    if not steps:
        return
    newest, claim = steps[-1], f"{command} {found['said']} in u{turn}"
    if newest.turn != turn:
        yield Verdict(claim, f"it last ran in u{newest.turn}")
    elif _contradicts(newest, found["said"]):
        yield Verdict(claim, newest.result.outcome)
    elif found["said"] != "unproven" and newest.result.outcome != "unproven":
        yield Verdict(claim)
    changed = [one.file for one in before(runs.changes, end) if one.index > newest.index]
    if changed and not found["since"]:
        yield Verdict(f"{command}: no file changed since", f"{changed[-1]} was")
    elif found["since"] and newest.is_alone and _is_last(newest.index, runs, end):
        yield Verdict(f"{command}: files changed since", "nothing ran since")


def _contradicts(step: StepRun, said: Said | str) -> bool:
    return "unproven" not in (said, step.result.outcome) and step.result.outcome != said


def _steps(command: str, runs: Runs, end: int) -> Sequence[StepRun]:
    moved = _FOLDER.fullmatch(command)
    steps = before(runs.steps.get(plain_step(moved["step"] if moved else command), ()), end)
    if moved:
        return [step for step in steps if step.folder == moved["folder"]]
    return [step for step in steps if not step.folder]


def _is_last(index: int, runs: Runs, end: int) -> bool:
    """Return whether no tool can have changed a file after an entry."""
    if any(change.index > index for change in before(runs.changes, end)):
        return False
    ran = before(runs.commands, end)
    return ran[-1].index <= index


def _judge_ran(found: re.Match[str], runs: Runs, end: int) -> Iterator[Verdict]:
    command, turn = _command(found), int(found["turn"])
    alike = None if _ALTERED.search(command) else _alike(command, runs)
    if alike is None:
        return
    claim = f"ran {command} in u{turn}{found['failed'] or ''}"
    ran = [last for text in alike for last in before(runs.commands_by_text[text], end)[-1:]]
    newest = max(ran, key=lambda run: run.index, default=None)
    if newest is None:
        yield Verdict(claim, "it never ran")
    elif newest.turn != turn:
        yield Verdict(claim, f"it last ran in u{newest.turn}")
    elif newest.is_failure != bool(found["failed"]):
        yield Verdict(claim, "it failed" if newest.is_failure else "it did not fail")
    else:
        yield Verdict(claim)


def _alike(command: str, runs: Runs) -> Sequence[str] | None:
    """Return the commands that a text may mean, cut or whole; None where too many begin alike."""
    text = " ".join(command.split())
    if not text.endswith(_CUT):
        return (text,) if text in runs.commands_by_text else ()
    start = text.removesuffix(_CUT).rstrip()
    known = islice(runs.texts, bisect_left(runs.texts, start), None)
    alike = list(islice(takewhile(lambda one: one.startswith(start), known), _MOST_ALIKE + 1))
    return alike if len(alike) <= _MOST_ALIKE else None


def _judge_head(hash_text: str, title: str, runs: Runs, end: int) -> Verdict:
    made = newest_made(runs, end)
    if made is not None and not is_same_hash(made.hash, hash_text):
        return Verdict(f"HEAD {hash_text}", f"{made.hash} was made in u{made.turn}")
    verdict = judge_hash(hash_text, title, runs, end)
    return Verdict(f"HEAD {hash_text}", verdict.fault)


def _judge_commit(found: re.Match[str], title: str, runs: Runs, index: int) -> Verdict:
    verdict = judge_hash(found["hash"], title, runs, index)
    made = [seen.turn for seen in find_seen(runs, found["hash"], index) if seen.is_made]
    if not verdict.fault and made and int(found["turn"]) not in made:
        return Verdict(f"{verdict.claim} in u{found['turn']}", f"made in u{made[0]}")
    return verdict
