"""Which entries a query finds, and in which order."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from longhaul.compaction.recall.documents import Corpus
from longhaul.compaction.secrets import mask_secrets
from longhaul.transcript.entries import Path
from tests.build import (
    assistant,
    branch_summary,
    call,
    compaction,
    context_edit,
    path,
    result,
    user,
)
from tests.compaction.recall.searching import ask, found
from tests.strategies import paths

READ = call("read", path="src/longhaul/cut.py")
TOKEN = "ghp_" + "a1B2" * 9


def test_a_name_is_found_whole_and_by_its_parts() -> None:
    made = path(user("x"), assistant("`find_cut_point` cuts"), assistant("findCutPoint cuts"))
    for query in ("find_cut_point", "findCutPoint", "cut_point", "point", "find cut", "cutpoint"):
        assert set(found(made, query)) == {"e2", "e3"}, query


@pytest.mark.parametrize("query", ["src/longhaul/cut.py", "longhaul/cut.py", "cut.py", "longhaul"])
def test_a_path_is_found_whole_and_by_its_parts(query: str) -> None:
    assert found(path(assistant(calls=[READ]), user("port")), query) == ["e1"]


@pytest.mark.parametrize("query", ["--keep-recent-tokens", "keep-recent", "tokens"])
def test_a_flag_is_found_whole_and_by_its_parts(query: str) -> None:
    assert found(path(assistant("run it with --keep-recent-tokens 3000")), query) == ["e1"]


def test_a_hash_is_found_by_its_beginning_and_a_beginning_by_the_hash() -> None:
    full = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"
    made = path(result("c1", f"commit {full}", tool="bash"), assistant(f"That is {full[:8]}."))
    assert set(found(made, full)) == set(found(made, full[:8])) == {"e1", "e2"}
    assert found(made, full)[0] == "e1"
    assert found(made, full[:8])[0] == "e2"


def test_the_whole_name_ranks_before_its_parts() -> None:
    made = path(assistant("cut a point"), assistant("cut_point"), assistant("point of the cut"))
    assert found(made, "cut_point")[0] == "e2"


def test_the_users_words_rank_before_what_a_tool_printed() -> None:
    made = path(
        user("the port is 8123"),
        result("c1", "port 8123", tool="bash"),
        assistant("Port 8123 then.", thinking="The port is 8123?"),
    )
    assert found(made, "port 8123") == ["e1", "e3", "e2", "e3"]


def test_words_that_stand_close_rank_before_words_that_do_not() -> None:
    apart = "the port\n" + "filling\n" * 30 + "of staging"
    close = "filling\n" * 30 + "the port of staging"
    made = path(result("c1", close, tool="bash"), result("c2", apart, tool="bash"))
    assert found(made, "staging port") == ["e1", "e2"]


def test_of_two_as_good_the_newer_one_is_first() -> None:
    assert found(path(user("port 1"), user("port 2")), "port") == ["e2", "e1"]


def test_how_one_asks_finds_nothing_by_itself() -> None:
    made = path(user("what is that"), user("the harbour"), user("where is the harbour"))
    assert found(made, "what is the harbour?") == ["e3", "e2"]
    assert found(made, "what is") == ["e1", "e3"]


def test_short_texts_that_are_said_again_stand_once() -> None:
    made = path(user("go on"), user("go on"), user("now go"), user("go on"))
    (first, second) = ask(made, "go").shown
    assert (first.entry_id, first.same, second.entry_id) == ("e4", ("e1", "e2"), "e3")
    assert ask(made, "go").n_hits == 4


def test_an_exact_string_is_found_to_the_letter_and_else_in_any_case() -> None:
    made = path(user("Port  8123"), user("port 8123"))
    assert found(made, '"Port  81"') == ["e1"]
    assert found(made, '"PORT 81"') == ["e2"]
    assert found(made, '"ort  8"') == ["e1"]


def test_words_beside_an_exact_string_only_rank() -> None:
    made = path(user("a.b red"), user("a.b blue"), user("blue"))
    assert found(made, '"a.b" red') == ["e1", "e2"]
    assert found(made, '"a.b" nowhere') == ["e2", "e1"]


def test_what_no_word_finds_is_looked_for_inside_words() -> None:
    assert found(path(user("an export")), "xpo") == ["e1"]
    assert found(path(user("a && b")), "&&") == ["e1"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("服务器的端口是八千", "端口"),
        ("服务器的端口是八千", "端口是多少"),
        ("ポートは8123です", "ポート"),
        ("พอร์ตของเซิร์ฟเวอร์คือ 8123", "เซิร์ฟเวอร์"),
        ("포트는 8123", "포트"),
        ("Порт сервера 8123", "порт"),
        ("la contraseña está en el servidor", "está"),
        ("Die Größe stimmt", "größe"),
        ("ΣΤΟ ΛΙΜΆΝΙ", "λιμάνι"),
        ("पोर्ट बदल गया", "पोर्ट"),
    ],
)
def test_text_in_any_language_is_found(text: str, query: str) -> None:
    assert found(path(user("hello"), user(text), user("你好")), query) == ["e2"]


def test_turns_are_listed_in_order_and_narrow_a_search() -> None:
    made = path(user("one"), assistant("port 1"), user("two"), assistant("port 2", [READ]))
    assert found(made, "u2") == ["e3", "e4", "e4"]
    assert found(made, "u2 port") == ["e4"]
    assert found(made, "u1-u2") == ["e1", "e2", "e3", "e4", "e4"]
    assert found(made, "u3") == []


def test_a_kind_narrows_a_search() -> None:
    made = path(user("port"), assistant("port"))
    (only,) = ask(made, "port", kind="user").shown
    assert only.entry_id == "e1"


def test_only_what_the_context_no_longer_shows_is_offered() -> None:
    made = path(
        user("port 1"), user("port 2"), compaction("port 3", "e2"), context_edit("e2"), user("port")
    )
    assert found(made, "port", closed=True) == ["e2", "e1"]
    assert set(found(made, "port")) == {"e1", "e2", "e3", "e5"}


def test_without_a_compaction_nothing_is_closed() -> None:
    assert found(path(user("port")), "port", closed=True) == []


def test_the_newest_compaction_tells_what_is_closed() -> None:
    made = path(user("port 1"), compaction("port 2"), user("port 3"), compaction("port 4"))
    assert set(found(made, "port", closed=True)) == {"e1", "e2", "e3"}


def test_another_branch_is_never_shown() -> None:
    one, two, three = path(user("port 1"), user("port 2"), user("port 3"))
    assert [hit.entry_id for hit in ask((one, three), "port", entries=[two]).shown] == ["e3", "e1"]


def test_a_branch_summary_belongs_to_the_path() -> None:
    assert found(path(branch_summary("the port was wrong")), "port") == ["e1"]


def test_a_secret_is_not_found() -> None:
    made = path(user(f"use {TOKEN} for it"), result("c1", f"token: {TOKEN}", tool="bash"))
    for query in (TOKEN, f'"{TOKEN}"', TOKEN[:12], f'"{TOKEN[4:12]}"', "a1B2a1B2"):
        assert found(made, query) == [], query
    assert set(found(made, "GitHub token")) == {"e1", "e2"}


def test_more_hits_than_can_be_ranked_are_counted() -> None:
    made = path(*(user(f"port {number}") for number in range(1500)))
    answer = ask(made, "port", page=10**6)
    assert (answer.n_hits, answer.n_pages, answer.page) == (1500, 125, 125)


@st.composite
def substrings(draw: st.DrawFn) -> tuple[Path, str, str]:
    """A path, any piece of a text on it, and the entry that holds it."""
    made = draw(paths)
    corpus = Corpus()
    corpus.add(made)
    documents = [number for number, text in enumerate(corpus.texts) if text]
    assume(documents)
    document = draw(st.sampled_from(documents))
    text = mask_secrets(corpus.texts[document])
    start = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(start + 1, len(text)))
    return made, text[start:end], corpus.entries[document].id


@given(substrings())
def test_any_piece_of_any_text_is_found(case: tuple[Path, str, str]) -> None:
    made, piece, entry_id = case
    shown = ask(made, f'"{piece}"', limit=1000).shown
    assert entry_id in {one for hit in shown for one in (hit.entry_id, *hit.same)}


@given(paths, st.sampled_from(("a", "run", "u1", '"o"', "again", "nope")), st.integers(1, 4))
def test_pages_hold_every_hit_once(made: Path, text: str, limit: int) -> None:
    whole = ask(made, text, limit=1000)
    pages = [
        ask(made, text, limit=limit, page=page + 1)
        for page in range(ask(made, text, limit=limit).n_pages)
    ]
    assert [hit for page in pages for hit in page.shown] == list(whole.shown)
    assert all(page.n_hits == whole.n_hits for page in pages)
