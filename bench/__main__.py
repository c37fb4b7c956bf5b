"""All benchmarks, one after the other."""

import sys

from bench import compaction, reading, serving

for title, run in (
    ("Reading and cut, against decoding", reading.BENCHMARK.run),
    ("Compaction of the whole, against decoding", compaction.BENCHMARK.run),
    ("The server, session of 100 MB", serving.main),
):
    sys.stdout.write(f"\n{title}\n")
    sys.stdout.flush()
    run([])
