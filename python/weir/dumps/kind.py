"""What a kind of dump is, and which there are. A module `dump_kind` is light to import: what reads dumps is
imported by those of its functions that read."""

import importlib.util
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from weir.errors import WeirError
from weir.extras import lacking
from weir.files.thing import Thing
from weir.registry import Registry

if TYPE_CHECKING:
    from weir.figures.figure import Spec

Package = tuple[str, str]
"""A module, and the name of the package that has it."""
MOST_LOOKED_AT = 1000
"""Files of a folder: each is opened."""
H5PY, NUMPY = ("h5py", "h5py"), ("numpy", "NumPy")


@dataclass(frozen=True)
class Wishes:
    """What a person wants to see, one field an option of `weir picture`; where nothing was said it is None,
    empty or False."""

    variable: tuple[str, ...] = ()
    axis: str | None = None
    at: float | None = None
    cell: int | None = None
    time: float | None = None
    step: int | None = None
    colour: str | None = None
    as_stored: bool = False
    no_lines: bool = False


@dataclass(frozen=True)
class Drawn:
    """A picture. beside: its file, unless another is named; told: what it says, for programs."""

    spec: "Spec"
    beside: Path
    told: dict[str, Any]


@dataclass(frozen=True)
class Table:
    """headings: as `weir.cli._streams.print_table` has them, `>` for columns that are set to the right."""

    headings: tuple[str, ...]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Shown:
    """What a dump holds. parts: lines and tables for people, in their order; told: the same for programs;
    is_wrong: it does not agree with itself."""

    parts: tuple[list[str] | Table, ...]
    told: dict[str, Any]
    is_wrong: bool = False


@dataclass(frozen=True)
class Exported:
    """Dumps in another program's format. path: of the file that it opens; contents: of all files, in the
    order in which they are to be written; notes: for people; told: for programs."""

    path: Path
    contents: list[tuple[Path, bytes]]
    notes: list[str]
    told: dict[str, Any]


class DumpKind(ABC):
    """A kind. Subclasses register with `@dump_kind(NAME)`, by the name of their folder.

    what: in words, "a file of FLASH"; help: what `weir picture` draws of it; options: which of its own this
    kind takes, as fields of Wishes; most_variables: in one picture; extra: of pyproject.toml, with the
    packages that read it, and those that pictures need as well; formats: that `weir export` writes of it.
    """

    what: ClassVar[str]
    help: ClassVar[str]
    options: ClassVar[frozenset[str]]
    most_variables: ClassVar[int] = 1
    extra: ClassVar[str]
    packages: ClassVar[tuple[Package, ...]] = (H5PY, NUMPY)
    to_draw: ClassVar[tuple[Package, ...]] = ()
    formats: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def recognises(self, thing: Thing) -> bool:
        """Is it one, sound or not?"""

    @abstractmethod
    def show(self, path: Path) -> Shown:
        """Read it. Raises WeirError if it cannot be read."""

    @abstractmethod
    def draw(self, path: Path, wishes: Wishes) -> Drawn:
        """Draw it; of the wishes only this kind's options are set. Raises WeirError if it cannot be read, or
        does not have what is wanted."""

    def export(self, paths: Sequence[Path], format: str, out: Path | None) -> Exported:
        """One or several of one run, in one of its formats; `out`: null for a name beside the first. Raises
        WeirError if they cannot be read, or not be written there."""
        raise NotImplementedError(format)

    def flags(self) -> list[str]:
        """Its options as they are written, in the order of the help."""
        return [f"--{one.name.replace('_', '-')}" for one in fields(Wishes) if one.name in self.options]

    def check_packages(self, *more: Package) -> None:
        """Raises WeirError unless the packages are installed that read it, and these."""
        for module, package in (*self.packages, *more):
            if importlib.util.find_spec(module) is None:
                raise lacking(package, self.extra, f"cannot read {self.what}")


_kinds = Registry[type[DumpKind]]("dump_kind", "kind of dump")
dump_kind = _kinds.register
"""Class decorator: make the kind known under the name, which is that of its folder."""


def dump_kinds() -> dict[str, DumpKind]:
    """All, by name."""
    return {name: one() for name, one in _kinds.all().items()}


def dump_formats() -> list[str]:
    """Those that dumps of any kind are written in."""
    return sorted({name for kind in dump_kinds().values() for name in kind.formats})


def kind_of(thing: Thing) -> DumpKind | None:
    """What the thing is a dump of, if it is one."""
    return next((one for one in dump_kinds().values() if one.recognises(thing)), None)


def first_dump_in(folder: Path) -> Path | None:
    """The first by name of the dumps in a folder; null where its first files, so many as are looked at, are
    none."""
    try:
        paths = sorted(islice(folder.iterdir(), MOST_LOOKED_AT))
    except OSError:
        return None
    return next((path for path in paths if path.is_file() and kind_of(Thing(str(path)))), None)


def known_kind_of(path: Path) -> DumpKind:
    """The same. Raises WeirError if it is none that is known, or cannot be read."""
    thing = Thing(str(path))
    found = kind_of(thing)
    if found is None:
        raise _unknown(thing)
    return found


def _unknown(thing: Thing) -> WeirError:
    from weir.files.named import check_named

    if thing.is_folder and (one := first_dump_in(thing.path)):
        return WeirError(f"'{thing.word}' is a folder with dumps", "", f"name one of them, such as '{one}'")
    kinds = dump_kinds().values()
    *others, last = (one.what for one in kinds)
    known = f"name {', '.join(others)} or {last}"
    if not thing.is_folder:
        check_named(thing.path, "the file", known)
    if thing.is_hdf5:
        if importlib.util.find_spec(H5PY[0]) is None:
            extras = ",".join(one.extra for one in kinds if H5PY in one.packages)
            return lacking(H5PY[1], extras, f"cannot tell what the HDF5 file '{thing.word}' is")
        _check_hdf5(thing.path, known)
    return WeirError(f"'{thing.word}' is no dump that Weir knows", _why(thing), known)


def _check_hdf5(path: Path, known: str) -> None:
    """Raises WeirError where it is damaged, which no kind could tell."""
    from weir.files.hdf5 import Format, opened

    with opened(path, Format("dump that Weir knows", known)) as datasets:
        datasets.names()


def _why(thing: Thing) -> str:
    if thing.is_folder:
        return "it is a folder"
    if thing.begin.startswith(b"CDF"):
        return "it is a file of netCDF"
    names = ", ".join(f"'{name}'" for name in sorted(thing.names)[:3])
    if thing.is_hdf5:
        return f"it is a file of HDF5 with {names}" if names else "it is a file of HDF5 with nothing in it"
    return "" if thing.begin else "it is empty"
