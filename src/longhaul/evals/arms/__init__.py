"""The compactors under test, each a callable from what pi hands a compactor to a text."""
