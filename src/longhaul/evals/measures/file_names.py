"""Names of files: which words are some, and where a text names one."""

import re
from collections.abc import Iterator

_EXTENSIONS = frozenset(
    """
    astro avi awk bak bash bat bib bin bmp bz2 c cc cfg cjs clj cmake cmd conf cpp cs csproj css
    csv cts cxx dart db deb diff dll doc dockerfile docx dylib ejs el elm eot erb erl ex exe exs
    fish flac fs fsx gif go gql gradle graphql groovy gz h haml hbs hcl hpp hs htm html hxx ico
    iml ini ipynb iso j2 jar java jinja jl jpeg jpg js json json5 jsonc jsonl jsx kt kts less
    lhs lisp lock log lua md mdx mjs mk ml mli mov mp3 mp4 mts nim nix odt ogg org orig otf
    parquet patch pdf pem php pickle pkl pl plist pm png po pot ppt pptx proto ps1 psd py pyc
    pyi pyx r rar rb rc rej rmd rs rst s sass scala scm scss sh so sol sql sqlite sqlite3 ss
    styl svelte svg swift swp tar tcl tex tf tfvars tgz tmp toml tpl ts tsv tsx ttf txt vb vim
    vue wasm wav webm webp woff woff2 xhtml xls xlsx xml xz yaml yml zig zip zsh zst
    """.split()  # noqa: SIM905 - ten lines of quotes otherwise
)
_PLAIN_NAMES = frozenset(
    """
    BUILD CHANGELOG CODEOWNERS COPYING Dockerfile Gemfile Jenkinsfile Justfile LICENSE Makefile
    NOTICE Pipfile Procfile README Rakefile Vagrantfile WORKSPACE justfile makefile
    .bashrc .dockerignore .editorconfig .env .eslintrc .gitattributes .gitignore .gitmodules .npmrc
    .nvmrc .prettierrc .profile .zshrc
    """.split()  # noqa: SIM905 - five lines of quotes otherwise
)
_CODE_NAMES = frozenset(("console.log", "Math.log", "math.log"))
"""End as files do, and are none."""
_WORD = re.compile(r"(?<![\w.@+~*?{}$/-])[\w.@+~*?{}$/-]+(?!\()\b")
_PATTERN_CHARS = frozenset("*?{}$")
_JOINS_BEFORE = "-."
_JOINS_AFTER = "-"


def is_file_name(word: str) -> bool:
    """Return whether a word, without folders, ends as files do or is the name of a usual one."""
    stem, dot, extension = word.rpartition(".")
    if word in _PLAIN_NAMES or word in _CODE_NAMES:
        return word in _PLAIN_NAMES
    return bool(dot) and stem.strip(".") != "" and extension.lower() in _EXTENSIONS


def find_file_names(command: str) -> Iterator[str]:
    """Yield the names, without folders, of what looks like files in a command, in order.

    Patterns and what a variable stands in are none, nor is a dotted name that is called.
    """
    for word in _WORD.findall(command):
        name = base_name(word)
        if not _PATTERN_CHARS.intersection(name) and is_file_name(name):
            yield name


def base_name(path: str) -> str:
    """Return the last part of a path; empty for one that ends with a slash."""
    return path.rsplit("/", 1)[-1]


def names_exactly(text: str, name: str) -> bool:
    """Return whether `name`, a path or a command, stands in `text` and is no part of a longer one.

    `./src/a.py` names `src/a.py`; `lib/src/a.py` and `src/a.pyc` do not.
    """
    return _stands(text, name, before=f"{_JOINS_BEFORE}/", after=f"{_JOINS_AFTER}/")


def names_file(text: str, name: str) -> bool:
    """Return whether `text` names a file `name`, in whatever folder."""
    return _stands(text, name, before=_JOINS_BEFORE, after=f"{_JOINS_AFTER}/")


def _stands(text: str, name: str, *, before: str, after: str) -> bool:
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        if _is_free_before(text, start, before) and _is_free_after(text, end, after):
            return True
        start = text.find(name, start + 1)
    return False


def _is_free_before(text: str, start: int, joins: str) -> bool:
    if text[max(0, start - 2) : start] == "./":
        start -= 2
    char = text[start - 1 : start] if start else ""
    return not char or not (char in joins or _is_word(char))


def _is_free_after(text: str, end: int, joins: str) -> bool:
    char = text[end : end + 1]
    if char == ".":
        return not _is_word(text[end + 1 : end + 2])
    return not char or not (char in joins or _is_word(char))


def _is_word(char: str) -> bool:
    return char == "_" or char.isalnum()
