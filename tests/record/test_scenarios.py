"""The plays of `eval/`, and the scenarios made of them."""

from dataclasses import replace

import pytest

from longhaul.record.play_file import load_play, stem_of
from longhaul.record.plays import Play
from tests.pinned import ROOT

PLAYS = ROOT / "eval" / "plays"
SCENARIOS = ROOT / "eval" / "scenarios"
NAMES = sorted(stem_of(file) for file in PLAYS.glob("*.play.yaml"))


def without_steps(play: Play) -> Play:
    return replace(play, turns=tuple(replace(turn, steps=()) for turn in play.turns))


def test_there_are_six_plays_each_with_its_scenario() -> None:
    assert len(NAMES) == 6
    assert sorted(map(stem_of, SCENARIOS.iterdir())) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_holds_the_user_turns_of_its_play(name: str) -> None:
    play = load_play(PLAYS / f"{name}.play.yaml")
    assert load_play(SCENARIOS / f"{name}.scenario.yaml") == without_steps(play)


@pytest.mark.parametrize("name", NAMES)
def test_a_play_of_the_evaluation_is_whole(name: str) -> None:
    play = load_play(PLAYS / f"{name}.play.yaml")
    on_the_path = len(play.turns) - sum(turn.back_to is not None for turn in play.turns)
    assert (play.name, on_the_path, play.is_scripted) == (name, 25, True)
    assert play.complaints == ()
