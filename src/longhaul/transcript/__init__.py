"""Session entries, the path through them, and what a path shows the model."""
