"""A guideline: a function of MPI need not take longer than others that together do its work, since a library
could do it by them.

Sources: J. L. Träff, W. D. Gropp, R. Thakur, Self-consistent MPI performance guidelines, IEEE Transactions on
Parallel and Distributed Systems 21 (2010); S. Hunold, A. Carpen-Amarie, Autotuning MPI collectives using
performance guidelines, HPC Asia 2018.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from weir.registry import Registry

SPLIT_IN_2_3 = "Reduce_scatter"
"""IMB 2.3 gives it the whole vector as its message, which it splits; IMB 2021 the share of a rank."""
FLOAT_BYTES = 4
SUMMING = frozenset({"Reduce", "Allreduce", "Reduce_scatter", "Reduce_scatter_block"})
"""Functions whose messages are whole floats."""


class Size(Enum):
    """How much data a function of a guideline is given, of a vector of `m` bytes on `n` ranks."""

    WHOLE = "m"
    SHARE = "m/n"
    """Of each rank, or for each partner."""
    FLOAT = "4 B"
    NONE = "no data"


@dataclass(frozen=True)
class Part:
    """A call of a function, by the name that IMB gives it, with so much data."""

    function: str
    size: Size

    def message(self, vector: int, ranks: int, imb: str) -> int | None:
        """Its message size as IMB counts it, in bytes; null where the vector cannot be split so."""
        size = self.size
        if self.function == SPLIT_IN_2_3:
            # Its data are the whole vector in any case.
            size = Size.WHOLE if imb == "2.3" else Size.SHARE
        if size is not Size.SHARE:
            return {Size.WHOLE: vector, Size.FLOAT: FLOAT_BYTES, Size.NONE: 0}[size]
        share, rest = divmod(vector, ranks)
        unit = FLOAT_BYTES if self.function in SUMMING else 1
        return share if rest == 0 and share % unit == 0 else None

    def vector(self, message: int, ranks: int, imb: str) -> int:
        """The reverse: the vector of a call with that message."""
        splits = self.function == SPLIT_IN_2_3 and imb == "2.3"
        return message * ranks if self.size is Size.SHARE and not splits else message


@dataclass(frozen=True)
class Guideline:
    """`one` may not take longer than `parts` one after the other."""

    one: Part
    parts: tuple[Part, ...]

    @property
    def by(self) -> str:
        """What the function is compared with: "Reduce + Bcast"."""
        return " + ".join(part.function for part in self.parts)

    def words(self) -> str:
        """ "Allgather(m/n) <= Gather(m/n) + Bcast(m)"."""
        one, *parts = (f"{part.function}({part.size.value})" for part in (self.one, *self.parts))
        return f"{one} ≤ {' + '.join(parts)}"


_guidelines = Registry[Guideline]("weir.network.guidelines.rules", "guideline")


def whole(function: str) -> Part:
    """The function on the whole vector."""
    return Part(function, Size.WHOLE)


def share(function: str) -> Part:
    """The function on the share of a rank."""
    return Part(function, Size.SHARE)


def declare(one: Part, *parts: Part) -> Guideline:
    """Registers the guideline that `one` may not take longer than `parts` together."""
    made = Guideline(one, parts)
    return _guidelines.register(made.words())(made)


def all_guidelines() -> Sequence[Guideline]:
    """All that are declared, by their words."""
    return list(_guidelines.all().values())
