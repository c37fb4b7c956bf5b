"""Answers from closed spans: what to search, which of it a query means, how it is quoted."""
