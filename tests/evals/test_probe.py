"""What is asked of a model resumed on a compaction, and how its plan is counted."""

import pytest

from longhaul.compaction.completion import Completion, PromptMessage
from longhaul.errors import ModelError, ReplyAwaitedError
from longhaul.evals.arms.arm import Handed, Made
from longhaul.evals.arms.listing import OpenArm
from longhaul.evals.cases import find_settings
from longhaul.evals.due import find_cuts
from longhaul.evals.measures.amounts import Count
from longhaul.evals.measures.mentions import Wanted
from longhaul.evals.measures.subject import Subject, find_occasions
from longhaul.evals.probe import (
    ASK,
    PLAN_THINKING_TOKENS,
    PLAN_TOKENS,
    SYSTEM,
    ProbeFailure,
    ask_plan,
    build_probe,
    judge_probe,
    probe_names,
    score_plan,
    with_probe,
)
from longhaul.models.scripted import Reply, ScriptedModel
from tests.build import (
    assistant,
    branch_summary,
    call,
    compaction,
    custom_message,
    path,
    ran,
    result,
    system,
    user,
)
from tests.evals.replayable import built

READ = call("read", path="src/gauge.py")
PATH = path(
    user("Build a tide gauge."),
    assistant("Done."),
    user("Now the plot."),
    assistant("I look.", [READ]),
    result(READ, "key = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'"),
    ran("make", "built"),
    branch_summary("Tried a bar."),
    custom_message("Mind the cable."),
    compaction("theirs", "e3", system_message=system("be brief")),
)
CUT = find_cuts(PATH)[0]
NAMES = ("gauge.py", "python -m pytest tests/a.py")


def planned(*replies: Reply) -> str | ProbeFailure:
    return ask_plan(ScriptedModel(replies), "the state", PATH[: CUT.index], CUT)


def test_a_model_sees_the_text_and_the_kept_window_and_is_asked_for_its_plan() -> None:
    request = build_probe("the state", PATH[: CUT.index], CUT)
    assert request.messages == (
        PromptMessage("system", SYSTEM),
        PromptMessage(
            "user",
            "The conversation history before this point was compacted into the following summary:"
            "\n\n<summary>\nthe state\n</summary>",
        ),
        PromptMessage("user", "Now the plot."),
        PromptMessage("assistant", "I look.\n[read(path=src/gauge.py)]"),
        PromptMessage("user", "key = '[masked: GitHub token]'"),
        PromptMessage("user", "Ran `make`\nbuilt"),
        PromptMessage("user", "Tried a bar."),
        PromptMessage("user", "Mind the cable."),
        PromptMessage("user", ASK),
    )
    assert (request.schema, request.max_output_tokens) == ({}, PLAN_TOKENS)


def test_a_model_that_thinks_has_room_to() -> None:
    request = build_probe("the state", PATH[: CUT.index], CUT, thinking="medium")
    assert (request.thinking, request.max_output_tokens) == ("medium", PLAN_THINKING_TOKENS)


def test_the_plan_is_kept_as_it_was_written() -> None:
    plan = "I edit src/gauge.py, then run\n`python -m   pytest tests/b.py`."
    assert planned(f" {plan}\n") == plan
    expected = Count(kept=("gauge.py",), lost=("python -m pytest tests/a.py",))
    assert score_plan(plan, NAMES) == expected


def test_a_kept_plan_is_counted_again_without_a_call() -> None:
    plan = "Edit gauge.py and run `python -m pytest\ntests/a.py`."
    assert score_plan(plan, NAMES) == Count(kept=NAMES)


def test_a_plan_that_names_nothing_of_it_keeps_nothing() -> None:
    assert score_plan("I carry on with gauge.pyc and the rest.", NAMES) == Count(lost=NAMES)


def test_files_and_commands_are_due_each_once() -> None:
    wanted = Wanted(paths=("src/a.py",), files=("a.py", "make"), commands=("make", "git status"))
    assert probe_names(wanted) == ("a.py", "make", "git status")


def test_a_model_that_fails_leaves_no_count() -> None:
    assert planned(ModelError("down; start it")) == ProbeFailure("down; start it")


@pytest.mark.parametrize(
    "reply", [Completion(text=" "), Completion(text="I", stop_reason="refused")]
)
def test_a_reply_without_a_plan_leaves_no_count(reply: Completion) -> None:
    reason = f"no plan in the reply, which ended with {reply.stop_reason!r}"
    assert planned(reply) == ProbeFailure(reason)


def test_a_reply_that_is_written_elsewhere_is_awaited() -> None:
    with pytest.raises(ReplyAwaitedError, match="not there"):
        planned(ReplyAwaitedError("not there yet"))


def test_a_secret_in_a_plan_is_masked() -> None:
    reply = "Use ghp_0123456789abcdefghijABCDEFGHIJ012345."
    assert planned(reply) == "Use [masked: GitHub token]."


def probed_arm(*replies: Reply) -> Made:
    arm = OpenArm(name="a", run=lambda _: Made(text="the state"))
    return with_probe(arm, ScriptedModel(replies)).run(handed())


def handed() -> Handed:
    return Handed(
        name="gauge",
        session=built(),
        path=PATH[: CUT.index],
        cut=CUT,
        made={},
        settings=find_settings(PATH),
    )


def test_an_arm_with_a_probe_keeps_the_plan_beside_its_text() -> None:
    assert probed_arm("I edit gauge.py.") == Made(text="the state", plan="I edit gauge.py.")


def test_where_the_probe_fails_the_compaction_stands_and_says_so() -> None:
    made = probed_arm(ModelError("down"))
    assert made == Made(text="the state", note="no probe: down")


def test_a_plan_is_held_against_what_the_next_messages_used() -> None:
    whole = path(
        *PATH,
        assistant("Now.", [call("write", path="src/plot.py", content="")]),
        assistant("And.", [call("bash", command="make test")]),
    )
    (occasion,) = find_occasions(whole, None)
    subject = Subject(text="", occasion=occasion, plan="I write src/plot.py.")
    assert judge_probe(subject) == Count(kept=("plot.py",), lost=("make test",))


def test_without_a_plan_there_is_no_count() -> None:
    (occasion,) = find_occasions(PATH, None)
    assert judge_probe(Subject(text="", occasion=occasion)) is None
