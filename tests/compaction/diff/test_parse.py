"""A diff is read from whatever a model replies."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longhaul.compaction.completion import StopReason
from longhaul.compaction.diff.items import (
    Diff,
    LiftItem,
    NoteItem,
    OneOffItem,
    RuleItem,
    ValueItem,
)
from longhaul.compaction.diff.parse import (
    MAX_REPLY_CHARS,
    ParsedDiff,
    Unusable,
    dump_diff,
    parse_diff,
)
from longhaul.compaction.diff.schema import DIFF_SCHEMA

DIFF = Diff(
    rules=(RuleItem(message="u5", quote="never push to main"),),
    lifts=(LiftItem(rule="r3", message="u9", quote="tabs are fine now"),),
    one_offs=(OneOffItem(name="r4"), OneOffItem(name="u9")),
    values=(ValueItem(value="165.7 ms", message="u7", what="the first run"),),
    notes=(NoteItem(kind="in progress", message="u7", text="the port"),),
)
BARE = json.dumps(dump_diff(DIFF))
RULE = '{"message":"u5","quote":"never push to main"}'
ONE_RULE = Diff(rules=DIFF.rules)


def whole(diff: Diff, *problems: str) -> ParsedDiff:
    return ParsedDiff(diff=diff, problems=problems)


def cut(diff: Diff, *problems: str) -> ParsedDiff:
    return ParsedDiff(diff=diff, problems=problems, complete=False)


@pytest.mark.parametrize(
    "text",
    [
        BARE,
        f"\ufeff\n {BARE} \n",
        f"```json\n{BARE}\n```",
        f"```\n{json.dumps(dump_diff(DIFF), indent=2)}\n```\nThat is all.",
        f"Here is the diff, with {{braces}} before it:\n{BARE}\nDone.",
        f"<think>u5 or {{u6}}? {{}} maybe</think>\n{BARE}",
        f'<think>first {{"rules":[{{"message":"u1","quote":"x"}}]}} no</think>{BARE}',
        f"what the template opened is only closed</thinking>{BARE}",
        f'A draft: {{"rules": [{RULE}, {RULE}]}}. Better:\n{BARE}',
        f'{{"diff": {BARE}}}',
        f'{{"thoughts": "…", "result": [{{"diff": {BARE}}}]}}',
        BARE.replace("]", ",]").replace("}", ",}"),
        BARE.replace('"lifts"', "\n// what was withdrawn\n/* u9 * ] } */ lifts "),
        BARE.replace(', "quote"', ' "quote"').replace(', "lifts"', ' "lifts"'),
        BARE.replace("in progress", "In_Progress"),
    ],
)
def test_the_same_diff_is_read_in_every_dress(text: str) -> None:
    assert parse_diff(text, stop_reason="stop") == whole(DIFF)


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        (f'{{"rules":[{RULE}', cut(ONE_RULE)),
        (f'{{"rules":[{RULE},{{"message":"u6","quote":"a', cut(ONE_RULE)),
        (f'{{"rules":[{RULE},{{"message":"u6","quote":"a"', cut(ONE_RULE)),
        (f'{{"rules":[{RULE}],"lifts":[{{"rule":"r', cut(ONE_RULE)),
        (
            f'{{"rules":[{RULE}],"oneOffs":["r4","u',
            cut(Diff(rules=ONE_RULE.rules, one_offs=DIFF.one_offs[:1])),
        ),
        (f'{{"diff":{{"rules":[{RULE}],"narr', cut(ONE_RULE)),
        (f'```json\n{{"rules":[{RULE},\\', cut(ONE_RULE)),
        ('{"rules":[', cut(Diff())),
    ],
)
def test_of_a_reply_that_ends_anywhere_the_complete_items_are_used(
    text: str, parsed: ParsedDiff
) -> None:
    assert parse_diff(text, stop_reason="length") == parsed


def test_a_whole_object_of_a_reply_stopped_at_the_limit_is_not_called_complete() -> None:
    assert parse_diff(BARE, stop_reason="length") == cut(DIFF)


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        (
            f'{{"rules":[{RULE},{{"message":5,"quote":"x"}}]}}',
            whole(ONE_RULE, "1 of rules in another shape"),
        ),
        (
            f'{{"rules":[null,"u5",7,NaN,[],{RULE}]}}',
            whole(ONE_RULE, "5 of rules in another shape"),
        ),
        (f'{{"rules":[{RULE}],"lifts":{{}}}}', whole(ONE_RULE, "lifts is no list")),
        (f'{{"rules":[{RULE}],"values":"none"}}', whole(ONE_RULE, "values is no list")),
        (
            f'{{"rules":[{RULE}],"narrative":[{{"kind":"later","message":"u1","text":"x"}}]}}',
            whole(ONE_RULE, "1 of narrative in another shape"),
        ),
        (
            f'{{"rules":[{{"message":"u6", oops}},{RULE}]}}',
            whole(ONE_RULE, "1 of rules in another shape"),
        ),
        (f'{{"rules":[{RULE}],"rules":[{RULE}]}}', whole(Diff(rules=ONE_RULE.rules * 2))),
        (
            f'{{"rules":[{RULE[:-1]},"quote":"never","quote":"never push to main","n":0.9}}]}}',
            whole(ONE_RULE),
        ),
        (f'{{"rules":[{RULE}],"regras":[1],"n":1e999,"big":{"9" * 5000}}}', whole(ONE_RULE)),
    ],
)
def test_an_item_of_another_shape_is_left_out_alone_and_counted(
    text: str, parsed: ParsedDiff
) -> None:
    assert parse_diff(text, stop_reason="stop") == parsed


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"say \"no\"", 'say "no"'),
        ('say "no" twice', 'say "no" twice'),
        (r"match \d+ and \_x", r"match \d+ and \_x"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        (r"\u00fc \ud83c\udf0a", "ü 🌊"),
        (r"half \ud83c here", "half \ufffd here"),
        ("half \ud83c here", "half \ufffd here"),
        (r"\u00zz", r"\u00zz"),
        ('{\\"rules\\":[]}', '{"rules":[]}'),
    ],
)
def test_a_string_means_what_its_writer_meant(written: str, meant: str) -> None:
    parsed = parse_diff(f'{{"rules":[{{"message":"u1","quote":"{written}"}}]}}', stop_reason="stop")
    assert parsed == whole(Diff(rules=(RuleItem(message="u1", quote=meant),)))


@pytest.mark.parametrize(
    ("text", "stop_reason", "reason"),
    [
        ("", "stop", "the reply is empty"),
        (" \n", "length", "the reply is empty"),
        ("I would rather not.", "stop", "the reply holds no list of a diff"),
        ("{}", "stop", "the reply holds no list of a diff"),
        ('{"regeln": [], "werte": []}', "stop", "the reply holds no list of a diff"),
        (f'{{"a":[{"{}," * 200}{BARE}]}}', "stop", "the reply holds no list of a diff"),
        ('{"rules": 5}', "stop", "the reply holds no list of a diff"),
        ("null", "stop", "the reply holds no list of a diff"),
        (f"<think>perhaps {BARE}", "length", "the reply holds no list of a diff"),
        (BARE, "refused", "the model refused to answer"),
    ],
)
def test_a_reply_without_a_diff_says_why(text: str, stop_reason: StopReason, reason: str) -> None:
    assert parse_diff(text, stop_reason=stop_reason) == Unusable(reason)


def test_reasoning_that_was_never_closed_is_an_answer_only_where_the_reply_is_whole() -> None:
    assert parse_diff(f"<think>hm\n{BARE}", stop_reason="stop") == whole(DIFF)


def test_quoted_tags_of_reasoning_do_not_cut_an_answer() -> None:
    diff = Diff(rules=(RuleItem(message="u1", quote="</think> ends it"),))
    text = json.dumps(dump_diff(diff))
    assert parse_diff(text, stop_reason="stop") == whole(diff)
    assert parse_diff(f"So: {text}", stop_reason="stop") == whole(diff)


@pytest.mark.parametrize(
    "hostile",
    [
        '{"a":' * 30_000,
        "{" * 1_000_000,
        "[" * 1_000_000,
        '{"rules":[' + "[" * 1_000_000,
        '{"rules":["' * 100_000,
        "{/*" * 300_000,
        "{//" * 300_000,
        '{"rules":[{"m":1 ' * 60_000,
        '{"rules":["a" b' * 60_000,
        '{"rules":[' + '{"a" }, ' * 50_000,
        '"\\' * 500_000,
        '{"a" ' * 200_000,
        "{" + " " * 500_000 + "{" + " " * 400_000,
        "</think>{" * 100_000,
        '{"rules":[' + f"{RULE}," * 8_000,
    ],
)
def test_no_text_takes_more_than_linear_time(hostile: str) -> None:
    # Quadratic time would take the better part of an hour here.
    assert isinstance(parse_diff(hostile, stop_reason="stop"), ParsedDiff | Unusable)


def test_of_ten_megabytes_the_beginning_is_read() -> None:
    parsed = parse_diff('{"rules":[' + f"{RULE}," * 250_000, stop_reason="length")
    assert isinstance(parsed, ParsedDiff)
    assert len(parsed.diff.rules) == (MAX_REPLY_CHARS - len('{"rules":[')) // (len(RULE) + 1)
    assert parsed.problems == ("only 1,000,000 of 11,500,010 characters read",)


def test_nesting_that_nobody_means_is_not_followed() -> None:
    deep = '{"a":' * 31 + f'{{"rules":[{RULE}]}}'
    assert parse_diff(f"{deep}{'}' * 31}", stop_reason="stop") == Unusable(
        "the reply holds no list of a diff"
    )


texts = st.text(st.characters(exclude_categories=["Cs"]))
diffs = st.builds(
    Diff,
    rules=st.lists(st.builds(RuleItem, message=texts, quote=texts), max_size=3).map(tuple),
    lifts=st.lists(st.builds(LiftItem, rule=texts, message=texts, quote=texts), max_size=3).map(
        tuple
    ),
    one_offs=st.lists(st.builds(OneOffItem, name=texts), max_size=3).map(tuple),
    values=st.lists(st.builds(ValueItem, value=texts, message=texts, what=texts), max_size=3).map(
        tuple
    ),
    notes=st.lists(st.builds(NoteItem, message=texts, text=texts), max_size=3).map(tuple),
)


@given(diff=diffs, is_ascii=st.booleans(), indent=st.sampled_from((None, 1)))
def test_any_diff_dumps_and_parses_back(diff: Diff, is_ascii: bool, indent: int | None) -> None:  # noqa: FBT001 - drawn
    text = json.dumps(dump_diff(diff), ensure_ascii=is_ascii, indent=indent)
    assert parse_diff(text, stop_reason="stop") == whole(diff)


@settings(max_examples=60)
@given(diff=diffs, data=st.data())
def test_every_prefix_of_a_reply_gives_a_prefix_of_its_items(
    diff: Diff, data: st.DataObject
) -> None:
    text = json.dumps(dump_diff(diff), ensure_ascii=False)
    for end in data.draw(st.lists(st.integers(0, len(text) - 1), max_size=20)):
        parsed = parse_diff(text[:end], stop_reason="length")
        if isinstance(parsed, ParsedDiff):
            assert parsed.problems == ()
            assert not parsed.complete
            assert begins(parsed.diff, diff)


def begins(part: Diff, diff: Diff) -> bool:
    pairs = (
        (part.rules, diff.rules),
        (part.lifts, diff.lifts),
        (part.one_offs, diff.one_offs),
        (part.values, diff.values),
        (part.notes, diff.notes),
    )
    return all(items[: len(given)] == given for given, items in pairs)


PIECES = (*'{}[]":,\\/*`', "rules", '"rules":[', "<think>", "</think>", "\ud800", "NaN", RULE, BARE)


@given(text=st.text() | st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_no_text_raises(text: str) -> None:
    for stop_reason in ("stop", "length", "aborted"):
        assert isinstance(parse_diff(text, stop_reason=stop_reason), ParsedDiff | Unusable)


def test_the_schema_is_closed_bounded_and_anchored_everywhere() -> None:
    pending: list[object] = [DIFF_SCHEMA]
    kinds: list[object] = []
    while pending:
        node = pending.pop()
        if isinstance(node, list):
            pending += node
        elif isinstance(node, dict):
            pending += node.values()
            kinds.append(node.get("type"))
            if node.get("type") == "object":
                assert node["additionalProperties"] is False
                assert node["required"] == [*node["properties"]]
            elif node.get("type") == "array":
                assert node["maxItems"] > 0
            elif node.get("type") == "string":
                assert (
                    node.get("enum")
                    or node.get("maxLength")
                    or re.fullmatch(r"\^.*\$", node["pattern"])
                )
    assert kinds.count("object") == 5
    assert kinds.count("array") == 5


def test_a_diff_is_asked_for_in_the_order_in_which_it_is_dumped() -> None:
    properties = DIFF_SCHEMA["properties"]
    assert isinstance(properties, dict)
    assert [*properties] == [*dump_diff(DIFF)]
