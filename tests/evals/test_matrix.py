"""Rows of the matrix: what passes and why not, and whole sessions of real pi on scripted models."""

import os
from collections.abc import Callable
from dataclasses import replace

import pytest

from longhaul.compaction.completion import CompletionRequest, ThinkingLevel
from longhaul.errors import ModelError
from longhaul.evals.matrix import Cell, Row, judge, run_cell
from longhaul.evals.matrix_session import Outcome, Setup, Step
from longhaul.evals.matrix_task import ScriptedWork, Task, holds
from longhaul.models.reasoning import Reasoning
from longhaul.models.scripted import Reply, ScriptedModel
from longhaul.pi.chat import ChatRequest
from longhaul.pi.chat import Reply as ChatReply
from longhaul.pi.installed_pi import find_installed_pi
from longhaul.pi.model_answers import Exchange
from tests.pinned import NODE, PI

TASK = Task(value="bld-4f9c21ab", file="settings-77ab.toml")
CELL = Cell(spec="openai/model-1", thinking=None)
UNKNOWN = Reasoning(control="unknown")
DIFF = (
    '{"rules": [], "lifts": [], "oneOffs": [], "values": [], "narrative":'
    ' [{"kind": "done", "message": "u1", "text": "made a release"},'
    ' {"kind": "done", "message": "u99", "text": "nobody said this"}]}'
)
ANSWER = '{"text": "It printed bld-4f9c21ab; never edit settings-77ab.toml.", "tools": []}'
PASSED = Outcome(
    is_longhauls=True,
    notice="kept",
    calls=(Exchange(is_of_the_session=False, seconds=1.0),),
    n_verified=1,
    n_dropped=0,
    failure="",
    summary="bld-4f9c21ab settings-77ab.toml",
    kept="There is one file here.",
    answer="bld-4f9c21ab and settings-77ab.toml.",
    answer_failure="",
)


def is_diff(request: CompletionRequest) -> bool:
    return "narrative" in str(request.schema)


def answering(answer: Reply, diff: Reply = DIFF) -> Callable[[CompletionRequest], Reply]:
    return lambda request: diff if is_diff(request) else answer


def run(
    model: ScriptedModel, thinking: ThinkingLevel | None = None, steps: list[Step] | None = None
) -> Row:
    path = os.pathsep.join((str(NODE.parent), os.defpath))
    setup = Setup(
        pi=find_installed_pi({"PATH": path}, pi=PI),
        model=model,
        window_tokens=32_768,
        reply_limit_s=30,
    )
    cell = replace(CELL, thinking=thinking)
    return run_cell(cell, UNKNOWN, setup, TASK, on_step=(steps if steps is not None else []).append)


def reason(outcome: Outcome) -> str:
    return judge(CELL, UNKNOWN, TASK, outcome).reason


def test_a_session_with_both_recalled_passes() -> None:
    assert judge(CELL, UNKNOWN, TASK, PASSED) == Row(
        cell=CELL, reasoning=UNKNOWN, outcome=PASSED, value_recalled=True, rule_recalled=True
    )


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        (
            {"is_longhauls": False, "notice": "no server; pi compacts without it"},
            "pi compacted without Longhaul: no server; pi compacts without it",
        ),
        (
            {"is_longhauls": False, "notice": ""},
            "pi compacted without Longhaul: it did not say why",
        ),
        (
            {"failure": "no JSON"},
            "the compaction was made without all of the model's word: no JSON",
        ),
        ({"answer": "", "answer_failure": "HTTP 500"}, "no reply to the questions: HTTP 500"),
        (
            {"answer": "bld-4f9c21ab is all I know"},
            "the rule was not recalled; it stands in the state",
        ),
        (
            {"answer": "settings-77ab.toml", "summary": "nothing"},
            "the value was not recalled; it does not stand in the state",
        ),
        (
            {"kept": "The build id is bld-4f9c21ab."},
            "the value was still in view after the compaction, so that nothing is shown",
        ),
    ],
)
def test_a_row_says_why_it_does_not_pass(changes: dict[str, object], why: str) -> None:
    assert reason(replace(PASSED, **changes)) == why  # type: ignore[arg-type]


def test_a_name_counts_as_a_whole_word_alone() -> None:
    assert holds("It is `bld-12`.", "bld-12")
    assert not holds("bld-123 my-bld-12", "bld-12")


def test_a_cell_is_written_as_its_model_and_level() -> None:
    cells = [
        Cell(spec="ollama/a:7b", thinking=None),
        Cell(spec="openai/a", thinking="low"),
        Cell(spec="openai/a:low", thinking="low"),
    ]
    assert [str(cell) for cell in cells] == ["ollama/a:7b", "openai/a:low", "openai/a:low"]


def test_the_scripted_work_ends_a_turn_that_it_does_not_know() -> None:
    work = ScriptedWork(TASK)
    request = ChatRequest(messages=(), tools=(), max_output_tokens=None, prompt_tokens=0)
    replies = [work.answer(request) for _ in range(len(TASK.replies) + 1)]
    assert replies == [*TASK.replies, ChatReply(text="That was all.")]


@pytest.mark.parametrize("level", [None, "off", "low", "max"])
def test_a_model_that_recalls_both_passes_at_each_level(level: ThinkingLevel | None) -> None:
    model, steps = ScriptedModel(answering(ANSWER)), list[Step]()
    row = run(model, level, steps)
    assert row.outcome is not None
    assert (row.passed, row.value_recalled, row.rule_recalled) == (True, True, True), row.reason
    assert (len(row.outcome.calls), row.outcome.n_verified, row.outcome.n_dropped) == (1, 1, 1)
    assert [is_diff(request) for request in model.requests] == [True, False]
    # Without a level nothing is said to the model; a level reaches it through pi.
    assert {request.thinking for request in model.requests} == {level}
    assert "bld-4f9c21ab" in model.requests[1].messages[1].text
    assert steps == ["starting pi", "working", "compacting", "recalling"]


def test_a_resumed_model_has_no_tool_but_recall() -> None:
    asked = '{"text": "", "tools": [{"name": "bash", "arguments": {"command": "touch made"}}]}'
    replies = iter((DIFF, asked, ANSWER))
    model = ScriptedModel(lambda _: next(replies))
    row = run(model)
    assert row.passed, row.reason
    assert "Tool bash not found" in model.requests[2].messages[-1].text
    assert '{"name": "longhaul_recall"' in model.requests[1].messages[0].text
    assert '{"name": "bash"' not in model.requests[1].messages[0].text


def test_a_reply_that_is_no_diff_does_not_pass_though_all_is_recalled() -> None:
    row = run(ScriptedModel(answering(ANSWER, "I think that went well.")))
    assert (row.passed, row.value_recalled, row.rule_recalled) == (False, True, True)
    assert row.reason.startswith("the compaction was made without all of the model's word: ")


def test_a_model_that_fails_does_not_pass_and_its_words_are_the_reason() -> None:
    row = run(ScriptedModel(answering(ModelError("the server is gone"))))
    assert (row.value_recalled, row.rule_recalled) == (False, False)
    assert row.reason == "no reply to the questions: the server is gone"


def test_a_pi_that_does_not_start_is_a_row_that_does_not_pass() -> None:
    path = os.pathsep.join((str(NODE.parent), os.defpath))
    pi = replace(find_installed_pi({"PATH": path}, pi=PI), program=NODE.parent / "no-such-pi.js")
    setup = Setup(pi=pi, model=ScriptedModel(()), window_tokens=32_768, reply_limit_s=1)
    row = run_cell(CELL, UNKNOWN, setup, TASK)
    assert (row.passed, row.outcome) == (False, None)
    assert "but pi ended: " in row.reason


def test_what_pi_says_where_it_does_not_compact_is_the_reason() -> None:
    path = os.pathsep.join((str(NODE.parent), os.defpath))
    setup = Setup(
        pi=find_installed_pi({"PATH": path}, pi=PI),
        model=ScriptedModel(answering(ANSWER)),
        window_tokens=600,  # so little that pi has compacted by itself already
        reply_limit_s=30,
    )
    row = run_cell(CELL, UNKNOWN, setup, TASK)
    assert (row.outcome, row.reason) == (None, "pi did not compact: Already compacted")
