"""Play and scenario files: YAML -> JSON values, with the line that each field stands in."""

import math
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from yaml.constructor import SafeConstructor
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from longhaul.compaction.render.escape import clip
from longhaul.config.small_files import read_small_file
from longhaul.record.fields import show
from longhaul.record.plays import Play, PlayError, parse_play
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import ShapeError, name_type

MAX_BYTES = 20_000_000
_MAX_NODES = 100_000
"""As the file has them, and with aliases counted where they stand: a file of a few lines can hold
billions of those."""
_MAX_DEPTH = 60
_MAX_PLACE_CHARS = 100
_JSON_TAGS = frozenset(
    f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "float", "bool", "null")
)
_STEM_ENDS = (".play.yaml", ".scenario.yaml", ".yaml", ".yml")


def load_play(path: Path) -> Play:
    """Return the play or scenario in the file `path`.

    Raises:
        PlayError: it cannot be read, is no YAML, or not what the format says; the message names
            file, line and field.
    """
    text = _read(path)
    document = _Document()
    try:
        record = document.convert(_compose(text, path), "", 0)
        return parse_play(record)
    except ShapeError as error:
        line = document.find_line(error.field)
        problem = f"expected {error.expected}, got {_shown(error.got)}"
        place = clip(error.field, _MAX_PLACE_CHARS)
        raise PlayError(f"{path}:{line} {place}: {problem}") from None


def stem_of(path: Path) -> str:
    """Return a play's file name without what says that it is one."""
    end = next((end for end in _STEM_ENDS if path.name.endswith(end)), "")
    return path.name.removesuffix(end)


def _read(path: Path) -> str:
    try:
        content = read_small_file(path, max_bytes=MAX_BYTES)
    except OSError as error:
        raise PlayError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise PlayError(f"{path} is {error}; a play is a small text file") from None
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PlayError(f"{path}:{line} is not UTF-8; save it as UTF-8") from error


class _Loader(yaml.SafeLoader):
    """Composes nodes, as many as a play may have: each takes a thousand bytes and more."""

    n_nodes = 0

    def compose_node(self, parent: Node | None, index: int) -> Node | None:
        self.n_nodes += 1
        if self.n_nodes > _MAX_NODES:
            raise _too_much("")
        return super().compose_node(parent, index)


def _compose(text: str, path: Path) -> Node:
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise PlayError(f"{path}:{line} is not YAML: {show(error.problem or str(error))}") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise PlayError(f"{path}:{line} is not YAML: {show(str(error).splitlines()[0])}") from None
    except RecursionError:
        raise PlayError(f"{path} is nested too deep; no play is") from None
    if node is None:
        raise PlayError(f"{path} is empty; a play has a name, limits and turns")
    return node


@dataclass(slots=True)
class _Document:
    """One file while its nodes become values."""

    lines: dict[str, int] = field(default_factory=dict)
    """Line of each field, counted from 1."""
    n_nodes: int = 0

    def convert(self, node: Node, where: str, depth: int) -> JsonValue:
        """Return the value of `node`, which stands at `where`; note its line.

        Raises:
            ShapeError: it is no JSON (a bare date, say), has a key twice, or is too much.
        """
        self.lines[where] = node.start_mark.line + 1
        self.n_nodes += 1
        if self.n_nodes > _MAX_NODES or depth > _MAX_DEPTH:
            raise _too_much(where)
        match node:
            case MappingNode():
                return self._convert_mapping(node, where, depth)
            case SequenceNode():
                members = enumerate(node.value)
                return [self.convert(one, f"{where}[{at}]", depth + 1) for at, one in members]
        return _convert_scalar(node, where)

    def _convert_mapping(self, node: MappingNode, where: str, depth: int) -> JsonValue:
        found: dict[str, JsonValue] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, ScalarNode):
                raise ShapeError(where or "the file", "keys that are text", "a list or an object")
            key = _require_whole(key_node.value, where or "the file")
            place = f"{where}.{show(key)}" if where else show(key)
            if key in found:
                self.lines[place] = key_node.start_mark.line + 1
                raise ShapeError(place, "each key once", "it twice")
            found[key] = self.convert(value_node, place, depth + 1)
        return found

    def find_line(self, where: str) -> int:
        """Return the line of the field at `where`, or of the nearest thing around it."""
        while where and where not in self.lines:
            where = where[: max(where.rfind("."), where.rfind("["), 0)]
        return self.lines.get(where, 1)


def _too_much(where: str) -> ShapeError:
    return ShapeError(where or "the file", "less, and less deep", "too much")


def _convert_scalar(node: Node, where: str) -> JsonValue:
    assert isinstance(node, ScalarNode)
    if node.tag not in _JSON_TAGS:
        kind = node.tag.rpartition(":")[2]
        raise ShapeError(where, "text or a number (quote it to keep it text)", f"a {kind}")
    if ":" in node.value and node.tag.endswith((":int", ":float")):
        return str(node.value)  # YAML 1.1 reads 12:30 as 750
    try:
        value: JsonValue = SafeConstructor().construct_object(node)
    except (ValueError, KeyError):  # `!!int x`, `!!bool x`, thousands of digits
        value = math.nan
    if isinstance(value, float) and not math.isfinite(value):
        raise ShapeError(where, "a value that JSON holds", node.value)
    return _require_whole(value, where) if isinstance(value, str) else value


def _require_whole(text: str, where: str) -> str:
    """Refuse half a character, as an escape can name one: no session file can hold it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ShapeError(where, "whole characters", text) from None
    return text


def _shown(got: object) -> str:
    """Return what stands in a field as an error says it: what is short in its own words."""
    if isinstance(got, str):
        return show(got) or "an empty text"
    return str(got).lower() if isinstance(got, int | float) else name_type(got)
