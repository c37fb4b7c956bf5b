"""Models that answer a request: providers, a GGUF file on this machine, files, scripts."""

from longhaul.models.opening import is_on_this_machine, open_model

__all__ = ["is_on_this_machine", "open_model"]
