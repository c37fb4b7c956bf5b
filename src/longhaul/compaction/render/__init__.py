"""The state as text: its lines, which of them fit, and what makes session text harmless."""

from longhaul.compaction.render.text import Rendered, render

__all__ = ["Rendered", "render"]
