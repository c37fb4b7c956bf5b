"""Verified state instead of a summary, for long sessions with the pi coding agent."""
