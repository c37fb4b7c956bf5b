"""How many corrections of the user a text's rules section keeps verbatim, by a list of words.

The list takes for a correction what contains a rule word, so it misses a rule that is worded
without one and counts a one-off that has one: the labelled `rules` say more where there are labels.
One window of twelve characters keeps a message, so a part of it that gives no rule does too. More
is better; a text without headings is one rules section.
"""

from collections.abc import Iterable

from longhaul.compaction.white_space import fold_space
from longhaul.evals.judge import rules_section
from longhaul.evals.measures.amounts import Count, count_kept
from longhaul.evals.measures.corrected import Correction
from longhaul.evals.measures.subject import Subject


def corrections(subject: Subject) -> Count:
    """Return the corrections of the span that this compaction closes.

    Due are the user's messages in it that contain never, always, don't, do not, must or stop.
    """
    cut = subject.occasion.cut
    return _judge(subject, (one for one in _all(subject) if cut.start <= one.index < cut.end))


def earlier_corrections(subject: Subject) -> Count:
    """Return the same for messages before the span, which only a carried text can still hold.

    A message is due again at every compaction after the one that closed it, under the same name.
    """
    cut = subject.occasion.cut
    return _judge(subject, (one for one in _all(subject) if one.index < cut.start))


def _all(subject: Subject) -> tuple[Correction, ...]:
    return subject.occasion.mentions.corrections.listed


def _judge(subject: Subject, due: Iterable[Correction]) -> Count:
    section = fold_space("\n".join(rules_section(subject.text)))
    kept = subject.occasion.mentions.corrections.kept_in(section)
    return count_kept((one.name, one.name in kept) for one in due)
