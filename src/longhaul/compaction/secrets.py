"""Secret-looking tokens, replaced by a mask that names their kind.

A state, a digest and an index leave the session they were made from; a key that stood in a tool's
output must not leave with them. Only shapes that nothing else has are masked, and literals that are
assigned to a secret's name. Hashes, checksums, UUIDs and versions are left alone.

Every pattern begins with a literal or has a bounded beginning, so that time grows linearly.
"""

import re

_KEY_CHARS = r"[A-Za-z0-9_-]"

_SHAPES = tuple(
    (kind, re.compile(shape))
    for kind, shape in (
        (
            "private key",
            r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
            r"[^-]*+(?:-(?!----END )[^-]*+)*+"
            r"(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?",
        ),
        ("Anthropic key", rf"\bsk-ant-{_KEY_CHARS}{{16,}}"),
        ("Stripe key", r"\b[srp]k_(?:live|test)_[A-Za-z0-9]{10,}"),
        ("webhook secret", r"\bwhsec_[A-Za-z0-9+/=]{16,}"),
        ("OpenAI key", rf"\bsk-(?=[A-Za-z_-]{{0,200}}[0-9]){_KEY_CHARS}{{20,}}"),
        ("GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})"),
        ("GitLab token", rf"\bgl(?:pat|rt|dt|cbt|ptt|soat)-{_KEY_CHARS}{{16,}}"),
        ("AWS key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
        ("Google key", rf"\b(?:AIza{_KEY_CHARS}{{30,}}|ya29\.{_KEY_CHARS}{{20,}})"),
        ("Google key", rf"\bGOCSPX-{_KEY_CHARS}{{20,}}"),
        ("Slack token", r"\bx(?:ox[abeoprs]|app)-[A-Za-z0-9-]{10,}"),
        ("Slack webhook", r"(?<=hooks\.slack\.com/)services/[A-Za-z0-9/]{16,}"),
        ("npm token", r"\bnpm_[A-Za-z0-9]{30,}"),
        ("PyPI token", rf"\bpypi-{_KEY_CHARS}{{30,}}"),
        ("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}"),
        ("SendGrid key", rf"\bSG\.{_KEY_CHARS}{{16,}}\.{_KEY_CHARS}{{16,}}"),
        ("DigitalOcean token", r"\bdo[opr]_v1_[0-9a-f]{40,}"),
        ("API key", rf"\b(?:gsk_|xai-|pplx-|r8_){_KEY_CHARS}{{30,}}"),
        ("JWT", rf"(?<![\w-])eyJ{_KEY_CHARS}{{8,}}\.{_KEY_CHARS}{{8,}}(?:\.{_KEY_CHARS}*)?"),
    )
)

_CREDENTIALS = re.compile(
    r"(?i:\b(bearer|basic))[ \t]+(?=[^\s]{0,200}[0-9A-Z+/=])([A-Za-z0-9._~+/=-]{16,})"
)
_AUTHORIZATION = re.compile(
    r"(authorization[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?)([A-Za-z0-9._~+/=-]{16,})", re.IGNORECASE
)
_URL_PASSWORD = re.compile(r"(?<=://)([^\s/:@]{0,100}:)([^\s/@$<{\[*][^\s/@]{0,255})(?=@)")

_SECRET_NAME = (
    r"(?:passw(?:or)?d|passphrase|secret|token|credential|(?:api|access|private|signing)[_-]?key)"
)
_ASSIGNED = re.compile(
    rf"({_SECRET_NAME}(?:[_-]?(?:key|id|value|hash))?[\"']?[ \t]{{0,4}}(?::=|=>|[=:])[ \t]{{0,4}})"
    r"(?:\"([^\"\s]{4,})\"|'([^'\s]{4,})'|([^\s\"'`,;<>(){}\[\]$*][^\s\"'`,;<>(){}\[\]]{3,}+))"
    r"(?![\w(\[{.])",
    re.IGNORECASE,
)
_EXPORTED = re.compile(
    r"((?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|_PASS|_PWD)=)"
    r"(\"[^\"\s$]{4,}\"|'[^'\s]{4,}'|[^\s\"'`;<>(){}\[\]$*&|][^\s\"'`;<>(){}\[\]&|]{3,})"
)
_OPTION = re.compile(
    r"(--(?:password|passwd|passphrase|token|secret|api-?key|access-token|auth-token)[ =])"
    r"(\"[^\"\s$]{4,}\"|'[^'\s]{4,}'|[^\s\"'`;<>(){}\[\]$*&|-][^\s\"'`;<>(){}\[\]&|]{3,})"
)

_CODE = re.compile(r"[A-Za-z_][\w]*(?:(?:\.|->|::)[A-Za-z_]\w*)+|[a-z]+(?:_[a-z]+)*|[A-Z][A-Z_]+")
"""What stands for a value in source code: a dotted name, a plain name, a constant."""
_NUMBER = re.compile(r"[\d.,_]+[kKmM%]?")
_PATH = re.compile(r"[~.]{0,2}/|[A-Za-z]:\\")
_PLACEHOLDER = re.compile(
    r"x{4,}|\.{3,}|…|your[\w-]*|example[\w-]*|placeholder|redacted|string|undefined", re.IGNORECASE
)


def mask_secrets(text: str) -> str:
    """Return `text` with `[masked: GitHub token]` and the like in place of secrets.

    Masking twice changes nothing. What only refers to a secret (`$TOKEN`, `os.environ[…]`) stays.
    """
    for kind, shape in _SHAPES:
        text = shape.sub(_mask(kind), text)
    text = _CREDENTIALS.sub(lambda found: f"{found[1]} {_mask('credentials')}", text)
    text = _AUTHORIZATION.sub(lambda found: found[1] + _mask("credentials"), text)
    text = _URL_PASSWORD.sub(lambda found: found[1] + _mask("password"), text)
    text = _EXPORTED.sub(_masked_literal, text)
    text = _OPTION.sub(_masked_literal, text)
    return _ASSIGNED.sub(_masked_assignment, text)


def _mask(kind: str) -> str:
    return f"[masked: {kind}]"


def _kind(name: str) -> str:
    """Return the kind of secret that a name such as `db_password = ` says."""
    lowered = name.lower()
    kinds = ("password", "passphrase", "token", "secret", "credential", "key")
    return next((kind for kind in kinds if kind in lowered), "password")


def _masked_literal(found: re.Match[str]) -> str:
    return found[1] + _mask(_kind(found[1]))


def _masked_assignment(found: re.Match[str]) -> str:
    quoted = found[2] or found[3]
    literal = quoted or found[4]
    if _PLACEHOLDER.fullmatch(literal) or not _is_secret(literal, found[1], bool(quoted)):
        return found[0]
    return found[1] + _mask(_kind(found[1]))


def _is_secret(literal: str, name: str, is_quoted: bool) -> bool:  # noqa: FBT001 - two facts of one match
    if literal.startswith(("$", "<", "{", "%")) or _NUMBER.fullmatch(literal):
        return False
    if _PATH.match(literal) or literal.startswith(("http:", "https:")):
        return False
    if _CODE.fullmatch(literal):
        return is_quoted and _kind(name) in ("password", "passphrase", "secret")
    return any(char.isdigit() for char in literal) or is_quoted
