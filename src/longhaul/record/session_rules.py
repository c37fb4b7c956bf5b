"""What a session must hold to before it is published: one small rule for each kind of finding."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from longhaul.record.deny_list import DenyList, find_denied
from longhaul.record.session_format import find_line_faults
from longhaul.record.session_lines import Line
from longhaul.record.session_network import find_network
from longhaul.record.session_origin import find_aborted_turn, find_cut_answer, find_cwd, find_models
from longhaul.record.session_paths import find_paths
from longhaul.record.session_secrets import SecretScanner, find_secrets

Kind: TypeAlias = Literal[
    "format", "cwd", "model", "length", "aborted", "path", "network", "deny", "secret"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What sessions are held against."""

    labels: tuple[str, ...]
    """The models that may be named, each as `provider/model-id`."""
    deny: DenyList
    scanner: SecretScanner


class Rule(NamedTuple):
    """Finds one kind of fault: what is wrong with a line of the session of a name, or None."""

    kind: Kind
    find: Callable[[Line, str, Expected], str | None]


RULES = (
    Rule("format", lambda line, _, __: find_line_faults(line)),
    Rule("cwd", lambda line, name, _: find_cwd(line, name)),
    Rule("model", lambda line, _, expected: find_models(line, expected.labels)),
    Rule("length", lambda line, _, __: find_cut_answer(line)),
    Rule("aborted", lambda line, _, __: find_aborted_turn(line)),
    Rule("path", lambda line, name, _: find_paths(line, name)),
    Rule("network", lambda line, _, __: find_network(line)),
    Rule("deny", lambda line, _, expected: find_denied(line, expected.deny)),
    Rule("secret", lambda line, _, expected: find_secrets(line, expected.scanner)),
)
"""In the order in which the findings of a line are told."""

KINDS = tuple(rule.kind for rule in RULES)
