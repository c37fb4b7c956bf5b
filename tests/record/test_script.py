"""The scripted model: which step answers, what is filled in, what does not fit."""

import re
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from longhaul.pi.chat import Call, Reply, parse_chat
from longhaul.record.plays import Capture, Step, ToolCall, Turn, parse_play
from longhaul.record.script import PlayScript
from tests.pi.chats import chat
from tests.record.plays import play_record, say, turn

if TYPE_CHECKING:
    from longhaul.transcript.entries import JsonValue


def started(*steps: dict[str, object]) -> PlayScript:
    play = parse_play(play_record(turn("Go.", *steps)))
    script = PlayScript()
    script.begin_turn(1, play.turns[0])
    return script


def problems(script: PlayScript) -> list[str]:
    return [str(one) for one in script.problems]


def test_steps_answer_in_order() -> None:
    script = started(say("One.", thinking="hm"), say("Two."))
    replies = [script.answer(parse_chat(chat())) for _ in range(2)]
    assert replies == [Reply(text="One.", thinking="hm"), Reply(text="Two.")]
    script.end_turn()
    assert problems(script) == []


def test_a_capture_fills_text_thinking_and_arguments_from_then_on() -> None:
    tools = [{"write": {"path": "{{n}}.txt", "lines": ["{{n}}", 3, {"a": "{{other}}"}]}}]
    script = started(say("{{n}}", thinking="so {{n}}", tools=tools, capture={"n": "^n=(\\d+)$"}))
    reply = script.answer(parse_chat(chat(tool="a\nn=42\nb")))
    arguments: dict[str, JsonValue] = {"path": "42.txt", "lines": ["42", 3, {"a": "{{other}}"}]}
    call = Call(id="call_1_1_1", name="write", arguments=arguments)
    assert reply == Reply(text="42", thinking="so 42", calls=(call,))
    assert script.captured == {"n": "42"}


def test_a_capture_without_a_group_keeps_the_whole_match() -> None:
    script = started(say("x", capture={"n": "[0-9]+ ms"}))
    script.answer(parse_chat(chat(tool="took 12 ms")))
    assert script.captured == {"n": "12 ms"}


def test_a_capture_reads_the_newest_tool_result_alone() -> None:
    script = started(say("x", capture={"n": "old"}))
    script.answer(parse_chat(chat(tool="old", then="new")))
    assert problems(script) == ["u1 step 1: capture n finds nothing in the newest tool result: new"]


@given(st.text())
def test_what_no_capture_defines_stays_as_it_is_written(text: str) -> None:
    script = PlayScript()
    script.begin_turn(1, Turn(user="Go.", steps=(Step(text=text, thinking=text),)))
    assert script.answer(parse_chat(chat())) == Reply(text=text, thinking=text)


@given(st.text(), st.text(), st.text())
@settings(max_examples=20)  # each starts a process
def test_what_was_captured_is_filled_in_as_it_was_found(found: str, head: str, tail: str) -> None:
    capture = Capture(name="n", pattern=re.compile("(?s)^.*$"))
    script = PlayScript()
    step = Step(text=f"{head}|{{{{n}}}}|{tail}", captures=(capture,))
    script.begin_turn(1, Turn(user="Go.", steps=(step,)))
    reply = script.answer(parse_chat(chat(tool=found)))
    assert reply.text == f"{head}|{{{{n}}}}|{tail}".replace("{{n}}", found)


def test_a_capture_that_searches_without_end_is_noted() -> None:
    script = started(say("<{{n}}>", capture={"n": "(a+)+$"}))
    assert script.answer(parse_chat(chat(tool="a" * 60 + "b"))).text == "<{{n}}>"
    assert problems(script) == [
        "u1 step 1: capture n searches longer than 2 s; simplify its regular expression"
    ]


def test_a_capture_holds_in_later_turns_and_may_be_taken_again() -> None:
    script = started(say("{{n}}", capture={"n": "\\d"}))
    script.answer(parse_chat(chat(tool="1")))
    again = parse_play(play_record(turn("On.", say("{{n}}"), say("{{n}}", capture={"n": "\\d"}))))
    script.begin_turn(2, again.turns[0])
    texts = [script.answer(parse_chat(chat(tool="2"))).text for _ in range(2)]
    assert texts == ["1", "2"]
    assert problems(script) == []


def test_a_group_that_takes_no_part_is_empty() -> None:
    script = started(say("<{{n}}>", capture={"n": "a(b)?"}))
    assert script.answer(parse_chat(chat(tool="a"))).text == "<>"


def test_a_capture_before_any_tool_result_finds_nothing() -> None:
    script = started(say("x", capture={"n": "."}))
    script.answer(parse_chat(chat()))
    expected = "u1 step 1: capture n finds nothing in the newest tool result: none"
    assert problems(script) == [expected]


def test_a_request_too_many_is_answered_and_noted() -> None:
    script = started(say("One."))
    script.answer(parse_chat(chat()))
    assert script.answer(parse_chat(chat())).calls == ()
    assert problems(script) == ["u1: needs more than its 1 step; has the last tools?"]


def test_steps_left_at_the_end_of_a_turn_are_noted() -> None:
    script = started(say("One."), say("Two."))
    script.answer(parse_chat(chat()))
    script.end_turn()
    assert problems(script) == ["u1: 1 of 2 steps used; the turn ended before the others"]


def test_it_knows_which_step_the_user_stops() -> None:
    tools = (ToolCall(name="bash", arguments={}),)
    script = PlayScript()
    script.begin_turn(1, Turn(user="Go.", steps=(Step(text="x"), Step(tools=tools, aborts=True))))
    seen = [script.is_aborting()]
    for _ in range(3):
        script.answer(parse_chat(chat()))
        seen.append(script.is_aborting())
    assert seen == [False, False, True, False]
