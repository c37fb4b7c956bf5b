"""What a page says of each measure and of each cost, in a line."""

from collections.abc import Mapping
from types import MappingProxyType

MEASURES: Mapping[str, str] = MappingProxyType(
    {
        "goal": "a line still names what the session builds",
        "rules": "rules in force that the rules section names",
        "rulesAnywhere": "rules in force that any line names",
        "span": "of the rules: those given in what was just closed",
        "earlier": "of the rules: those given before, which only a carried text holds",
        "lifts": "withdrawn rules that no line shows in force",
        "values": "values that a later turn uses, kept as whole tokens",
        "history": "of the values: those that only the conversation holds",
        "stray": "rule lines bound to a message that gave no rule",
        "need": "paths and commands that the next messages used",
        "needWithRecall": "the same, or found by recall",
        "files": "files that the next messages touched, by name",
        "artifacts": "file-like names in the next commands",
        "corrections": "messages just closed with a rule word, kept verbatim",
        "earlierCorrections": "the same, of messages closed before",
        "facts": "values of tool output that were used again and never said",
        "factsWithRecall": "the same, or found by recall, which finds all of them",
        "reused": "values of tool output that were used again, code names left out",
        "objectiveMoved": "the objective quotes another message than before",
        "objectiveBack": "it moved to an earlier message",
        "claimWrong": "claims that the tool results contradict",
        "claimJudged": "claims that the tool results can judge",
        "probe": "names of the next messages that a resumed model's plan holds",
        "chars": "characters of the text",
    }
)
"""By the measure's name, `chars` among them; one that is not here is shown without a line."""

COSTS: tuple[tuple[str, str, str], ...] = (
    ("chars", "characters", "mean of the text"),
    ("tokens_in", "tokens in", "mean, of all calls of a compaction"),
    ("tokens_out", "tokens out", "mean, of all calls of a compaction"),
    ("tokens_cached", "tokens cached", "mean, read from a cache"),
    ("p50", "seconds, p50", "half of the compactions took no longer"),
    ("p90", "seconds, p90", "nine tenths took no longer"),
    ("n_calls", "model calls", "in all"),
    ("n_narrative_less", "narrative-less", "nothing of a model's reply could be used"),
    ("n_dropped", "dropped items", "of a model's diff, not borne out by the entries"),
)
"""Field of the costs, title, and what it is."""

SIGNS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"more": ("↑", "more is better"), "less": ("↓", "less is better"), "context": ("", "")}
)
"""Which way is better: as a sign, and in words."""
