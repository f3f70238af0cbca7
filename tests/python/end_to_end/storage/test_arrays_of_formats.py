"""Compounds and attributes, as h5py and netCDF4 find them in what weir-core has written."""

import contextlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from random_cases import random_cases

from ..conftest import folder_with_store
from ..patterns import Json
from ..real_core import run_core
from ..stamped_arrays import dtype_of, expected, pattern_of, placed, run_pattern, same, written

PARAMETER = {
    "bytes": 40,
    "members": [
        {"name": "total blocks", "element": "i4", "offset": 0},
        {"name": "time", "element": "f8", "offset": 8},
        {"name": "timestep", "element": "f8", "offset": 16},
        {"name": "number of steps", "element": "i4", "offset": 24},
    ],
}
LISTED = {
    "bytes": 88,
    "members": [
        {"name": "name", "element": "S80", "offset": 0},
        {"name": "value", "element": "f8", "offset": 80},
    ],
}
FIELD = {"name": "f1  ", "element": "f4", "shape": [6, 2, 3]}
OF_HDF5 = placed(
    [
        {"name": "file creation time", "element": "S40", "shape": [1]},
        {"name": "simulation parameters", "element": PARAMETER, "shape": [1]},
        {"name": "real scalars", "element": LISTED, "shape": [3]},
        FIELD,
        {"name": "minimum", "element": "f4", "shape": [1], "attribute_of": "f1  "},
        {"name": "unit", "element": "S1", "shape": [], "attribute_of": "f1  "},
        {"name": "unit", "element": "S7", "shape": [2], "attribute_of": "real scalars"},
        {"name": "unit", "element": "f8", "shape": [3], "attribute_of": ""},
        {"name": "parameters", "element": PARAMETER, "shape": [2], "attribute_of": ""},
    ]
)
OF_NETCDF = placed(
    [
        {"name": "flash_version", "element": "S20", "shape": [], "attribute_of": ""},
        {"name": "total_blocks", "element": "i4", "shape": [1], "attribute_of": ""},
        {"name": "time", "element": "f8", "shape": [], "attribute_of": ""},
        {**FIELD, "name": "f1__"},
        {"name": "gid", "element": "i4", "shape": [6, 15]},
        {"name": "unit", "element": "S7", "shape": [], "attribute_of": "f1__"},
        {"name": "unit", "element": "u2", "shape": [3], "attribute_of": "gid"},
    ]
)


def need_backend(name: str) -> None:
    there = {backend["name"] for backend in run_core("schema").lines[0]["backends"]}
    if name not in there:
        pytest.skip(f"this build has no back-end {name}")


def attribute_of_hdf5(file: Any, array: Json) -> NDArray[Any]:
    """As it is stored: h5py's own reading drops zeros at the end of a text."""
    h5py = pytest.importorskip("h5py")
    owner = file[array["attribute_of"] or "/"]
    stored = h5py.h5a.open(owner.id, array["name"].encode())
    found = np.empty(stored.shape, stored.dtype)
    stored.read(found)
    return found


def check_hdf5(arrays: list[Json]) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(written("hdf5")) as file:
        assert set(file) == {array["name"] for array in arrays if "attribute_of" not in array}
        for array in arrays:
            is_attribute = "attribute_of" in array
            found = attribute_of_hdf5(file, array) if is_attribute else file[array["name"]][...]
            assert same(found, expected(array)), array
            assert found.dtype.itemsize == dtype_of(array["element"]).itemsize


def check_netcdf(arrays: list[Json]) -> None:
    netcdf = pytest.importorskip("netCDF4")
    header = written("pnetcdf").read_bytes()
    with netcdf.Dataset(written("pnetcdf")) as file:
        file.set_auto_mask(False)
        for array in arrays:
            wanted = expected(array)
            if "attribute_of" not in array:
                found = file.variables[array["name"]][...]
            elif isinstance(array["element"], str) and array["element"].startswith("S"):
                assert wanted.tobytes() in header  # netCDF4 decodes it, which not all bytes allow
                continue
            else:
                owner = file.variables[array["attribute_of"]] if array["attribute_of"] else file
                found = np.asarray(owner.getncattr(array["name"])).reshape(wanted.shape)
            assert same(np.asarray(found).astype(wanted.dtype), wanted), array


@pytest.mark.parametrize("collective", [False, True])
@pytest.mark.parametrize("ranks", [1, 2])
def test_h5py_finds_compounds_and_attributes(place: Path, ranks: int, collective: bool) -> None:
    need_backend("hdf5")
    counts = [6] if ranks == 1 else [2, 4]
    run_pattern(pattern_of(OF_HDF5, ranks=ranks, counts=counts), "posix")
    run_pattern(pattern_of(OF_HDF5, ranks=ranks, counts=counts, collective=collective), "hdf5")
    check_hdf5(OF_HDF5)


@pytest.mark.parametrize("collective", [False, True])
def test_netcdf4_finds_attributes(place: Path, collective: bool) -> None:
    need_backend("pnetcdf")
    run_pattern(pattern_of(OF_NETCDF, ranks=2, counts=[2, 4]), "posix")
    run_pattern(pattern_of(OF_NETCDF, ranks=2, counts=[2, 4], collective=collective), "pnetcdf")
    check_netcdf(OF_NETCDF)
    # Attributes that come after the data change a header that is there already.
    late = [*OF_NETCDF[3:], *OF_NETCDF[:3]]
    run_pattern(pattern_of(late, ranks=2, counts=[2, 4], collective=collective), "pnetcdf")
    check_netcdf(late)


def test_netcdf_has_no_compounds(place: Path) -> None:
    need_backend("pnetcdf")
    done = run_pattern(pattern_of(OF_HDF5, ranks=2, counts=[2, 4]), "pnetcdf", code=2)
    failure = done.failure()
    assert failure["problem"] == "pnetcdf cannot store 'simulation parameters' of 'data'"
    assert "compounds" in failure["reason"]
    assert not written("pnetcdf").exists()


CHANGES: dict[str, tuple[int, Json, str]] = {
    "member": (
        1,
        {
            "element": {
                **PARAMETER,
                "members": [*PARAMETER["members"][:3], {"name": "n", "element": "i4", "offset": 24}],
            }
        },
        "the dataset 'simulation parameters'",
    ),
    "bytes": (1, {"element": {**PARAMETER, "bytes": 48}}, "the dataset 'simulation parameters'"),
    "text": (2, {"element": {**LISTED, "members": LISTED["members"][1:]}}, "the dataset 'real scalars'"),
    "attribute": (4, {"element": "f8"}, "the attribute 'minimum'"),
    "shape": (6, {"shape": [1]}, "the attribute 'unit'"),
    "length": (0, {"element": "S39"}, "the dataset 'file creation time'"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_of_another_type_is_refused(place: Path, change: str) -> None:
    need_backend("hdf5")
    run_pattern(pattern_of(OF_HDF5, ranks=2, counts=[2, 4]), "hdf5")
    index, changed, what = CHANGES[change]
    arrays = placed([{**array, **changed} if i == index else array for i, array in enumerate(OF_HDF5)])
    other = pattern_of(arrays, ranks=2, counts=[2, 4])
    reading = json.loads(json.dumps({**other, "phases": other["phases"][1:]}).replace('"check"', '"read"'))
    problem = run_pattern(reading, "hdf5", code=2).failure()["problem"]
    assert problem.startswith(what)
    assert ("another shape" if change == "shape" else "another type of element") in problem


def compounds() -> st.SearchStrategy[Json]:
    """Of one to four members, with gaps, and texts of one byte."""

    @st.composite
    def made(draw: st.DrawFn) -> Json:
        end = draw(st.integers(0, 5))
        members = []
        for number in range(draw(st.integers(1, 4))):
            element = draw(st.sampled_from(["i1", "u8", "f4", "f8", "S1", "S13"]))
            members.append({"name": f" {number}" * (number + 1), "element": element, "offset": end})
            end += dtype_of(element).itemsize + draw(st.sampled_from([0, 0, 1, 7]))
        return {"bytes": end, "members": members}

    return made()


@st.composite
def arrays_of_files(draw: st.DrawFn) -> list[Json]:
    """Arrays, and attributes of some of them and of the file, two of one name among them, in any order."""
    elements = compounds() | st.sampled_from(["i1", "u2", "i8", "f4", "f8", "S1", "S5"])
    shapes = st.sampled_from([[], [1], [5], [6], [6, 1], [6, 2, 3]])
    arrays = [
        {"name": f"array {i} ", "element": draw(elements), "shape": draw(shapes)}
        for i in range(draw(st.integers(1, 4)))
    ]
    owners = ["", *(array["name"] for array in arrays)]
    noted = draw(st.lists(st.sampled_from(owners), unique=True, max_size=3))
    for owner in noted:
        shape = draw(st.sampled_from([[], [1], [4]]))
        for name in draw(st.sampled_from([["note"], ["note", "b"]])):
            arrays.append({"name": name, "element": draw(elements), "shape": shape, "attribute_of": owner})
    return placed(draw(st.permutations(arrays)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_with_store(tmp_path_factory, "arrays")


@random_cases(6)
@given(arrays=arrays_of_files(), collective=st.booleans())
def test_any_compounds_and_attributes_come_back(folder: Path, arrays: list[Json], collective: bool) -> None:
    with contextlib.chdir(folder):
        need_backend("hdf5")
        run_pattern(pattern_of(arrays, ranks=2, counts=[1, 5]), "posix")
        run_pattern(pattern_of(arrays, ranks=2, counts=[1, 5], collective=collective), "hdf5")
        check_hdf5(arrays)
