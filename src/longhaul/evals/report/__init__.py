"""A run of the harness, or one session, as a page to look at: one HTML file that needs nothing."""
