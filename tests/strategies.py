"""Sessions of every shape that pi accepts, as the records and the lines of a file."""

import json
from collections.abc import Sequence

from hypothesis import strategies as st

from longhaul.transcript.entries import JsonValue, Path
from longhaul.transcript.parse import parse_entry

Record = dict[str, JsonValue]

WORDS = ("", "a", "run it again", 'say "no"\n\\ok\t', "naïve", "𝄞 ok", "\ud800 half", "x" * 90)
PATHS = ("a.py", "src/b.py", "", "ü.md")
IDS = ("nope", "", None, 5, True)
STOPS = ("stop", "toolUse", "length", "error", "aborted")

texts = st.sampled_from(WORDS)
numbers = st.sampled_from((0, 1, -1, 1.0, -0.0, 0.1, 1e-7, 1.5e21, 123456789.25, 2**53 + 1, 5e-324))
leaves = st.one_of(st.none(), st.booleans(), numbers, texts)
json_values: st.SearchStrategy[JsonValue] = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
objects = st.dictionaries(texts, json_values, max_size=2)


def maybe(strategy: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[JsonValue]:
    return st.one_of(strategy, strategy, st.none())


def block(kind: str, /, **fields: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[JsonValue]:
    return st.fixed_dictionaries({"type": st.just(kind), **fields}).map(lambda made: {**made})


file_arguments = st.fixed_dictionaries({"path": st.sampled_from(PATHS)}).map(lambda made: {**made})
arguments: st.SearchStrategy[JsonValue] = st.one_of(file_arguments, file_arguments, objects)
tools = st.sampled_from(("read", "write", "edit", "bash"))
calls = block(
    "toolCall",
    id=texts,
    name=tools,
    arguments=st.one_of(arguments, arguments, arguments, json_values),
)
unknown_blocks: st.SearchStrategy[JsonValue] = st.one_of(
    block("audio", data=texts), texts, st.just([]), st.just({})
)
text_blocks = block("text", text=texts)
thinking = block("thinking", thinking=texts)
images = block("image", data=texts, mimeType=st.just("image/png"))
reply_blocks = st.one_of(text_blocks, thinking, calls, calls, unknown_blocks)
shown_blocks = st.one_of(
    text_blocks, text_blocks, images, unknown_blocks, block("text", text=st.none())
)


def content(blocks: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[JsonValue]:
    listed = st.lists(blocks, max_size=3).map(lambda made: [*made])
    return st.one_of(texts, listed, listed)


usages: st.SearchStrategy[JsonValue] = st.one_of(
    st.none(),
    st.just({}),
    st.builds(
        lambda total: {"totalTokens": total}, st.sampled_from((0, 7, 300.5, None, 2**53 + 1))
    ),
    st.builds(
        lambda part: {
            "totalTokens": 0,
            "input": 5,
            "output": 2,
            "cacheRead": part,
            "cacheWrite": 1,
        },
        st.sampled_from((0, 3, None)),
    ),
)
declared = st.fixed_dictionaries({"name": tools, "parameters": json_values}).map(
    lambda made: {**made}
)
tool_lists = maybe(st.lists(declared, max_size=2).map(lambda made: [*made]))
removed = maybe(
    st.lists(st.builds(lambda name: {"name": name}, tools), max_size=1).map(lambda m: [*m])
)
sections = maybe(st.dictionaries(st.sampled_from(("a", "b")), maybe(texts), max_size=2))


def message(role: str, /, **fields: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[JsonValue]:
    return st.fixed_dictionaries({"role": st.just(role), **fields}).map(lambda made: {**made})


def systems(contents: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[JsonValue]:
    return message(
        "system",
        content=contents,
        sections=sections,
        toolsAdded=tool_lists,
        toolsRemoved=removed,
        timestamp=st.sampled_from((1, None)),
    )


nested_calls: st.SearchStrategy[JsonValue] = st.lists(
    st.builds(
        lambda name, made: {"name": name, "arguments": made, "status": "ok"}, tools, arguments
    ),
    max_size=2,
).map(lambda made: {"calls": [*made]})
users = message("user", content=maybe(content(shown_blocks)))
replies = message(
    "assistant",
    content=maybe(content(reply_blocks)),
    provider=st.just("p"),
    model=texts,
    stopReason=st.sampled_from(STOPS),
    usage=usages,
)
results = message(
    "toolResult",
    toolCallId=texts,
    toolName=tools,
    content=maybe(content(shown_blocks)),
    isError=st.booleans(),
    details=json_values,
    nestedCalls=maybe(nested_calls),
)
odd_messages = st.one_of(
    message("bashExecution", command=texts, output=texts, exitCode=st.none()),
    message("custom", customType=texts, content=content(shown_blocks)),
    message("hookMessage", customType=texts, content=content(shown_blocks)),
    message("branchSummary", summary=texts),
    message("compactionSummary", summary=texts),
    message("robot", content=texts),
    systems(maybe(content(text_blocks))),
)
messages = st.one_of(users, replies, replies, results, results, odd_messages)


def entry(kind: str, /, **fields: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[Record]:
    return st.fixed_dictionaries({"type": st.just(kind), **fields}).map(lambda made: {**made})


said = entry("message", message=messages)
noted = st.one_of(
    entry("custom_message", customType=texts, content=maybe(content(shown_blocks))),
    entry("branch_summary", summary=maybe(texts), fromId=texts),
    entry("custom", customType=texts, data=json_values),
    entry("model_change", provider=texts, modelId=texts),
    entry("thinking_level_change", thinkingLevel=texts),
    entry("label", targetId=texts, label=texts),
    entry("session_info", name=texts),
    entry("usage", kind=texts, usage=usages),
    entry("what_comes_next", value=json_values),
    st.just({}),
)


@st.composite
def compactions(draw: st.DrawFn, earlier: Sequence[str], own: str) -> Record:
    """A compaction that keeps from an earlier entry on, from an unknown one, or nothing."""
    details = st.fixed_dictionaries(
        {"readFiles": maybe(st.just(["a.py", "r.py"])), "modifiedFiles": maybe(st.just(["m.py"]))}
    )
    return {
        "type": "compaction",
        "summary": draw(texts),
        "firstKeptEntryId": draw(st.sampled_from((*earlier, own, "nope"))),
        "firstKeptEntryIndex": draw(st.sampled_from((None, 0, 1, 2, 4, -1, 1.5, 10**6))),
        "tokensBefore": 10,
        "systemMessage": draw(maybe(systems(content(text_blocks)))),
        "details": draw(st.one_of(json_values, details.map(lambda made: {**made}))),
        "fromHook": draw(st.sampled_from((None, False, True))),
    }


@st.composite
def edits(draw: st.DrawFn, earlier: Sequence[str]) -> Record:
    """An edit of an earlier entry, mostly one that leaves it out."""
    new_content = draw(content(st.one_of(reply_blocks, shown_blocks)))
    return {
        "type": "context_edit",
        "targetId": draw(st.sampled_from((*earlier, "nope"))),
        "replacement": draw(st.sampled_from((None, {"content": new_content}))),
    }


@st.composite
def entries(draw: st.DrawFn, earlier: Sequence[str], own: str) -> Record:
    """One entry without its place in the tree."""
    kind = draw(st.sampled_from(("said",) * 12 + ("noted",) * 3 + ("edit",) * 3 + ("cut",) * 2))
    if kind == "cut":
        return draw(compactions(earlier, own))
    if kind == "edit":
        return draw(edits(earlier))
    return draw(said if kind == "said" else noted)


@st.composite
def linear_records(draw: st.DrawFn) -> list[Record]:
    """Entries that follow each other, from `e1` on: one path."""
    records: list[Record] = []
    for number in range(1, draw(st.integers(0, 3) | st.integers(4, 14)) + 1):
        earlier = [f"e{before}" for before in range(1, number)]
        record = draw(entries(earlier, f"e{number}"))
        parent = earlier[-1] if earlier else None
        records.append({**record, "id": f"e{number}", "parentId": parent, "timestamp": "2026"})
    return records


@st.composite
def tree_records(draw: st.DrawFn) -> list[Record]:
    """Entries with branches, several roots, ids that stand twice or are no strings."""
    records: list[Record] = []
    for record in draw(linear_records()):
        known = [earlier["id"] for earlier in records]
        odd = draw(st.integers(0, 9))
        if odd == 0 and known:
            record["parentId"] = draw(st.sampled_from(known))
        elif odd == 1:
            record["parentId"] = draw(st.sampled_from(IDS))
        elif odd == 2 and known:
            record["id"] = draw(st.sampled_from((*known, *IDS[1:])))
        records.append(record)
    return records


headers: st.SearchStrategy[Record] = st.sampled_from((3, 3, 3, 3, 2, 1, None, "3", 4, "x")).map(
    lambda version: {"type": "session", "version": version, "id": "s", "cwd": "/p"}
)


@st.composite
def session_records(draw: st.DrawFn) -> list[JsonValue]:
    """A header and a tree, a second header and values that are no objects among them at times."""
    header: Record = draw(headers)
    records: list[JsonValue] = [header, *draw(tree_records())]
    odd: tuple[JsonValue, ...] = (
        [],
        None,
        0,
        "",
        False,
        {"type": "session", "id": "t", "version": 1},
    )
    if header["version"] not in {1, None}:  # of version 1, pi fails on these
        odd = (*odd, 5, "text", True)
    for value in draw(st.lists(st.sampled_from(odd), max_size=1)):
        records.insert(draw(st.integers(1, len(records))), value)
    return records


def dump_lines(records: Sequence[JsonValue]) -> bytes:
    """Return records as the bytes of a session file."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


RUBBISH = (b"", b" ", b"\xa0", b"{", b"{} {}", b"NaN", b'"\xff\xfe"', b"\xef\xbb\xbf{}", b"\x00")
BYTES = (b"\xff", b"\xe2\x82", b"\xed\xa0\x80", b"\n", b"\r", b"\xe2\x80\xa8", b"}", b'"', b"\\u12")


@st.composite
def damaged_files(draw: st.DrawFn) -> bytes:
    """The bytes of a session file after accidents: rubbish, cuts, stray bytes, other line ends."""
    lines = dump_lines(draw(session_records())).splitlines()
    for rubbish in draw(st.lists(st.sampled_from(RUBBISH), max_size=2)):
        lines.insert(draw(st.integers(0, len(lines))), rubbish)
    data = draw(st.sampled_from((b"\n", b"\n", b"\r\n"))).join(lines)
    if draw(st.booleans()):
        position = draw(st.integers(0, len(data)))
        data = data[:position] + draw(st.sampled_from(BYTES)) + data[position:]
    return data[: len(data) - draw(st.sampled_from((0, 0, 1, 5, 40)))]


paths: st.SearchStrategy[Path] = linear_records().map(
    lambda records: tuple(
        parse_entry(record, where="s.jsonl", line=line) for line, record in enumerate(records, 2)
    )
)
"""Paths with everything on them that pi accepts."""
