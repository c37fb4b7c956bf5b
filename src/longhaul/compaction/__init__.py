"""From a path to a compaction: cut, ledger, rules, values, state, rendering."""
