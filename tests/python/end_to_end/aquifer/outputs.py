"""What the aquifer's files hold, as h5py finds it, or at the offsets that the pattern of a run names."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from numpy.typing import NDArray

from ..real_core import core_command
from ..real_programs import run

Arrays = dict[str, NDArray[Any]]

DATA = {"i4": "<i4", "f8": "<f8", "S7": "S7", "S32": "S32"}


def arrays_in(path: Path) -> Arrays:
    """Every dataset of an HDF5 file, by its path in it."""
    h5py = pytest.importorskip("h5py")
    with h5py.File(path) as file:
        return dict(_datasets(h5py, file))


def _datasets(h5py: Any, group: Any) -> Iterator[tuple[str, NDArray[Any]]]:
    for one in group.values():
        if isinstance(one, h5py.Group):
            yield from _datasets(h5py, one)
        else:
            yield one.name[1:], one[...]


def files_in(folder: Path) -> dict[str, Arrays]:
    """The arrays of each HDF5 file in a folder, by its name."""
    return {path.name: arrays_in(path) for path in sorted(folder.glob("*.h5"))}


def plain_files_in(folder: Path, pattern: dict[str, Any]) -> dict[str, Arrays]:
    """The same of plain bytes: what the pattern says of their arrays."""
    numpy = pytest.importorskip("numpy")
    found: dict[str, Arrays] = {}
    for file in pattern["files"]:
        data = (folder / file["name"]).read_bytes()
        arrays = found.setdefault(file["name"].replace(".raw", ".h5"), {})
        end = 0
        for array in file["arrays"]:
            count, kind = int(numpy.prod(array["shape"])), numpy.dtype(DATA[array["element"]])
            flat = numpy.frombuffer(data, kind, count, array["offset"])
            arrays[array["name"]] = flat.reshape(array["shape"])
            end = max(end, array["offset"] + flat.nbytes)
        assert len(data) == end, f"{file['name']} is {len(data)} bytes, and its arrays end at {end}"
    return found


def assert_same(found: dict[str, Arrays], wanted: dict[str, Arrays]) -> None:
    """Bit for bit, in kind and shape too."""
    assert found.keys() == wanted.keys()
    for file, arrays in wanted.items():
        assert found[file].keys() == arrays.keys(), file
        for name, array in arrays.items():
            one = found[file][name]
            where = f"{file}: {name}"
            assert (one.dtype, one.shape) == (array.dtype, array.shape), where
            assert one.tobytes() == array.tobytes(), where


def by_time(files: dict[str, Arrays]) -> dict[str, Arrays]:
    """The outputs' arrays by the group of their time, however they are spread over files; the coordinates
    too."""
    found: dict[str, Arrays] = {}
    for file, arrays in files.items():
        if "input" in file:
            continue
        for name, array in arrays.items():
            group, _, variable = name.rpartition("/")
            found.setdefault(group, {})[variable] = array
    return found


def pattern_of(*arguments: str, ranks: int) -> dict[str, Any]:
    """What the program says of a run's I/O, without a launcher."""
    command = core_command("aquifer", *arguments, "--emit-pattern", "--pattern-ranks", str(ranks))
    pattern: dict[str, Any] = json.loads(run(*command.argv))
    return pattern
