"""The profile of a trace as data: its phases, and the parts of each."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PartRow:
    """What all ranks did in one kind of call in one phase."""

    name: str
    """The call of MPI, or what kinds of calls these are; "computing" is the time in none."""
    kind: str
    """Of `parts.KINDS`."""
    share: float | None
    """Of the phase's time of all ranks; None where the phase took no time."""
    min_s: float
    """Here and below: of all ranks. One that made no such call took no time in it."""
    mean_s: float
    max_s: float


@dataclass(frozen=True)
class PhaseRow:
    """A phase without those inside it; its parts add up to it."""

    name: str
    """"" for the time in no marked phase."""
    ranks: int
    """That were in it."""
    min_s: float
    mean_s: float
    max_s: float
    parts: tuple[PartRow, ...]


@dataclass(frozen=True)
class Profile:
    """All phases, in the order in which they first began; last the time in none."""

    phases: tuple[PhaseRow, ...] = ()
    ranks: int = 0
    """Of which minimum, mean and maximum are taken."""
    threads: bool = False
    """Has a rank several threads or processes, whose times are added up?"""

    @property
    def marked(self) -> bool:
        """Did the program mark any phase?"""
        return any(phase.name for phase in self.phases)

    def title_of(self, phase: PhaseRow) -> str:
        """The phase's name, or what the time in none is."""
        return phase.name or ("outside its phases" if self.marked else "the whole program")
