"""Secrets that are told by their own shape or by the few words right before them.

Each rule names what a text must hold, in small letters, before its pattern is tried: most texts
hold none of it. Each pattern begins with a literal where it can, and what follows is bounded or is
consumed, so that time grows linearly. A first group is what stays in front of the mask.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_KEY = r"[A-Za-z0-9_-]"
_ALNUM = r"[A-Za-z0-9]"
_PRIVATE_KEY = r"[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
_BASE64_LINES = (
    r"(?:(?:\s|\\[nr]){0,8}+(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash):[^\n]{0,200}+"
    r"|[A-Za-z0-9+/=]{16,}+))*+(?:(?:\s|\\[nr]){1,8}+[A-Za-z0-9+/]{1,60}+={1,2})?+"
)


@dataclass(frozen=True, slots=True)
class SecretShape:
    """A kind of secret, and how one looks."""

    kind: str
    hint: str
    """What a text that holds one holds too, in small letters."""
    pattern: re.Pattern[str]
    may_be_name: bool = False
    """True where a name in source code may look the same."""


_PREFIXED = (
    ("Anthropic key", "sk-ant-", rf"{_KEY}{{16,}}"),
    ("Stripe key", "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_", rf"{_ALNUM}{{10,}}"),
    ("webhook secret", "whsec_", r"[A-Za-z0-9+/=]{16,}"),
    ("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"[A-Za-z0-9_]{20,}"),
    ("GitLab token", "glpat- glrt- gldt- glcbt- glptt- glsoat-", rf"{_KEY}{{16,}}"),
    ("AWS key", "AKIA ASIA", r"[0-9A-Z]{16}\b"),
    ("Google key", "AIza", rf"{_KEY}{{30,}}"),
    ("Google key", "ya29. GOCSPX-", rf"{_KEY}{{20,}}"),
    ("Slack token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", r"[A-Za-z0-9-]{10,}"),
    ("npm token", "npm_", rf"{_ALNUM}{{30,}}"),
    ("PyPI token", "pypi-", rf"{_KEY}{{30,}}"),
    ("Hugging Face token", "hf_", rf"{_ALNUM}{{30,}}"),
    ("SendGrid key", "SG.", rf"{_KEY}{{16,200}}\.{_KEY}{{16,}}"),
    ("DigitalOcean token", "doo_v1_ dop_v1_ dor_v1_", r"[0-9a-f]{40,}"),
    ("API key", "gsk_ xai- pplx- r8_", rf"{_KEY}{{30,}}"),
    ("Vault token", "hvs. hvb. hvr.", rf"{_KEY}{{20,}}"),
    ("Shopify token", "shpat_ shpss_ shpca_ shppa_", r"[0-9a-fA-F]{32,}"),
    ("Linear key", "lin_api_ lin_oauth_", rf"{_ALNUM}{{30,}}"),
    ("Notion token", "secret_ ntn_", rf"{_ALNUM}{{40,}}"),
    ("Figma token", "figd_", rf"{_KEY}{{30,}}"),
    ("Doppler token", "dp.pt. dp.ct. dp.scim. dp.audit.", rf"{_ALNUM}{{30,}}"),
    ("Doppler token", "dp.st.", rf"(?:{_KEY}{{2,35}}\.)?{_ALNUM}{{30,}}"),
    ("Databricks token", "dapi", r"[0-9a-f]{32}(?:-[0-9])?(?!\w)"),
    ("Mailgun key", "key-", r"[0-9a-f]{32}(?!\w)"),
    ("Twilio key", "SK", r"[0-9a-f]{32}(?!\w)"),
    ("age key", "AGE-SECRET-KEY-1", r"[A-Za-z0-9]{40,}"),
    (
        "JWT",
        "eyJ",
        rf"(?<!-eyJ){_KEY}{{8,}}+\.{_KEY}{{8,}}+(?:\.{_KEY}*+)?",
    ),
)
"""Kinds with the beginnings that mark them, and what follows a beginning."""

_IN_CONTEXT = (
    (
        "private key",
        "-----begin ",
        rf"-----BEGIN {_PRIVATE_KEY}"
        r"(?:[^-]*+(?:-(?!----(?:END|BEGIN) )[^-]*+)*+"
        rf"-----END {_PRIVATE_KEY}|{_BASE64_LINES})",
    ),
    (
        "private key",
        "private-lines:",
        rf"(Private-Lines: [0-9]{{1,4}})\s{{1,2}}(?=[A-Za-z0-9+/]{{16}}){_BASE64_LINES}",
    ),
    ("Slack webhook", "hooks.slack.com/", r"(hooks\.slack\.com/)[a-z]{5,12}/[A-Za-z0-9/_-]{16,}"),
    (
        "Discord webhook",
        "/api/webhooks/",
        rf"(/api/webhooks/)[0-9]{{5,25}}/{_KEY}{{30,}}",
    ),
    ("Telegram token", ":aa", rf"(?<![\w:])[0-9]{{8,10}}:AA{_KEY}{{32,}}"),
    ("Azure key", "accountkey=", r"(AccountKey=)[A-Za-z0-9+/=]{20,}"),
    ("Azure key", "sharedaccesskey=", r"(SharedAccessKey=)[A-Za-z0-9+/=]{20,}"),
    ("signature", "sig=", r"([?&;]sig=)[A-Za-z0-9%+/=]{20,}"),
    (
        "cookie",
        "cookie",
        r"((?i:cookie)[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?)"
        r"[\w.-]{1,100}+=[^\s\"';,\[][^\s\"';,]{2,}+"
        r"(?:;[ \t]?[\w.-]{1,100}+(?:=[^\s\"';]*+)?)*+",
    ),
    ("cookie", "cookie", r"(--cookie[ =][\"']?)[\w.-]{1,100}+=[^\s\"'\[][^\"'\n]{2,}+"),
    ("credentials", "auth", r"(\"auth\"\s{0,4}:\s{0,4}\")[A-Za-z0-9+/=]{8,}(?=\")"),
    ("credentials", "_auth", r"(_auth[ \t]{0,4}=[ \t]{0,4}\"?)[A-Za-z0-9+/=]{8,}"),
    (
        "credentials",
        "authorization",
        r"((?i:authorization)[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?"
        r"(?i:bearer|basic|token|apikey|digest|negotiate)[ \t]{1,4})"
        r"[A-Za-z0-9._~+/=:-]{8,}+(?![\w(\[])",
    ),
    (
        "credentials",
        "authorization",
        r"((?i:authorization)[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?)"
        r"(?=\S{0,200}[0-9=])[A-Za-z0-9_~+/=-]{16,}+(?![\w(\[.])",
    ),
    ("password", "://", r"(://[^\s/:@]{0,100}:)[^\s/@?#$<{\[*][^\s/@?#]{0,255}(?=@)"),
    (
        "password",
        "machine",
        r"(machine\s{1,8}\S{1,200}\s{1,8}login\s{1,8}\S{1,200}\s{1,8}password\s{1,8})"
        r"[^\s$<\[]\S{2,}",
    ),
    (
        "password",
        "sshpass",
        r"(sshpass[ \t]{1,4}(?:-[evP][^ \t]{0,40}[ \t]{1,4})?-p[ \t]{0,4})"
        r"(?:\"[^\"$\n]+\"|'[^'\n]+'|[^\s\"'$<\[]\S*)",
    ),
    ("credentials", "bearer", r"((?i:bearer)[ \t]{1,4})(?=\S{0,200}[0-9=])[A-Za-z0-9._~+/=-]{16,}"),
    (
        "credentials",
        "basic",
        r"((?i:basic)[ \t]{1,4})(?=\S{0,200}[0-9=])[A-Za-z0-9+/=]{12,}+(?![\w.-])",
    ),
)
_BARE_SCHEMES = ("bearer", "basic", "authorization")


def _word_shapes() -> Iterator[SecretShape]:
    for kind, beginnings, rest in _PREFIXED:
        for start in beginnings.split():
            literal = re.escape(start)
            pattern = re.compile(rf"{literal}(?<!\w{literal}){rest}")
            yield SecretShape(kind, start.lower(), pattern)
    pattern = re.compile(rf"sk-(?<!\wsk-)(?=[A-Za-z_-]{{0,200}}[0-9]){_KEY}{{20,200}}+{_KEY}*+")
    yield SecretShape("OpenAI key", "sk-", pattern, may_be_name=True)


WORD_SHAPES = tuple(_word_shapes())
"""One word each, of which 15 characters or more stand in a row without a slash."""
CONTEXT_SHAPES = tuple(
    SecretShape(kind, hint, re.compile(pattern), kind == "credentials" and hint in _BARE_SCHEMES)
    for kind, hint, pattern in _IN_CONTEXT
)
"""Told by what stands before them. Private keys are first: what stands inside one is no other."""
