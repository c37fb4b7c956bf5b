"""The arms that need neither pi nor a model, and how arms are named."""

import json
from dataclasses import replace

import pytest

from longhaul.compaction.compact import CompactOptions, compact
from longhaul.evals.arms.arm import Handed, Made
from longhaul.evals.arms.listing import ArmError, ArmSetup, open_arms
from longhaul.evals.arms.longhaul import LonghaulSetup, open_longhaul, without_values
from longhaul.evals.arms.plain import make_recent_user, make_recorded
from longhaul.evals.replay import ReplayOptions, prepare_replay
from longhaul.models.scripted import ScriptedModel
from tests.build import path, user
from tests.evals.replayable import NAME, built

MODEL = ArmSetup(model=ScriptedModel(lambda _: "{}"), model_name="scripted")


def handed(number: int = 3) -> Handed:
    prepared = prepare_replay(NAME, built(), ReplayOptions())
    cut = prepared.cases[number - 1]
    return Handed(
        name=NAME,
        session=prepared.session,
        path=prepared.session.path[: cut.index],
        cut=cut,
        made={},
        settings=prepared.settings,
    )


def test_the_offline_arm_gives_what_the_package_gives_inside_pi() -> None:
    given = handed()
    made = open_longhaul(LonghaulSetup(mode="offline"))(given)
    expected = compact(
        given.path,
        first_kept_entry_id=given.cut.entry.first_kept_entry_id,
        tokens_before=10,
        options=CompactOptions(mode="offline", window_tokens=50_000),
    )
    assert (made.text, made.details, made.from_hook) == (expected.summary, expected.details, True)
    assert (made.n_calls, made.tokens_in, made.note) == (0, None, "")
    assert made.seconds is not None


def test_a_given_window_counts_before_the_recorded_one() -> None:
    lines = [user(f"The {number}th request is about the harbour clock.") for number in range(400)]
    given = handed()
    entry = replace(given.cut.entry, first_kept_entry_id="e400")
    crowded = replace(given, path=path(*lines), cut=replace(given.cut, entry=entry))
    small = open_longhaul(LonghaulSetup(mode="offline", window_tokens=10_000))(crowded)
    assert (
        len(small.text) <= 4_000 < len(open_longhaul(LonghaulSetup(mode="offline"))(crowded).text)
    )


def test_a_model_arm_counts_its_call() -> None:
    reply = json.dumps({"narrative": [{"kind": "done", "message": "u1", "text": "Built it."}]})
    (arm,) = open_arms(["state"], ArmSetup(model=ScriptedModel([reply])), is_chained=True)
    made = arm.run(handed())
    assert "Built it." in made.text
    assert (made.n_calls, made.note, made.is_narrative_less, made.n_dropped) == (1, "", False, 0)


def test_items_that_the_entries_do_not_bear_out_are_counted_as_dropped() -> None:
    reply = json.dumps({"rules": [{"message": "u1", "quote": "never said by anybody"}]})
    (arm,) = open_arms(["state"], ArmSetup(model=ScriptedModel([reply])), is_chained=True)
    assert arm.run(handed()).n_dropped == 1


def test_a_reply_of_no_use_leaves_a_narrative_less_pass() -> None:
    (arm,) = open_arms(["state"], ArmSetup(model=ScriptedModel(["no JSON"])), is_chained=True)
    made = arm.run(handed())
    assert made.is_narrative_less
    assert made.note
    assert made.text == open_longhaul(LonghaulSetup(mode="offline"))(handed()).text


def test_the_turns_arm_asks_turn_by_turn() -> None:
    (arm,) = open_arms(["state-turns"], MODEL, is_chained=True)
    assert arm.run(handed(1)).n_calls >= 1


def test_unlearned_is_the_same_text_without_its_learned_values() -> None:
    made = Made(text="## Rules\n- r1\n\n## Learned values\n- 166 ms\n\n## World\n- w\n", n_calls=1)
    assert without_values(made) == Made(text="## Rules\n- r1\n\n## World\n- w\n")
    assert without_values(Made(text="## World\n- w\n")) == Made(text="## World\n- w\n")


def test_unlearned_is_made_from_what_state_made_without_a_call() -> None:
    state, unlearned = open_arms(["state-unlearned", "state"], MODEL, is_chained=True)
    assert (state.name, unlearned.name, unlearned.source) == ("state", "state-unlearned", "state")
    made = state.run(handed())
    assert unlearned.run(replace(handed(), source=made)) == without_values(made)


def test_recorded_is_the_summary_that_the_session_holds() -> None:
    assert make_recorded(handed(2)) == Made(text="summary 11", from_hook=False)


def test_recent_user_is_what_the_user_said_before_the_cut_oldest_first() -> None:
    made = make_recent_user(handed(3))
    assert made.text == "\n\n".join(
        [
            "Build tidewatch, a tide table reader.",
            "Commit subjects in lower case from now on.",
            "How long does it take?",
            "Put the time that you measured into README.md.",
        ]
    )


def test_recent_user_stops_before_the_message_that_does_not_fit() -> None:
    given = handed()
    long_path = path(user("x" * 80_000), user("y" * 79_996), user("z"))
    cut = replace(given.cut, end=3)
    made = make_recent_user(replace(given, path=long_path, cut=cut))
    assert made.text == f"{'y' * 79_996}\n\nz"


@pytest.mark.parametrize(
    ("names", "setup", "message"),
    [
        (["nonsense"], ArmSetup(), "no arm 'nonsense'; there are pi-default, state, "),
        (["state:x"], MODEL, "no arm 'state:x'; write state"),
        (["state-offline"] * 2, ArmSetup(), "an arm is named twice"),
        (["state"], ArmSetup(), "arm state asks a model; name one with --model"),
        (["state-unlearned"], MODEL, "is made from state; name that arm too"),
        (["recorded"], ArmSetup(), "arm recorded needs the recorded paths: give --takeover"),
    ],
)
def test_an_arm_that_cannot_run_is_refused_with_what_to_do(
    names: list[str], setup: ArmSetup, message: str
) -> None:
    with pytest.raises(ArmError, match=message.replace("(", r"\(")):
        open_arms(names, setup, is_chained=True)


def test_recorded_may_run_as_a_takeover() -> None:
    (arm,) = open_arms(["recorded"], ArmSetup(), is_chained=False)
    assert arm.run is make_recorded
