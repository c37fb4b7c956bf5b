"""What can be set: every setting with its type, its default and its bounds."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from longhaul.compaction.completion import ThinkingLevel
from longhaul.compaction.render.budget import MAX_BUDGET_CHARS
from longhaul.compaction.statements import ASK_TOOLS

Mode = Literal["offline", "state", "turns"]
"""How often a compaction asks a model: never, once, once for each turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings that hold for one project of one user."""

    mode: Mode = "state"
    model: str | None = None
    """`provider/model-id[:thinking]`, `local:…` or `batch:…`; None for the session's own."""
    local_model: str | None = None
    """The model for local-only sessions, written as `model`; whether it is on this machine is
    checked where it is used."""
    thinking: ThinkingLevel | None = None
    """None for the session's own level."""
    offline_deadline_s: float = 20.0
    """Seconds for what needs no model."""
    call_deadline_s: float = 120.0
    """Seconds for a model's reply."""
    budget_chars: int = MAX_BUDGET_CHARS
    """How many characters a state may have, where the model's window allows them."""
    ask_tools: tuple[str, ...] = ASK_TOOLS
    """Tools whose answers are the user's own words; a file adds to pi's two."""
    local_only_roots: tuple[Path, ...] = ()
    """Folders whose sessions are never handed to a model on another machine: absolute, symbolic
    links as written; `/` where a file cannot be understood, for it may have named any."""
    roots_unknown: bool = False
    """True where a file cannot be understood, and every session is local only for it."""
    complaints: tuple[str, ...] = ()
    """What was not heeded and why, a line each with file and key; the rest holds all the same."""
