"""Secret-looking tokens, replaced by a mask that names their kind.

A state, a digest and an index leave the session they were made from; a key that stood in a message
or a tool's output must not leave with them. Texts are masked where they enter a state, before
anything is cut off them, and once more where they are shown. Only shapes that nothing else has are
masked, and literals that are given to a secret's name. Hashes, checksums, UUIDs and versions stay.
"""

import re

from longhaul.compaction.invisible import drop_invisible
from longhaul.compaction.secret_names import is_name, lower, mask_named
from longhaul.compaction.secret_shapes import CONTEXT_SHAPES, WORD_SHAPES, SecretShape

MASK = re.compile(r"\[masked: [A-Za-z ]{3,30}\]")
"""What stands in place of a secret."""

_MOST_PASSES = 4
"""One mask may join what stands around it into another secret, hardly ever more than once."""
_JOINTS = (
    *(":", "=", "--", " -p", " -a", "bearer", "basic"),
    *(
        "pass",
        "pwd",
        "token",
        "secret",
        "key ",
        "credential",
        "contrase",
        "kennwort",
        "mdp",
        "senha",
    ),
)
"""Each secret that is told by what stands before it holds one of these, in small letters."""
_SHORT_TEXT_CHARS = 2_000
_LONG_WORD_CHARS = 15


def mask_secrets(text: str) -> str:
    """Return `text` with `[masked: GitHub token]` and the like in place of secrets.

    Characters that are never shown do not hide one: where a secret appears without them, the result
    is without them. Masking twice changes nothing. What only refers to a secret (`$TOKEN`,
    `os.environ[…]`) stays.
    """
    visible = drop_invisible(text)
    masked = _mask_visible(visible)
    if len(visible) == len(text):
        return masked
    apart = _mask_visible(text)
    if masked == visible:
        return apart
    return max(masked, _mask_visible(drop_invisible(apart)), key=_n_masks)


def _n_masks(text: str) -> int:
    return len(MASK.findall(text))


def _mask_visible(text: str) -> str:
    for _ in range(_MOST_PASSES):
        masked = _mask_once(text)
        if masked == text:
            break
        text = masked
    return text


def _mask_once(text: str) -> str:
    lowered = lower(text)
    has_joint = any(map(lowered.__contains__, _JOINTS))
    if has_joint:
        text = _mask_shapes(text, lowered, CONTEXT_SHAPES)
    if _has_long_word(text):
        text = _mask_shapes(text, _long_words(lowered), WORD_SHAPES)
    return mask_named(text) if has_joint else text


def _long_words(lowered: str) -> str:
    """Return what of a text may hold a key: looked through for each kind, and mostly short."""
    return " ".join([word for word in lowered.split() if len(word) >= _LONG_WORD_CHARS])


def _has_long_word(text: str) -> bool:
    """Return whether a text may hold a key; a command seldom does, a longer text is not asked."""
    if len(text) > _SHORT_TEXT_CHARS:
        return True
    words = text.replace("/", " ").split()
    return max(map(len, words), default=0) >= _LONG_WORD_CHARS


def _mask_shapes(text: str, lowered: str, shapes: tuple[SecretShape, ...]) -> str:
    for shape in shapes:
        if shape.hint in lowered:
            text = _mask_shape(text, shape)
    return text


def _mask_shape(text: str, shape: SecretShape) -> str:
    def masked(found: re.Match[str]) -> str:
        kept = found[1] if found.re.groups else ""
        if shape.may_be_name and is_name(found[0][len(kept) :].removeprefix("sk-")):
            return found[0]
        return f"{kept}[masked: {shape.kind}]"

    return shape.pattern.sub(masked, text)
