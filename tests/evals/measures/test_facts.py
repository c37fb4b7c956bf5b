"""Which printed values the next messages used again, and a text keeps."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.recall.documents import Corpus
from longhaul.compaction.recall.query import Query
from longhaul.compaction.recall.scanning import ScanIndex
from longhaul.compaction.recall.search import find_hits
from longhaul.compaction.recall.view import view_path
from longhaul.evals.measures.amounts import Count
from longhaul.evals.measures.catalog import MEASURES
from longhaul.evals.measures.facts import facts, facts_with_recall, reused
from longhaul.evals.measures.need import need_with_recall
from longhaul.evals.measures.subject import Subject, find_occasions
from longhaul.transcript.entries import CompactionEntry, Entry, Path
from tests.build import (
    assistant,
    call,
    compaction,
    custom_message,
    message_entry,
    path,
    ran,
    result,
    system,
    user,
)
from tests.evals.measures.occasions import judged

RUNS = call("bash", command="node bench.js")
SPAN = (
    user("Measure it."),
    assistant(calls=[RUNS]),
    result(RUNS, "readRows took 165.7 ms, commit edfab42"),
)
USES = (assistant("Was it 165.7 ms?"), assistant(calls=[call("bash", command="grep readRows")]))


def closed(*before: Entry, span: Sequence[Entry] = SPAN, kept: Sequence[Entry] = ()) -> Path:
    """Return a session that compacts `before` and then `span`, keeps `kept`, and uses values."""
    first = (*before, compaction()) if before else ()
    kept_at = f"e{len(first) + len(span) + 1}" if kept else ""
    return path(*first, *span, *kept, compaction(first_kept=kept_at), *USES)


def judged_last(session: Path, text: str) -> tuple[Count, Count]:
    """Return `facts` and `reused` of a text at the newest compaction."""
    return judged(facts, session, text, number=0), judged(reused, session, text, number=0)


def test_what_the_span_printed_and_the_next_messages_use_is_due() -> None:
    assert judged_last(closed(), "It took 165.7 ms.") == (
        Count(kept=("165.7",), lost=("readRows",)),
        Count(kept=("165.7",)),
    )


@pytest.mark.parametrize("text", ["", "1165.7 ms", "165.75", "v.165.7", "It took a while."])
def test_a_part_of_a_longer_token_keeps_nothing(text: str) -> None:
    assert judged_last(closed(), text)[1] == Count(lost=("165.7",))


def test_what_the_span_says_is_reused_but_no_fact() -> None:
    session = closed(span=(*SPAN, assistant("It took 165.7 ms in readRows.")))
    assert judged_last(session, "") == (Count(), Count(lost=("165.7",)))


@pytest.mark.parametrize(
    "entry",
    [
        user("Is it 165.7?"),
        assistant("165.7"),
        ran("node old.js", "165.7"),
        custom_message("165.7"),
        message_entry(system("165.7")),
    ],
)
def test_what_was_said_told_or_printed_before_is_not_first_seen(entry: Entry) -> None:
    assert judged_last(closed(entry), "") == (Count(lost=("readRows",)), Count())


@pytest.mark.parametrize(
    "entry",
    [user("Is it 165.7?"), assistant("165.7"), custom_message("165.7")],
)
def test_what_the_span_said_before_it_printed_it_is_not_first_seen(entry: Entry) -> None:
    assert judged_last(closed(span=(entry, *SPAN)), "") == (Count(lost=("readRows",)), Count())


def test_what_a_tool_was_given_before_is_still_first_seen_when_printed() -> None:
    writes = assistant(calls=[call("write", path="a.js", content="readRows(165.7)")])
    assert judged_last(closed(writes), "")[0] == Count(lost=("165.7", "readRows"))


def test_reasoning_neither_says_nor_uses() -> None:
    thinks = assistant(thinking="165.7, readRows, edfab42")
    session = path(thinks, *SPAN, compaction(), *USES, thinks)
    assert judged_last(session, "")[0] == Count(lost=("165.7", "readRows"))


@pytest.mark.parametrize(
    "entry", [user("165.7"), ran("node b.js", "165.7"), assistant(calls=[call("x", a=165.7)])]
)
def test_what_the_kept_window_shows_is_not_due(entry: Entry) -> None:
    assert judged_last(closed(kept=(entry,)), "") == (Count(lost=("readRows",)), Count())


def test_what_is_printed_in_the_kept_window_only_is_not_due() -> None:
    assert judged_last(closed(span=(user("go"),), kept=SPAN), "") == (Count(), Count())


def test_a_secret_is_never_due() -> None:
    token = "ghp_" + "a1B2" * 9
    session = path(
        user("go"),
        assistant(calls=[RUNS]),
        result(RUNS, f"token {token} and 165.7"),
        compaction(),
        assistant(f"{token} and 165.7"),
    )
    assert judged_last(session, token)[1] == Count(lost=("165.7",))


def test_recall_finds_every_fact_for_an_arm_that_has_it() -> None:
    assert judged(facts_with_recall, closed(), "", is_own=True) == Count(kept=("165.7", "readRows"))
    assert judged(facts_with_recall, closed(), "165.7") == judged(facts, closed(), "165.7")


WORDS = st.sampled_from(("165.7", "readRows", "edfab42", "a.js", "src/a.js", "plain", "node a.js"))
TEXTS = st.lists(WORDS, max_size=4).map(" ".join)
ENTRIES = st.one_of(
    TEXTS.map(user),
    TEXTS.map(lambda text: assistant(text, [call("read", path=text), call("bash", command=text)])),
    TEXTS.map(lambda text: ran(text, text)),
    TEXTS.map(lambda text: result("c0", text, tool="read")),
    st.just(compaction()),
)
SESSIONS = st.lists(ENTRIES, max_size=12).map(lambda listed: path(*listed, compaction(), *USES))


@given(SESSIONS)
def test_what_recall_is_said_to_find_its_own_exact_search_finds(session: Path) -> None:
    corpus = Corpus()
    corpus.add(session)
    index = ScanIndex()
    index.update(corpus)
    at = max(i for i, entry in enumerate(session) if isinstance(entry, CompactionEntry))
    view = view_path(corpus, session[: at + 1], closed_only=True)
    for judge in (facts_with_recall, need_with_recall):
        for name in judged(judge, session, "", number=0, is_own=True).kept:
            assert find_hits(corpus, view, Query(text=name, exact=(name,)), index).hits


@given(SESSIONS)
def test_each_thing_is_due_once_and_a_text_about_something_else_keeps_none(session: Path) -> None:
    text = "Rules: be kind."
    subject = Subject(text=text, plan=text, occasion=find_occasions(session, None)[-1])
    for measure in MEASURES:
        if not measure.is_labelled and measure.better == "more":
            count = measure.judge(subject)
            assert isinstance(count, Count)
            assert count.kept == ()
            assert len(set(count.lost)) == count.n_due
