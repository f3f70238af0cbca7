"""What IOR asks of storage: a block of each rank, in transfers, through one of four interfaces."""

from dataclasses import dataclass

from msgspec.structs import replace

from weir.pattern import (
    Access,
    Extent,
    File,
    Open,
    Order,
    Pattern,
    RankSet,
    Repeat,
    Step,
    levels_of,
    phase_of,
)
from weir.workloads._steps import closed, opened

KIB, MIB, GIB = 2**10, 2**20, 2**30


@dataclass(frozen=True)
class Interface:
    """`begins`: bytes of a file before its data. `sieve`: a transfer is cut into pieces of that size, each of
    which is read, changed and written; 0: it is one request."""

    name: str
    begins: int = 0
    sieve: int = 0


POSIX, MPI_IO = Interface("POSIX"), Interface("MPI-IO")
HDF5 = Interface("HDF5", begins=2048)
NETCDF = Interface("parallel netCDF", begins=164, sieve=512 * KIB)
"""A file's begin: the header of CDF-2 with one variable of three dimensions, as IOR makes it. It writes
independently through a file view; data sieving with ROMIO's default buffer of 512 KiB is assumed."""


@dataclass(frozen=True)
class Ior:
    """A test of IOR with one segment. `most`: transfers of a rank that are carried out at most, the first of
    its block."""

    ranks: int
    transfer: int
    block: int
    own_files: bool = False
    reads: bool = False
    interface: Interface = POSIX
    most: int = 2**15

    @property
    def count(self) -> int:
        """Transfers of a rank."""
        return max(1, min(self.most, self.block // self.transfer))

    def pattern(self) -> Pattern:
        """All ranks write, then read what they wrote if the test reads."""
        phases = [("write", "create"), *([("read", "read")] if self.reads else [])]
        return Pattern(
            weir_pattern=1,
            name="ior",
            ranks=self.ranks,
            files=[File(name="ior", per_rank=self.own_files)],
            phases=[
                phase_of(verb, [_opened(mode), *self._transfers(verb), closed(0)]) for verb, mode in phases
            ],
        )

    def _transfers(self, verb: str) -> list[Step]:
        piece = self.interface.sieve
        if verb == "read" or piece == 0 or piece >= self.transfer:
            return [Step(access=self._access(verb, self.transfer, self.count))]
        once = self._access("write", piece, 1)
        sieved = [Step(access=replace(once, verb=kind, advance=(piece,))) for kind in ("read", "write")]
        return [Step(repeat=Repeat(count=self.count * self.transfer // piece, steps=sieved))]

    def _access(self, verb: str, length: int, count: int) -> Access:
        apart = 0 if self.own_files else self.block
        return Access(
            verb="write" if verb == "write" else "read",
            file=0,
            ranks=RankSet(first=0, count=self.ranks, step=1),
            rank_levels=levels_of([(self.ranks, apart)] if apart and self.ranks > 1 else []),
            extent=Extent(
                start=self.interface.begins,
                levels=levels_of([(count, length)] if count > 1 else []),
                length=length,
            ),
            order=Order(kind="sequential"),
            sync_each=False,
        )


def _opened(mode: str) -> Step:
    return opened(0) if mode == "create" else Step(open=Open(file=0, mode="read"))
