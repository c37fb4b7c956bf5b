"""The `longhaul` command: options in, one call, text out."""
