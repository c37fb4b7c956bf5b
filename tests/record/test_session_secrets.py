"""Secrets: which are found, what is none, and that no finding tells one."""

import hashlib
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.record.secret_plugins import cut_pieces
from longhaul.record.session_secrets import find_secrets
from tests.record.vettable import SCANNER, TOKEN, line_of, line_saying

WORD = "Kj8vQ2xLr5"
RANDOM = "Zx9Qw3Er7Ty1Ui5Op2As8Df4Gh6Jk0LmNbVc"


@pytest.mark.parametrize(
    ("text", "types"),
    [
        (TOKEN, {"GitHub Token", "GitHub token"}),
        ("AKIA" + "IOSFODNN7EXAMPLE", {"AWS Access Key", "AWS key"}),
        (f"https://me:{WORD}@host.example/", {"Basic Auth Credentials"}),
        (f'password = "{WORD}"', {"Secret Keyword"}),
        ("-----BEGIN " + "OPENSSH PRIVATE KEY-----", {"Private Key"}),
        (f'x = "{RANDOM}"', {"Base64 High Entropy String"}),
        ("sk-ant-" + "api03-" + "aB3dE5" * 15, {"Anthropic key"}),
        (f'password = "{WORD}"  # pragma: allowlist secret', {"Secret Keyword"}),
    ],
)
def test_a_secret_is_found_by_its_type(text: str, types: set[str]) -> None:
    assert types <= SCANNER.types_in(f"first row\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        f'commit "{hashlib.sha1(b"a", usedforsecurity=False).hexdigest()}"',
        f'sha256: "{hashlib.sha256(b"a").hexdigest()}"',
        f'ETag: "{hashlib.md5(b"a", usedforsecurity=False).hexdigest()}"',
        '"id": "01a22970-7cea-71d3-b320-be55c0b34363"',
        '{"parentId": "3c05d33e", "at": "203.0.113.9"}',
        'password = os.environ["X"], token = "$TOKEN", secret = "<secret>"',
        "the password is asked for once",
    ],
)
def test_hashes_ids_and_references_are_no_secrets(text: str) -> None:
    assert SCANNER.types_in(text) == set()


def test_a_key_and_its_value_are_seen_together() -> None:
    assert find_secrets(line_of({"arguments": {"password": WORD}}), SCANNER) == (
        "holds what looks like a secret (Secret Keyword); withdraw it if it is one and record"
        " without it, or review it"
    )


def test_an_id_that_looks_random_is_none_as_a_value_of_the_line() -> None:
    assert find_secrets(line_of({"toolCallId": RANDOM}), SCANNER) is None
    assert find_secrets(line_saying(f'key is "{RANDOM}"'), SCANNER) is not None


def test_a_secret_at_the_end_of_a_huge_row_is_found() -> None:
    assert "GitHub Token" in SCANNER.types_in("a b " * 20_000 + TOKEN)


@given(st.integers(0, 900), st.integers(1, 200), st.integers(0, 900))
def test_what_is_no_longer_than_half_a_piece_is_whole_in_one(
    before: int, length: int, after: int
) -> None:
    text = "." * before + "x" * length + "." * after
    pieces = list(cut_pieces(text))
    assert any("x" * length in piece for piece in pieces)
    assert all(len(piece) <= 400 for piece in pieces)


def test_without_the_extra_the_command_says_how_to_install_it() -> None:
    script = (
        "import sys; sys.modules['detect_secrets'] = None\n"
        "from longhaul.cli.main import main\n"
        "main(['check-session', 'x.jsonl'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    command = f"{sys.executable} -m pip install 'pi-longhaul[eval]'"
    assert done.stderr == f"Error: looking for secrets needs an extra: {command}\n"


def test_starting_the_command_imports_no_scanner() -> None:
    script = "import longhaul.cli.main, sys; print('detect_secrets' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
