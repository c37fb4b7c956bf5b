"""What becomes of one claim that was held against the tool results."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim that could be judged."""

    claim: str
    """What it says, in a few words; equal claims are named alike."""
    fault: str = ""
    """What the tool results show instead; empty where they bear it out."""

    @property
    def name(self) -> str:
        """The claim and what is wrong with it."""
        return f"{self.claim}: {self.fault}" if self.fault else self.claim
