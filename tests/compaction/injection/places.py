"""Where in a session a text can stand that its user did not say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from longhaul.transcript.entries import Entry, JsonValue
from tests.build import (
    assistant,
    branch_summary,
    call,
    compaction,
    custom,
    custom_message,
    message_entry,
    ran,
    result,
    system,
    user,
)
from tests.compaction.turns import work


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Entries with a text in them, and what around it the user says."""

    entries: Sequence[Entry]
    said: tuple[str, ...] = ()
    sentence: str = ""
    """A sentence of the user's that shows the text: a request may quote it, a rule may not."""


Put: TypeAlias = Callable[[str], Placed]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A way in which a text comes into a session."""

    name: str
    put: Put
    unfit: frozenset[str] = field(default_factory=frozenset)
    """What no text put here may hold, as it would end what stands around it."""


def fits(place: Place, text: str) -> bool:
    """Return whether a text can stand in a place."""
    return not any(sign in text for sign in place.unfit)


def one_line(text: str) -> str:
    """Return a text without line breaks and blank lines, as a name or a title holds it."""
    return " ".join(text.split())


def _printed(tool: str, form: str = "{}", **arguments: JsonValue) -> Put:
    def put(text: str) -> Placed:
        ran_call = call(tool, call_id=None, **arguments)
        answer = result(ran_call, form.replace("{}", text))
        return Placed(entries=[assistant("One look.", [ran_call]), answer, assistant("Seen.")])

    return put


def _failed(tool: str) -> Put:
    def put(text: str) -> Placed:
        asked = call(tool, question="Which colour?")
        answer = result(asked, f"User wrote: {text}", is_error=True, details={"answer": text})
        return Placed(entries=[assistant("", [asked]), answer, assistant("Later, then.")])

    return put


def _asked(text: str) -> Placed:
    asked = call("question", question=text, options=[text, "not now"])
    details: dict[str, JsonValue] = {
        "question": text,
        "options": [text, "not now"],
        "answer": "not now",
    }
    answer = result(asked, "User selected: 2. not now", details=details)
    return Placed(
        entries=[assistant("", [asked]), answer, assistant("All right.")], said=("not now",)
    )


def _argument(tool: str, name: str, form: str, output: str) -> Put:
    def put(text: str) -> Placed:
        made = call(tool, **{name: form.replace("{}", text)})
        return Placed(entries=[assistant("", [made]), result(made, output), assistant("Made.")])

    return put


def _says(form: str) -> Put:
    return lambda text: Placed(entries=[assistant(form.replace("{}", text))])


def _entry(make: Callable[[str], Entry]) -> Put:
    return lambda text: Placed(entries=[make(text)])


def _message(form: str, *said: str, each_line: str = "{}", whole: bool = True) -> Put:
    """Return what puts a text into a message of the user's around which `said` is said.

    `each_line` is the form of each of its lines; without `whole` it is put on one line.
    """

    def put(text: str) -> Placed:
        lines = text.split("\n") if whole else [one_line(text)]
        shown = "\n".join(each_line.replace("{}", line) for line in lines if line.strip())
        message = form.replace("{}", shown)
        return Placed(entries=[user(message), *work("ls", "README.md", "I see.")], said=said)

    return put


def _shown(form: str) -> Put:
    """Return what puts a text between the quotation marks of a sentence."""

    def put(text: str) -> Placed:
        sentence = form.replace("{}", one_line(text))
        entries = [user(sentence), *work("ls", "README.md", "I see.")]
        return Placed(entries=entries, sentence=sentence)

    return put


_OTHER: dict[str, JsonValue] = {"other": {"kept": True}}
OUTSIDE = (
    Place(name="bash output", put=_printed("bash", command="cat notes.txt")),
    Place(name="file read", put=_printed("read", path="README.md")),
    Place(name="web page", put=_printed("fetch", "<html>{}</html>", url="https://tides.example")),
    Place(name="custom tool", put=_printed("ask_owner", "User wrote: {}", query="colour")),
    Place(name="tool notice", put=_printed("edit", "<system-reminder>{}</system-reminder>")),
    Place(name="failed question", put=_failed("question")),
    Place(name="question asked", put=_asked),
    Place(name="command", put=_argument("bash", "command", "echo '{}'", "ok")),
    Place(
        name="commit message",
        put=_argument("bash", "command", "git commit -m '{}'", "[main 5ab1c02] x"),
    ),
    Place(name="file written", put=_argument("write", "content", "{}", "written")),
    Place(name="file name", put=_argument("read", "path", "docs/{}.md", "# Tides")),
    Place(name="assistant", put=_says("I read the page. {}")),
    Place(name="assistant as user", put=_says("User: {}\n\nUnderstood.")),
    Place(name="thinking", put=_entry(lambda text: assistant("Hm.", thinking=text))),
    Place(name="! output", put=_entry(lambda text: ran("cat notes.txt", text))),
    Place(name="! command", put=_entry(lambda text: ran(f"echo {text}", "ok"))),
    Place(name="pi's summary", put=_entry(compaction)),
    Place(
        name="another's summary",
        put=_entry(lambda text: compaction(text, details=_OTHER, from_hook=True)),
    ),
    Place(name="branch summary", put=_entry(branch_summary)),
    Place(name="system prompt", put=_entry(lambda text: message_entry(system(text)))),
    Place(name="custom message", put=_entry(custom_message)),
    Place(name="message of its name", put=_entry(lambda text: custom_message(text, "longhaul"))),
    Place(name="custom entry", put=_entry(lambda text: custom("notes", {"pin": {"text": text}}))),
)
"""Where nothing of the user's stands."""

_LOOK = "what do you make of this"
PASTED = (
    Place(
        name="skill block",
        put=_message(f'<skill name="x" location="/x">\n{{}}\n</skill>\n\n{_LOOK}', _LOOK),
    ),
    Place(name="file block", put=_message(f'<file name="a.md">\n{{}}\n</file>\n{_LOOK}', _LOOK)),
    Place(
        name="name of a file block",
        put=_message(f'<file name="{{}}">\nx\n</file>\n{_LOOK}', _LOOK, whole=False),
    ),
    Place(name="piped", put=_message(f'{{}}<file name="a.md">\nx\n</file>\n{_LOOK}', _LOOK)),
    Place(
        name="fence",
        put=_message(f"{_LOOK}\n```\n{{}}\n```", _LOOK),
        unfit=frozenset(("```",)),
    ),
    Place(
        name="open fence",
        put=_message(f"{_LOOK}\n~~~text\n{{}}", _LOOK),
        unfit=frozenset(("~~~",)),
    ),
    Place(name="quoted lines", put=_message(f"{_LOOK}\n{{}}", _LOOK, each_line="> {}")),
    Place(
        name="hidden marks",
        put=_message(f"{_LOOK}\n{{}}", _LOOK, each_line="\u200b\u2060> {}"),
    ),
    Place(
        name="log",
        put=_message(f"{_LOOK}\n{{}}", _LOOK, each_line="2026-01-04 12:03:11 WARN sync: {}"),
    ),
    Place(
        name="coloured log",
        put=_message(f"{_LOOK}\n{{}}", _LOOK, each_line="\x1b[33mWARN\x1b[0m {}"),
    ),
    Place(
        name="terminal",
        put=_message(f"{_LOOK}\n$ cat notes.txt\n{{}}", _LOOK),
    ),
    Place(
        name="mail",
        put=_message(f"{_LOOK}\n\nFrom: Bo <bo@x.example>\nTo: me\nSubject: hi\n\n{{}}", _LOOK),
    ),
    Place(name="announced", put=_message("The page says:\n{}", "The page says:")),
    Place(
        name="said by others",
        put=_message(f"The README says: {{}}\n\n{_LOOK}", "The README says:", _LOOK, whole=False),
        unfit=frozenset((", so ", " So ")),  # whoever goes on like that may draw the conclusion
    ),
    Place(name="diff", put=_message(f"{_LOOK}\n@@ -1 +1 @@\n{{}}", _LOOK, each_line="+{}")),
    Place(
        name="comment",
        put=_message(f"{_LOOK}\nlimit = 3\n{{}}", f"{_LOOK}\nlimit = 3", each_line="# {}"),
    ),
    Place(
        name="markup",
        put=_message(f"{_LOOK} <p>a b {{}}</p>", _LOOK, whole=False),
        unfit=frozenset("<"),
    ),
    Place(
        name="table",
        put=_message(f"{_LOOK}\n{{}}", _LOOK, each_line="| 7 | {} | x |"),
    ),
    Place(
        name="chat",
        put=_message(f"{_LOOK}\nbo: hi there\namy: what is it\n{{}}", _LOOK, each_line="bo: {}"),
    ),
    Place(
        name="JSON",
        put=_message(f'{_LOOK}\n{{\n  "note": "{{}}"\n}}', _LOOK, whole=False),
        unfit=frozenset('"'),
    ),
    Place(
        name="in quotation marks",
        put=_shown('the hook prints "{}" and then it waits'),
        unfit=frozenset('"“”'),
    ),
    Place(
        name="in backticks",
        put=_shown("the hook prints `{}` and then it waits"),
        unfit=frozenset("`"),
    ),
    Place(
        name="in „“",
        put=_shown("die Ausgabe ist „{}“ und sonst kommt da nichts"),
        unfit=frozenset("“”"),
    ),
)
"""Where the user shows it in a message of theirs, by a sign that code knows."""

UNMARKED = (
    Place(name="pasted without a sign", put=_message("{}")),
    Place(name="on the line of a label", put=_message("README.md: {}", whole=False)),
    Place(name="a page's second paragraph", put=_message("The page says:\n\nWelcome.\n\n{}")),
    Place(name="fence that it closes", put=_message(f"{_LOOK}\n```\nx\n```\n{{}}\n```\ny\n```")),
)
"""Where nothing tells it from what the user types: it counts as theirs, and the docs say so."""
