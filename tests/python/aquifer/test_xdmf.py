"""`weir export --format xdmf`: what it writes, and that it replaces only files of its own."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import Result

from aquifer.made_file import PRESSURE, VELOCITIES, Recipe, even, fields, group_name, write_file
from verbs import weir_here


def weir(*arguments: object) -> Result:
    return weir_here("export", *arguments, "--format", "xdmf")


def written(*files: object) -> Path:
    done = weir(*files)
    assert done.exit_code == 0, done.output
    return Path(done.stdout.strip())


def grids(path: Path) -> list[ET.Element]:
    return ET.parse(path).getroot().findall(".//Grid[@GridType='Uniform']")


def read(path: Path, item: ET.Element | None) -> NDArray[Any]:
    """What a reader of XDMF finds under a data item."""
    assert item is not None and item.text
    name, place = item.text.split(":")
    with h5py.File(path.with_name(name)) as file:
        found = np.asarray(file[place])
    assert found.shape == tuple(map(int, item.attrib["Dimensions"].split()))
    assert found.dtype.itemsize == int(item.attrib["Precision"])
    assert {"f": "Float", "i": "Int"}[found.dtype.kind] == item.attrib["NumberType"]
    return found


@pytest.mark.parametrize("cells", [(1, 1, 1), (2, 3, 1), (7, 5, 3)])
def test_fields_and_nodes_run_backwards_along_x_together(tmp_path: Path, cells: tuple[int, int, int]) -> None:
    path = written(write_file(tmp_path / "a.h5", Recipe(cells, times=(0, 2))))
    assert path == tmp_path / "a.xmf"
    x, y, z = np.meshgrid(*even(cells), indexing="ij")
    found = grids(path)
    assert [grid.find("Time").attrib["Value"] for grid in found] == ["0.0", "2.0"]  # type: ignore[union-attr]
    for grid, time in zip(found, (0, 2), strict=True):
        nodes = grid.findall("Geometry/DataItem")
        for item, expected in zip(nodes, (x, y, z), strict=True):
            np.testing.assert_array_equal(read(path, item), expected[::-1])
        for name, values in fields(even(cells), time).items():
            stored = read(path, grid.find(f"Attribute[@Name='{name}']/DataItem"))
            np.testing.assert_array_equal(stored, values[::-1])


def test_a_velocity_is_a_vector_too(tmp_path: Path) -> None:
    path = written(write_file(tmp_path / "a.h5"))
    vector = grids(path)[0].find("Attribute[@Name='Liquid Velocity [m_per_d]']/DataItem")
    assert vector is not None and vector.attrib["Dimensions"] == "7 5 4 3"
    expected = fields(even((7, 5, 4)), 0)
    for item, name in zip(vector, VELOCITIES, strict=True):
        np.testing.assert_array_equal(read(path, item), expected[name][::-1])


def test_files_of_a_time_each_are_one_series(tmp_path: Path) -> None:
    files = [
        write_file(tmp_path / f"aquifer-{number:03d}.h5", times=(time,))
        for number, time in enumerate((3.0, 0.5, 20))
    ]
    path = written(*files)
    assert path == tmp_path / "aquifer.xmf"
    for grid, time in zip(grids(path), (0.5, 3, 20), strict=True):
        assert grid.find("Time").attrib["Value"] == repr(float(time))  # type: ignore[union-attr]
        found = read(path, grid.find(f"Attribute[@Name='{PRESSURE}']/DataItem"))
        np.testing.assert_array_equal(found, fields(even((7, 5, 4)), time)[PRESSURE][::-1])
    done = weir(*sorted(tmp_path.glob("*.h5")))
    assert done.exit_code == 0 and "left out" in done.stderr and "aquifer.xmf.h5" in done.stderr


def test_times_of_several_units_are_in_that_of_the_first(tmp_path: Path) -> None:
    day, hour = (write_file(tmp_path / f"{unit}.h5", Recipe(unit=unit), (12,)) for unit in "dh")
    path = written(day, hour)
    found = [grid.find("Time").attrib["Value"] for grid in grids(path)]  # type: ignore[union-attr]
    assert list(map(float, found)) == [0.5, 12]
    assert 'Name="time unit" Value="d"' in path.read_text()


def test_types_and_names_of_all_kinds(tmp_path: Path) -> None:
    path = write_file(tmp_path / "100%b of <a> & b.h5", times=(1,))
    group = f"{group_name(1)}/"
    kinds = {"f2": "f4", ">f4": "f4", ">f8": "f8", "u1": "i4", "i2": "i4", "u4": "i8", ">i8": "i8"}
    with h5py.File(path, "r+") as file:
        for kind in kinds:
            file[f'{group}is {kind} "&" 5% <x>'] = np.arange(140).reshape(7, 5, 4).astype(kind)
        file[f"{group}other shape"] = np.ones((7, 5, 3))
        file[f"{group}text"] = np.full((7, 5, 4), b"x", "S1")
    made = written(path)
    attributes = {one.attrib["Name"]: one.find("DataItem") for one in grids(made)[0].findall("Attribute")}
    assert "other shape" not in attributes and "text" not in attributes
    for kind, stored in kinds.items():
        found = read(made, attributes[f'is {kind} "&" 5% <x>'])
        assert found.dtype == stored
        np.testing.assert_array_equal(found, np.arange(140).reshape(7, 5, 4)[::-1])


def test_the_files_may_be_moved_together_and_written_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "run/data").mkdir(parents=True)
    write_file(tmp_path / "run/data/a.h5")
    written(tmp_path / "run/data/a.h5", "-o", tmp_path / "run/a.xmf")
    (tmp_path / "run").rename(tmp_path / "moved")
    path = tmp_path / "moved/a.xmf"
    found = read(path, grids(path)[0].find(f"Attribute[@Name='{PRESSURE}']/DataItem"))
    np.testing.assert_array_equal(found, fields(even((7, 5, 4)), 0)[PRESSURE][::-1])
    (tmp_path / "moved/data/a.h5").unlink()
    assert np.isnan(read(path, grids(path)[0].find(f"Attribute[@Name='{PRESSURE}']/DataItem"))).all()


def test_the_data_stay_as_they_are(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.h5")
    before = path.read_bytes()
    written(path)
    assert path.read_bytes() == before


def test_programs_are_told_what_it_costs(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.h5")
    data = json.loads(weir(path, "--json").stdout)
    assert (data["file"], data["times"], data["time_unit"]) == (str(tmp_path / "a.xmf"), 2, "d")
    assert data["data_bytes"] == (tmp_path / "a.xmf.h5").stat().st_size
    assert data["node_bytes"] == 8 * 6 * 5 * 24 and data["files"] == [str(path)]


def test_only_its_own_files_are_replaced(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.h5", times=(1,))
    made, beside = written(path), tmp_path / "a.xmf.h5"
    write_file(path, times=(1, 2))
    assert len(grids(written(path))) == 2
    for name, content in ((made, b"<Xdmf/>"), (made, b""), (beside, b"mine"), (beside, path.read_bytes())):
        kept = name.read_bytes()
        name.write_bytes(content)
        done = weir(path)
        assert done.exit_code == 2 and "is not known as Weir's own, and is left alone" in done.stderr
        assert name.read_bytes() == content
        name.write_bytes(kept)
    made.unlink()
    made.symlink_to(beside)
    assert weir(path).exit_code == 2 and made.is_symlink()


@pytest.mark.parametrize(
    ("out", "said"),
    [("a.txt", "use NAME.xmf"), ("a:b.xmf", "split names at a colon"), ("nowhere/a.xmf", "another --out")],
)
def test_names_that_no_reader_could_use_are_refused(tmp_path: Path, out: str, said: str) -> None:
    path = write_file(tmp_path / "a.h5")
    done = weir(path, "-o", tmp_path / out)
    assert done.exit_code == 2 and said.lower() in done.stderr.lower() and len(done.stderr.splitlines()) == 1
    assert [one.name for one in tmp_path.iterdir()] == ["a.h5"]


def test_files_that_are_no_series_are_refused(tmp_path: Path) -> None:
    one = write_file(tmp_path / "one.h5")
    other = write_file(tmp_path / "other.h5", Recipe((7, 5, 3)))
    twice = write_file(tmp_path / "twice.h5", times=(1.5, 4))
    months = write_file(tmp_path / "months.h5", Recipe(unit="m"))
    for file, words in ((other, "has other cells"), (twice, "is there twice"), (months, "'m' is not known")):
        done = weir(one, file)
        assert done.exit_code == 2 and words in done.stderr and len(done.stderr.splitlines()) == 1, (
            done.output
        )
    bare, long = write_file(tmp_path / "bare.h5", times=(9,)), tmp_path / "long.h5"
    with h5py.File(bare, "r+") as file:
        file.create_group(group_name(10))
    write_file(long, Recipe((16_385, 1, 1)))
    for file, words in ((bare, "has nothing to show at 10 d"), (long, "has 16,385 cells along x")):
        done = weir(file)
        assert done.exit_code == 2 and words in done.stderr, done.output
    written(one)
    done = weir(tmp_path / "one.xmf.h5")
    assert done.exit_code == 2 and "an export made all of the files" in done.stderr
