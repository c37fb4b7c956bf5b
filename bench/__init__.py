"""Benchmarks: speed and memory on synthetic sessions, run by `make bench`."""
