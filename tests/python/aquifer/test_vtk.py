"""VTK's reader of XDMF, which is ParaView's, finds all times, and every value in its cell's place."""

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from aquifer.made_file import VELOCITIES, Edges, Recipe, even, fields, write_file
from verbs import weir_here

UNEVEN = (np.array([0.0, 1, 3, 7]), np.array([-1.0, 10, 11]), np.array([-4.0, -1, 0, 0.5, 2]))


@pytest.fixture(scope="module", name="vtk")
def _vtk() -> Any:
    """Imported here, and not by all processes that only look for tests: that takes seconds."""
    pytest.importorskip("vtkmodules", reason="vtk, which reads XDMF as ParaView does, is not installed")
    return importlib.import_module("vtk")


def array(values: Any) -> NDArray[Any]:
    support: Any = importlib.import_module("vtkmodules.util.numpy_support")
    return np.asarray(support.vtk_to_numpy(values))


def reader(vtk: Any, *files: Path) -> Any:
    done = weir_here("export", *files, "--format", "xdmf")
    assert done.exit_code == 0, done.output
    found = vtk.vtkXdmfReader()
    found.SetFileName(done.stdout.strip())
    found.UpdateInformation()
    return found


def times(vtk: Any, found: Any) -> tuple[float, ...]:
    steps = found.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    return tuple(steps)


def filtered(algorithm: Any, data: Any) -> Any:
    algorithm.SetInputData(data)
    algorithm.Update()
    return algorithm.GetOutput()


def check(vtk: Any, data: Any, edges: Edges, time: float) -> None:
    """Each cell of the file is there once, with the field's values at its centre, and a positive volume."""
    centres = array(filtered(vtk.vtkCellCenters(), data).GetPoints().GetData())
    places = [np.searchsorted(one, centres[:, axis]) - 1 for axis, one in enumerate(edges)]
    cells = tuple(len(one) - 1 for one in edges)
    assert sorted(zip(*map(np.ndarray.tolist, places), strict=True)) == list(np.ndindex(*cells))
    for axis, one in enumerate(edges):
        np.testing.assert_allclose(centres[:, axis], ((one[1:] + one[:-1]) / 2)[places[axis]], atol=1e-12)
    found = data.GetCellData()
    expected = fields(edges, time)
    for name, values in expected.items():
        np.testing.assert_array_equal(array(found.GetArray(name)), values[tuple(places)])
    if cells != (1, 1, 1):
        vector = np.stack([expected[name][tuple(places)] for name in VELOCITIES], axis=1)
        np.testing.assert_array_equal(array(found.GetArray("Liquid Velocity [m_per_d]")), vector)
    volumes = array(filtered(vtk.vtkCellSizeFilter(), data).GetCellData().GetArray("Volume"))
    assert volumes.min() > 0
    assert volumes.sum() == pytest.approx(np.prod([one[-1] - one[0] for one in edges]))


@pytest.mark.parametrize(
    "edges",
    [*map(even, [(1, 1, 1), (1, 1, 5), (5, 1, 1), (1, 4, 1), (2, 3, 1), (7, 5, 3), (13, 11, 17)]), UNEVEN],
    ids=lambda edges: "x".join(str(len(one) - 1) for one in edges),
)
def test_every_value_is_in_its_cell(vtk: Any, tmp_path: Path, edges: Edges) -> None:
    x, y, z = (len(one) - 1 for one in edges)
    found = reader(vtk, write_file(tmp_path / "a b.h5", Recipe((x, y, z), edges=edges)))
    assert times(vtk, found) == (0, 1.5)
    for time in (1.5, 0):
        found.UpdateTimeStep(time)
        check(vtk, found.GetOutputDataObject(0), edges, time)


def test_several_files_are_one_series(vtk: Any, tmp_path: Path) -> None:
    files = [
        write_file(tmp_path / f"aquifer-{number:03d}.h5", times=(time,))
        for number, time in enumerate((0, 10, 200))
    ]
    found = reader(vtk, *files)
    assert times(vtk, found) == (0, 10, 200)
    for time in times(vtk, found):
        found.UpdateTimeStep(time)
        check(vtk, found.GetOutputDataObject(0), even((7, 5, 4)), time)
