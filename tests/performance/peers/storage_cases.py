"""What is compared with IOR: the same case in both languages, term by term."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from weir.units import spell_bytes

KIB, MIB = 1 << 10, 1 << 20
TRANSFERS = (64 * KIB, MIB, 16 * MIB)
INTERFACES = {"posix": "POSIX", "mpiio": "MPIIO", "hdf5": "HDF5", "pnetcdf": "NCMPI"}
"""Our back-ends, and what IOR calls them."""
LAYOUTS = ("shared", "file-per-process")
PLAIN = ("posix", "mpiio")
"""Interfaces that write bytes as they are, so that both sides can read the very same files."""


@dataclass(frozen=True)
class StorageCase:
    """A case of both sides: `block` bytes a rank in requests of `transfer` bytes, `repetitions` a launch."""

    backend: str
    layout: str
    transfer: int
    block: int
    repetitions: int
    where: str
    """`storage` for the storage measured, or a directory in memory."""
    sync: bool = True
    dropped: bool = False
    """Read files that are not in the page cache, instead of writing new ones and reading them back."""

    @property
    def name(self) -> str:
        """For people."""
        place = "" if self.where == "storage" else f" {self.where}"
        return f"{self.backend} {self.layout} {spell_bytes(self.transfer)}{place}"

    @property
    def counts_operations(self) -> bool:
        """Whether operations a second are what it is about."""
        return self.where != "storage"

    @property
    def phases(self) -> dict[str, str]:
        """Names of the phases, and what a table calls them."""
        if self.dropped:
            return {"read": "read, cache dropped"}
        return {"write": "write + fsync" if self.sync else "write", "read": "read, cache kept"}

    @property
    def folder(self) -> str:
        """A name for its directory; cases that read the same files share it."""
        return f"dropped-{self.layout}" if self.dropped else f"{self.backend}-{self.layout}-{self.transfer}"

    def files(self, directory: Path, ranks: int) -> list[Path]:
        """The files that our side writes, which are named as IOR names its own."""
        if self.layout == "shared":
            return [directory / "weir-data"]
        return [directory / f"weir-data.{rank:08}" for rank in range(ranks)]

    def our_options(self, directory: Path) -> dict[str, Any]:
        """The case for `weir-core storage`."""
        return {
            "backend": self.backend,
            "layout": self.layout,
            "transfer": self.transfer,
            "block": self.block,
            "segments": 1,
            "sync": "close" if self.sync else "never",
            "cache": "keep",
            "repetitions": self.repetitions,
            "dir": directory,
            **({"write": False, "keep": True} if self.dropped else {}),
        }

    def writing_options(self, directory: Path) -> dict[str, Any]:
        """The case for `weir-core storage` that writes the files to be read by both sides."""
        fresh = replace(self, dropped=False, repetitions=1)
        return {**fresh.our_options(directory), "backend": "posix", "read": False, "keep": True}

    def their_arguments(self, directory: Path) -> list[str]:
        """The case for IOR."""
        arguments = ["-a", INTERFACES[self.backend], "-t", str(self.transfer), "-b", str(self.block)]
        arguments += ["-s", "1", "-i", str(self.repetitions), "-o", str(directory / "weir-data")]
        arguments += ["-F"] if self.layout == "file-per-process" else []
        if self.dropped:
            return [*arguments, "-r", "-k"]
        return [*arguments, "-w", "-r", *(["-e"] if self.sync else [])]


def storage_cases(*, quick: bool, memory: Path | None) -> list[StorageCase]:
    """All cases; the quick ones leave out all transfers but the middle one. `memory` is a directory in
    memory."""
    transfers = (MIB,) if quick else TRANSFERS
    cases = [
        StorageCase(backend, layout, transfer, 64 * MIB, 3, "storage")
        for transfer in transfers
        for layout in LAYOUTS
        for backend in INTERFACES
    ]
    cases += [
        StorageCase(backend, layout, transfer, 64 * MIB, 1, "storage", dropped=True)
        for transfer in transfers
        for layout in LAYOUTS
        for backend in PLAIN
    ]
    if memory is not None:
        cases += [
            StorageCase("posix", layout, KIB, 32 * MIB, 3, str(memory), sync=False) for layout in LAYOUTS
        ]
    return cases
