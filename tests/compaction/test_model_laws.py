"""What holds after any diff at all, of words that were said, half said, or never said."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from longhaul.compaction.compact import CompactOptions, render_at
from longhaul.compaction.diff.apply import apply_changes
from longhaul.compaction.diff.changes import Verified
from longhaul.compaction.diff.items import (
    Diff,
    LiftItem,
    NoteItem,
    OneOffItem,
    RuleItem,
    ValueItem,
)
from longhaul.compaction.diff.parse import dump_diff
from longhaul.compaction.diff.verify import verify_diff
from longhaul.compaction.render.budget import MIN_BUDGET_CHARS
from longhaul.compaction.render.text import PRECEDENCE, RECALL
from longhaul.compaction.state import NoteKind
from longhaul.compaction.statements import ASK_TOOLS, find_statements
from longhaul.transcript.entries import (
    AssistantMessage,
    Entry,
    MessageEntry,
    ToolResultMessage,
    UserMessage,
    content_text,
)
from tests.build import assistant, custom, user
from tests.compaction.diff.diffs import shuffled
from tests.compaction.model_asking import Outcome, Session, ask, entry_of, session
from tests.compaction.model_checks import check_laws, check_state
from tests.compaction.model_sessions import (
    CENTIMETRES,
    FORMATTER,
    INNOCENT,
    MAY_PUSH,
    SESSIONS,
    WINDOW,
    ordinary,
    strict,
)
from tests.compaction.sections import section

EVERY: tuple[Session, ...] = (*SESSIONS.values(), ordinary(), strict())
KINDS: st.SearchStrategy[NoteKind] = st.sampled_from(("done", "in progress", "decided", "next"))
anything = st.text(st.characters(), max_size=40)
sessions = st.sampled_from(EVERY)


def shown_in(given_session: Session) -> list[tuple[str, str]]:
    """Every text of a session before its cut, whoever wrote it, by the turn it stands in."""
    turn = 0
    texts: list[tuple[str, str]] = []
    for entry in given_session.path[: given_session.end]:
        if isinstance(entry, MessageEntry):
            message = entry.message
            turn += isinstance(message, UserMessage)
            if isinstance(message, UserMessage | AssistantMessage | ToolResultMessage):
                texts.append((f"u{max(turn, 1)}", content_text(message.content)))
    return [(name, text) for name, text in texts if text.strip()]


def quotings(given_session: Session) -> st.SearchStrategy[tuple[str, str]]:
    """A turn and words: the user's, what stands there, a piece of either, or anything."""
    path, end = given_session.path, given_session.end
    typed = [(f"u{one.turn}", one.text) for one in find_statements(path, 0, end, n_turns=0)]
    theirs = st.sampled_from(typed)
    whole = st.one_of(theirs, theirs, st.sampled_from(shown_in(given_session)))
    part = st.tuples(whole, st.integers(0, 8), st.integers(1, 9)).map(
        lambda cut: (cut[0][0], " ".join(cut[0][1].split()[cut[1] : cut[1] + cut[2]]))
    )
    joined = st.tuples(whole, whole).map(lambda two: (two[0][0], f"{two[0][1]} {two[1][1]}"))
    moved = st.tuples(turns(given_session), whole.map(lambda pair: pair[1]))
    return st.one_of(theirs, theirs, part, part, joined, moved, st.tuples(anything, anything))


def turns(given_session: Session) -> st.SearchStrategy[str]:
    return st.integers(0, given_session.n_turns + 2).map(lambda n: f"u{n}")


def names(given_session: Session) -> st.SearchStrategy[str]:
    rules = st.integers(0, given_session.offline.n_rules + 2).map(lambda n: f"r{n}")
    return st.one_of(rules, rules, turns(given_session), anything)


@st.composite
def diffs(draw: st.DrawFn, given_session: Session) -> Diff:
    quoting, name = quotings(given_session), names(given_session)
    value = st.one_of(
        st.sampled_from(
            ("4f2a91c", "9be01d7", "165.9 ms", "7731", "8437", "3.61 m", "load_table()")
        ),
        quoting.map(lambda pair: pair[1]),
    )
    rule = quoting.map(lambda pair: RuleItem(message=pair[0], quote=pair[1]))
    lift = st.tuples(name, quoting).map(
        lambda one: LiftItem(rule=one[0], message=one[1][0], quote=one[1][1])
    )
    text = st.one_of(quoting.map(lambda pair: pair[1]), anything)
    note = st.builds(NoteItem, kind=KINDS, message=turns(given_session), text=text)
    named = st.builds(ValueItem, value=value, message=turns(given_session), what=text)
    return Diff(
        rules=tuple(draw(st.lists(rule, max_size=6))),
        lifts=tuple(draw(st.lists(lift, max_size=6))),
        one_offs=tuple(draw(st.lists(st.builds(OneOffItem, name=name), max_size=4))),
        values=tuple(draw(st.lists(named, max_size=4))),
        notes=tuple(draw(st.lists(note, max_size=4))),
    )


cases = sessions.flatmap(lambda one: st.tuples(st.just(one), diffs(one)))


def verified(given_session: Session, diff: Diff) -> Verified:
    return verify_diff(
        diff,
        given_session.offline,
        given_session.path,
        start=0,
        end=given_session.end,
        ask_tools=ASK_TOOLS,
    )


@given(cases)
@settings(max_examples=40)
def test_any_reply_leaves_what_code_knows(case: tuple[Session, Diff]) -> None:
    check_laws(ask(case[0], dump_diff(case[1])))


@given(cases)
@settings(max_examples=50)
def test_any_diff_applied_twice_is_applied_once(case: tuple[Session, Diff]) -> None:
    given_session, diff = case
    changes = verified(given_session, diff).changes
    once = apply_changes(given_session.offline, changes)
    check_state(given_session, given_session.offline, once)
    assert apply_changes(once, changes) == once


@given(cases, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_the_order_of_a_reply_makes_no_difference(
    case: tuple[Session, Diff], chance: Random
) -> None:
    given_session, diff = case
    assert verified(given_session, shuffled(diff, chance)) == verified(given_session, diff)


@given(cases)
@settings(max_examples=25)
def test_any_state_keeps_the_smallest_budget(case: tuple[Session, Diff]) -> None:
    given_session, diff = case
    changes = verified(given_session, diff).changes
    state = apply_changes(given_session.offline, changes)
    options = CompactOptions(window_tokens=1_000)
    rendered = render_at(state, given_session.path, given_session.end, options)
    required = sum(
        len(line) + 1
        for name in ("Goal", "Objective", "Rules")
        for line in (f"\n## {name}", *section(rendered.text, name))
    )
    least = len(PRECEDENCE) + len(RECALL) + 3 + required
    assert len(rendered.text) <= max(MIN_BUDGET_CHARS, least)
    assert rendered.over_budget == (len(rendered.text) > MIN_BUDGET_CHARS)


def later(before: Outcome) -> Session:
    """Return the session after a compaction, with corrections and more to compact behind it."""
    first = before.session
    rule = before.state.rules[0].quote
    restored = custom("longhaul", {"restore": {"entryId": rule.entry_id, "text": rule.text}})
    dropped = before.state.rules[-1].quote
    drop = custom("longhaul", {"drop": {"entryId": dropped.entry_id, "text": dropped.text}})
    said = (CENTIMETRES, INNOCENT, MAY_PUSH, FORMATTER)
    more: list[Entry] = [restored, drop]
    more += [entry for text in said for entry in (user(text), assistant("Good."))]
    return session((*first.path, entry_of(first, before.made), *more), WINDOW)


@given(cases.flatmap(lambda case: st.tuples(st.just(case), st.data())))
@settings(max_examples=15)
def test_any_two_replies_leave_what_code_knows(
    drawn: tuple[tuple[Session, Diff], st.DataObject],
) -> None:
    (given_session, diff), data = drawn
    second = later(ask(given_session, dump_diff(diff)))
    assert any(rule.quote.text == FORMATTER for rule in second.offline.rules)
    check_laws(ask(second, dump_diff(data.draw(diffs(second)))))
