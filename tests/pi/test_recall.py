"""Recall over session files: what grows is taken in, and an index tells what scanning tells."""

import json
from collections.abc import Sequence
from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from longhaul.compaction.recall.answer import Answer
from longhaul.compaction.recall.documents import Corpus, entry_parts
from longhaul.compaction.recall.scanning import ScanIndex
from longhaul.compaction.secrets import mask_secrets
from longhaul.pi.recall import Recaller, RecallRequest
from longhaul.pi.recall_index import SqliteIndex
from longhaul.pi.sessions import Session, SessionReader, load_session, path_to, session_from_records
from longhaul.transcript.entries import JsonValue
from tests.records import answered, asked, called, chained, compacted, replied, said, write_chain
from tests.strategies import Record, linear_records, tree_records

TOKEN = "ghp_" + "a1B2" * 9
QUERIES = ("run", "again", "u1", "u2", '"n"', "a.py", "naïve", "path", "summary", "𝄞", "x" * 90)
HEADER: Record = {"type": "session", "version": 3, "id": "s", "cwd": "/p"}


def ask(recaller: Recaller, session: Session, text: str, *, closed: bool = False) -> Answer:
    request = RecallRequest(text=text, closed_only=closed, limit=1000)
    return recaller.recall(session, session.path, request)


def entries(answer: Answer) -> list[str]:
    return [one.entry_id for one in answer.shown]


def session_of(records: Sequence[JsonValue]) -> Session:
    return session_from_records([HEADER, *records], file=Path("s.jsonl"))


@settings(max_examples=40)
@given(linear_records(), st.integers(0, 14))
def test_a_session_that_grew_is_answered_as_one_that_was_read_at_once(
    records: list[Record], n_first: int
) -> None:
    grown, whole = Recaller(None), Recaller(None)
    entries = session_of([*records]).entries
    texts = Corpus()
    index = SqliteIndex(None)
    for part in (entries[:n_first], entries[n_first:]):
        texts.add(part)
        index.update(texts)
    at_once = Corpus()
    at_once.add(entries)
    SqliteIndex(None).update(at_once)
    assert texts.texts == at_once.texts
    for query in QUERIES[:2]:
        ask(grown, session_of([*records[:n_first]]), query)
        session = session_of([*records])
        assert ask(grown, session, query) == ask(whole, session, query)
    index.close()


@given(tree_records())
def test_nothing_of_another_branch_is_shown(records: list[Record]) -> None:
    session = session_of([*records])
    recaller = Recaller(None)
    for leaf in session.index:
        path = path_to(session, leaf)
        on_path = {entry.id for entry in path}
        for query in QUERIES[:5]:
            answer = recaller.recall(session, path, RecallRequest(text=query, closed_only=False))
            assert {one.entry_id for one in answer.shown} <= on_path


@settings(max_examples=60)
@given(linear_records(), st.data())
def test_any_piece_of_any_text_is_found(records: list[Record], data: st.DataObject) -> None:
    session = session_of([*records])
    texts = [
        (entry.id, mask_secrets(text))
        for entry in session.path
        for _, text, _ in entry_parts(entry)
    ]
    assume(texts)
    entry_id, text = data.draw(st.sampled_from(texts))
    start = data.draw(st.integers(0, max(0, len(text) - 1)))
    piece = text[start : data.draw(st.integers(start + 1, max(start + 1, len(text))))]
    answer = ask(Recaller(None), session, f'"{piece}"')
    assert entry_id in {one for hit in answer.shown for one in (hit.entry_id, *hit.same)}


@given(st.text(max_size=60), st.text(min_size=1, max_size=20))
def test_words_of_any_script_break_nothing(text: str, query: str) -> None:
    session = session_of(
        [{"type": "message", "id": "e", "message": {"role": "user", "content": text}}]
    )
    answer = ask(Recaller(None), session, query)
    assert answer.n_hits in (0, 1)
    if query.strip() and query in text:
        assert answer.n_hits == 1


@given(st.lists(st.sampled_from(("find_cut", "findCut", "src/cut.py", "cut", "a 1.5")), max_size=5))
def test_an_index_finds_what_scanning_its_lines_finds(lines: list[str]) -> None:
    session = session_of(
        [{"type": "message", "id": "e", "message": {"role": "user", "content": "\n".join(lines)}}]
    )
    scanned, indexed = (Corpus(), ScanIndex()), (Corpus(), SqliteIndex(None))
    for corpus, index in (scanned, indexed):
        corpus.add(session.entries)
        index.update(corpus)
    for words in (["cut"], ["findcut"], ["find", "cut"], ["srccutpy"], ["15"], ["other"]):
        rows = scanned[1].rows_with(words)
        assert rows == indexed[1].rows_with(words)
        assert scanned[1].documents_of(rows) == indexed[1].documents_of(rows)
    indexed[1].close()


def test_new_entries_of_a_file_are_found(tmp_path: Path) -> None:
    file = write_chain(tmp_path / "s.jsonl", asked("the first port"), replied("Yes."))
    reader, recaller = SessionReader(file), Recaller(tmp_path / "cache")
    assert entries(ask(recaller, reader.read(), "port")) == ["e1"]
    with file.open("ab") as stream:
        record = {"type": "message", "id": "x", "parentId": "e2", **asked("the second port")}
        stream.write(json.dumps(record).encode() + b"\n")
    assert entries(ask(recaller, reader.read(), "port")) == ["x", "e1"]
    assert entries(ask(Recaller(tmp_path / "cache"), load_session(file), "port")) == ["x", "e1"]
    assert recaller.note == ""


def test_an_unfinished_last_line_is_taken_as_it_is_and_again_when_it_is_finished(
    tmp_path: Path,
) -> None:
    file = write_chain(tmp_path / "s.jsonl", asked("one"), asked("a port"))
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    reader, recaller = SessionReader(file), Recaller(tmp_path / "cache")
    for _ in range(2):
        assert entries(ask(recaller, reader.read(), "port")) == ["e2"]
    file.write_bytes(whole)
    assert entries(ask(recaller, reader.read(), "port")) == ["e2"]


def test_a_file_that_was_rewritten_is_read_anew(tmp_path: Path) -> None:
    file = write_chain(tmp_path / "s.jsonl", asked("a port"), asked("the harbour"), asked("end"))
    reader, recaller = SessionReader(file), Recaller(tmp_path / "cache")
    assert entries(ask(recaller, reader.read(), "harbour")) == ["e2"]
    write_chain(file, asked("a port"), asked("the station"), asked("end"))
    for one in (recaller, Recaller(tmp_path / "cache")):
        assert entries(ask(one, reader.read(), "harbour")) == []
        assert entries(ask(one, reader.read(), "station")) == ["e2"]


def test_a_file_that_got_shorter_is_read_anew(tmp_path: Path) -> None:
    file = write_chain(tmp_path / "s.jsonl", asked("a port"), asked("the harbour"))
    ask(Recaller(tmp_path / "cache"), load_session(file), "port")
    write_chain(file, asked("a port"))
    recaller = Recaller(tmp_path / "cache")
    assert entries(ask(recaller, load_session(file), "harbour")) == []
    assert (entries(ask(recaller, load_session(file), "port")), recaller.note) == (["e1"], "")


def test_one_recaller_goes_from_session_to_session(tmp_path: Path) -> None:
    one = load_session(write_chain(tmp_path / "1.jsonl", asked("port one")))
    two = load_session(write_chain(tmp_path / "2.jsonl", asked("port two")))
    recaller = Recaller(tmp_path / "cache")
    for session, text in ((one, "port one"), (two, "port two"), (one, "port one")):
        (shown,) = ask(recaller, session, "port").shown
        assert shown.quote == text


def test_an_asking_tool_that_the_user_names_holds_the_users_words(tmp_path: Path) -> None:
    question = called("ask_me", text="which port?")
    answer = said("toolResult", toolCallId="c", toolName="ask_me", content="8123")
    session = load_session(write_chain(tmp_path / "s.jsonl", replied("", question), answer))
    recaller = Recaller(tmp_path / "cache")
    kinds = []
    for tools in (("question",), ("ask_me",), ("question",)):
        request = RecallRequest(text="8123", closed_only=False, ask_tools=tools)
        kinds.append({one.kind for one in recaller.recall(session, session.path, request).shown})
    assert kinds == [{"output"}, {"output", "answer"}, {"output"}]


def test_a_hit_that_is_closed_is_offered_and_one_in_view_is_not(tmp_path: Path) -> None:
    bodies = (asked("port 1"), asked("port 2"), compacted("e2"), asked("port 3"))
    session = load_session(write_chain(tmp_path / "s.jsonl", *bodies))
    recaller = Recaller(tmp_path / "cache")
    assert entries(ask(recaller, session, "port", closed=True)) == ["e1"]
    assert entries(ask(recaller, session, "port")) == ["e4", "e2", "e1"]


def test_an_entry_id_as_a_query_shows_what_stands_around_it(tmp_path: Path) -> None:
    session = load_session(write_chain(tmp_path / "s.jsonl", asked("port"), replied("Yes.")))
    recaller = Recaller(tmp_path / "cache")
    for query in ("e2", "[e2]"):
        answer = ask(recaller, session, query)
        assert (answer.text.splitlines()[0].split(",")[0], entries(answer)) == (
            "Around [e2]",
            ["e1", "e2"],
        )


def test_an_empty_question_is_answered() -> None:
    session = session_of(chained([asked("port")])[1:])
    assert ask(Recaller(None), session, " ").text.startswith("Nothing found: nothing was asked")
    around = RecallRequest(around="e1", closed_only=False)
    assert Recaller(None).recall(session, session.path, around).n_hits == 1


def test_no_secret_is_found_or_stands_in_the_index(tmp_path: Path) -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow1B\nMIIEow2B\n-----END RSA PRIVATE KEY-----"
    bodies = (
        asked(f"use {TOKEN}"),
        replied("", called("bash", command="mysql -u me -ps3cr3tw0rd!")),
        answered(f"password:\n  hunter2x!\n{key}"),
        replied("done with the harbour"),
    )
    session = load_session(write_chain(tmp_path / "s.jsonl", *bodies))
    recaller = Recaller(tmp_path / "cache")
    for secret in (TOKEN, TOKEN[4:20], "s3cr3tw0rd", "hunter2x", "MIIEow1B", "MIIEow2B"):
        for query in (secret, f'"{secret}"'):
            assert ask(recaller, session, query).n_hits == 0
    assert entries(ask(recaller, session, "harbour")) == ["e4"]
    recaller.close()
    (index,) = (tmp_path / "cache").iterdir()
    held = index.read_bytes().lower()
    assert b"harbour" in held
    for secret in (TOKEN[4:], "s3cr3tw0rd", "hunter2x", "miieow1b", "miieow2b", "a1b2a1b2"):
        assert secret.lower().encode() not in held
