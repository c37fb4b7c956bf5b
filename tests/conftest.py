"""Settings that hold for every test."""

from hypothesis import settings

# A shared, busy machine makes any deadline for one example a source of chance failures.
settings.register_profile("longhaul", deadline=None, print_blob=True)
settings.load_profile("longhaul")
