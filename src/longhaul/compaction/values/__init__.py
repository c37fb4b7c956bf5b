"""Exact tokens that tools printed and the conversation then used."""

from longhaul.compaction.values.learned import advance_values

__all__ = ["advance_values"]
