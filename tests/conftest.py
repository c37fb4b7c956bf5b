"""Settings that hold for every test."""

import os

from hypothesis import settings

# A shared, busy machine makes any deadline for one example a source of chance failures. CI judges
# a change by the same examples each time; everywhere else each run draws new ones.
settings.register_profile(
    "longhaul", deadline=None, print_blob=True, derandomize="CI" in os.environ
)
settings.load_profile("longhaul")
