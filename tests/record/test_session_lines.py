"""Every string of a line is seen, whatever hides it."""

import json

from hypothesis import given
from hypothesis import strategies as st

from longhaul.record.session_lines import Line, parse_line
from longhaul.transcript.entries import JsonValue
from tests.strategies import dump_lines, json_values


def strings_in(value: JsonValue) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [one for pair in value.items() for part in pair for one in strings_in(part)]
        case list():
            return [one for part in value for one in strings_in(part)]
    return []


@given(json_values)
def test_the_texts_of_a_line_are_the_strings_that_its_value_holds(value: JsonValue) -> None:
    assert list(parse_line(dump_lines([value]), 1).texts) == strings_in(value)


@given(st.text())
def test_a_string_reads_the_same_however_it_is_escaped(text: str) -> None:
    # A terminal sequence becomes a space, which is another test's matter.
    text = text.replace("[", "(")
    escaped, plain = dump_lines([text]), json.dumps(text, ensure_ascii=False).encode()
    assert parse_line(escaped, 1).texts == parse_line(plain, 1).texts == (text,)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_line(data: bytes) -> None:
    assert parse_line(data, 7).number == 7


def test_a_key_that_stands_twice_hides_nothing() -> None:
    line = parse_line(b'{"cwd": "/first", "cwd": "/second"}', 1)
    assert line.record == {"cwd": "/second"}
    assert line.texts == ("cwd", "/first", "cwd", "/second")


def test_depth_hides_nothing() -> None:
    deep = b'{"a":' * 50_000 + b'"/home/x"' + b"}" * 50_000
    assert parse_line(deep, 1).texts[-1] == "/home/x"


def test_a_damaged_line_is_one_text_as_it_stands() -> None:
    assert parse_line(b'{"cwd": "/x\x00 \xff', 3) == Line(
        number=3, record=None, texts=('{"cwd": "/x\x00 \ufffd',), is_utf8=False
    )


def test_a_blank_line_has_no_text() -> None:
    assert parse_line(b" \r\n", 3) == Line(number=3, record=None, texts=(), is_blank=True)


def test_what_is_no_object_has_no_record_but_its_texts() -> None:
    line = parse_line(b'["a"]\n', 1)
    assert (line.record, line.texts) == (None, ("a",))


def test_colours_stand_between_words_as_spaces() -> None:
    line = parse_line(dump_lines([["a\x1b[31m/x\x1b[0mb", "a\\u001b[1m/x", "\\033[0;1m/x"]]), 1)
    assert line.texts == ("a /x b", "a /x", " /x")


def test_an_outline_leaves_long_strings_out() -> None:
    line = parse_line(b'{"a": "b", "c": "%s"}' % (b"d" * 300), 1)
    assert line.outline == '{"a": "b", "c": ""}'
