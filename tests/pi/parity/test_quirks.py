"""What one would not guess about pi's reading and cutting, each held against the pinned pi."""

import json
from pathlib import Path
from typing import TypeAlias

import pytest

from longhaul.errors import SessionError
from longhaul.pi.sessions import load_session
from longhaul.transcript.entries import JsonValue
from tests.pi.parity.canonical import describe_session, has_roots
from tests.pi.parity.oracle import Oracle, PiError
from tests.records import (
    HEADER,
    answered,
    asked,
    called,
    compacted,
    edited,
    replied,
    said,
    write_chain,
)
from tests.strategies import Record, dump_lines

Answer: TypeAlias = dict[str, JsonValue]
USAGE: JsonValue = {"totalTokens": 5000}
LONG = "x" * 400


class Both:
    """Asks Longhaul and pi about one file, and wants the same answer."""

    def __init__(self, oracle: Oracle, folder: Path) -> None:
        self._oracle = oracle
        self._file = folder / "session.jsonl"

    def read(self, *bodies: Record, keep: int = 50) -> Answer:
        """Return what both make of a chain of entries."""
        write_chain(self._file, *bodies)
        return self._compare(keep)

    def read_bytes(self, data: bytes, keep: int = 50) -> Answer:
        """Return what both make of a file of these bytes."""
        self._file.write_bytes(data)
        return self._compare(keep)

    def refuse(self, data: bytes) -> str:
        """Return the error with which Longhaul refuses a file that pi refuses too."""
        self._file.write_bytes(data)
        with pytest.raises(PiError, match="not a valid pi session"):
            self._oracle.ask("session", file=str(self._file), keep=[], roots=False, leaf=None)
        with pytest.raises(SessionError) as refused:
            load_session(self._file)
        return str(refused.value).removeprefix(f"{self._file}: ")

    def cut(self, *bodies: Record, keep: int = 50) -> Answer:
        """Return where both cut a chain of entries."""
        answer = self.read(*bodies, keep=keep)["cuts"]
        assert isinstance(answer, list)
        assert isinstance(answer[0], dict)
        return answer[0]

    def is_nothing_to_compact(self, *bodies: Record, keep: int = 50) -> bool:
        return self.read(*bodies, keep=keep)["cuts"] == [None]

    def _compare(self, keep: int) -> Answer:
        session = load_session(self._file)
        ours = describe_session(session, [keep])
        request = {"file": str(self._file), "keep": [keep], "roots": has_roots(session)}
        theirs = self._oracle.ask("session", **request, leaf=None)
        assert isinstance(theirs, dict)
        assert ours == theirs
        return theirs


@pytest.fixture
def both(oracle: Oracle, tmp_path: Path) -> Both:
    return Both(oracle, tmp_path)


def test_the_oracle_runs_the_pinned_version(oracle: Oracle) -> None:
    assert oracle.ask("version") == "1.6.0"


# Where the cut falls


def test_a_trailing_result_over_the_budget_is_kept_with_its_call(both: Both) -> None:
    cut = both.cut(asked("a"), replied("b", called("bash")), answered(LONG))
    assert (cut["firstKept"], cut["isSplitTurn"], cut["prefix"]) == ("e2", True, [["user", "a"]])


def test_a_trailing_result_over_the_budget_keeps_all_where_nothing_is_before_its_call(
    both: Both,
) -> None:
    assert both.is_nothing_to_compact(replied("b", called("bash")), answered(LONG))


def test_a_result_over_the_budget_moves_the_cut_to_the_next_cut_point(both: Both) -> None:
    cut = both.cut(
        asked("a"), replied("b", called("bash")), answered(LONG), replied("c"), asked("d")
    )
    assert cut["firstKept"] == "e4"


def test_a_budget_of_zero_keeps_from_the_newest_message_that_counts(both: Both) -> None:
    cut = both.cut(asked("a"), asked("b"), asked(""), keep=0)
    assert cut["firstKept"] == "e2"


def test_entries_that_show_nothing_stay_with_the_message_after_them(both: Both) -> None:
    label: Record = {"type": "label", "targetId": "e1", "label": "here"}
    cut = both.cut(asked("a"), label, {"type": "custom", "customType": "x"}, asked(LONG))
    assert cut["firstKept"] == "e2"


def test_a_message_of_an_unknown_role_is_no_cut_point_and_stops_at_the_cut(both: Both) -> None:
    cut = both.cut(asked("a"), said("robot", content="beep"), asked(LONG))
    assert (cut["firstKept"], cut["history"]) == ("e3", [["user", "a"], ["robot"]])


def test_a_failed_attempt_that_edits_took_back_moves_the_cut_past_its_input(both: Both) -> None:
    attempt = replied("half", stop="error")
    cut = both.cut(asked("a"), asked(LONG), attempt, edited("e3"))
    assert cut["firstKept"] == "e3"


def test_an_edit_alone_does_not_move_the_cut_past_an_input(both: Both) -> None:
    cut = both.cut(asked("a"), asked(LONG), edited("e1", "changed"))
    assert cut["firstKept"] == "e2"


def test_an_edit_that_replaces_another_entry_keeps_the_cut_before_a_failed_attempt(
    both: Both,
) -> None:
    attempt = replied("half", stop="error")
    cut = both.cut(asked("a"), asked(LONG), attempt, edited("e3"), edited("e1", "changed"))
    assert cut["firstKept"] == "e2"


def test_a_replacement_of_what_was_taken_back_does_not_stop_the_cut(both: Both) -> None:
    attempt = replied("half", stop="error")
    cut = both.cut(asked("a"), asked(LONG), attempt, edited("e3", "other"), edited("e3"))
    assert cut["firstKept"] == "e3"


def test_a_compaction_after_an_attempt_that_was_taken_back_stops_the_cut(both: Both) -> None:
    label: Record = {"type": "label", "targetId": "e1", "label": "here"}
    attempt, compactions = replied("half", stop="error"), (compacted("e1"), compacted("e1"))
    cut = both.cut(asked("a"), asked(LONG), attempt, edited("e3"), *compactions, label)
    assert cut["firstKept"] == "e2"


def test_an_older_compaction_stops_the_kept_window(both: Both) -> None:
    cut = both.cut(asked("a"), compacted("e1"), asked(LONG), compacted("e1"), asked("b"))
    assert (cut["firstKept"], cut["history"]) == ("e3", [["user", "a"]])


def test_a_budget_that_is_met_exactly_is_full(both: Both) -> None:
    assert both.cut(asked("a"), asked("x" * 200))["firstKept"] == "e2"
    assert both.is_nothing_to_compact(asked("a"), asked("x" * 192))


def test_an_omitted_attempt_within_the_budget_moves_nothing(both: Both) -> None:
    attempt = replied("half", stop="error")
    assert both.is_nothing_to_compact(asked("a"), asked("b"), attempt, edited("e3"))


def test_a_split_turn_without_a_start_in_the_window_is_no_split_turn(both: Both) -> None:
    cut = both.cut(replied("a"), replied("b"), replied(LONG))
    assert (cut["firstKept"], cut["isSplitTurn"]) == ("e3", False)


def test_a_bare_compaction_at_the_leaf_leaves_nothing_to_compact(both: Both) -> None:
    assert both.is_nothing_to_compact(asked("a"), asked("b"), compacted("e2"), keep=0)


def test_labels_after_a_compaction_let_pi_compact_what_it_kept(both: Both) -> None:
    label: Record = {"type": "label", "targetId": "e1", "label": "here"}
    cut = both.cut(asked("a"), asked("b"), asked("c"), compacted("e2"), label, keep=0)
    assert (cut["firstKept"], cut["history"]) == ("e3", [["user", "b"]])


# What the model sees


def test_a_compaction_that_names_itself_keeps_nothing_before_it(both: Both) -> None:
    shown = both.read(asked("a"), asked("b"), compacted("e3"), asked("c"))["projection"]
    summary, rest = ["e3", [["compactionSummary", "so far"]]], ["e4", [["user", "c"]]]
    assert shown == [summary, rest]


def test_a_compaction_that_names_an_unknown_entry_keeps_nothing_before_it(both: Both) -> None:
    shown = both.read(asked("a"), compacted("gone"), asked("c"))["projection"]
    assert shown == [["e2", [["compactionSummary", "so far"]]], ["e3", [["user", "c"]]]]


def test_a_compactions_own_system_message_stands_for_those_in_the_kept_range(both: Both) -> None:
    prompt: JsonValue = {"role": "system", "content": "now", "timestamp": 1}
    shown = both.read(
        said("system", content="first"),
        asked("a"),
        said("system", content="kept?"),
        compacted("e2", systemMessage=prompt),
        said("system", content="after"),
    )["projection"]
    roles = [[row[0], [message[0] for message in rows(row[1])]] for row in rows(shown)]
    assert roles == [["e4", ["system", "compactionSummary"]], ["e2", ["user"]], ["e5", ["system"]]]


def test_an_older_compaction_in_the_kept_range_shows_nothing(both: Both) -> None:
    shown = both.read(
        asked("a"), compacted("e1", "old"), asked("b"), compacted("e2", "new"), asked("c")
    )["projection"]
    assert [[entry, messages] for entry, messages in rows(shown)][:2] == [
        ["e4", [["compactionSummary", "new"]]],
        ["e2", []],
    ]


def test_a_compaction_left_out_by_an_edit_is_no_previous_summary(both: Both) -> None:
    cut = both.cut(asked("a"), compacted("e1"), edited("e2"), asked("b"), asked(LONG))
    assert (cut["previousSummary"], cut["history"]) == (None, [["user", "a"], ["user", "b"]])


def test_the_newest_of_several_edits_counts(both: Both) -> None:
    shown = both.read(asked("a"), edited("e1"), edited("e1", "b"))["projection"]
    assert rows(shown)[0] == ["e1", [["user", "b"]]]


def test_a_string_in_place_of_a_reply_becomes_a_text_block(both: Both) -> None:
    shown = both.read(replied("a"), edited("e1", "b"))["projection"]
    assert rows(shown)[0][1] == [["assistant", [["text", "b"]], "", "", "stop"]]


def test_an_edit_can_leave_a_shell_command_out_but_not_change_it(both: Both) -> None:
    ran = said("bashExecution", command="ls", output="x")
    changed = both.read(ran, edited("e1", "other"))["projection"]
    assert rows(changed)[0] == ["e1", [["bashExecution", "ls", "x"]]]
    assert rows(both.read(ran, edited("e1"))["projection"])[0] == ["e1", []]


def test_a_branch_summary_without_text_shows_nothing(both: Both) -> None:
    shown = both.read({"type": "branch_summary", "summary": "", "fromId": "x"}, asked("a"))
    assert rows(shown["projection"])[0] == ["e1", []]


def test_a_hook_message_of_version_2_is_a_custom_message(both: Both) -> None:
    hook = {**said("hookMessage", customType="x", content="y"), "id": "e1", "parentId": None}
    shown = both.read_bytes(dump_lines([{**HEADER, "version": 2}, hook]))["projection"]
    assert shown == [["e1", [["custom", "x", "y"]]]]


# Tokens


def test_usage_counts_with_what_came_after_it(both: Both) -> None:
    cut = both.cut(asked("a"), replied("b", usage=USAGE), asked(LONG))
    assert cut["tokensBefore"] == 5100


def test_usage_from_before_an_edit_is_not_trusted(both: Both) -> None:
    cut = both.cut(asked("abcd"), replied("b", usage=USAGE), edited("e1", "abcde"), asked(LONG))
    assert cut["tokensBefore"] == 103


def test_usage_from_before_a_compaction_is_not_trusted(both: Both) -> None:
    cut = both.cut(asked("a"), replied("b", usage=USAGE), compacted("e1"), asked(LONG))
    assert cut["tokensBefore"] == 104


@pytest.mark.parametrize("stop", ["aborted", "error"])
def test_usage_of_a_reply_that_failed_is_passed_over(both: Both, stop: str) -> None:
    failed = replied("c", usage={"totalTokens": 9}, stop=stop)
    assert (
        both.cut(asked("a"), replied("b", usage=USAGE), failed, asked(LONG))["tokensBefore"] == 5101
    )


def test_usage_without_a_total_is_added_up_and_null_counts_as_zero(both: Both) -> None:
    usage: JsonValue = {
        "totalTokens": 0,
        "input": 5,
        "output": 4,
        "cacheRead": None,
        "cacheWrite": 1,
    }
    assert both.cut(asked("a"), replied("b", usage=usage), asked(LONG))["tokensBefore"] == 110


def test_usage_that_lacks_a_part_is_no_usage(both: Both) -> None:
    usage: JsonValue = {"input": 5, "output": 4, "cacheRead": 1}
    assert both.cut(asked("a"), replied("b", usage=usage), asked(LONG))["tokensBefore"] == 102


def test_system_messages_count_as_the_one_they_add_up_to(both: Both) -> None:
    cut = both.cut(
        said("system", content="", sections={"a": "x" * 40, "b": "y" * 40}),
        said("system", content="", sections={"a": "x" * 8, "b": None}),
        asked("a"),
        asked(LONG),
    )
    assert cut["tokensBefore"] == 2 + 1 + 100


def test_an_empty_list_of_tools_counts_two_characters(both: Both) -> None:
    counted = both.read(said("system", content="abcd", toolsAdded=[]))["tokens"]
    assert counted == [[2]]


def test_a_reply_that_is_a_bare_string_counts_nothing_but_a_result_counts(both: Both) -> None:
    reply, result = said("assistant", content=LONG), said("toolResult", content=LONG)
    assert both.read(reply, result)["tokens"] == [[0], [100]]


def test_lengths_are_in_utf_16_units(both: Both) -> None:
    assert both.read(asked("😀" * 4))["tokens"] == [[2]]


def test_an_image_counts_4800_characters_but_nothing_in_a_reply(both: Both) -> None:
    image: JsonValue = {"type": "image", "mimeType": "image/png", "data": "AAAA"}
    reply = said("assistant", content=[image])
    assert both.read(asked([image]), reply)["tokens"] == [[1200], [0]]


def test_arguments_count_as_javascript_writes_them(both: Both) -> None:
    numbers: list[JsonValue] = [1.0, 1e21, 1e-7, -0.0, 123456789012345678901234, 1.5]
    reply = replied("", called("t", n=numbers, text='"\\\n\x01\ud800é'))
    written = (
        '{"n":[1,1e+21,1e-7,0,1.2345678901234568e+23,1.5],"text":"' + r"\"\\\n\u0001\ud800é" + '"}'
    )
    assert both.read(reply)["tokens"] == [[-(-(1 + len(written)) // 4)]]


def test_arguments_that_are_no_object_count_all_the_same(both: Both) -> None:
    call: JsonValue = {"type": "toolCall", "id": "c", "name": "bash", "arguments": "12345678"}
    assert both.read(said("assistant", content=[call]))["tokens"] == [[-(-(4 + 10) // 4)]]


def test_a_shell_command_kept_from_the_model_counts_all_the_same(both: Both) -> None:
    ran = said("bashExecution", command="abcd", output="efgh", excludeFromContext=True)
    assert both.read(ran)["tokens"] == [[2]]


# File operations


def test_file_lists_are_carried_from_a_compaction_of_pis_own(both: Both) -> None:
    files: JsonValue = {"readFiles": ["r"], "modifiedFiles": ["m"]}
    cut = both.cut(asked("a"), compacted("e2", details=files), asked("b"), asked(LONG))
    assert cut["fileOps"] == {"read": ["r"], "written": [], "edited": ["m"]}


def test_file_lists_are_not_carried_from_an_extensions_compaction(both: Both) -> None:
    files: JsonValue = {"readFiles": ["r"], "modifiedFiles": ["m"]}
    entry = compacted("e2", details=files, fromHook=True)
    cut = both.cut(asked("a"), entry, asked("b"), asked(LONG))
    assert cut["fileOps"] == {"read": [], "written": [], "edited": []}


def test_calls_made_inside_a_tool_count_as_file_operations(both: Both) -> None:
    nested: JsonValue = {"calls": [{"id": "n", "name": "write", "arguments": {"path": "w"}}]}
    cut = both.cut(asked("a"), replied("b"), answered("c", nestedCalls=nested), asked(LONG))
    assert cut["fileOps"] == {"read": [], "written": ["w"], "edited": []}


def test_operations_of_an_edited_reply_are_those_that_it_shows_now(both: Both) -> None:
    reply = replied("b", called("read", path="r"))
    new: JsonValue = [called("edit", path="e")]
    cut = both.cut(asked("a"), reply, edited("e2", new), asked(LONG))
    assert cut["fileOps"] == {"read": [], "written": [], "edited": ["e"]}


def test_operations_of_a_turns_prefix_count_too(both: Both) -> None:
    read, wrote = replied("b", called("read", path="r")), replied("c", called("write", path="w"))
    cut = both.cut(asked("a"), read, wrote, replied(LONG))
    assert cut["isSplitTurn"]
    assert cut["fileOps"] == {"read": ["r"], "written": ["w"], "edited": []}


# Lines of a file


def test_of_two_entries_with_one_id_the_last_counts_and_is_the_leaf(both: Both) -> None:
    again = {**asked("second"), "id": "e1", "parentId": None}
    answer = both.read(asked("first"), asked("b"), again)
    assert answer["projection"] == [["e1", [["user", "second"]]]]


def test_a_parent_that_does_not_exist_makes_a_root(both: Both) -> None:
    answer = both.read(asked("a"), {**asked("b"), "parentId": "gone"}, asked("c"))
    assert (answer["path"], answer["roots"]) == (["e2", "e3"], ["e1", "e2"])


def test_an_id_that_is_a_number_is_found_by_that_number_only(both: Both) -> None:
    number: Record = {**asked("a"), "id": 5}
    assert both.read(number, {**asked("b"), "parentId": 5.0})["path"] == ["\x005", "e2"]
    assert both.read(number, {**asked("b"), "parentId": "5"})["path"] == ["e2"]


def test_a_last_entry_without_id_leaves_pi_without_a_path(both: Both) -> None:
    assert both.read(asked("a"), {**asked("b"), "id": ""})["path"] == []


@pytest.mark.parametrize("line", [b"5", b'"text"', b"true", b"[]", b"{}"])
def test_a_last_line_that_is_a_value_without_id_leaves_pi_without_a_path(
    both: Both, line: bytes
) -> None:
    first = {**asked("a"), "id": "e1", "parentId": None}
    assert both.read_bytes(dump_lines([HEADER, first]) + line)["path"] == []


@pytest.mark.parametrize("line", [b"null", b"0", b'""', b"false", b"NaN", b"{", b"{} {}", b"1 2"])
def test_a_last_line_that_is_nothing_is_passed_over(both: Both, line: bytes) -> None:
    first = {**asked("a"), "id": "e1", "parentId": None}
    assert both.read_bytes(dump_lines([HEADER, first]) + line)["path"] == ["e1"]


@pytest.mark.parametrize("ending", [b"\r\n", b"\n\n", b"\n \t\n", "\n\u3000\n".encode()])
def test_carriage_returns_and_blank_lines_do_no_harm(both: Both, ending: bytes) -> None:
    lines = dump_lines([HEADER, {**asked("a"), "id": "e1", "parentId": None}])
    assert both.read_bytes(lines.replace(b"\n", ending))["path"] == ["e1"]


@pytest.mark.parametrize("char", ["\u2028", "\u2029", "\x85", "\x7f"])
def test_only_a_line_feed_ends_a_line(both: Both, char: str) -> None:
    entry = {**asked(f"a{char}b"), "id": "e1", "parentId": None}
    data = json.dumps(HEADER) + "\n" + json.dumps(entry, ensure_ascii=False) + "\n"
    assert both.read_bytes(data.encode())["projection"] == [["e1", [["user", f"a{char}b"]]]]


def test_bytes_that_are_no_utf_8_become_replacement_characters(both: Both) -> None:
    lines = dump_lines([HEADER, {**asked("a@b"), "id": "e1", "parentId": None}])
    answer = both.read_bytes(lines.replace(b"@", b"\xe2\x82\xff\xed\xa0\x80"))
    assert answer["projection"] == [["e1", [["user", "a" + "\ufffd" * 5 + "b"]]]]


def test_a_character_across_two_reads_of_pis_stays_whole(both: Both) -> None:
    lines = dump_lines([HEADER, {**asked("@"), "id": "e1", "parentId": None}])
    start = lines.index(b"@")
    data = lines.replace(b"@", b"x" * (2**20 - 2 - start) + "😀".encode())
    assert both.read_bytes(data)["tokens"] == [[-(-(2**20 - start) // 4)]]


def test_a_line_nested_without_end_is_an_entry(both: Both) -> None:
    entry = b'{"type":"custom","id":"e1","data":' + b"[" * 20_000 + b"]" * 20_000 + b"}"
    assert both.read_bytes(dump_lines([HEADER]) + entry)["path"] == ["e1"]


def test_two_entries_on_one_line_are_both_lost(both: Both) -> None:
    first, second = ({**asked("a"), "id": name, "parentId": None} for name in ("e1", "e2"))
    pair = dump_lines([first]).strip() + dump_lines([second])
    assert both.read_bytes(dump_lines([HEADER]) + pair)["path"] == []


def test_damage_before_the_header_does_no_harm(both: Both) -> None:
    entry = {**asked("a"), "id": "e1", "parentId": None}
    assert both.read_bytes(b"\n{half\nnull\n" + dump_lines([HEADER, entry]))["path"] == ["e1"]


def test_a_further_header_is_no_entry(both: Both) -> None:
    entry = {**asked("a"), "id": "e1", "parentId": None}
    assert both.read_bytes(dump_lines([HEADER, entry, {**HEADER, "id": "t"}]))["path"] == ["e1"]


def test_an_entry_before_the_header_makes_it_no_session(both: Both) -> None:
    assert both.refuse(dump_lines([asked("a"), HEADER])) == (
        "not a pi session: the first record is no session header; "
        "give a .jsonl file from pi's sessions folder"
    )


def test_a_byte_order_mark_costs_the_header(both: Both) -> None:
    assert both.refuse(b"\xef\xbb\xbf" + dump_lines([HEADER])) == (
        "not a pi session: no line of it is JSON"
    )


def test_a_header_whose_id_is_no_string_makes_it_no_session(both: Both) -> None:
    assert "no session header" in both.refuse(dump_lines([{**HEADER, "id": 5}]))


# Version 1


V1: Record = {"type": "session", "id": "s", "cwd": "/p"}


def test_version_1_is_one_chain_whatever_ids_it_has(both: Both) -> None:
    odd = {**asked("b"), "id": "x", "parentId": "y"}
    assert both.read_bytes(dump_lines([V1, asked("a"), odd]))["path"] == ["v1.1", "v1.2"]


@pytest.mark.parametrize(
    ("index", "kept"),
    [
        (1, ["v1.1", "v1.2"]),
        (2.0, ["v1.2"]),
        (0, []),
        (3, []),
        (4, []),
        (-1, []),
        (1.5, []),
        ("1", []),
    ],
)
def test_version_1_names_the_kept_entry_by_its_index(
    both: Both, index: JsonValue, kept: list[str]
) -> None:
    entry = {**compacted("ignored"), "firstKeptEntryIndex": index}
    answer = both.read_bytes(dump_lines([V1, asked("a"), asked("b"), entry, asked("c")]))
    assert [name for name, _ in rows(answer["projection"])] == ["v1.3", *kept, "v1.4"]


def test_version_1_gives_a_list_an_id(both: Both) -> None:
    answer = both.read_bytes(dump_lines([V1, asked("a"), [], asked("b")]))
    assert answer["path"] == ["v1.1", "v1.2", "v1.3"]


@pytest.mark.parametrize("version", ["2", 2.5, True, "x", 7])
def test_a_version_is_compared_as_javascript_does(both: Both, version: JsonValue) -> None:
    hook = {**said("hookMessage", customType="x", content="y"), "id": "e1", "parentId": None}
    both.read_bytes(dump_lines([{**HEADER, "version": version}, hook]))


def rows(answer: JsonValue) -> list[list[JsonValue]]:
    """Return an answer that is a list of lists as one."""
    assert isinstance(answer, list)
    return [row for row in answer if isinstance(row, list)]
