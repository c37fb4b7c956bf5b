"""No secret of a session reaches the text of a state or what is carried beside it."""

import json
import time

import pytest

from longhaul.compaction.carry import find_carried
from longhaul.compaction.compact import Compaction, CompactOptions, compact
from longhaul.compaction.render.quoting import plain
from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.values import advance_values
from longhaul.transcript.entries import Entry
from tests.build import assistant, call, compaction, path, ran, result, user

TAIL = "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z"
GITHUB = f"gh{'p'}_{TAIL}"
KEY_LINES = [f"MIIE{number}{TAIL}{TAIL[::-1]}" for number in range(20)]
PRIVATE_KEY = "\n".join(
    (
        f"-----BEGIN RSA {'PRIVATE'} KEY-----",
        *KEY_LINES,
        f"-----END RSA {'PRIVATE'} KEY-----",
    )
)


def compacted(*entries: Entry, instructions: str = "") -> Compaction:
    whole = path(user("Write a tide table reader"), *entries, user("go on"), user("and a man page"))
    options = CompactOptions(instructions=instructions)
    return compact(whole, first_kept_entry_id=whole[-1].id, tokens_before=10, options=options)


def everything(made: Compaction) -> str:
    """Return all that a compaction leaves behind."""
    return made.summary + json.dumps(made.details, ensure_ascii=False)


def work(command: str, output: str, said: str = "Done.", *, is_error: bool = False) -> list[Entry]:
    used = call("bash", command=command)
    return [assistant("", [used]), result(used, output, is_error=is_error), assistant(said)]


@pytest.mark.parametrize(
    "hidden",
    ["\u200b", "\x1b[0m", "\x1b]0;t\x07", "\x00", "\xad", "\u202e", "\ufeff", "\x1b", "\U000e0041"],
)
def test_what_is_never_shown_does_not_hide_a_secret(hidden: str) -> None:
    text = f"see {GITHUB[:10]}{hidden}{GITHUB[10:]} and pass{hidden}word: hunter{hidden}2"
    assert mask_secrets(text) == plain(text)
    assert plain(text) == "see [masked: GitHub token] and password: [masked: password]"


def test_invisible_characters_stay_where_they_hide_nothing() -> None:
    assert (
        mask_secrets("a\u200cb \U0001f469\u200d\U0001f4bb") == "a\u200cb \U0001f469\u200d\U0001f4bb"
    )


def test_a_secret_behind_an_invisible_character_is_masked() -> None:
    assert GITHUB not in mask_secrets(f"a\u200b{GITHUB}")
    text = mask_secrets(f"a\u200b{GITHUB} and pass\u200bword: hunter2")
    assert text == "a[masked: GitHub token] and password: [masked: password]"


def test_a_pasted_private_key_leaves_no_line_behind() -> None:
    made = compacted(
        user(f"Deploy with this key:\n{PRIVATE_KEY}\nNever push without asking me."),
        assistant(f"I keep it:\n\n{PRIVATE_KEY}"),
    )
    assert not [line for line in KEY_LINES if line[:30] in everything(made)]
    assert "Never push without asking me." in made.summary


def test_a_closing_whose_label_is_cut_off_is_masked() -> None:
    secret = "uE3iwDIvfarW9x" * 4
    made = compacted(
        user("set it up"), assistant("blah " * 60 + f"password: {secret} " + "y" * 130)
    )
    assert secret[-14:] not in everything(made)


def test_long_messages_hold_no_end_of_a_secret() -> None:
    said = " ".join(["Please look at the logs of the server."] * 20)
    made = compacted(user(f"{said} The key is {GITHUB} for the repository. {said}"))
    assert TAIL[-8:] not in everything(made)


def test_commands_checks_evidence_and_titles_are_masked() -> None:
    made = compacted(
        user("run it"),
        *work(f"GH_TOKEN={GITHUB} pytest -q", "1 passed in 0.1s"),
        *work("API_KEY=abcd1234zz npm test", "FAILED x - token=zz9988aa77", is_error=True),
        *work(
            f"git commit -m 'Add {GITHUB}'", f"[main 4f2a91c] Add {GITHUB}\n 1 file changed", "ok"
        ),
        ran("curl -u bob:hunter2 http://x", "ok"),
    )
    left = everything(made)
    assert not [
        secret for secret in (TAIL, "abcd1234zz", "zz9988aa77", "hunter2") if secret in left
    ]
    assert "GH_TOKEN=[masked: GitHub token] pytest -q" in left
    assert "Add [masked: GitHub token]" in left


def test_a_check_is_the_same_whatever_secret_stands_before_it() -> None:
    made = compacted(
        user("run it"),
        *work(f"GH_TOKEN={GITHUB} pytest -q", "1 failed in 0.1s", is_error=True),
        *work("pytest -q", "1 passed in 0.1s"),
    )
    assert made.summary.count("pytest -q` passed") == 1
    assert "pytest -q` failed" not in made.summary


def test_a_secret_is_no_value_and_stands_in_no_words_about_one() -> None:
    secret = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"
    entries = path(
        user("deploy it"),
        *work("deploy", f"build 8c1f2aa03\nToken: {secret}", "password: s3cr3tw0rd of 8c1f2aa03"),
        user(f"use {secret} on 8c1f2aa03"),
    )
    values = advance_values((), entries, 0, len(entries), 0)
    assert [(value.token, value.what) for value in values] == [
        ("8c1f2aa03", "password: [masked: password] of 8c1f2aa03")
    ]


def test_a_checksum_that_no_secret_is_named_beside_is_a_value() -> None:
    checksum = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"
    entries = path(*work("md5sum x", f"{checksum}  x", f"It is {checksum}."))
    assert len(advance_values((), entries, 0, len(entries), 0)) == 1


def test_the_words_asked_for_with_a_compaction_are_masked() -> None:
    made = compacted(user("set it up"), instructions=f"keep that the token is {GITHUB}")
    assert "keep that the token is [masked: GitHub token]" in everything(made)
    assert TAIL not in everything(made)


def test_a_state_with_masked_quotes_is_carried_on() -> None:
    first = path(
        user("Write a tide table reader"),
        user(f"Never print {GITHUB} in the logs."),
        user("and a man page"),
    )
    made = compact(first, first_kept_entry_id="e3", tokens_before=10, options=CompactOptions())
    carried = find_carried(path(*first, compaction(made.summary, "e3", details=made.details)))
    assert (carried.note, carried.end) == ("", 2)
    assert "[masked: GitHub token]" in made.summary


def test_ordinary_text_costs_little() -> None:
    prose = "The tests pass now, and the parser reads a token of the file at a time. " * 14_000
    commands = ["git add -A && git commit -q -m 'Add the parser'", "pytest -q tests", "ls src"]
    start = time.process_time()
    mask_secrets(prose)
    for command in commands * 3_000:
        mask_secrets(command)
    assert time.process_time() - start < 1
