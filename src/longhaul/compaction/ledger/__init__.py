"""What the tools did, read off calls and results alone: files, checks, commits, commands."""

from longhaul.compaction.ledger.runs import ToolRun, find_runs
from longhaul.compaction.ledger.world import advance_world

__all__ = ["ToolRun", "advance_world", "find_runs"]
