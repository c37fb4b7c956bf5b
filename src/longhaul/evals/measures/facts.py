"""How many values that the work printed, and the next ten assistant messages used, a text keeps.

A value is a token that says something by itself, see `value_tokens`. Due is one that the span's
tool output is the first to show (nobody said it before, and no earlier output held it; that a tool
was given it does not count), that nothing in the kept window holds, and that the text or the tool
calls of those messages hold again. One that they guessed, or read again from a file, is due as
well; one that they spell otherwise is not. Reasoning is not read, and secrets are never due. More
is better, and a text that lists many names scores well.
"""

from longhaul.evals.judge import find_spelling
from longhaul.evals.measures.amounts import Count, count_kept
from longhaul.evals.measures.mentions import Wanted
from longhaul.evals.measures.subject import Subject


def facts(subject: Subject) -> Count:
    """Return the values that neither the user nor the assistant said in the span.

    Mostly names in source files, which the next messages read there again: what the assistant told
    the user is left out.
    """
    return _judge(subject, _wanted(subject).facts)


def facts_with_recall(subject: Subject) -> Count:
    """Return the same, and for Longhaul's arms also what `longhaul_recall` finds if asked for it.

    That is all of them, whatever the text holds: a fact stands in an output that the compaction
    closes, where recall's exact search finds any string. No model is asked whether it would ask.
    """
    if subject.state is None:
        return facts(subject)
    return Count(kept=_wanted(subject).facts)


def reused(subject: Subject) -> Count:
    """Return the values that are no names in code, whether or not the span used them.

    Hashes, timings, counts, dates, ids, file names: what cannot always be read again.
    """
    return _judge(subject, _wanted(subject).reused)


def _wanted(subject: Subject) -> Wanted:
    return subject.occasion.mentions.after(subject.occasion.cut)


def _judge(subject: Subject, due: tuple[str, ...]) -> Count:
    text = subject.text
    return count_kept((value, find_spelling(text, (value,)) is not None) for value in due)
