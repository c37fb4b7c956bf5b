"""What pi starts: the server, with the models that settings can name.

Started as `python -I -m longhaul.cli.serve`. What an answer needs is imported once the extension is
greeted, and a model's own package when one is opened.
"""

import os
from typing import TYPE_CHECKING

from longhaul.pi.agent_dir import find_agent_dir
from longhaul.pi.calls import Calls
from longhaul.pi.serve import Answer, serve_standard_streams

if TYPE_CHECKING:
    from longhaul.compaction.compact import Model


def main() -> None:
    """Serve on the standard streams."""
    serve_standard_streams(_load_answers)


def _load_answers(calls: Calls) -> Answer:
    from longhaul.pi.answers import Answers  # noqa: PLC0415 - takes most of the start
    from longhaul.pi.asked_model import Models  # noqa: PLC0415 - the same

    models = Models(open=_open_model, is_on_this_machine=_is_on_this_machine)
    return Answers(find_agent_dir(os.environ), calls, models)


def _open_model(spec: str, timeout_s: float) -> "Model":
    from longhaul.models.opening import open_model  # noqa: PLC0415 - rarely needed

    return open_model(spec, timeout_s=timeout_s, environment=os.environ)


def _is_on_this_machine(spec: str) -> bool:
    from longhaul.models.opening import is_on_this_machine  # noqa: PLC0415 - rarely needed

    return is_on_this_machine(spec, os.environ)


if __name__ == "__main__":
    main()
