"""A user's settings, and what a project may add to them: `longhaul.json`, parsed once."""

from longhaul.config.files import FILE_NAME
from longhaul.config.load import load_config
from longhaul.config.settings import Config, Mode

__all__ = ["FILE_NAME", "Config", "Mode", "load_config"]
