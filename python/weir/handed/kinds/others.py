"""Programs, scientific files, output of benchmarks, folders."""

from weir.handed.kind import Thing, kind
from weir.reading.reader import reader_of


@kind("program", "a program", "`weir trace -- {1}` records what it requests")
def program(thing: Thing) -> bool:
    """One for this system, or a script."""
    return thing.begin.startswith((b"\x7fELF", b"#!"))


@kind(
    "hdf5",
    "an HDF5 file",
    "`weir flash picture {0}`, `weir aquifer picture {0}` and `weir cloud picture {0}` draw those of their "
    "applications",
)
def hdf5(thing: Thing) -> bool:
    """Of any application."""
    return thing.begin.startswith(b"\x89HDF\r\n\x1a\n")


@kind("output", "output of a benchmark", "`weir read {0}` makes a run of it")
def output(thing: Thing) -> bool:
    """Of one that a reader recognises."""
    return bool(thing.begin) and reader_of(thing.begin.decode("utf-8", "replace")) is not None


@kind("folder", "a folder", "")
def folder(thing: Thing) -> bool:
    """Of any content: runs and traces are folders too."""
    return thing.is_folder


@kind(
    "cloud-dump",
    "a dump of the gas cloud",
    "`weir cloud show {0}` tells what it holds, `weir cloud picture {0}` draws it",
)
def cloud_dump(thing: Thing) -> bool:
    """A directory with states; files of other formats than HDF5 are not told from others."""
    return thing.holds("restart*") or thing.holds("analysis-*")
