"""Write the scenario of each play: its user turns alone, for a recording with a live model.

Usage: python tools/write_scenarios.py eval/plays eval/scenarios
"""

import sys
from pathlib import Path

import yaml

from longhaul.record.play_file import load_play, stem_of
from longhaul.record.plays import Play, Turn


class _Literal(str):
    """Text that YAML writes as it stands, line by line."""

    __slots__ = ()


def _write_literal(dumper: yaml.SafeDumper, text: _Literal) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style="|")


class _Dumper(yaml.SafeDumper):
    """Writes user messages as blocks."""


_Dumper.add_representer(_Literal, _write_literal)


def dump_scenario(play: Play) -> str:
    """Return the text of a scenario file with the user turns and limits of `play`."""
    record: dict[str, object] = {
        "name": play.name,
        "window": play.window_tokens,
        "reserve": play.reserve_tokens,
        "keep_recent": play.keep_recent_tokens,
    }
    if play.extensions:
        record["extensions"] = list(play.extensions)
    record["turns"] = [_dump_turn(turn) for turn in play.turns]
    return yaml.dump(record, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def _dump_turn(turn: Turn) -> dict[str, object]:
    record: dict[str, object] = {"user": _Literal(turn.user + "\n")}
    if turn.answers:
        record["answers"] = list(turn.answers)
    if turn.back_to is not None:
        record["back_to"] = f"u{turn.back_to}"
    return record


def main(plays: Path, scenarios: Path) -> None:
    """Write one scenario for each play of the folder `plays`."""
    for path in sorted(plays.glob("*.play.yaml")):
        target = scenarios / f"{stem_of(path)}.scenario.yaml"
        target.write_text(dump_scenario(load_play(path)), encoding="utf-8")
        print(target)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
