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
        (
            f"-----BEGIN {'PRIVATE'} KEY-----\n{TAIL}\n{TAIL}\nAb==\nNever push.",
            "[masked: private key]\nNever push.",
        ),
        (f"hvs{'.'}{TAIL}", "[masked: Vault token]"),
        (f"shp{'at'}_{HEX[:32]} shp{'ss'}_{HEX[:32]}", " ".join(["[masked: Shopify token]"] * 2)),
        (f"lin_{'api'}_{TAIL}", "[masked: Linear key]"),
        (f"secret{'_'}{TAIL}abcdefghijk", "[masked: Notion token]"),
        (f"ntn{'_'}{TAIL}abcdefghijk", "[masked: Notion token]"),
        (f"figd{'_'}{TAIL}", "[masked: Figma token]"),
        (f"dp{'.pt.'}{TAIL}", "[masked: Doppler token]"),
        (f"da{'pi'}{HEX[:32]}", "[masked: Databricks token]"),
        (f"bot 123456789:A{'A'}{TAIL}x", "bot [masked: Telegram token]"),
        (f"ke{'y-'}{HEX[:32]}", "[masked: Mailgun key]"),
        (f"S{'K'}{HEX[:32]}", "[masked: Twilio key]"),
        (f"AGE-SECRET-{'KEY'}-1{TAIL.upper()}{TAIL.upper()}", "[masked: age key]"),
        (f"Name=x;AccountKey={TAIL}==;E=y", "Name=x;AccountKey=[masked: Azure key];E=y"),
        (f"?sv=2022&sig={TAIL}%3D", "?sv=2022&sig=[masked: signature]"),
        (
            f"https://discord.com/api/webhooks/123456789/{TAIL}",
            "https://discord.com/api/webhooks/[masked: Discord webhook]",
        ),
        ("Cookie: sid=abc123; theme=dark", "Cookie: [masked: cookie]"),
        ("Set-Cookie: sid=abc123; Path=/; HttpOnly", "Set-Cookie: [masked: cookie]"),
        ('{"auth": "dXNlcjpwYXNz"}', '{"auth": "[masked: credentials]"}'),
        ("machine h login u password abc", "machine h login u password [masked: password]"),
        ("machine h\n login u\n password a1b", "machine h\n login u\n password [masked: password]"),
        (f"-----BEGIN {'PRIVATE'} KEY----- is all. Stop.", "[masked: private key] is all. Stop."),
        ("mysql -u root -phunter2 db", "mysql -u root -p[masked: password] db"),
        ("curl -u bob:hunter2 http://x", "curl -u bob:[masked: password] http://x"),
        ("curl --user 'bob:hunter2' http://x", "curl --user 'bob:[masked: password]' http://x"),
        ("sshpass -p hunter2 ssh x", "sshpass -p [masked: password] ssh x"),
        ("sshpass -phunter2 ssh x", "sshpass -p[masked: password] ssh x"),
        ("docker login -u u -p hunter2", "docker login -u u -p [masked: password]"),
        (f"secret_key_base: {HEX}{HEX}", "secret_key_base: [masked: secret]"),
        ("ACCESS_KEY_ID=hunter2", "ACCESS_KEY_ID=[masked: key]"),
        ("la contrase\xf1a es hunter2", "la contrase\xf1a es [masked: password]"),
        ("pwd=hunter2", "pwd=[masked: password]"),
        ("pass: hunter2", "pass: [masked: password]"),
        ("Passwort: hunter2", "Passwort: [masked: password]"),
        ("mot de passe : hunter2", "mot de passe : [masked: password]"),
        ("contrase\xf1a: hunter2", "contrase\xf1a: [masked: password]"),
        ('password="two words"', "password=[masked: password]"),
        ("the password is hunter2.", "the password is [masked: password]."),
        ("The token for staging is 'abc-d1'.", "The token for staging is [masked: token]."),
        ("password:\n  hunter2", "password:\n  [masked: password]"),
        ("DB_PASSWORD=12345678", "DB_PASSWORD=[masked: password]"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [masked: credentials]"),
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
        "Use the basic InternationalizationProvider component",
        "Basic components/Header/index.tsx",
        "Basic components/Header2/index.tsx",
        "bearer AccessTokenProvider",
        "bearer oauth2_token_provider_v2",
        "sk-fading-circle12-animation-name",
        "MAX_TOKEN=4096",
        "USE_TOKEN=true",
        "SECRET=true",
        "token: v1.2.3",
        "commit token: 4f2a91c",
        "token:123e4567-e89b-12d3-a456-426614174000",
        "http://localhost:3000?redirect=a@b",
        '"integrity": "sha512-' + HEX + '=="',
        "the password is wrong and the token is expired",
        "compass: north2, bypass=abc12",
        "tests pass: 1234, first pass: 4f2a91c",
        "PWD=/home/me/x1",
        '"password": "The password must have at least 8 characters."',
        "docker run -u 1000:1000 x; mkdir -p build1/out",
        "Cookie: the banner must go",
        "use the --token flag and the --password option",
        "authorization = base64.decodebytes(authorization)",
        "OAuth authorization, token exchange, and refresh requests",
        "f(ns_cookie, lookup=lookup)",
        "export API_KEY=sk-ant-... and KEY_ID=AKIA...",
        "apiKey: 'my-api-key'",
        "key-value store, SKILL.md, author: me",
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
        "\u200b",
        "\x1b[0m",
        "the password is ",
        "Cookie: a=b1c;",
        " -u a:",
        "curl",
        "mysql",
        " -phunter2",
        "pass: ",
        "key",
        "sig=",
        "-----BEGIN " + "PRIVATE KEY-----",
        "-----END " + "PRIVATE KEY-----",
        "[masked: token]",
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
        "pass:",
        "pass: pass: ",
        "mysql -p",
        "curl -u a:bcde",
        "Cookie: a=b;",
        "machine a login b ",
        "password is ",
        "\u200btoken=a1b2c3 ",
        "-----BEGIN " + "PRIVATE KEY-----\n" + "A" * 20 + "\n",
        "\x1b]",
        "sk-a",
    ],
)
def test_time_does_not_grow_with_the_square_of_the_text(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    start = time.process_time()
    mask_secrets(text)
    assert time.process_time() - start < 8
