"""On what ground words may withdraw a rule: without one they lift nothing, however likely it seems.

A rule said again, in whatever mood, gives no ground: it asks for and refuses what the rule does.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from longhaul.compaction.rules.lift_features import RuleView
from longhaul.compaction.rules.lift_forms import find_ended, find_replaced, find_signs
from longhaul.compaction.rules.lift_places import Place
from longhaul.compaction.rules.lift_subjects import is_said_of
from longhaul.compaction.rules.overlap import read_topic, shared_stems
from longhaul.compaction.rules.polarity import read_polarity

Ground = Literal["said", "opposed", "allowed", "ended", "replaced"]

_FAINT = 0.3
_NAMES = frozenset(("names_rule", "i_said"))
_WITHDRAWS = frozenset(("withdraw", "off", "forget", "over", "no_more", "out_now", "no_longer"))
_REFUSES = frozenset(
    ("no_longer", "no_need", "no_more", "spares", "off", "out_now", "forget", "over", "order_now",
     "swap", "changed_mind", "learned")
)  # fmt: skip
"""Forms that refuse what a rule asks for."""
_PERMITS = frozenset(
    ("let_again", "again", "whatever", "opened", "you_may", "order_now", "permit", "over",
     "changed_mind", "no_longer")
)  # fmt: skip
"""Forms that allow what a rule refuses."""
_LETS = frozenset(("whatever", "opened", "you_may", "alt_access"))
_LIMITS = frozenset(("only", "counts", "waits", "state", "asks_first", "forbids"))
_ENDS = frozenset(("over", "opened", "again", "no_longer", "out_now", "alt_access"))
_PASSING = frozenset(("waits", "state"))
_NEW_ORDERS = frozenset(("order_now", "changed_mind", "out_now", "standing"))
_REPLACES = frozenset(("swap", "replace", "order_now", "changed_mind", "out_now"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """How much of what a sentence shares with a rule it asks for or refuses, against the rule."""

    allowed: float
    """What the rule refuses and the sentence does not."""
    refused: float
    """What the rule asks for and the sentence refuses."""
    repeated: float
    """What both refuse."""


def find_grounds(place: Place, rule: RuleView) -> frozenset[Ground]:
    """Return the grounds on which a clause may withdraw a rule."""
    return frozenset(_grounds(place, rule) if is_said_of(place, rule) else ())


def _grounds(place: Place, rule: RuleView) -> Iterator[Ground]:
    signs = find_signs(place.clause)
    whole = find_signs(place.sentence)
    if "lapsed" in signs or (whole & _NAMES and signs & _WITHDRAWS):
        yield "said"
    if _is_task(signs, whole) or place.sentence.startswith(("--", "`-")):
        return
    if "reports" in signs:
        signs -= {"no_longer"}
    contrast = _compare(place, rule)
    if _is_opposed(signs, contrast):
        yield "opposed"
    if _is_allowed(signs, rule, contrast):
        yield "allowed"
    if whole & _ENDS and rule.forms & _PASSING and _ends(place, rule):
        yield "ended"
    if signs & _REPLACES and contrast.repeated < _FAINT and _replaces(place, rule, whole):
        yield "replaced"


def _is_opposed(signs: frozenset[str], contrast: Contrast) -> bool:
    least = max(_FAINT, contrast.repeated)
    refuses = signs & _REFUSES and contrast.refused >= least
    return bool(refuses or (signs & _PERMITS and contrast.allowed >= least))


def _is_allowed(signs: frozenset[str], rule: RuleView, contrast: Contrast) -> bool:
    if signs & {"whatever", "again"} and signs & {"you_may", "let_again"}:
        return True
    return bool(signs & _LETS and rule.forms & _LIMITS) and contrast.repeated < _FAINT


def _is_task(signs: frozenset[str], whole: frozenset[str]) -> bool:
    """Return whether the words ask for work on a thing: "remove the third tab"."""
    return "fetch" in signs and not whole & (_NAMES | {"order_now", "standing", "whatever"})


def _compare(place: Place, rule: RuleView) -> Contrast:
    words = read_polarity(place.sentence)
    allowed = refused = repeated = 0.0
    for stem, weight in shared_stems(read_topic(place.sentence), rule.topic).items():
        said, ruled = words.get(stem, 0), rule.polarity.get(stem, 0)
        allowed += weight if said > 0 > ruled else 0.0
        refused += weight if said < 0 < ruled else 0.0
        repeated += weight if said < 0 and ruled < 0 else 0.0
    return Contrast(allowed=allowed, refused=refused, repeated=repeated)


def _ends(place: Place, rule: RuleView) -> bool:
    """Return whether what the words say has ended is named in a rule that waits for an end.

    Who is back from elsewhere may still be at what the rule waits for.
    """
    if "busy" in rule.forms and "returns" in find_signs(place.clause):
        return False
    return any(_link(find_ended(text), rule) for text in (place.clause, place.sentence))


def _replaces(place: Place, rule: RuleView, whole: frozenset[str]) -> bool:
    """Return whether the words say for good what holds instead of something in the rule."""
    if names_replaced(place, rule):
        return True
    said = read_topic(place.sentence).weights
    adds = any(stem not in rule.topic.weights for stem in said)
    leaves = any(stem not in said for stem in rule.topic.weights)
    return bool(whole & _NEW_ORDERS) and "extends" not in whole and adds and leaves


def names_replaced(place: Place, rule: RuleView) -> bool:
    """Return whether the words name what they replace or call a mistake, and the rule has it."""
    return _link(find_replaced(place.clause) or find_replaced(place.sentence), rule)


def _link(words: str, rule: RuleView) -> bool:
    shared = shared_stems(read_topic(words), rule.topic) if words else {}
    return sum(shared.values()) >= _FAINT
