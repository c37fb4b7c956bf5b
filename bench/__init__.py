"""Benchmarks: speed and memory on synthetic sessions (`make bench`), and what model calls cost."""
