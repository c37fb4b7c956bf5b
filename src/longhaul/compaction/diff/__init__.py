"""The diff: what a model says that a span changed, asked for, parsed, verified and applied."""
