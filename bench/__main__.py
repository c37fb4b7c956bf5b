"""All benchmarks, one after the other."""

import sys

from bench import compaction, reading, recall, serving

for title, run in (
    ("Reading and cut, against decoding", reading.BENCHMARK.run),
    ("Compaction of the whole, against decoding", compaction.BENCHMARK.run),
    ("The server, session of 100 MB", serving.main),
    ("Recall: the first index, against decoding", recall.BENCHMARK.run),
    ("Recall in the server, session of 100 MB", recall.main),
):
    sys.stdout.write(f"\n{title}\n")
    sys.stdout.flush()
    run([])
