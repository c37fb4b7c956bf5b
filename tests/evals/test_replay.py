"""The arms run over a recorded session."""

import pytest

from longhaul.errors import ModelError, ReplyAwaitedError
from longhaul.evals.arms.arm import Handed, Made
from longhaul.evals.arms.listing import OpenArm
from longhaul.evals.cases import NotScored
from longhaul.evals.chains import Awaited, Outcome
from longhaul.evals.replay import ReplayOptions, prepare_replay, replay
from longhaul.evals.rows import Row, RowKey
from longhaul.transcript.entries import CompactionEntry, JsonValue
from tests.evals.replayable import N_COMPACTIONS, NAME, built, saying

CHAINED = ReplayOptions()
TAKEOVER = ReplayOptions(is_chained=False)


def run(
    *arms: OpenArm,
    options: ReplayOptions = CHAINED,
    have: dict[RowKey, Row] | None = None,
) -> list[Outcome]:
    prepared = prepare_replay(NAME, built(), options)
    return list(replay(prepared, arms, options, (have or {}).get))


def texts(outcomes: list[Outcome]) -> list[str]:
    rows = [one for one in outcomes if isinstance(one, Row)]
    return [row.made.text for row in rows if row.made]


def summaries(handed: Handed) -> Made:
    """Say which compactions stand on the path."""
    found = (entry.summary for entry in handed.path if isinstance(entry, CompactionEntry))
    return Made(text=f"{handed.cut.number}<" + ",".join(found))


def failing_at(number: int, error: Exception) -> OpenArm:
    def run(handed: Handed) -> Made:
        if handed.cut.number == number:
            raise error
        return Made(text=f"made {handed.cut.number}")

    return OpenArm(name="failing", run=run)


def test_chained_an_arm_goes_on_from_its_own_compactions() -> None:
    seeing = OpenArm(name="seeing", run=summaries)
    assert texts(run(seeing)) == ["1<", "2<1<", "3<1<,2<1<"]


def test_as_a_takeover_it_goes_on_from_the_recorded_ones() -> None:
    seeing = OpenArm(name="seeing", run=summaries)
    assert texts(run(seeing, options=TAKEOVER)) == ["1<", "2<summary 6", "3<summary 6,summary 11"]


def test_an_arm_is_handed_what_it_made_before_when_chained_alone() -> None:
    arm = saying("a")
    assert texts(run(arm)) == ["said 1 after 0", "said 2 after 1", "said 3 after 2"]
    assert texts(run(arm, options=TAKEOVER)) == [f"said {n} after 0" for n in (1, 2, 3)]


def test_the_cut_stays_the_recorded_one() -> None:
    kept = []

    def run_arm(handed: Handed) -> Made:
        kept.append([e.first_kept_entry_id for e in handed.path if isinstance(e, CompactionEntry)])
        return Made(text="t")

    run(OpenArm(name="a", run=run_arm))
    recorded = [e.first_kept_entry_id for e in built().path if isinstance(e, CompactionEntry)]
    assert kept == [[], recorded[:1], recorded[:2]]


def test_arms_and_repeats_keep_chains_of_their_own() -> None:
    outcomes = run(saying("a"), saying("b", "other"), options=ReplayOptions(n_repeats=2))
    keys = [one.key for one in outcomes if isinstance(one, Row)]
    assert keys == [
        RowKey(NAME, number, arm, repeat)
        for number in (1, 2, 3)
        for repeat in (1, 2)
        for arm in ("a", "b")
    ]
    assert texts(outcomes)[-1] == "other 3 after 2"


def test_a_failure_breaks_the_arms_own_chain_and_no_other() -> None:
    failed, left_out = (
        Row(
            key=RowKey(NAME, 2, "failing", 1),
            entry_id="e11",
            made=None,
            failure="ValueError: no",
        ),
        NotScored(
            session=NAME,
            compaction=3,
            arm="failing",
            reason="broken chain: the arm failed at compaction 2",
        ),
    )
    outcomes = run(failing_at(2, ValueError("no")), saying("a"))
    assert [one for one in outcomes if one in (failed, left_out)] == [failed, left_out]
    assert texts(outcomes) == [
        *("made 1", "said 1 after 0", "said 2 after 1", "said 3 after 2"),
    ]


def test_a_failure_of_a_takeover_is_one_row_alone() -> None:
    outcomes = run(failing_at(2, ModelError("no reply")), options=TAKEOVER)
    assert texts(outcomes) == ["made 1", "made 3"]
    failed = outcomes[1]
    assert isinstance(failed, Row)
    assert failed.failure == "no reply"


def test_an_awaited_reply_stops_the_chain_without_breaking_it() -> None:
    outcomes = run(failing_at(2, ReplyAwaitedError("put it there")))
    awaited = Awaited(key=RowKey(NAME, 2, "failing", 1), reason="put it there")
    assert outcomes[1:] == [awaited]


def test_rows_that_are_there_are_not_made_again_and_the_chain_goes_on_from_them() -> None:
    key = RowKey(NAME, 1, "seeing", 1)
    row = Row(key=key, entry_id="e6", made=Made(text="from before"))
    seeing = OpenArm(name="seeing", run=summaries)
    assert texts(run(seeing, have={key: row})) == [
        *("from before", "2<from before", "3<from before,2<from before"),
    ]


def test_a_failure_of_an_earlier_run_is_tried_again() -> None:
    key = RowKey(NAME, 1, "a", 1)
    failed = Row(key=key, entry_id="e6", made=None, failure="no reply")
    assert len(texts(run(saying("a"), have={key: failed}))) == N_COMPACTIONS


def test_an_arm_made_from_another_is_handed_what_that_made() -> None:
    def shorten(handed: Handed) -> Made:
        assert handed.source is not None
        return Made(text=handed.source.text[:6])

    derived = OpenArm(name="short", run=shorten, source="a")
    outcomes = run(saying("a"), derived)
    assert texts(outcomes)[1::2] == ["said 1", "said 2", "said 3"]


def copying(source: str) -> OpenArm:
    def run(handed: Handed) -> Made:
        assert handed.source is not None
        return handed.source

    return OpenArm(name="copying", run=run, source=source)


@pytest.mark.parametrize("options", [CHAINED, TAKEOVER])
def test_an_arm_waits_with_the_one_that_it_is_made_from(options: ReplayOptions) -> None:
    outcomes = run(
        failing_at(2, ReplyAwaitedError("put it there")), copying("failing"), options=options
    )
    kinds = [
        (type(one).__name__, one.key.arm) for one in outcomes if not isinstance(one, NotScored)
    ]
    last = [] if options.is_chained else [("Row", "failing"), ("Row", "copying")]
    assert kinds == [("Row", "failing"), ("Row", "copying"), ("Awaited", "failing"), *last]
    assert len(outcomes) == len(kinds)


@pytest.mark.parametrize("options", [CHAINED, TAKEOVER])
def test_an_arm_is_left_out_where_the_one_that_it_is_made_from_failed(
    options: ReplayOptions,
) -> None:
    outcomes = run(failing_at(2, ValueError("no")), copying("failing"), options=options)
    left_out = [
        one.compaction
        for one in outcomes
        if isinstance(one, NotScored) and one.reason == "failing made nothing to make it from"
    ]
    assert left_out == ([2, 3] if options.is_chained else [2])


def test_what_would_not_be_cut_there_is_left_out_and_reported() -> None:
    options = ReplayOptions(keep_recent_tokens=100_000)
    prepared = prepare_replay(NAME, built(), options)
    assert prepared.cases == ()
    assert len(prepared.left_out) == N_COMPACTIONS
    assert list(replay(prepared, [saying("a")], options, lambda _: None)) == [*prepared.left_out]


def test_the_reason_says_where_pi_would_cut() -> None:
    options = ReplayOptions(keep_recent_tokens=1)
    first = prepare_replay(NAME, built(), options).left_out[0]
    assert first == NotScored(
        session=NAME,
        compaction=1,
        arm="",
        reason="with keepRecentTokens 1 pi would cut elsewhere",
        detail="it would keep from e5 on, the recording e4",
    )


def test_only_the_chosen_compactions_are_replayed() -> None:
    options = ReplayOptions(is_chained=False, only={(NAME, 2), ("other", 1)})
    assert texts(run(saying("a"), options=options)) == ["said 2 after 0"]


def test_secrets_are_masked_before_they_are_kept_wherever_they_stand() -> None:
    secret = "sk-" + "a1B2c3D4e5F6g7H8" * 3

    def leak(handed: Handed) -> Made:
        if handed.cut.number == 2:
            raise ValueError(secret)
        return Made(text=secret, note=secret, details={"a": [{secret: secret}], "n": 1})

    outcomes = run(OpenArm(name="a", run=leak))
    assert len(outcomes) == N_COMPACTIONS
    assert secret not in repr(outcomes)


def test_what_longhaul_carries_stands_as_it_made_it() -> None:
    details: dict[str, JsonValue] = {"longhaul": {"digest": "a1B2c3D4e5F6g7H8" * 4}}
    first = run(OpenArm(name="a", run=lambda _: Made(text="t", details=details)))[0]
    assert isinstance(first, Row)
    assert first.made is not None
    assert first.made.details == details


def test_once_a_compaction_is_made_anew_what_went_on_from_its_text_is_too() -> None:
    arm = saying("a", "new")
    old = {
        RowKey(NAME, number, "a", 1): Row(
            key=RowKey(NAME, number, "a", 1), entry_id=f"e{5 * number + 1}", made=Made(text="old")
        )
        for number in (1, 3)
    }
    assert texts(run(arm, have=old)) == ["old", "new 2 after 1", "new 3 after 2"]
    takeover = texts(run(arm, have=old, options=TAKEOVER))
    assert takeover == ["old", "new 2 after 0", "old"]
