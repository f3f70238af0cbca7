"""Programs, scientific files, output of benchmarks, folders."""

from weir.files.thing import Thing
from weir.handed.kind import kind
from weir.reading.reader import reader_of


@kind("program", "a program", "`weir trace -- {1}` records what it requests")
def program(thing: Thing) -> bool:
    """One for this system, or a script."""
    return thing.begin.startswith((b"\x7fELF", b"#!"))


@kind(
    "hdf5", "an HDF5 file", "`weir show {0}` and `weir picture {0}` take those of applications that they know"
)
def hdf5(thing: Thing) -> bool:
    """Of any application."""
    return thing.is_hdf5


@kind("output", "output of a benchmark", "`weir read {0}` makes a run of it")
def output(thing: Thing) -> bool:
    """Of one that a reader recognises."""
    return bool(thing.begin) and reader_of(thing.begin.decode("utf-8", "replace")) is not None


@kind("folder", "a folder", "")
def folder(thing: Thing) -> bool:
    """Of any content: runs and traces are folders too."""
    return thing.is_folder
