"""Which tokens are masked as secrets, and which are left."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.secrets import mask_secrets

TAIL = "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z"
"""32 characters that no key begins with; keys are put together here so that no file holds one."""
HEX = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"export X=sk-{TAIL}", "export X=[masked: OpenAI key]"),
        (f"sk-proj-{TAIL}_{TAIL}.", "[masked: OpenAI key]."),
        (f"key sk-ant-api03-{TAIL}!", "key [masked: Anthropic key]!"),
        (f"gh{'p'}_{TAIL}", "[masked: GitHub token]"),
        (f"github_pat_{TAIL}", "[masked: GitHub token]"),
        (f"glpat-{TAIL[:20]}", "[masked: GitLab token]"),
        (f"id AK{'IA'}{'Q' * 16} end", "id [masked: AWS key] end"),
        (f"AI{'za'}{TAIL}abc", "[masked: Google key]"),
        (f"xo{'xb'}-1234567890-{TAIL}", "[masked: Slack token]"),
        (
            f"https://hooks.slack.com/services/T0/B0/{TAIL}",
            "https://hooks.slack.com/[masked: Slack webhook]",
        ),
        (f"sk_{'live'}_{TAIL}", "[masked: Stripe key]"),
        (f"npm_{TAIL}abcd", "[masked: npm token]"),
        (f"pypi-{TAIL}", "[masked: PyPI token]"),
        (f"ey{'J'}hbGciOiJI.eyJzdWIiOiIx.{TAIL}", "[masked: JWT]"),
        (f"-H 'Authorization: Bearer {TAIL}'", "-H 'Authorization: Bearer [masked: credentials]'"),
        (f"Authorization: {TAIL}", "Authorization: [masked: credentials]"),
        ("postgres://app:hunter2@db:5432/x", "postgres://app:[masked: password]@db:5432/x"),
        ("https://:tok3n@host/", "https://:[masked: password]@host/"),
        ("password=hunter2", "password=[masked: password]"),
        ("DB_PASSWORD=correcthorse ./run", "DB_PASSWORD=[masked: password] ./run"),
        ("DB_PASS='a b' DB_PASS='abcd'", "DB_PASS='a b' DB_PASS=[masked: password]"),
        ("api_key = 'abcd1234'", "api_key = [masked: key]"),
        ('{"clientSecret": "s3cr3t!"}', '{"clientSecret": [masked: secret]}'),
        ('"password": "letmein"', '"password": [masked: password]'),
        ("token: 8f3kd92mfk", "token: [masked: token]"),
        ("curl --token abc123def", "curl --token [masked: token]"),
        ("mysql --password=correcthorse", "mysql --password=[masked: password]"),
        (
            f"aws_secret_access_key = {TAIL}/+abcdef",
            "aws_secret_access_key = [masked: key]",
        ),
        (
            f"a\n-----BEGIN RSA {'PRIVATE'} KEY-----\nMII-{TAIL}\n"
            f"-----END RSA {'PRIVATE'} KEY-----\nb",
            "a\n[masked: private key]\nb",
        ),
        (f"x -----BEGIN {'PRIVATE'} KEY----- {TAIL}", "x [masked: private key]"),
    ],
)
def test_a_secret_is_masked_by_its_kind(text: str, expected: str) -> None:
    assert mask_secrets(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "commit 4013978a1f9d2c3b4e5f60718293a4b5c6d7e8f9 on main",
        f"sha256:{HEX}",
        "123e4567-e89b-12d3-a456-426614174000",
        "FROM ghcr.io/acme/app:1.24.0-bookworm@sha256:" + HEX,
        "pi 1.6.0, node v24.1.0, port 43117",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==",
        "max_tokens: 4096, token_count = 1000, tokens: 12k",
        "token = get_token()",
        "token = tokens[0]",
        "password: str",
        "password=settings.db.password1",
        "api_key=os.environ['KEY']",
        "token: ${{ github.token }} and token=$TOKEN",
        "Authorization: Bearer $TOKEN",
        "token: %TOKEN1% and secret=%{x1}",
        "access_key: https://host/1",
        "password: ********",
        "the password: must have 8 characters",
        "TOKEN=$(cat file)",
        '"token": "expired"',
        "secret: ./secrets/key1.txt",
        "api_key: your-api-key-1",
        "sk-folding-cube-animation-loader",
        "git@github.com:a/b.git and http://127.0.0.1:43117/x@y",
        "postgres://app:$PASS@db/x",
        "the bearer authentication-something-long",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert mask_secrets(text) == text


PIECES = st.sampled_from(
    [
        "password",
        "token",
        "=",
        ": ",
        '"',
        "'",
        "hunter2",
        f"gh{'p'}_{TAIL}",
        f"sk-{TAIL}",
        " ",
        "://",
        "a:b1@",
        "Bearer ",
        TAIL,
        "[",
        "]",
        "--token ",
        "API_KEY=",
        "$X",
        "authorization:",
        "\n",
    ]
)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_masking_twice_changes_nothing(text: str) -> None:
    assert mask_secrets(mask_secrets(text)) == mask_secrets(text)


@given(st.lists(PIECES, max_size=8).map("".join))
def test_a_key_of_a_known_shape_never_survives(text: str) -> None:
    assert not mask_secrets(f"{text} gh{'p'}_{TAIL}").endswith(TAIL)


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "-",
        "A",
        "sk-",
        "eyJ-",
        "eyJ.",
        "://",
        "://a:",
        "token=",
        "token='",
        'password="',
        "--token ",
        "Bearer ",
        "-----BEGIN PRIVATE KEY-----",
        "SG.",
        "a_",
        "TOKEN=",
        "a.",
        "x(",
        "token=a(",
        "xoxb-",
        "authorization:",
        "[masked: ",
        "AKIA",
        "0",
        "API_KEY='",
    ],
)
def test_time_does_not_grow_with_the_square_of_the_text(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    start = time.perf_counter()
    mask_secrets(text)
    assert time.perf_counter() - start < 2
