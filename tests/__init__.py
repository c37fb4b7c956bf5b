"""The tests, laid out as the package is: `tests/transcript/` tests `longhaul.transcript`."""
