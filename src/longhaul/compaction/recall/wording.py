"""How an answer names what can be asked next: by a tool's fields, or by a command's options."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What the last line of an answer calls the next steps."""

    page: str
    """A further page; `{}` stands for its number."""
    around: str
    """What stands around a hit; `{}` stands for the entry of the first one that is shown."""

    def page_text(self, number: int) -> str:
        """Return how page `number` is asked for."""
        return f"more: {self.page.format(number)}"

    def around_text(self, entry: str) -> str:
        """Return how the surroundings of a hit are asked for, with `entry` for an example."""
        return f"around a hit: {self.around.format(entry)}"


TOOL = Wording(page="page {}", around="around with its [entry]")
"""For the model inside pi."""
