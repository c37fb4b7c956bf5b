"""Distinct lines with their documents, without a secret in them."""

from array import array
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.recall.lines import Batch, Postings, gather_lines
from longhaul.compaction.recall.words import has_word
from longhaul.compaction.secrets import mask_secrets

TOKEN = "ghp_" + "a1B2" * 9
KEY = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEow1B\n" * 4 + "-----END RSA PRIVATE KEY-----"
PIECES = (
    *("a", "line of text", "}", "", "x = 1", "PASSED", "key: value", "token", "\u200b", "\x1b[0m"),
    *(TOKEN, TOKEN[:20], TOKEN[20:], KEY, KEY[:40], KEY[-40:], "MIIEow1B"),
    *(
        "password",
        "password:",
        "password =",
        "api_key=>",
        "hunter2!x",
        "  's3cr3t-w0rd'",
        "secret:",
    ),
    *(
        "machine h login u",
        "password s3cr3t",
        "mysql -u root \\",
        "-ps3cr3tw0rd",
        "curl",
        "-u me:pa55",
    ),
    *('"auth":', '"c2VjcmV0c2VjcmV0"', "Bearer", "Authorization: Basic", "QWxhZGRpbjpvcGVu1="),
    *("https://me:pa55word@host/", "whsec_ab/cd/ef/gh/ij/kl/mn/op", "--password", "é", "\u2028"),
)
texts = st.lists(st.sampled_from(PIECES), max_size=8).flatmap(
    lambda pieces: st.sampled_from(("\n", " ", "\r\n", "\n\n", "")).map(lambda by: by.join(pieces))
)
mixed = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(("\n", " ", ""))), max_size=9)
all_texts = st.lists(
    texts | mixed.map(lambda made: "".join(piece + end for piece, end in made)), max_size=5
)


def held(batches: Sequence[Batch]) -> dict[int, set[str]]:
    """Return the lines of each document."""
    lines: dict[int, set[str]] = {}
    for batch in batches:
        for number, row in enumerate(batch.rows):
            held = {line for line in row.split("\n") if has_word(line)}
            for document in batch.documents[batch.offsets[number] : batch.offsets[number + 1]]:
                lines.setdefault(document, set()).update(held)
    return lines


def expected(texts: Sequence[str]) -> dict[int, set[str]]:
    lines = {
        document: {line for line in mask_secrets(text).split("\n") if has_word(line)}
        for document, text in enumerate(texts)
    }
    return {document: found for document, found in lines.items() if found}


@given(all_texts)
def test_lines_are_those_of_each_text_masked_as_a_whole(texts: list[str]) -> None:
    batches = list(gather_lines(texts, 0))
    assert held(batches) == expected(texts)
    masked = {document: text for batch in batches for document, text in batch.masked.items()}
    assert masked == {
        document: mask_secrets(text)
        for document, text in enumerate(texts)
        if mask_secrets(text) != text
    }


@given(all_texts, st.integers(0, 5))
def test_what_was_gathered_before_is_not_gathered_again(texts: list[str], first: int) -> None:
    later = {number: lines for number, lines in expected(texts).items() if number >= first}
    assert held(list(gather_lines(texts, first))) == later


def test_a_line_of_several_documents_is_a_row_and_all_else_of_one_is_another() -> None:
    (batch,) = gather_lines(["a b\nc\nd", "}\na b\n{", "a b\ne"], 0)
    assert batch.rows == ("a b", "c\nd", "e")
    assert batch.offsets == array("I", [0, 3, 4, 5])
    assert batch.documents == array("I", [0, 1, 2, 0, 2])


def test_a_line_is_a_secret_only_in_the_document_where_it_is_one() -> None:
    body = "MIIEow1B" * 4
    key = f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"
    (batch,) = gather_lines([key, body], 0)
    assert held([batch]) == {0: {"[masked: private key]"}, 1: {body}}


def test_batches_end_where_memory_would_grow() -> None:
    texts = ["\n".join(f"line {number} {part}" for number in range(60_000)) for part in range(4)]
    batches = list(gather_lines(texts, 0))
    assert [(batch.first_document, batch.n_documents) for batch in batches] == [(0, 3), (3, 1)]


def test_postings_number_rows_over_all_batches() -> None:
    postings = Postings()
    texts = ["a\nb", "b"]
    for more in ([], ["b", "b", "c\na"]):
        first, texts = (0, texts) if not more else (len(texts), [*texts, *more])
        for batch in gather_lines(texts, first):
            postings.add(batch.offsets, batch.documents)
    assert len(postings) == 4
    assert [postings.documents_of([row]) for row in range(4)] == [{0, 1}, {0}, {2, 3}, {4}]
    assert postings.documents_of([]) == set()
    with pytest.raises(IndexError):
        postings.documents_of([4])
