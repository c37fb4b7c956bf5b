"""Which values are learned, from which output, and which are kept."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longhaul.compaction.state import Value
from longhaul.compaction.statements import count_turns
from longhaul.compaction.values import advance_values
from longhaul.transcript.entries import (
    BashExecutionMessage,
    Entry,
    MessageEntry,
    Path,
    ToolResultMessage,
    content_text,
)
from tests.build import assistant, call, compaction, opaque, path, ran, result, user


def printed(output: str, command: str = "./run") -> list[Entry]:
    called = call("bash", command=command)
    return [assistant(calls=[called]), result(called, output)]


def whole_path(*parts: Entry | list[Entry]) -> Path:
    return path(
        *(entry for part in parts for entry in (part if isinstance(part, list) else [part]))
    )


def learned(*parts: Entry | list[Entry]) -> tuple[Value, ...]:
    entries = whole_path(*parts)
    return advance_values((), entries, 0, len(entries), 0)


def tokens(*parts: Entry | list[Entry]) -> list[str]:
    return [value.token for value in learned(*parts)]


def test_a_value_that_a_tool_printed_and_the_assistant_reported_is_learned() -> None:
    seen = learned(
        user("measure it"),
        printed("parse: 165.7 ms\n[main abc1234] Add parser"),
        assistant("Parsing took **165.7 ms**.\nCommitted as `abc1234`."),
        user("ok"),
        user("revert abc1234"),
    )
    assert seen == (
        Value(
            token="165.7 ms",
            what="Parsing took 165.7 ms.",
            entry_id="e3",
            turn=1,
            used_turn=1,
        ),
        Value(token="abc1234", what="Committed as `abc1234`.", entry_id="e3", turn=1, used_turn=3),
    )


@pytest.mark.parametrize(
    "use",
    [
        assistant("The port is 43117."),
        user("use port 43117"),
        assistant(calls=[call("bash", command="curl localhost:43117")]),
        assistant(calls=[call("fetch", request={"urls": ["http://localhost:43117/x"]})]),
        assistant(calls=[call("write", path="a.md", content="http://localhost:43117")]),
        ran("curl localhost:43117"),
    ],
)
def test_every_way_to_use_a_value_counts(use: Entry) -> None:
    assert tokens(user("go"), printed("listening on 43117"), use) == ["43117"]


@pytest.mark.parametrize(
    "first",
    [
        user("use port 43117"),
        assistant("I will use port 43117."),
        assistant(calls=[call("bash", command="serve --port 43117")]),
        assistant(calls=[call("write", path="a.py", content="PORT = 43117")]),
        ran("serve 43117"),
    ],
)
def test_what_was_said_before_a_tool_printed_it_is_not_learned(first: Entry) -> None:
    assert (
        tokens(first, printed("listening on 43117"), assistant("It listens on port 43117.")) == []
    )


def test_thinking_and_output_alone_use_nothing() -> None:
    thought = assistant(thinking="port 43117, then")
    assert tokens(user("go"), printed("listening on 43117"), thought, printed("43117")) == []


def test_an_answer_of_the_user_is_said_and_not_printed() -> None:
    asked = call("question", question="Which port?")
    answer = result(asked, "User wrote: port 43117", details={"answer": "port 43117"})
    assert tokens(assistant(calls=[asked]), answer, assistant("port 43117")) == []
    assert tokens(printed("43117"), assistant(calls=[asked]), answer) == ["43117"]


def test_a_command_that_the_user_kept_from_the_model_is_not_learned_from() -> None:
    hidden = MessageEntry(
        id="",
        parent_id=None,
        message=BashExecutionMessage(command="x", output="43117", exclude_from_context=True),
    )
    assert tokens(hidden, user("port 43117")) == []
    assert tokens(ran("x", "on 43117"), user("port 43117")) == ["43117"]


@pytest.mark.parametrize(
    ("output", "report", "expected"),
    [
        ("took 165.713 ms", "It took 166 ms.", ["165.713 ms"]),
        ("took 165.713ms", "It took 165.7 ms.", ["165.713ms"]),
        ("duration_ms 165.713", "It took 165.7 ms.", ["165.713"]),
        ("real 165.713", "It took 165.7 ms.", []),
        ("took 165.713 s", "It took 166 ms.", []),
        ("took 166.9 ms", "It took 166 ms.", []),
        ("auc: 0.8234", "The AUC is 0.82.", ["0.8234"]),
        ("took 1,165.7 ms", "It took 166 ms.", []),
        ("took 165.713msec", "It took 166 ms.", []),
        ("took 9.6 ms", "It took 10 ms.", ["9.6 ms"]),
    ],
)
def test_a_rounding_brings_the_exact_value(output: str, report: str, expected: list[str]) -> None:
    assert tokens(user("go"), printed(output), assistant(report)) == expected


def test_a_later_rounding_uses_the_exact_value() -> None:
    seen = learned(
        printed("took 165.713 ms"),
        assistant("It took 165.713 ms."),
        user("why 166 ms?"),
        printed("other"),
        user("and 1 ms?"),
    )
    assert [(value.token, value.used_turn) for value in seen] == [("165.713 ms", 1)]


def test_a_short_hash_uses_the_full_one() -> None:
    full = "abc1234" + "0" * 33
    seen = learned(printed(f"commit {full}"), user("show abc1234"), user("and abc12340 again"))
    assert [(value.token, value.used_turn) for value in seen] == [(full, 2)]


def test_a_value_is_named_by_the_first_output_that_showed_it() -> None:
    seen = learned(
        user("one"),
        printed("total 4,120"),
        user("two"),
        printed("4120 rows"),
        assistant("4120 rows"),
    )
    assert [(value.token, value.entry_id, value.turn) for value in seen] == [("4,120", "e3", 1)]


def test_a_value_is_learned_from_an_output_before_the_span() -> None:
    entries = whole_path(
        user("go"), printed("on 43117"), compaction(), assistant("The port is 43117."), user("ok")
    )
    (value,) = advance_values((), entries, 4, 5, 1)
    assert (value.token, value.entry_id, value.turn) == ("43117", "e3", 1)


def test_an_output_far_back_is_not_looked_at() -> None:
    long_ago = [printed(f"x {n}") for n in range(40)]
    assert tokens(printed("on 43117"), *long_ago, assistant("port 43117")) == []


def test_the_values_used_last_are_kept() -> None:
    many: list[Entry | list[Entry]] = [
        part
        for n in range(100)
        for part in (printed(f"id {n + 5000}"), assistant(f"The id is {n + 5000}."))
    ]
    seen = learned(*many[:10], *many, user("again: id 5030"), *many[180:])
    assert len(seen) == 80
    assert seen[0].token == "5020"
    assert [value.token for value in seen[-12:-10]] == ["5089", "5030"]


def test_of_two_spellings_of_a_number_the_one_used_last_is_used() -> None:
    seen = learned(
        printed("4120 rows"),
        assistant("4120 rows"),
        printed("4120 files"),
        assistant("all 4120 files"),
        user("4,120 rows"),
    )
    assert [(value.token, value.used_turn) for value in seen] == [("4120 rows", 1)]


def test_a_value_that_is_learned_again_stays_as_it_was() -> None:
    seen = learned(printed("37 tests"), assistant("37 tests"), user("so, all 37 good tests?"))
    known = Value(token="37", what="first", entry_id="e1", turn=0, used_turn=0)
    entries = whole_path(printed("rows 37\nfiles: 37"), user("37 files"))
    assert [value.token for value in seen] == ["37 tests"]
    assert advance_values((known,), entries, 0, len(entries), 0) == (replace(known, used_turn=1),)


def test_values_with_one_number_give_way_one_by_one() -> None:
    same = [
        Value(token=token, what="", entry_id="e1", turn=1, used_turn=1)
        for token in ("55 ms", "55 kB")
    ]
    many = [part for n in range(80) for part in (printed(f"id {n + 5000}"), user(f"id {n + 5000}"))]
    entries = whole_path(*many)
    seen = advance_values(tuple(same), entries, 0, len(entries), 1)
    assert [value.token for value in seen] == [str(n + 5000) for n in range(80)]


def test_texts_deep_in_arguments_are_no_use() -> None:
    deep = call("fetch", a={"b": [{"c": [{"d": "port 43117"}]}]}, n=43117)
    assert tokens(user("go"), printed("on 43117"), assistant(calls=[deep])) == []


def test_entries_that_are_no_messages_say_nothing() -> None:
    assert tokens(opaque(), printed("on 43117"), opaque(), user("port 43117"), opaque()) == [
        "43117"
    ]


def test_a_large_output_is_searched_at_its_ends_only() -> None:
    filler = "x " * 100_000
    output = f"begin 43117\n{filler}\nmiddle 43118\n{filler}\nend 43119"
    said = assistant("ports 43117 and 43118 and 43119")
    assert tokens(printed(output), said) == ["43117", "43119"]


PIECES = st.sampled_from(
    [
        *(
            "165.7 ms",
            "165.713ms",
            "166 ms",
            "166",
            "1,204 rows",
            "1204",
            "37 passed",
            "all 37 tests",
        ),
        *("abc1234", "abc1234def", "abc1234d", "port 43117", "localhost:43117", "version 4", "4"),
        *(
            "0.82",
            "0.8234",
            "v1.2.3",
            "1.2.3",
            "2024-11-29",
            "87%",
            "87.3%",
            "\n",
            ",",
            ".",
            "x",
            "5 s",
        ),
    ]
)
TEXTS = st.lists(PIECES, max_size=5).map(" ".join)
PARTS = st.one_of(
    st.builds(lambda text: [user(text)], TEXTS),
    st.builds(lambda text: [assistant(text)], TEXTS),
    st.builds(printed, TEXTS, TEXTS),
    st.builds(lambda text: [ran("x", text)], TEXTS),
)
SESSIONS = st.lists(PARTS, max_size=14)


def outputs(entries: Path) -> Iterator[tuple[str, str]]:
    for entry in entries:
        if isinstance(entry, MessageEntry):
            if isinstance(entry.message, ToolResultMessage):
                yield entry.id, content_text(entry.message.content)
            elif isinstance(entry.message, BashExecutionMessage):
                yield entry.id, entry.message.output


@settings(max_examples=200)
@given(SESSIONS)
def test_every_value_stands_as_a_whole_token_in_the_entry_it_names(
    parts: list[list[Entry]],
) -> None:
    entries = whole_path(*parts)
    printed_by = dict(outputs(entries))
    for value in advance_values((), entries, 0, len(entries), 0):
        token = re.escape(value.token)
        assert re.search(rf"(?<![\w.]){token}(?!\w|\.\d)", printed_by[value.entry_id])
        turn = count_turns(entries, 0, [entry.id for entry in entries].index(value.entry_id))
        assert value.turn == turn <= value.used_turn


@settings(max_examples=200)
@given(SESSIONS, st.data())
def test_values_do_not_depend_on_where_spans_fell(
    parts: list[list[Entry]], data: st.DataObject
) -> None:
    entries = whole_path(*parts)
    at_once = advance_values((), entries, 0, len(entries), 0)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(entries)), max_size=4)))
    values: tuple[Value, ...] = ()
    for start, end in zip([0, *cuts], [*cuts, len(entries)], strict=True):
        values = advance_values(values, entries, start, end, count_turns(entries, 0, start))
    assert values == at_once


def test_a_long_session_can_be_cut_anywhere() -> None:
    parts: list[list[Entry]] = []
    for n in range(260):
        parts.append(printed(f"{'y' * 900} id {7000 + n * 7 % 180} took {n % 60 + 20}.{n} ms"))
        parts.append([assistant(f"id {7000 + (n - 2) * 7 % 180}, {n % 60 + 20}.{n % 10} ms")])
        parts.extend([[user(f"id {7000 + n}")]] if n % 9 == 0 else [])
    entries = whole_path(*parts)
    at_once = advance_values((), entries, 0, len(entries), 0)
    assert len(at_once) == 80
    for step in (97, 301):
        values: tuple[Value, ...] = ()
        for start in range(0, len(entries), step):
            end = min(start + step, len(entries))
            values = advance_values(values, entries, start, end, count_turns(entries, 0, start))
        assert values == at_once


def test_what_lies_very_far_back_is_forgotten_wherever_spans_fell() -> None:
    parts: list[Entry | list[Entry]] = [user("go"), printed("on 43117"), user("port 43117")]
    for n in range(700):
        parts.append(printed(f"id {5000 + n} took {n}.5 ms"))
        parts.append(assistant(f"id {5000 + n}, {n}.5 ms, {n % 7}.5 s"))
    parts.append(user("id 5690 on port 43117"))
    entries = whole_path(*parts)
    at_once = advance_values((), entries, 0, len(entries), 0)
    assert [value.token for value in at_once][-2:] == ["699.5 ms", "5690"]
    for step in (120, 333, 1000):
        values: tuple[Value, ...] = ()
        for start in range(0, len(entries), step):
            end = min(start + step, len(entries))
            values = advance_values(values, entries, start, end, count_turns(entries, 0, start))
        assert values == at_once


def test_a_session_without_values_is_read_from_so_far_back_only() -> None:
    silent: list[Entry | list[Entry]] = [opaque()] * 5200
    first = [user("go"), *printed("on 43117"), user("port 43117")]
    entries = whole_path(*first, *silent, user("port 43117"))
    kept = whole_path(*first, *silent[:4000], user("port 43117"))
    assert advance_values((), entries, 0, len(entries), 0) == ()
    assert [value.token for value in advance_values((), kept, 0, len(kept), 0)] == ["43117"]


def test_what_recall_quotes_is_no_value_of_its_own() -> None:
    recalled = call("longhaul_recall", query="port")
    answer = result(recalled, '1. u4 [5a4160e7] user: "port 8117"')
    quoted: list[Entry] = [assistant(calls=[recalled]), answer]
    assert tokens(user("which port?"), quoted, assistant("u4 [5a4160e7] says port 8117.")) == []
