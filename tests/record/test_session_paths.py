"""Absolute paths: which lead out of the sandbox, and what is no such path."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.record.session_paths import INSIDE, find_paths, outside_paths
from tests.record.vettable import line_saying

NAME = "ts-kv"
names = st.text("abcXYZ019_.+-", min_size=1, max_size=8).filter(lambda name: name.strip("."))


def outside(text: str) -> list[str]:
    return list(outside_paths(text, NAME))


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("see /home/x/notes.txt.", ["/home/x/notes.txt"]),
        ("/root and /mnt/c", ["/root", "/mnt/c"]),
        ("/Users/x/a /Volumes/b /private/var/c", ["/Users/x/a", "/Volumes/b", "/private/var/c"]),
        ("/c/Users/x in a Unix shell", ["/c/Users/x"]),
        ("/work/another, /work/ts-kv2 and /work/ts-kv.bak", None),
        ("PATH=/usr/bin:/home/x/bin", ["/home/x/bin"]),
        ("gcc -I/home/x/include -L/usr/lib", ["/home/x/include"]),
        ("#!/home/x/bin/python", ["/home/x/bin/python"]),
        ("a > /srv/log; cat</srv/in", ["/srv/log", "/srv/in"]),
        ("curl -d @/home/x/body", ["/home/x/body"]),
        ("-/home/x/old\n+/home/x/new", ["/home/x/old", "/home/x/new"]),
        (r"sed s/\/home\/x/y/", ["/home/x/y"]),
        (r'{"text": "a\n/home/x"}', ["/home/x"]),
        ("/tmp/../home/x and /work/ts-kv/../other", ["/home/x", "/work/other"]),
        ("/home//x", ["/home/x"]),
        ("看/home/x里", ["/home/x"]),
        ("find -print0: \0/srv/a\0/srv/b", ["/srv/a", "/srv/b"]),
        ("get /home/x by mail", ["/home/x"]),
        ("file:///home/x/a%20b", ["file:///home/x/a%20b"]),
        ("FILE:///elsewhere and file://host/share", ["FILE:///elsewhere", "file://host/share"]),
        ("file:///C:/a", ["file:///C:/a"]),
        (r"C:\Users\x and D:/data and c:\windows", ["C:\\Users\\x", "D:/data", "c:\\windows"]),
        (r"C:\\Users\\x", ["C:\\\\Users\\\\x"]),
    ],
)
def test_a_path_that_leads_out_of_the_sandbox_is_found(text: str, paths: list[str] | None) -> None:
    assert outside(text) == (paths or ["/work/another", "/work/ts-kv2", "/work/ts-kv.bak"])


@pytest.mark.parametrize(
    "text",
    [
        "cd /work/ts-kv && ls /work/ts-kv/src /work",
        "in /work/ts-kv.",
        "/work/<name>, /work/$name, /work/*, /work/ts-kv里",
        "GET /home HTTP/1.1, POST /var/x, DELETE /root/y, OPTIONS /mnt",
        "http://127.0.0.1:8080/home/x https://host.example/var/y",
        "src/home/x ./var/y ../root ~/var */lib $(pwd)/home ${X}/home `a`",
        "<root>a</root>",
        "// home //home",
        "/index.html /api/v1 /home.html /homes /var-x",
        "1/2, and/or, a / b",
        "file:///work/ts-kv/src/a.ts:12:3 file:///usr/share/x file:// file:///",
        "file://localhost/tmp/x",
        "/opt and /home hold the places below them",
        r'print("A:\n") x:\d',
    ],
)
def test_other_paths_are_not(text: str) -> None:
    assert outside(text) == []


@given(st.text().filter(lambda text: not {"/", "\\"} & set(text)))
def test_a_text_without_slash_and_backslash_holds_no_path(text: str) -> None:
    assert outside(text) == []


@given(st.sampled_from((*INSIDE, f"/work/{NAME}")), st.lists(names, max_size=3))
def test_what_is_under_a_place_of_the_sandbox_is_inside(place: str, below: list[str]) -> None:
    path = "/".join([place, *below])
    assert outside(f"read {path} now") == outside(f'"{path}"') == outside(f"file://{path}") == []


@given(st.sampled_from("abcXYZ019"), names)
def test_every_other_folder_of_work_is_outside(first: str, name: str) -> None:
    other = (first + name).rstrip(".")
    assert outside(f"in /work/{other}/a") == ([] if other == NAME else [f"/work/{other}/a"])


def test_a_finding_names_three_paths_and_counts_the_rest() -> None:
    text = find_paths(line_saying("/srv/a /srv/b /srv/a /srv/c /srv/d /srv/e"), NAME)
    assert text == (
        "/srv/a, /srv/b, /srv/c and 2 more: outside the sandbox; record without it, or review it"
    )
    assert find_paths(line_saying("/tmp/a"), NAME) is None
