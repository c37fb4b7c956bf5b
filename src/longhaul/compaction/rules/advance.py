"""The rules of a session as a fold over what the user typed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from longhaul.compaction.rules.finder import RuleCandidate, RuleFinder, find_rules
from longhaul.compaction.rules.lifts import Lift, find_lifts, spoken
from longhaul.compaction.rules.parts import part_rule
from longhaul.compaction.state import Quote, Rule, is_in_force
from longhaul.compaction.statements import Statement, quote_from

MAX_COMPARED = 200
"""With how many rules in force, the newest, a message is compared for lifts."""
_LIKELY_BESIDE_A_LIFT = 0.4
"""Score from which words count as a rule in a message that lifts one: it says what holds now."""


def advance_rules(
    rules: tuple[Rule, ...],
    statements: Iterable[Statement],
    *,
    n_numbered: int = 0,
    find: RuleFinder = find_rules,
) -> tuple[Rule, ...]:
    """Return `rules` after `statements`, oldest first: new ones added, withdrawn ones lifted.

    `n_numbered` is the highest number given so far, where its rule is no longer among `rules`.
    The same words again, while they are in force, give no second rule.

    Statements are folded one by one, so any split of them gives the same rules. A rule keeps its
    number for good; a statement never lifts a rule of its own message. Where words hold several
    rules and one is withdrawn, the words of the others go on as rules of their own.
    """
    for statement in statements:
        rules = _after(rules, statement, n_numbered, find)
    return rules


def _after(
    rules: tuple[Rule, ...], statement: Statement, n_numbered: int, find: RuleFinder
) -> tuple[Rule, ...]:
    earlier = [
        rule for rule in rules if is_in_force(rule) and rule.quote.entry_id != statement.entry_id
    ][-MAX_COMPARED:]
    lifts = find_lifts(statement.text, earlier) if earlier else ()
    by_number = {lift.number: lift for lift in lifts}
    marked: list[Rule] = []
    given: list[Quote] = []
    for rule in rules:
        after, kept = _marked(rule, by_number.get(rule.number), statement)
        marked.append(after)
        given.extend(kept)
    new = [quote_from(statement, text) for text in _given(statement.text, lifts, find)]
    given.extend(_not_in_force(new, marked))
    return _add_given(marked, given, n_numbered)


def _not_in_force(quotes: Sequence[Quote], rules: Sequence[Rule]) -> Iterator[Quote]:
    """Yield the quotes whose words no rule in force has."""
    in_force = {spoken(rule.quote.text) for rule in rules if quotes and is_in_force(rule)}
    yield from (quote for quote in quotes if spoken(quote.text) not in in_force)


def _add_given(rules: Sequence[Rule], given: Sequence[Quote], n_numbered: int) -> tuple[Rule, ...]:
    """Return `rules` and the `given` ones behind them, under numbers never given before."""
    first = max(n_numbered, *(rule.number for rule in rules), 0) + 1
    return (*rules, *(Rule(number=n, quote=quote) for n, quote in enumerate(given, first)))


def _marked(rule: Rule, lift: Lift | None, statement: Statement) -> tuple[Rule, tuple[Quote, ...]]:
    """Return a rule as `lift` leaves it, and what else its words ruled, which stays in force."""
    if lift is None:
        return rule, ()
    words = quote_from(statement, lift.quote)
    if not lift.certain:
        return replace(rule, doubted_by=words, doubt_origin="code"), ()
    parting = part_rule(rule.quote.text, lift.quote)
    if parting is None:
        return replace(rule, lifted_by=words, doubted_by=None), ()
    lifted = replace(rule.quote, text=parting.lifted)
    kept = tuple(replace(rule.quote, text=text) for text in parting.kept)
    return replace(rule, quote=lifted, lifted_by=words, doubted_by=None), kept


def _given(text: str, lifts: Sequence[Lift], find: RuleFinder) -> list[str]:
    """Return the words that give rules in a message that makes `lifts`, in their order."""
    certain = [lift for lift in lifts if lift.certain]
    candidates = find(text)
    if not certain:
        return [candidate.quote for candidate in candidates if candidate.sure]
    return list(_given_beside(text, candidates, certain))


def _given_beside(
    text: str, candidates: Sequence[RuleCandidate], lifts: Sequence[Lift]
) -> Iterator[str]:
    """Yield the rules of a message that lifts some: replacements, and what is said beside them.

    Words that only lift give none, even where they sound like a rule.
    """
    mere = [lift.quote for lift in lifts if not (lift.replaces or _says_more(lift))]
    quotes = {
        candidate.start: candidate.quote
        for candidate in candidates
        if candidate.score >= _LIKELY_BESIDE_A_LIFT and not _is_part(candidate.quote, mere)
    }
    for lift in lifts:
        if lift.replaces and not _is_part(lift.quote, quotes.values()):
            quotes[text.find(lift.quote)] = lift.quote
    yield from (quotes[start] for start in sorted(quotes))


def _says_more(lift: Lift) -> bool:
    """Return whether the rest of the sentence that lifts a rule gives one."""
    rest = lift.quote.replace(lift.clause, "", 1)
    return any(candidate.sure for candidate in find_rules(rest))


def _is_part(quote: str, others: Iterable[str]) -> bool:
    """Return whether `quote` and one of `others` hold each other."""
    return any(quote in other or other in quote for other in others)
