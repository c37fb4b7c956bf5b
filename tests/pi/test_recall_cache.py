"""The index on disk is for its owner alone, can be damaged in any way, and is made anew."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from longhaul.compaction.recall.answer import Answer
from longhaul.compaction.recall.scanning import ScanIndex
from longhaul.errors import CacheError
from longhaul.pi.recall import Recaller, RecallRequest
from longhaul.pi.recall_cache import clear_cache, find_cache_dir, index_name
from longhaul.pi.recall_texts import SearchedTexts
from longhaul.pi.sessions import Session, load_session
from tests.records import asked, write_chain

DIES_WRITING = """
import os, signal, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN IMMEDIATE")
connection.execute("DELETE FROM batches")
connection.execute("INSERT INTO release SELECT hex(randomblob(20000)) FROM rows_data, rows_data")
os.kill(os.getpid(), signal.SIGKILL)
"""
"""Dies in the middle of writing, with half of it in the file and the rest in the journal."""


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "home" / ".cache" / "longhaul"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    bodies = [asked(f"message {number} of the harbour") for number in range(300)]
    return load_session(write_chain(tmp_path / "s.jsonl", *bodies, asked("the port is 8123")))


def ask(recaller: Recaller, session: Session, text: str = "port 8123") -> Answer:
    return recaller.recall(session, session.path, RecallRequest(text=text, closed_only=False))


def index_of(cache: Path, session: Session) -> Path:
    return cache / index_name(session.file)


def assert_answers(cache: Path, session: Session, note: str = "") -> None:
    """Check that recall answers, what it says of the index, and that it leaves a whole one."""
    recaller = Recaller(cache)
    assert [one.entry_id for one in ask(recaller, session).shown] == ["e301"]
    assert ask(recaller, session, "harbour").n_hits == 300
    assert note in recaller.note
    assert bool(note) == bool(recaller.note)
    assert "\n" not in recaller.note
    recaller.close()


def test_folder_and_file_are_the_owners_alone(cache: Path, session: Session) -> None:
    assert_answers(cache, session)
    modes = [stat.S_IMODE(file.stat().st_mode) for file in (cache, *cache.iterdir())]
    assert modes == [0o700, 0o600]


def test_a_folder_and_a_file_that_others_can_read_are_closed_to_them(
    cache: Path, session: Session
) -> None:
    assert_answers(cache, session)
    cache.chmod(0o755)
    index_of(cache, session).chmod(0o644)
    assert_answers(cache, session)
    modes = [stat.S_IMODE(file.stat().st_mode) for file in (cache, *cache.iterdir())]
    assert modes == [0o700, 0o600]


def test_the_name_of_an_index_does_not_tell_the_sessions(cache: Path, session: Session) -> None:
    assert_answers(cache, session)
    (name,) = os.listdir(cache)  # noqa: PTH208 - the names are what is looked at
    assert len(name) == 32 + len(".recall.sqlite3")
    assert session.file.stem not in name[:32]


def test_an_index_that_is_whole_is_used_as_it_is(cache: Path, session: Session) -> None:
    assert_answers(cache, session)
    before = index_of(cache, session).stat()
    assert_answers(cache, session)
    after = index_of(cache, session).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def garbage(file: Path) -> None:
    file.write_bytes(b"no database" * 1000)


def empty(file: Path) -> None:
    file.write_bytes(b"")


def truncate(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def overwrite(file: Path) -> None:
    middle = file.stat().st_size // 2
    with file.open("r+b") as stream:
        stream.seek(middle)
        stream.write(b"\xff" * 6000)


def damage_a_name(file: Path) -> None:
    data = file.read_bytes()
    assert b"TABLE release(" in data
    file.write_bytes(data.replace(b"TABLE release(", b"TABLE rel\xffase("))


def kill(file: Path) -> None:
    subprocess.run([sys.executable, "-c", DIES_WRITING, file], check=False)
    assert file.with_name(file.name + "-journal").exists()


def run_sql(file: Path, *statements: str) -> None:
    connection = sqlite3.connect(file)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def assert_mended(cache: Path, session: Session) -> None:
    """Check that recall answers, and that the index it made is used the next time."""
    assert_answers(cache, session)
    whole = index_of(cache, session).stat()
    assert_answers(cache, session)
    assert index_of(cache, session).stat().st_mtime_ns == whole.st_mtime_ns


@pytest.mark.parametrize(
    "damage", [Path.unlink, garbage, empty, truncate, overwrite, damage_a_name, kill]
)
def test_a_damaged_file_is_made_anew(
    cache: Path, session: Session, damage: Callable[[Path], None]
) -> None:
    assert_answers(cache, session)
    damage(index_of(cache, session))
    assert_mended(cache, session)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE release SET name = 'older'",
        "DELETE FROM release",
        "DROP TABLE batches",
        "DROP TABLE rows",
        "CREATE TABLE more(x)",
        "DELETE FROM rows_data",
        "UPDATE rows_config SET v = 99",
        "UPDATE batches SET offsets = x'0000'",
        "UPDATE batches SET offsets = x''",
        "UPDATE batches SET offsets = x'00000000'",
        "UPDATE batches SET documents = 'text'",
        "UPDATE batches SET masked = x'ffff0000'",
        "UPDATE batches SET n_documents = 5",
        "UPDATE batches SET n_documents = 'x'",
        "UPDATE batches SET n_documents = -1",
        "UPDATE batches SET n_documents = 99999",
        "UPDATE batches SET mark = mark + 1",
        "DELETE FROM batches",
    ],
)
def test_an_index_that_holds_what_it_must_not_is_made_anew(
    cache: Path, session: Session, statement: str
) -> None:
    assert_answers(cache, session)
    run_sql(index_of(cache, session), statement)
    assert_mended(cache, session)


def test_an_index_that_is_damaged_while_it_is_used_is_made_anew(
    cache: Path, session: Session
) -> None:
    recaller = Recaller(cache)
    ask(recaller, session)
    overwrite(index_of(cache, session))
    truncate(index_of(cache, session))
    assert ask(recaller, session, "harbour").n_hits == 300
    assert recaller.note == ""
    assert_answers(cache, session)


def test_an_index_that_is_removed_while_it_is_used_does_no_harm(
    cache: Path, session: Session
) -> None:
    recaller = Recaller(cache)
    ask(recaller, session)
    assert clear_cache(cache) == 1
    assert ask(recaller, session, "harbour").n_hits == 300


def test_while_another_process_writes_the_search_is_made_in_memory(
    cache: Path, session: Session
) -> None:
    assert_answers(cache, session)
    run_sql(index_of(cache, session), "DELETE FROM batches", "DELETE FROM rows_data")
    other = sqlite3.connect(index_of(cache, session), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert_answers(cache, session, "database is locked")
    other.execute("ROLLBACK")
    other.close()
    assert_answers(cache, session)


def test_a_link_in_place_of_the_folder_is_refused(
    cache: Path, session: Session, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    cache.parent.mkdir(parents=True)
    cache.symlink_to(elsewhere)
    assert_answers(cache, session, "a link or no plain file or folder; remove it")
    with pytest.raises(CacheError, match="a link"):
        clear_cache(cache)
    assert list(elsewhere.iterdir()) == []


def test_a_link_in_place_of_an_index_is_refused(
    cache: Path, session: Session, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.write_text("precious")
    cache.mkdir(parents=True)
    index_of(cache, session).symlink_to(other)
    assert_answers(cache, session, "a link or no plain file or folder; remove it")
    assert other.read_text() == "precious"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_refused(cache: Path, session: Session) -> None:
    cache.mkdir(parents=True)
    os.chown(cache, 65534, 65534)
    assert_answers(cache, session, "belongs to another user; remove it")
    with pytest.raises(CacheError, match="another user"):
        clear_cache(cache)


def test_where_no_folder_can_be_made_the_search_is_made_in_memory(
    session: Session, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    assert_answers(tmp_path / "file" / "longhaul", session, "searched without an index on disk: ")


def test_clearing_removes_indexes_and_nothing_else(cache: Path, session: Session) -> None:
    assert clear_cache(cache) == 0
    assert_answers(cache, session)
    other = cache / "notes.txt"
    other.write_text("mine")
    assert clear_cache(cache) == 1
    assert list(cache.iterdir()) == [other]
    other.unlink()
    assert clear_cache(cache) == 0
    assert not cache.exists()


@pytest.mark.parametrize(
    ("environment", "platform", "folder"),
    [
        ({"HOME": "/h"}, "linux", "/h/.cache/longhaul"),
        ({"HOME": "/h", "XDG_CACHE_HOME": "/c"}, "linux", "/c/longhaul"),
        ({"HOME": "/h", "XDG_CACHE_HOME": "c"}, "linux", "/h/.cache/longhaul"),
        ({"HOME": "/h", "XDG_CACHE_HOME": "/c"}, "darwin", "/h/Library/Caches/longhaul"),
    ],
)
def test_the_cache_is_where_the_system_keeps_caches(
    environment: dict[str, str], platform: str, folder: str
) -> None:
    assert find_cache_dir(environment, platform) == Path(folder)


def test_texts_can_be_searched_without_sqlite(session: Session) -> None:
    texts = SearchedTexts(ScanIndex(), ())
    texts.take(session)
    assert texts.index.documents_of(texts.index.rows_with(["port"])) == {300}
    texts.index.close()
