"""What a text claims to have happened, held against the tool results of the session."""

from collections.abc import Iterator

from longhaul.evals.measures.amounts import Tally
from longhaul.evals.measures.claim_checks import judge_checks
from longhaul.evals.measures.claim_commits import judge_commits
from longhaul.evals.measures.claim_lines import Line, find_clauses, find_lines
from longhaul.evals.measures.claim_verdicts import Verdict
from longhaul.evals.measures.claim_world import SECTION, judge_world
from longhaul.evals.measures.subject import Subject


def claim_wrong(subject: Subject) -> Tally:
    """Return the claims of a text that the tool results contradict, as of the cut.

    Claims are the lines of a World section, and prose outside quotes that says that a test, build
    or lint passed or failed, or names a commit. Less is better. Not seen: a claim in words that no
    form knows, in another language than English, or of what the results leave open; see
    `claim_judged`.
    """
    return Tally(tuple(dict.fromkeys(one.name for one in judge_claims(subject) if one.fault)))


def claim_judged(subject: Subject) -> Tally:
    """Return the claims of a text that could be judged, right and wrong ones: what 0 wrong is of.

    Neither way is better: who claims nothing has nothing wrong.
    """
    return Tally(tuple(dict.fromkeys(one.claim for one in judge_claims(subject))))


def judge_claims(subject: Subject) -> Iterator[Verdict]:
    """Yield every claim of a text that the tool results decide, in its order."""
    for line in find_lines(subject.text):
        yield from _judge_line(line, subject)


def _judge_line(line: Line, subject: Subject) -> Iterator[Verdict]:
    runs, cut = subject.occasion.runs, subject.occasion.cut
    if line.section == SECTION:
        yield from judge_world(line, runs, cut.end, cut.index)
        return
    for clause in find_clauses(line):
        yield from judge_checks(clause, runs, cut.end)
    yield from judge_commits(line, runs, cut.index)
