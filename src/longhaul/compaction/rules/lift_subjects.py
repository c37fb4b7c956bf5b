"""What a clause says is dead, gone or up to the reader, and whether that is the rule's matter.

"The schema freeze is dead" is about a rule that has a freeze; "the title of chapter 12 is up to
you" is about a title, whatever a rule says of chapters.
"""

import re

from longhaul.compaction.rules.lift_features import RuleView
from longhaul.compaction.rules.lift_forms import find_signs
from longhaul.compaction.rules.lift_phrases import STRICT_NOUN
from longhaul.compaction.rules.lift_places import Place
from longhaul.compaction.rules.lift_words import SAME_STEMS
from longhaul.compaction.rules.overlap import read_topic

_LEFT = r"up to you|your (?:call|choice)"
_SAID_OF = re.compile(
    rf"^\W*(?:(?:ok|and|so|but|oh|well|actually|btw)\W+)*(.{{1,90}}?)(?:(?: is| are|'s)(?: \w+)?"
    rf" (?:{_LEFT}|dead|gone|out|history|moot|void|irrelevant|obsolete)\b|: ?(?:{_LEFT}))",
    re.IGNORECASE,
)
_BEHIND_HEAD = re.compile(r"\s(?:of|for|in|on|from|at|to|with|about|by)\s")
_POINTS_BACK = re.compile(
    r"(?:that|this|it|they|those|these|all|everything|ones?|both|how(?:ever)?|whom?|whose|where(?:ver)?"
    r"|when(?:ever)?|while|what(?:ever)?|which(?:ever)?|you|i|we)",
    re.IGNORECASE,
)
_NOUN = re.compile(STRICT_NOUN, re.IGNORECASE)
_ABOUT = re.compile(
    rf"\b(?!thing|stuff|business){STRICT_NOUN} (?:of|on|for|about) (?:the |our |my )?"
    r"(?!(?:this|that|whole) (?:repo|project|session)\b)"
    r"(.{1,60}?)(?=(?:'s| is| are| was| has| no longer| doesn't)\b|[,.:;]|$)",
    re.IGNORECASE,
)
_AGENT = re.compile(r"(.{3,})(?:er|or)s?", re.IGNORECASE)
"""A thing named after what it does: a printer is not the printing that a rule speaks of."""


def is_said_of(place: Place, rule: RuleView) -> bool:
    """Return whether such words, if a clause has them, may be said of what the rule is about."""
    return not _is_of_another(place, rule) and _is_head_its_own(place, rule)


def _is_of_another(place: Place, rule: RuleView) -> bool:
    """Return whether a clause speaks of a rule for something that this rule does not have."""
    about = _ABOUT.search(place.clause)
    stems = read_topic(about[1]).weights.keys() if about else frozenset[str]()
    beside = read_topic(f"{place.lead} {place.tail}").weights.keys()
    return bool(stems) and (stems | beside).isdisjoint(rule.topic.weights)


def _is_head_its_own(place: Place, rule: RuleView) -> bool:
    before = place.lead.rstrip(", ").split(", ")[-1]
    match = _SAID_OF.match(place.clause) or _SAID_OF.match(f"{before}: {place.clause}")
    if not match or "names_rule" in find_signs(place.sentence):
        return True
    words = _BEHIND_HEAD.split(match[1].strip())[0].split()
    head = words[-1].strip("\"'`.,()") if words else ""
    if not head or _POINTS_BACK.fullmatch(head) or _POINTS_BACK.fullmatch(words[0]):
        return True
    stems = read_topic(head).weights.keys()
    if not stems or _NOUN.fullmatch(head):
        return True
    return not (stems.isdisjoint(rule.topic.weights) or _is_agent(head))


def _is_agent(head: str) -> bool:
    match = _AGENT.fullmatch(head.lower())
    return match is not None and not {match[1], f"{match[1]}e"}.isdisjoint(SAME_STEMS)
