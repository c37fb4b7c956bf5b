"""What a model sees of a compaction that it is resumed on."""

_SHOWN = (
    "The conversation history before this point was compacted into the following summary:\n\n"
    "<summary>\n{}\n</summary>"
)
"""Source: pi 1.6.0, `convertToLlm`, `COMPACTION_SUMMARY_PREFIX`."""


def show_compaction(text: str) -> str:
    """Return a compaction's text as pi shows it to the model."""
    return _SHOWN.format(text)
